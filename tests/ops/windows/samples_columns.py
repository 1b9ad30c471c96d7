"""Samples of `ops.windows.columns`."""

import numpy as np

from tests.ops.calls import call
from tests.ops.harness import Sample

rng = np.random.default_rng(23)


def normal(*shape):
    return rng.normal(size=shape)


TWO_CHANNELS = normal(2, 2, 4, 3)

SAMPLES = [
    Sample(
        "unfold images", call("unfold", kernel_size=(2, 3), padding=1, stride=(2, 1), dilation=(1, 2)), (TWO_CHANNELS,)
    ),
    Sample("unfold one element", call("unfold", kernel_size=1), (TWO_CHANNELS,)),
    Sample("unfold one image", call("unfold", kernel_size=2), (normal(2, 4, 3),)),
    Sample(
        "fold images",
        call("fold", output_size=(4, 3), kernel_size=2, padding=(1, 0), stride=(2, 1)),
        (normal(2, 8, 6),),
    ),
    Sample("fold one image", call("fold", output_size=(3, 3), kernel_size=2), (normal(4, 4),)),
]
