"""Samples of `ops.windows.convolving`."""

import numpy as np

from tests.ops.calls import call
from tests.ops.harness import Sample

rng = np.random.default_rng(23)


def normal(*shape):
    return rng.normal(size=shape)


IMAGES = normal(2, 4, 5, 6)
KERNELS = normal(6, 2, 2, 3)
BIAS = normal(6)
TWO_CHANNELS = normal(2, 2, 4, 3)

SAMPLES = [
    Sample("conv2d groups", call("conv2d", groups=2), (IMAGES, KERNELS, BIAS)),
    Sample(
        "conv2d all at once",
        call("conv2d", groups=2, stride=(2, 1), padding=(1, 2), dilation=(2, 1)),
        (IMAGES, KERNELS, BIAS),
    ),
    Sample("conv2d one group a channel", call("conv2d", groups=2, padding=1), (TWO_CHANNELS, normal(4, 1, 3, 3))),
    Sample("conv2d 1x1", call("conv2d"), (IMAGES, normal(3, 4, 1, 1), normal(3))),
    Sample("conv2d 1x1 stride", call("conv2d", stride=2), (IMAGES, normal(3, 4, 1, 1))),
    Sample(
        "conv2d even same",
        call("conv2d", padding="same", dilation=(1, 2)),
        (TWO_CHANNELS, normal(3, 2, 2, 2)),
        torch_f=lambda T, x, w: T.nn.functional.conv2d(
            T.nn.functional.pad(x, (0, 0, 0, 1)), w, padding=(0, 1), dilation=(1, 2)
        ),  # it warns
    ),
    Sample("conv2d valid", call("conv2d", padding="valid"), (TWO_CHANNELS, normal(3, 2, 2, 2))),
    Sample("conv2d one image", call("conv2d"), (normal(2, 4, 3), normal(3, 2, 2, 2), normal(3))),
    Sample("conv2d no images", call("conv2d", padding=1), (normal(0, 2, 4, 3), normal(3, 2, 2, 2), normal(3))),
    Sample("conv2d windows apart", call("conv2d", stride=3), (normal(1, 1, 8, 7), normal(1, 1, 2, 2))),
    Sample(
        "conv2d of integers",
        lambda T, x: T.nn.functional.conv2d(x, T.ones_like(x[:, :, :2])),
        (np.arange(24).reshape(1, 2, 4, 3),),
        grad=False,
    ),
    Sample("conv2d with itself", lambda T, x: T.nn.functional.conv2d(x, x), (normal(2, 2, 3, 3),)),
    Sample("conv2d top level", lambda T, x, w: T.conv2d(x, w, None, 2), (TWO_CHANNELS, normal(3, 2, 2, 2))),
    Sample("conv1d one signal", call("conv1d", stride=2), (normal(2, 7), normal(3, 2, 3), normal(3))),
    Sample(
        "conv3d",
        call("conv3d", padding=(0, 1, 0), stride=(1, 2, 1)),
        (normal(1, 2, 3, 4, 3), normal(2, 2, 2, 2, 2), normal(2)),
    ),
    Sample(
        "conv_transpose2d groups",
        call("conv_transpose2d", groups=2, stride=2, output_padding=1),
        (IMAGES, normal(4, 3, 2, 3), BIAS),
    ),
    # more room at the end than a stride: the way back has windows that were not there
    Sample(
        "conv_transpose2d roomy",
        call("conv_transpose2d", stride=1, dilation=3, output_padding=2, padding=1),
        (TWO_CHANNELS, normal(2, 2, 2, 2)),
    ),
    Sample("conv_transpose2d one image", call("conv_transpose2d"), (normal(2, 2, 3), normal(2, 3, 2, 2), normal(3))),
    Sample("conv_transpose1d", call("conv_transpose1d", stride=3), (normal(2, 2, 3), normal(2, 3, 2), normal(3))),
    Sample(
        "conv_transpose3d",
        call("conv_transpose3d", stride=2, padding=1),
        (normal(1, 2, 2, 3, 2), normal(2, 1, 3, 2, 3)),
    ),
]
