"""Samples of `ops.windows.fractional_pooling`."""

import numpy as np

from tests.ops.calls import INF, NAN
from tests.ops.harness import Sample

rng = np.random.default_rng(29)


def normal(*shape):
    return rng.normal(size=shape)


IMAGES = normal(2, 2, 5, 6)
NANS = np.array([[[1.0, NAN, 2.0, NAN], [NAN, 5.0, 9.0, 1.0], [0.0, 3.0, -INF, -INF]]])


def fractional(name, samples, **options):
    return lambda T, x: getattr(T.nn.functional, name)(
        x, _random_samples=T.from_numpy(samples).to(x.dtype), return_indices=True, **options
    )


SAMPLES = [
    Sample(
        "fractional_max_pool2d",
        fractional("fractional_max_pool2d", rng.random((2, 2, 2)), kernel_size=2, output_size=(3, 4)),
        (IMAGES,),
    ),
    Sample(
        "fractional_max_pool2d nan",
        fractional("fractional_max_pool2d", rng.random((1, 1, 2)), kernel_size=2, output_size=2),
        (NANS,),
        smooth=False,
    ),
    Sample(
        "fractional_max_pool2d ratio",
        fractional("fractional_max_pool2d", rng.random((2, 2, 2)), kernel_size=(2, 1), output_ratio=(0.5, 0.6)),
        (IMAGES,),
    ),
    Sample(
        "fractional_max_pool3d",
        fractional("fractional_max_pool3d", rng.random((1, 2, 3)), kernel_size=2, output_size=(2, 1, 3)),
        (normal(1, 2, 4, 3, 6),),
    ),
]
