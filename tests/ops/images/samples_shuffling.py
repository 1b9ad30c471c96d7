"""Samples of `ops.images.shuffling`."""

import numpy as np

from tests.ops.calls import call
from tests.ops.harness import Sample

rng = np.random.default_rng(42)
LINE = rng.normal(size=(1, 2, 5))

SAMPLES = [
    Sample("pixel_shuffle no batch", call("pixel_shuffle", 2), (rng.normal(size=(4, 1, 3)),)),
    Sample("pixel_unshuffle strided", lambda T, x: T.pixel_unshuffle(x.mT, 2), (LINE[..., :4],)),
    Sample("channel_shuffle", lambda T, x: T.channel_shuffle(x, 3), (rng.normal(size=(2, 6, 2)),)),
]
