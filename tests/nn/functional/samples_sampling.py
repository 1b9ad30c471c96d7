"""Samples of `nn.functional.sampling`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(42)
IMAGE = rng.normal(size=(2, 3, 4, 5))
BLOCK = rng.normal(size=(1, 2, 3, 2, 3))
GRID = rng.uniform(-0.9, 0.9, (2, 3, 2, 2))
FAR = rng.uniform(-2.5, 2.5, (2, 3, 2, 2))
GRID3 = rng.uniform(-1.2, 1.2, (1, 2, 2, 1, 3))
EDGES = np.array([-1.0, 1.0, 0.0, 0.5])
THETA = rng.normal(size=(2, 2, 3))
MODES = ("bilinear", "nearest", "bicubic")


def sample(**options):
    return lambda T, x, grid: T.nn.functional.grid_sample(x, grid, **options)


def sample_border(mode):
    return sample(mode=mode, padding_mode="border", align_corners=True)


def affine_grid(size, align_corners):
    return lambda T, x: T.nn.functional.affine_grid(x, size, align_corners=align_corners)


SAMPLES = [
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
]
