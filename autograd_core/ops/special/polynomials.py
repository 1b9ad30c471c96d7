"""The classical orthogonal polynomials, through SciPy. PyTorch does not differentiate them, so neither does this."""

from __future__ import annotations

import numpy as np

from ...core.call import also_called
from ...core.table import nondiff
from .through_scipy import compiled


def _scipy(name: str):
    return lambda n, x: compiled(name)(n, x)


def _second(n, x):
    return np.where(n < 0, 0, compiled("eval_chebyu")(np.maximum(n, 0), x))


def _third(n, x):
    return _second(n, x) - _second(n - 1, x)  # DLMF 18.9.11


def _fourth(n, x):
    return _second(n, x) + _second(n - 1, x)  # DLMF 18.9.12


def _shifted(evaluate):
    return lambda n, x: evaluate(n, 2 * x - 1)


def _polynomial(name: str, evaluate, what: str, at_half: str):
    """A row for a family of polynomials; its example is the value of the one of degree 2 at 1/2."""

    def forward(x, n):
        kind = x.dtype if hasattr(x, "dtype") else n.dtype
        degree = np.trunc(n).astype(np.int64)
        return np.where(degree < 0, 0, evaluate(np.maximum(degree, 0), x)).astype(kind, copy=False)

    doc = f"The {what} polynomial of degree n (a number or a tensor) at the points x; 0 for a negative degree."
    example = f"ac.special.{name}(ac.tensor(0.5), 2) -> tensor({at_half})"
    return also_called(x="input")(nondiff(name, forward, "x n", promote="float", doc=doc, example=example))


_first = _scipy("eval_chebyt")
chebyshev_polynomial_t = _polynomial("chebyshev_polynomial_t", _first, "first Chebyshev", "-0.5000")
chebyshev_polynomial_u = _polynomial("chebyshev_polynomial_u", _second, "second Chebyshev", "0.")
chebyshev_polynomial_v = _polynomial("chebyshev_polynomial_v", _third, "third Chebyshev", "-1.")
chebyshev_polynomial_w = _polynomial("chebyshev_polynomial_w", _fourth, "fourth Chebyshev", "1.")
shifted_chebyshev_polynomial_t = _polynomial(
    "shifted_chebyshev_polynomial_t", _shifted(_first), "first Chebyshev, of 2x - 1 for x,", "-1."
)
shifted_chebyshev_polynomial_u = _polynomial(
    "shifted_chebyshev_polynomial_u", _shifted(_second), "second Chebyshev, of 2x - 1 for x,", "-1."
)
shifted_chebyshev_polynomial_v = _polynomial(
    "shifted_chebyshev_polynomial_v", _shifted(_third), "third Chebyshev, of 2x - 1 for x,", "-1."
)
shifted_chebyshev_polynomial_w = _polynomial(
    "shifted_chebyshev_polynomial_w", _shifted(_fourth), "fourth Chebyshev, of 2x - 1 for x,", "-1."
)
hermite_polynomial_h = _polynomial("hermite_polynomial_h", _scipy("eval_hermite"), "physicist's Hermite", "-1.")
hermite_polynomial_he = _polynomial(
    "hermite_polynomial_he", _scipy("eval_hermitenorm"), "probabilist's Hermite", "-0.7500"
)
laguerre_polynomial_l = _polynomial("laguerre_polynomial_l", _scipy("eval_laguerre"), "Laguerre", "0.1250")
legendre_polynomial_p = _polynomial("legendre_polynomial_p", _scipy("eval_legendre"), "Legendre", "-0.1250")
