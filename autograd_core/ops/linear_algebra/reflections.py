"""Products of Householder reflections, as `geqrf` stores them.

vᵢ is column i of the input below the diagonal, 1 on it, and 0 above. H₁ H₂ ⋯ H_k with Hᵢ = 1 - τᵢ vᵢ vᵢᵀ is 1 - V T Vᵀ,
where the columns of V are the vᵢ, and T = (1 + D S)⁻¹ D with D = diag(τ) and S the part of Vᵀ V above its diagonal
(Schreiber and Van Loan 1989, "A storage-efficient WY representation for products of Householder transformations";
Puglisi 1992, "Modification of the Householder method based on the compact WY representation"). That is a few matrix
products and one triangular system, and their gradients are its gradient.
"""

from __future__ import annotations

from ...core.call import also_called
from ...core.table import general
from ..making.creation import eye
from ..reductions.reduction import check_floating
from ..shapes.diagonals import tril, triu
from .matrix_checks import check_axes, on_diagonal
from .triangular import solve_triangular

__all__ = ["orgqr", "ormqr"]
METHODS = __all__
TAKE_OUT = ["orgqr", "ormqr"]


def _stops(g, x_shape):
    """No gradient: the walk expects one of every rule that needs nothing but g."""
    return None


unreached = general(
    "unreached", lambda x: x.copy(), "x", _stops, doc="A copy that gradients do not pass: they stay None."
)


def _vectors_and_core(A, tau) -> tuple:
    """V and T."""
    if not A.numel() or not tau.numel():  # the product of none; PyTorch leaves the gradients None
        A, tau = unreached(A), unreached(tau)
    m, k = A.shape[-2], tau.shape[-1]
    V = tril(A[..., :k], -1) + eye(m, k, dtype=A.dtype)
    S = triu(V.mT @ V, 1)
    D = on_diagonal(tau)
    one = eye(k, dtype=A.dtype)
    return V, solve_triangular(one + tau[..., :, None] * S, D, upper=True, unitriangular=True)


def _check(name: str, A, tau) -> None:
    check_axes(name, A, "input")
    check_floating(name, A.dtype.numpy)
    if tau.shape[:-1] != A.shape[:-2] or tau.ndim == 0:
        raise RuntimeError(
            f"{name}: Expected tau to have one dimension less than input and its batch axes, got shapes "
            f"{list(tau.shape)} and {list(A.shape)}"
        )
    if tau.dtype != A.dtype:
        raise RuntimeError(f"{name}: tau dtype {tau.dtype} does not match input dtype {A.dtype}")


def householder_product(input, tau):
    """The first n columns of a product of reflections 1 - τᵢ vᵢ vᵢᵀ: the Q of a QR decomposition from `geqrf`.

    `input` is (..., m, n) with m ≥ n and holds vᵢ below the diagonal of its column i; what is on and above the diagonal
    is not looked at and has gradient 0. `tau` is (..., k) with k ≤ n. The result is (..., m, n). RuntimeError for other
    shapes and for unequal dtypes. Formula: Schreiber and Van Loan 1989.

    >>> import autograd_core as ac
    >>> ac.linalg.householder_product(ac.tensor([[9.0], [1.0]]), ac.tensor([1.0]))
    tensor([[ 0.],
            [-1.]])
    """
    name = "linalg.householder_product"
    _check(name, input, tau)
    m, n = input.shape[-2:]
    if m < n:
        raise RuntimeError(f"{name}: input.shape[-2] must be greater than or equal to input.shape[-1], got {m} and {n}")
    if tau.shape[-1] > n:
        raise RuntimeError(
            f"{name}: input.shape[-1] must be greater than or equal to tau.shape[-1], got {n} and {tau.shape[-1]}"
        )
    V, T = _vectors_and_core(input, tau)
    return eye(m, n, dtype=input.dtype) - V @ (T @ V[..., :n, :].mT)


@also_called(input2="tau", input3="other")
def ormqr(input, tau, other, left=True, transpose=False):
    """The product of a matrix with the reflections that `geqrf` stores: Q other, or other Q, or with Qᵀ for Q.

    Q = (1 - τ₁ v₁ v₁ᵀ) ⋯ (1 - τ_k v_k v_kᵀ) is square, and never made. `input` is (..., m, n), `tau` (..., k), and
    `other` (..., m, p), or (..., p, m) where not `left`. RuntimeError for other shapes and for unequal dtypes.

    >>> import autograd_core as ac
    >>> ac.ormqr(ac.tensor([[9.0], [1.0]]), ac.tensor([1.0]), ac.eye(2))
    tensor([[ 0., -1.],
            [-1.,  0.]])
    """
    _check_product(input, tau, other, left)
    V, T = _vectors_and_core(input, tau)
    if transpose:
        T = T.mT
    return other - V @ (T @ (V.mT @ other)) if left else other - ((other @ V) @ T) @ V.mT


def _check_product(input, tau, other, left: bool) -> None:
    check_axes("ormqr", input, "input")
    check_axes("ormqr", other, "other")
    side, k = (-2 if left else -1), tau.shape[-1] if tau.ndim else 0
    if k != min(other.shape[side], input.shape[-1]):
        raise RuntimeError(
            f"ormqr: tau.shape[-1] must be equal to min(other.shape[{side}], input.shape[-1]), got {k} and "
            f"{min(other.shape[side], input.shape[-1])}"
        )
    if other.shape[side] != input.shape[-2]:
        raise RuntimeError(
            f"ormqr: other.shape[{side}] must be equal to input.shape[-2], got {other.shape[side]} and "
            f"{input.shape[-2]}"
        )
    if other.shape[:-2] != input.shape[:-2]:
        raise RuntimeError(
            f"ormqr: Expected batch dimensions of other to be equal to input.shape[:-2], got {list(other.shape)} and "
            f"{list(input.shape)}"
        )
    _check("ormqr", input, tau)
    if other.dtype != input.dtype:
        raise RuntimeError(f"ormqr: other dtype {other.dtype} does not match input dtype {input.dtype}")


orgqr = also_called(input2="tau")(householder_product)  # LAPACK's name
