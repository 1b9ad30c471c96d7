"""Samples of `ops.windows.avg_pooling`."""

import numpy as np

from tests.ops.calls import INF, call
from tests.ops.harness import Sample

rng = np.random.default_rng(29)


def normal(*shape):
    return rng.normal(size=shape)


IMAGES = normal(2, 2, 5, 6)

SAMPLES = [
    *[
        Sample(f"avg_pool {title}", call("avg_pool2d", **options), (IMAGES,))
        for title, options in {
            "overlapping": {"kernel_size": 3, "stride": (1, 2), "padding": 1},
            "apart": {"kernel_size": (1, 2), "stride": 3},
            "ceil": {"kernel_size": 2, "stride": 2, "padding": 1, "ceil_mode": True},
            "whole": {"kernel_size": (5, 6)},
        }.items()
    ],
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
        Sample(f"adaptive_avg_pool2d to {size}", call("adaptive_avg_pool2d", output_size=size), (IMAGES,))
        for size in (1, 3, (5, None), (4, 9))
    ],
    Sample(
        "adaptive_avg_pool2d infinite",
        call("adaptive_avg_pool2d", output_size=(1, 2)),
        (np.array([[[INF, 1.0, 2.0]]]),),
        smooth=False,
    ),
    Sample("adaptive_avg_pool2d to none", call("adaptive_avg_pool2d", output_size=(0, 2)), (IMAGES,), grad=False),
    Sample("adaptive_avg_pool1d", call("adaptive_avg_pool1d", output_size=3), (normal(2, 2, 7),)),
    Sample("lp_pool2d", call("lp_pool2d", norm_type=2, kernel_size=(2, 3)), (IMAGES,)),
    Sample("lp_pool2d cubes", call("lp_pool2d", norm_type=3.0, kernel_size=2, ceil_mode=True), (abs(IMAGES),)),
    Sample("lp_pool2d inf", call("lp_pool2d", norm_type=INF, kernel_size=2), (IMAGES,)),
    Sample("lp_pool2d -inf", call("lp_pool2d", norm_type=-INF, kernel_size=2), (IMAGES,)),
    Sample("lp_pool3d", call("lp_pool3d", norm_type=2.0, kernel_size=2), (normal(1, 2, 2, 3, 2),)),
]
