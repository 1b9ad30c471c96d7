"""Samples of `ops.special.polynomials`."""

import numpy as np

from tests.ops.calls import words
from tests.ops.harness import Sample

SAMPLES = [
    Sample(
        f"special.{name}",
        lambda T, x, n, name=name: (getattr(T.special, name)(x, n), getattr(T.special, name)(x, 3)),
        (np.array([-1.0, -0.3, 0.5, 1.0, 1.7, 0.2, 0.2]), np.array([0.0, 1.0, 2.0, 3.0, 5.0, -1.0, 2.7])),
        grad=False,
    )
    for name in [
        *(f"{kind}chebyshev_polynomial_{n}" for kind in ("", "shifted_") for n in "tuvw"),
        *words("hermite_polynomial_h hermite_polynomial_he laguerre_polynomial_l legendre_polynomial_p"),
    ]
]
