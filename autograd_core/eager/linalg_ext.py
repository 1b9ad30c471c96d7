"""The linear algebra extension: factorizations, solutions, determinants and eigenvalues of matrices.

Matrices lie in the last two axes; axes before them are batches.
"""

from __future__ import annotations

from .. import linalg
from .checks import promoted
from .operations import Operations
from .tensor import EagerTensor


class Linalg(Operations):
    """cholesky to lstsq: upstream, the trait EagerSessionLinalgExt."""

    def cholesky(self, a: EagerTensor) -> EagerTensor:
        """The lower triangular L with L Lᵀ = A of a symmetric positive definite matrix; NumericalFailure for another.
        Stands for `s.cholesky(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.cholesky(s.constant_from([[4.0, 2.0], [2.0, 5.0]])).value()
        array([[2., 0.],
               [1., 2.]])
        """
        self._begin("cholesky", a)
        return self._run("cholesky", lambda A: linalg.cholesky(A), a)

    def svd(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """U, S and Vᵀ of A = U diag(S) Vᵀ, S in descending order: with as many columns of U and rows of Vᵀ as S has
        numbers. Stands for `s.svd(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.svd(s.constant_from([[3.0, 0.0], [0.0, 2.0]]))[1].value()
        array([3., 2.])
        """
        self._begin("svd", a)
        return self._run("svd", lambda A: tuple(linalg.svd(A, False)), a)

    def svd_full(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """`svd` with square U and Vᵀ. Stands for `s.svd_full(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> [part.shape for part in s.svd_full(s.constant_from([[3.0], [4.0]]))]
        [(2, 2), (1,), (1, 1)]
        """
        self._begin("svd_full", a)
        return self._run("svd_full", lambda A: tuple(linalg.svd(A, True)), a)

    def qr(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """Q with orthonormal columns and an upper triangular R, A = Q R. Stands for `s.qr(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.matmul(*s.qr(s.constant_from([[2.0, 1.0], [0.0, 3.0]]))).value()
        array([[2., 1.],
               [0., 3.]])
        """
        self._begin("qr", a)
        return self._run("qr", lambda A: tuple(linalg.qr(A)), a)

    def lu(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """The permutation P, unit lower triangular L and upper triangular U of A = P L U. Stands for `s.lu(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> [part.value().tolist() for part in s.lu(s.constant_from([[0.0, 1.0], [2.0, 3.0]]))]
        [[[0.0, 1.0], [1.0, 0.0]], [[1.0, 0.0], [0.0, 1.0]], [[2.0, 3.0], [0.0, 1.0]]]
        """
        self._begin("lu", a)
        return self._run("lu", lambda A: tuple(linalg.lu(A)), a)

    def slogdet(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """The sign of the determinant and the logarithm of its size. Stands for `s.slogdet(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> [part.value().tolist() for part in s.slogdet(s.constant_from([[-1.0, 0.0], [0.0, 1.0]]))]
        [-1.0, 0.0]
        """
        self._begin("slogdet", a)
        return self._run("slogdet", lambda A: tuple(linalg.slogdet(A)), a)

    def det(self, a: EagerTensor) -> EagerTensor:
        """The determinant. Stands for `s.det(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.det(s.constant_from([[2.0, 1.0], [0.0, 3.0]])).value()
        array(6.)
        """
        self._begin("det", a)
        return self._run("det", lambda A: linalg.det(A), a)

    def inv(self, a: EagerTensor) -> EagerTensor:
        """The inverse of a square matrix; NumericalFailure for a singular one. Stands for `s.inv(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.inv(s.constant_from([[2.0, 0.0], [0.0, 4.0]])).value()
        array([[0.5 , 0.  ],
               [0.  , 0.25]])
        """
        self._begin("inv", a)
        return self._run("inv", lambda A: linalg.inv(A), a)

    def pinv(self, a: EagerTensor) -> EagerTensor:
        """The Moore-Penrose inverse. Stands for `s.pinv(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.pinv(s.constant_from([[2.0, 0.0], [0.0, 0.0]])).value()
        array([[0.5, 0. ],
               [0. , 0. ]])
        """
        self._begin("pinv", a)
        return self._run("pinv", lambda A: linalg.pinv(A), a)

    def eigh(self, a: EagerTensor) -> tuple[EagerTensor, ...]:
        """The eigenvalues, ascending, and the eigenvectors, as columns, of a symmetric matrix. Only its lower triangle
        is read. Stands for `s.eigh(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> [part.value().tolist() for part in s.eigh(s.constant_from([[2.0, 0.0], [0.0, 1.0]]))]
        [[1.0, 2.0], [[0.0, 1.0], [1.0, 0.0]]]
        """
        self._begin("eigh", a)
        return self._run("eigh", lambda A: tuple(linalg.eigh(A)), a)

    def eigvalsh(self, a: EagerTensor) -> EagerTensor:
        """The eigenvalues, ascending, of a symmetric matrix. Stands for `s.eigvalsh(&a)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.eigvalsh(s.constant_from([[2.0, 1.0], [1.0, 2.0]])).value()
        array([1., 3.])
        """
        self._begin("eigvalsh", a)
        return self._run("eigvalsh", lambda A: linalg.eigvalsh(A), a)

    def solve(self, a: EagerTensor, b: EagerTensor) -> EagerTensor:
        """The X with A X = B; NumericalFailure for a singular A. Stands for `s.solve(&a, &b)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.solve(s.constant_from([[2.0, 0.0], [0.0, 4.0]]), s.constant_from([[2.0], [2.0]])).value()
        array([[1. ],
               [0.5]])
        """
        self._begin("solve", a, b)
        return self._run("solve", lambda *pair: linalg.solve(*promoted(pair)), a, b)

    def triangular_solve(
        self,
        a: EagerTensor,
        b: EagerTensor,
        left_side: bool = True,
        lower: bool = True,
        transpose_a: bool = False,
        unit_diagonal: bool = False,
    ) -> EagerTensor:
        """The X with A X = B for a triangular A, of which one triangle is read; X A = B unless `left_side`.

        `transpose_a` solves with Aᵀ; `unit_diagonal` takes the diagonal as ones. Stands for
        `s.triangular_solve(&a, &b, left_side, lower, transpose_a, unit_diagonal)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.triangular_solve(s.constant_from([[2.0, 9.0], [1.0, 4.0]]), s.constant_from([[2.0], [5.0]])).value()
        array([[1.],
               [1.]])
        """
        self._begin("triangular_solve", a, b)

        def compute(*pair):
            A, B = promoted(pair)
            if transpose_a:
                A = A.transpose(-1, -2)
            upper = lower == transpose_a
            return linalg.solve_triangular(A, B, upper=upper, left=left_side, unitriangular=unit_diagonal)

        return self._run("triangular_solve", compute, a, b)

    def lstsq(self, a: EagerTensor, b: EagerTensor) -> EagerTensor:
        """The X that makes ‖A X - B‖ least, for an A of full rank. Stands for `s.lstsq(&a, &b)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.lstsq(s.constant_from([[1.0], [1.0]]), s.constant_from([[1.0], [3.0]])).value()
        array([[2.]])
        """
        self._begin("lstsq", a, b)
        return self._run("lstsq", lambda *pair: linalg.lstsq(*promoted(pair)).solution, a, b)
