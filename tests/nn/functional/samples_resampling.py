"""Samples of `nn.functional.resampling`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(42)
LINE = rng.normal(size=(1, 2, 5))
IMAGE = rng.normal(size=(2, 3, 4, 5))
BLOCK = rng.normal(size=(1, 2, 3, 2, 3))


def interpolate(**options):
    return lambda T, x: T.nn.functional.interpolate(x, **options)


SAMPLES = [
    Sample("interpolate to one", interpolate(size=1, mode="linear"), (LINE,)),
    Sample("interpolate to one, corners", interpolate(size=1, mode="linear", align_corners=True), (LINE,)),
    Sample("interpolate from one", interpolate(size=7, mode="linear", align_corners=True), (LINE[..., :1],)),
    Sample("interpolate same size", interpolate(size=5), (LINE,)),
    Sample("interpolate nearest down", interpolate(scale_factor=0.3), (rng.normal(size=(1, 1, 11)),)),
    Sample(
        "interpolate float32", interpolate(scale_factor=1.7, mode="bicubic"), (IMAGE.astype(np.float32),), smooth=False
    ),
    Sample("interpolate no batch", interpolate(size=(2, 2), mode="bilinear"), (IMAGE[:0],)),
    Sample("interpolate area", interpolate(size=(3, 7), mode="area"), (IMAGE,)),
    Sample("interpolate two factors", interpolate(scale_factor=(0.6, 1.9), mode="bilinear"), (IMAGE,)),
    Sample(
        "interpolate recomputed",
        interpolate(scale_factor=(0.6, 1.9), mode="bilinear", recompute_scale_factor=True),
        (IMAGE,),
    ),
    Sample("interpolate antialias", interpolate(size=(2, 3), mode="bilinear", antialias=True), (IMAGE,)),
    Sample("interpolate antialias cubic", interpolate(size=(2, 3), mode="bicubic", antialias=True), (IMAGE,)),
    Sample(
        "interpolate antialias corners",
        interpolate(size=(2, 3), mode="bicubic", antialias=True, align_corners=True),
        (IMAGE,),
    ),
    Sample("interpolate trilinear", interpolate(size=(2, 5, 4), mode="trilinear"), (BLOCK,)),
]
