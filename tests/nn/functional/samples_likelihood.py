"""Samples of `nn.functional.likelihood`."""

import numpy as np

from tests.ops.calls import call
from tests.ops.harness import Sample

rng = np.random.default_rng(21)
X = rng.normal(size=(4, 3))
Y = rng.normal(size=(4, 3))
P = rng.uniform(0.1, 0.9, (4, 3))

SAMPLES = [
    Sample("kl_div 0-d", call("kl_div", reduction="batchmean"), (np.array(-1.0), np.array(0.5))),
    Sample("poisson_nll_loss full", call("poisson_nll_loss", np.array([0.5, 1.0, 4.0]), full=True), (X,)),
    Sample("gaussian_nll_loss number", call("gaussian_nll_loss", 2.0, full=True), (X, Y)),
    # the derivative by a variance that was raised is that of the formula
    Sample("gaussian_nll_loss raised", call("gaussian_nll_loss", eps=0.4), (X, Y, P), smooth=False),
]
