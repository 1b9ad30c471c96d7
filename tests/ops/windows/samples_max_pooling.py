"""Samples of `ops.windows.max_pooling`."""

import numpy as np

from tests.ops.calls import INF, NAN, call
from tests.ops.harness import Sample

rng = np.random.default_rng(29)


def normal(*shape):
    return rng.normal(size=shape)


IMAGES = normal(2, 2, 5, 6)
TIES = np.array([[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0], [0.0, 3.0, 3.0, 0.0]]])
NANS = np.array([[[1.0, NAN, 2.0, NAN], [NAN, 5.0, 9.0, 1.0], [0.0, 3.0, -INF, -INF]]])
LOWEST = np.full((1, 3, 3), -INF)


def unpool(name, kernel_size, output_size=None, **options):
    """Pool and put the maxima back, from an input whose maxima are all elsewhere."""

    def f(T, x):
        F = T.nn.functional
        values, indices = getattr(F, name.replace("un", ""))(x, kernel_size, return_indices=True, **options)
        return getattr(F, name)(values * 2, indices, kernel_size, output_size=output_size, **options)

    return f


SAMPLES = [
    *[
        Sample(f"max_pool {title}", call("max_pool2d", **options), (IMAGES,))
        for title, options in {
            "overlapping": {"kernel_size": 3, "stride": (1, 2), "padding": 1},
            "apart": {"kernel_size": (1, 2), "stride": 3},
            "ceil": {"kernel_size": 2, "stride": 2, "padding": 1, "ceil_mode": True},
            "whole": {"kernel_size": (5, 6)},
        }.items()
    ],
    Sample("max_pool2d indices", call("max_pool2d", kernel_size=2, stride=1, return_indices=True), (IMAGES,)),
    Sample(
        "max_pool2d dilation",
        call("max_pool2d", kernel_size=2, stride=1, dilation=(2, 3), padding=1, return_indices=True),
        (IMAGES,),
    ),
    # of equal elements the first one, row by row, gets the gradient
    Sample("max_pool2d ties", call("max_pool2d", kernel_size=2, stride=1, return_indices=True), (TIES,), smooth=False),
    Sample(
        "max_pool2d ties padded",
        call("max_pool2d", kernel_size=3, padding=1, stride=2, return_indices=True),
        (TIES,),
        smooth=False,
    ),
    Sample("max_pool2d nan", call("max_pool2d", kernel_size=2, stride=1, return_indices=True), (NANS,), smooth=False),
    Sample(
        "max_pool2d lowest", call("max_pool2d", kernel_size=2, padding=1, return_indices=True), (LOWEST,), smooth=False
    ),
    Sample("max_pool2d many taps", call("max_pool2d", kernel_size=18, return_indices=True), (normal(1, 1, 18, 18),)),
    Sample(
        "max_pool2d of integers",
        call("max_pool2d", kernel_size=2, padding=1),
        (np.arange(-9, 0).reshape(1, 3, 3),),
        grad=False,
    ),
    Sample("max_pool2d no images", call("max_pool2d", kernel_size=2), (normal(0, 2, 4, 4),)),
    Sample("max_pool1d", call("max_pool1d", kernel_size=3, stride=2, padding=1), (normal(2, 2, 7),)),
    Sample("max_pool3d", call("max_pool3d", kernel_size=2, stride=1, return_indices=True), (normal(1, 2, 3, 3, 3),)),
    *[
        Sample(f"adaptive_max_pool2d to {size}", call("adaptive_max_pool2d", output_size=size), (IMAGES,))
        for size in (1, 3, (5, None), (4, 9))
    ],
    Sample(
        "adaptive_max_pool2d ties",
        call("adaptive_max_pool2d", output_size=(2, 3), return_indices=True),
        (TIES,),
        smooth=False,
    ),
    Sample(
        "adaptive_max_pool2d nan",
        call("adaptive_max_pool2d", output_size=(2, 3), return_indices=True),
        (NANS,),
        smooth=False,
    ),
    Sample("adaptive_max_pool3d", call("adaptive_max_pool3d", output_size=2), (normal(1, 2, 3, 4, 5),)),
    Sample("max_unpool1d", unpool("max_unpool1d", 2), (normal(2, 2, 6),)),
    Sample("max_unpool2d", unpool("max_unpool2d", 2, output_size=(5, 6)), (IMAGES,)),
    Sample("max_unpool2d whole shape", unpool("max_unpool2d", 2, output_size=(2, 2, 5, 7)), (normal(2, 2, 5, 7),)),
    Sample("max_unpool3d", unpool("max_unpool3d", 2), (normal(1, 2, 4, 2, 2),)),
]
