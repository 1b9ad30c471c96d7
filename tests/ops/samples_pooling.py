"""Samples of pooling: ties, NaN, infinities, windows at the edges, and what PyTorch's own samples leave out."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(29)
INF, NAN = np.inf, np.nan


def normal(*shape):
    return rng.normal(size=shape)


def call(name, **options):
    return lambda T, *tensors: getattr(T.nn.functional, name)(*tensors, **options)


def unpool(name, kernel_size, output_size=None, **options):
    """Pool and put the maxima back, from an input whose maxima are all elsewhere."""

    def f(T, x):
        F = T.nn.functional
        values, indices = getattr(F, name.replace("un", ""))(x, kernel_size, return_indices=True, **options)
        return getattr(F, name)(values * 2, indices, kernel_size, output_size=output_size, **options)

    return f


def fractional(name, samples, **options):
    return lambda T, x: getattr(T.nn.functional, name)(
        x, _random_samples=T.from_numpy(samples).to(x.dtype), return_indices=True, **options
    )


IMAGES = normal(2, 2, 5, 6)
TIES = np.array([[[1.0, 1.0, 2.0, 2.0], [1.0, 1.0, 2.0, 2.0], [0.0, 3.0, 3.0, 0.0]]])
NANS = np.array([[[1.0, NAN, 2.0, NAN], [NAN, 5.0, 9.0, 1.0], [0.0, 3.0, -INF, -INF]]])
LOWEST = np.full((1, 3, 3), -INF)

SAMPLES = [
    *[
        Sample(f"{name} {title}", call(f"{name}2d", **options), (IMAGES,))
        for name in ("max_pool", "avg_pool")
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
    Sample(
        "avg_pool2d edges not counted",
        call("avg_pool2d", kernel_size=3, stride=2, padding=1, ceil_mode=True, count_include_pad=False),
        (IMAGES,),
    ),
    Sample("avg_pool2d divisor", call("avg_pool2d", kernel_size=2, divisor_override=-3), (IMAGES,)),
    # an infinity stays in its windows
    Sample(
        "avg_pool2d infinite",
        call("avg_pool2d", kernel_size=2),
        (np.array([[[INF, 1.0, 2.0], [0.0, 1.0, 2.0]]]),),
        smooth=False,
    ),
    Sample(
        "avg_pool2d of integers", call("avg_pool2d", kernel_size=2), (np.arange(-9, 7).reshape(1, 4, 4),), grad=False
    ),
    Sample("avg_pool1d", call("avg_pool1d", kernel_size=3, stride=2, padding=1), (normal(2, 7),)),
    Sample("avg_pool3d", call("avg_pool3d", kernel_size=2, stride=1, padding=1), (normal(1, 2, 2, 3, 2),)),
    *[
        Sample(f"{name} to {size}", call(name, output_size=size), (IMAGES,))
        for name in ("adaptive_avg_pool2d", "adaptive_max_pool2d")
        for size in (1, 3, (5, None), (4, 9))  # down, as it is, and up
    ],
    Sample(
        "adaptive_avg_pool2d infinite",
        call("adaptive_avg_pool2d", output_size=(1, 2)),
        (np.array([[[INF, 1.0, 2.0]]]),),
        smooth=False,
    ),
    Sample("adaptive_avg_pool2d to none", call("adaptive_avg_pool2d", output_size=(0, 2)), (IMAGES,), grad=False),
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
    Sample("adaptive_avg_pool1d", call("adaptive_avg_pool1d", output_size=3), (normal(2, 2, 7),)),
    Sample("adaptive_max_pool3d", call("adaptive_max_pool3d", output_size=2), (normal(1, 2, 3, 4, 5),)),
    Sample("max_unpool1d", unpool("max_unpool1d", 2), (normal(2, 2, 6),)),
    Sample("max_unpool2d", unpool("max_unpool2d", 2, output_size=(5, 6)), (IMAGES,)),
    Sample("max_unpool2d whole shape", unpool("max_unpool2d", 2, output_size=(2, 2, 5, 7)), (normal(2, 2, 5, 7),)),
    Sample("max_unpool3d", unpool("max_unpool3d", 2), (normal(1, 2, 4, 2, 2),)),
    Sample("lp_pool2d", call("lp_pool2d", norm_type=2, kernel_size=(2, 3)), (IMAGES,)),
    Sample("lp_pool2d cubes", call("lp_pool2d", norm_type=3.0, kernel_size=2, ceil_mode=True), (abs(IMAGES),)),
    Sample("lp_pool2d inf", call("lp_pool2d", norm_type=INF, kernel_size=2), (IMAGES,)),
    Sample("lp_pool2d -inf", call("lp_pool2d", norm_type=-INF, kernel_size=2), (IMAGES,)),
    Sample("lp_pool3d", call("lp_pool3d", norm_type=2.0, kernel_size=2), (normal(1, 2, 2, 3, 2),)),
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
