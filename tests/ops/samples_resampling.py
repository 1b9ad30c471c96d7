"""Samples of resampling and rearranging images: what PyTorch's own samples leave out."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(42)
LINE = rng.normal(size=(1, 2, 5))
IMAGE = rng.normal(size=(2, 3, 4, 5))
BLOCK = rng.normal(size=(1, 2, 3, 2, 3))
SINGLE = IMAGE.astype(np.float32)
GRID = rng.uniform(-0.9, 0.9, (2, 3, 2, 2))
FAR = rng.uniform(-2.5, 2.5, (2, 3, 2, 2))
GRID3 = rng.uniform(-1.2, 1.2, (1, 2, 2, 1, 3))
EDGES = np.array([-1.0, 1.0, 0.0, 0.5])
THETA = rng.normal(size=(2, 2, 3))


def interpolate(**options):
    return lambda T, x: T.nn.functional.interpolate(x, **options)


def sample(**options):
    return lambda T, x, grid: T.nn.functional.grid_sample(x, grid, **options)


def sample_border(mode):
    return sample(mode=mode, padding_mode="border", align_corners=True)


def affine_grid(size, align_corners):
    return lambda T, x: T.nn.functional.affine_grid(x, size, align_corners=align_corners)


def call(name, *args):
    return lambda T, x: getattr(T.nn.functional, name)(x, *args)


MODES = ("bilinear", "nearest", "bicubic")
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
    *[
        Sample(f"grid_sample {mode}", sample(mode=mode, align_corners=False), (IMAGE, GRID), smooth=mode != "nearest")
        for mode in MODES
    ],
    *[
        Sample(
            f"grid_sample {mode} {padding} {corners}",
            sample(mode=mode, padding_mode=padding, align_corners=corners),
            (IMAGE, FAR),
            smooth=mode != "nearest",
        )
        for mode in MODES
        for padding in ("border", "reflection")
        for corners in (True, False)
    ],
    Sample("grid_sample 3-d", sample(padding_mode="reflection", align_corners=True), (BLOCK, GRID3)),
    Sample(
        "grid_sample at the edges",
        sample_border("bilinear"),
        (IMAGE[:1, :, :3, :3], np.stack(np.meshgrid(EDGES, EDGES), -1)[None]),
        smooth=False,
    ),
    Sample(
        "grid_sample not a number",
        sample(align_corners=True),
        (IMAGE[:1], np.array([[[[np.nan, 0.0], [np.inf, 0.1], [1e30, 0.2]]]])),
        grad=False,
    ),
    Sample("grid_sample one pixel", sample(padding_mode="reflection", align_corners=True), (IMAGE[:, :, :1, :1], GRID)),
    Sample("affine_grid", affine_grid((2, 1, 3, 4), False), (THETA,)),
    Sample(
        "affine_grid corners", lambda T, x: T.nn.functional.affine_grid(x, (2, 1, 3, 2), align_corners=True), (THETA,)
    ),
    Sample(
        "affine_grid 3-d",
        affine_grid((1, 1, 2, 3, 2), False),
        (rng.normal(size=(1, 3, 4)),),
    ),
    Sample("pixel_shuffle no batch", call("pixel_shuffle", 2), (rng.normal(size=(4, 1, 3)),)),
    Sample("pixel_unshuffle strided", lambda T, x: T.pixel_unshuffle(x.mT, 2), (LINE[..., :4],)),
    Sample("channel_shuffle", lambda T, x: T.channel_shuffle(x, 3), (rng.normal(size=(2, 6, 2)),)),
]
