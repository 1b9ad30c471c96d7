"""Powers and the exponential of a square matrix."""

from __future__ import annotations

import numpy as np

from ...core.table import general, nondiff
from ...core.whole_numbers import is_whole, whole
from ..making.creation import eye, zeros_like
from ..making.filling import zero
from ..reductions.reduction import check_floating
from ..shapes.joining import cat
from ..shapes.shape import clone
from .matrix_checks import check_square_axes
from .solving import inv

__all__ = ["matrix_exp", "matrix_power"]
METHODS = __all__
TAKE_OUT = ["matrix_power"]

# -- the exponential

PADE = (  # coefficients of the numerator of degree 13; the denominator's have alternating signs
    *(64764752532480000, 32382376266240000, 7771770303897600, 1187353796428800, 129060195264000, 10559470521600),
    *(670442572800, 33522128640, 1323241920, 40840800, 960960, 16380, 182, 1),
)
WIDEST = 5.371920351148152  # of the 1-norms for which that approximation is exact to double precision


def _matrix_exp(x):
    check_square_axes("linalg.matrix_exp", x)
    check_floating("linalg.matrix_exp", x.dtype)
    if x.size == 0:
        return x.copy()
    work = x.astype(np.promote_types(x.dtype, np.float32)).reshape(-1, *x.shape[-2:])
    size = np.add.reduce(abs(work), axis=-2).max(axis=-1)
    bad = ~np.isfinite(size)
    work[bad] = 0
    halvings = np.ceil(np.log2(np.maximum(np.where(bad, 0, size), WIDEST) / WIDEST)).astype(int)
    out = _pade(work * np.ldexp(work.dtype.type(1), -halvings)[:, None, None])
    for k in range(halvings.max()):
        again = halvings > k
        out[again] = out[again] @ out[again]
    out[bad] = np.nan
    return out.reshape(x.shape).astype(x.dtype, copy=False)


def _pade(x):
    """The exponential of matrices of 1-norm up to `WIDEST`: a quotient of polynomials."""
    one = np.eye(x.shape[-1], dtype=x.dtype)
    x2 = x @ x
    x4 = x2 @ x2
    x6 = x4 @ x2
    even, odd = (
        x6 @ (b[6] * x6 + b[5] * x4 + b[4] * x2) + b[3] * x6 + b[2] * x4 + b[1] * x2 + b[0] * one
        for b in (PADE[::2], PADE[1::2])
    )
    odd = x @ odd
    return np.linalg.solve(even - odd, even + odd)


def _size(x):
    largest = abs(x).max(axis=(-2, -1), keepdims=True, initial=0)
    return np.ldexp(x.dtype.type(1), np.frexp(np.where(np.isfinite(largest), largest, 1))[1])


power_of_two_near = nondiff(
    "power_of_two_near", _size, "x", doc="For each matrix a power of two near its largest element: dividing is exact."
)


def d_matrix_exp_dx(g, x):
    """The upper right block of exp [[xᵀ, g], [0, xᵀ]].

    For any matrix function it is the derivative at xᵀ in the direction g (Mathias 1996, "A chain rule for matrix
    functions and applications"), which is the transpose of the derivative at x. It is linear in g, so g is scaled to
    the size of 1 before: a large g would ask for halvings that spoil the digits of x.
    """
    n, size, a = x.shape[-1], power_of_two_near(g), x.mT
    block = cat([cat([a, g / size], -1), cat([zeros_like(a), a], -1)], -2)
    return matrix_exp(block)[..., :n, n:] * size


matrix_exp = general(
    "matrix_exp",
    _matrix_exp,
    "x",
    d_matrix_exp_dx,
    node_name="LinalgMatrixExpBackward0",
    doc="The exponential Σ xᵏ / k! of a square matrix, or of a batch of them, by Padé approximation of degree 13 after "
    "halving, and squaring (Higham 2005, “The scaling and squaring method for the matrix exponential revisited”). "
    "RuntimeError for other shapes and for integers. Gradient: the upper right block of exp [[xᵀ, g], [0, xᵀ]] "
    "(Mathias 1996), so the gradient of any order is an exponential of a larger matrix.",
    example="ac.matrix_exp(ac.tensor([[0.0, 1.0], [0.0, 0.0]])) -> tensor([[1., 1.],\n        [0., 1.]])",
)

# -- powers


def matrix_power(input, n):
    """The product of n copies of a square matrix, or of each one of a batch, by repeated squaring.

    n = 0 gives the identity, a negative n the power of the inverse. RuntimeError for other shapes, TypeError for an n
    that is no int, `linalg.LinAlgError` for negative n and a singular matrix. The gradients are those of its products.

    >>> import autograd_core as ac
    >>> ac.matrix_power(ac.tensor([[1.0, 1.0], [0.0, 1.0]]), 5)
    tensor([[1., 5.],
            [0., 1.]])
    """
    if not is_whole(n):
        raise TypeError(f"linalg_matrix_power(): argument 'n' must be int, not {type(n).__name__}")
    n = whole("n", n)
    check_square_axes("linalg.matrix_power", input)
    if n == 0:
        return zero(input) + eye(input.shape[-1], dtype=input.dtype)
    if n < 0:
        input, n = inv(input), -n
    power = None
    square = input
    while True:
        if n & 1:
            power = square if power is None else power @ square
        n >>= 1
        if not n:
            return clone(power) if power is input else power
        square = square @ square
