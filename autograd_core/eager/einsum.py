"""The einsum extension: sums of products by subscripts, and tensordot."""

from __future__ import annotations

from collections.abc import Sequence

from ..ops.linear_algebra.einstein_sums import einsum as contracted
from ..ops.shapes.diagonals import diag_embed
from ..ops.shapes.shape import movedim, permute
from .checks import promoted, require
from .configs import DotGeneralConfig
from .contractions import Contractions
from .errors import EinsumError, InvalidArgument
from .tensor import EagerTensor


class Einsum(Contractions):
    """einsum, tensordot: upstream, the trait EagerSessionEinsumExt."""

    def einsum(self, operands: Sequence[EagerTensor], subscripts: str) -> EagerTensor:
        """Sums of products: "ij,jk->ik" is a matrix product. The arrow is required; "..." stands for axes that
        broadcast.

        Beyond NumPy, a letter may repeat in the result, which is then diagonal in it: "i->ii". Stands for
        `s.einsum(&[&a, &b], "ij,jk->ik")?`. EinsumError where the subscripts cannot be read or do not fit.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> a = s.constant_from([[1.0, 2.0], [3.0, 4.0]])
        >>> s.einsum([a, s.constant_from([1.0, 10.0])], "ij,j->i").value()
        array([21., 43.])
        >>> s.einsum([s.constant_from([1.0, 2.0])], "i->ii").value()
        array([[1., 0.],
               [0., 2.]])
        """
        given = self._many("einsum", operands)
        if not given:
            raise EinsumError("einsum: no operands")
        require("einsum", "subscripts", subscripts, str)
        left, arrow, right = subscripts.replace(" ", "").partition("->")
        if not arrow:
            raise EinsumError(f"einsum: invalid subscripts {subscripts!r}: write the result explicitly, behind ->")
        once = right.replace("...", "")
        repeats = len(set(once)) < len(once)
        if repeats and "..." in right:
            raise EinsumError(f"einsum: invalid subscripts {subscripts!r}: a result with ... repeats no letter")

        def compute(*tensors):
            if not repeats:
                return contracted(f"{left}->{right}", *promoted(tensors))
            return _diagonals(contracted(f"{left}->{''.join(dict.fromkeys(right))}", *promoted(tensors)), right)

        try:
            return self._run("einsum", compute, *given)
        except InvalidArgument as error:
            raise EinsumError(str(error)) from error

    def tensordot(self, a: EagerTensor, b: EagerTensor, axes) -> EagerTensor:
        """The product summed over the last n axes of a with the first n of b, or over given pairs of axes.

        `axes` is n, or two sequences of axis numbers. Stands for `s.tensordot(&a, &b, TensorDotAxes::Count(1))?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> a = s.constant_from([[1.0, 2.0], [3.0, 4.0]])
        >>> s.tensordot(a, a, 1).value()
        array([[ 7., 10.],
               [15., 22.]])
        >>> s.tensordot(a, a, ([0, 1], [0, 1])).value()
        array(30.)
        """
        self._begin("tensordot", a, b)
        if isinstance(axes, int):
            if not 0 <= axes <= min(len(a.shape), len(b.shape)):
                raise InvalidArgument("tensordot", f"invalid argument axes: there are not {axes} axes in both operands")
            of_a, of_b = range(len(a.shape) - axes, len(a.shape)), range(axes)
        else:
            try:
                of_a, of_b = axes
            except (TypeError, ValueError):
                raise InvalidArgument(
                    "tensordot", f"invalid argument axes: {axes!r} is neither a number nor two sequences of axes"
                ) from None
        return self._dot("tensordot", a, b, DotGeneralConfig(of_a, of_b))


def _diagonals(tensor, wanted: str):
    """A result with one axis a letter, spread on the diagonals of the letters that `wanted` repeats."""
    letters = list(dict.fromkeys(wanted))
    for letter in letters[:]:
        for _ in range(wanted.count(letter) - 1):
            place = letters.index(letter)
            tensor = diag_embed(movedim(tensor, place, -1))
            letters = [*letters[:place], *letters[place + 1 :], letter, letter]
    free = list(enumerate(letters))
    order = [free.pop(next(k for k, (_, c) in enumerate(free) if c == letter))[0] for letter in wanted]
    return permute(tensor, order)
