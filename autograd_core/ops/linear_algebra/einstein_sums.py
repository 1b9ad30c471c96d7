"""Einstein's notation for products: a letter names an axis, and letters that the result does not have are summed over.

Nothing here has a rule of its own. A contraction is diagonals, sums, permutations and one matrix product, perhaps
batched, and their gradients are its gradient.
"""

from __future__ import annotations

import functools
import math
from string import ascii_letters

from ..reductions.reduction import sum
from ..shapes.diagonals import diagonal
from ..shapes.shape import permute, reshape
from .matmul import matmul

__all__ = ["einsum"]


def einsum(equation, *operands):
    """Sums of products: "ij,jk->ik" is a matrix product, "ii->i" a diagonal, "...ij->...ji" transposes a batch.

    Without "->" the result has the letters that appear once, in alphabetical order. Axes that "..." stands for
    broadcast, as do axes of length 1. Operands (one by one, or in a list) have one dtype; they are contracted from left
    to right. Instead of an equation each operand may be followed by the list of its axes as numbers, and the last list
    is the result's. RuntimeError where the equation does not fit the operands, ValueError where there is none. Saves
    for backward: what its products save, the other operand of each.

    >>> import autograd_core as ac
    >>> ac.einsum("ij,j->i", ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([1.0, 10.0]))
    tensor([21., 43.])
    >>> ac.einsum("ii", ac.eye(3))
    tensor(3.)
    """
    if not isinstance(equation, str):
        equation, operands = _in_letters((equation, *operands))
    if not operands:
        raise ValueError("einsum(): must specify the equation string and at least one operand")
    if len(operands) == 1 and isinstance(operands[0], (list, tuple)):
        operands = tuple(operands[0])
    terms, result = parse(equation, tuple([operand.ndim for operand in operands]))
    factors = _prepared(operands, terms)
    x, letters = factors[0]
    for k, (y, others) in enumerate(factors[1:], start=2):
        needed = set(result).union(*[later for _, later in factors[k:]])
        x, letters = _contract(x, letters, y, others, needed)
    x, letters = _sum_out(x, letters, set(result))
    return _in_order(x, [letters.index(letter) for letter in result])


def _in_letters(arguments: tuple) -> tuple[str, tuple]:
    """Operands that alternate with lists of their axes, and perhaps a list for the result, as equation and operands."""
    n = len(arguments) // 2
    if n == 0:
        raise ValueError("einsum(): must specify at least one operand and its subscripts list")
    terms = [_term(axes) for axes in arguments[1 : 2 * n : 2]]
    arrow = "->" + _term(arguments[-1]) if len(arguments) % 2 else ""
    return ",".join(terms) + arrow, arguments[: 2 * n : 2]


def _term(axes) -> str:
    """The letters for a list of axis numbers and perhaps an Ellipsis."""
    if not all(axis is ... or axis in range(len(ascii_letters)) for axis in axes):
        raise ValueError(f"einsum(): expected subscripts to be within the range [0, 52) or an Ellipsis, got {axes}")
    return "".join("..." if axis is ... else ascii_letters[axis] for axis in axes)


@functools.lru_cache
def parse(equation: str, ranks: tuple[int, ...]) -> tuple[list[str], str]:
    """The letters of each operand and of the result; the axes of "..." get letters of their own."""
    left, arrow, right = equation.replace(" ", "").partition("->")
    terms = left.split(",")
    if len(terms) != len(ranks):
        kind = "fewer" if len(ranks) < len(terms) else "more"
        raise RuntimeError(
            f"einsum(): {kind} operands were provided than specified in the equation: {equation!r} has {len(terms)}, "
            f"got {len(ranks)}"
        )
    spare = [letter for letter in ascii_letters if letter not in equation]
    widest = max([rank - len(t.replace("...", "")) for t, rank in zip(terms, ranks) if "..." in t], default=0)
    hidden = "".join(spare[:widest])
    terms = [_spelled_out(term, rank, k, hidden) for k, (term, rank) in enumerate(zip(terms, ranks))]
    if arrow:
        result = right.replace("...", hidden)
    else:
        seen = "".join(terms)
        result = hidden + "".join(sorted(c for c in set(seen) if seen.count(c) == 1 and c not in hidden))
    for letter in result:
        if result.count(letter) > 1:
            raise RuntimeError(
                f"einsum(): output subscript {letter} appears more than once in the output of {equation!r}"
            )
        if letter not in "".join(terms):
            raise RuntimeError(
                f"einsum(): output subscript {letter} does not appear in {equation!r} for any input operand"
            )
    return terms, result


def _spelled_out(term: str, rank: int, k: int, hidden: str) -> str:
    named = term.replace("...", "")
    if not all(c in ascii_letters for c in named):
        raise RuntimeError(f"einsum(): {term!r} for operand {k} may have letters and one '...' only")
    covered = rank - len(named)
    if covered < 0 or (covered and "..." not in term):
        raise RuntimeError(
            f"einsum(): the number of subscripts in the equation ({len(named)}) does not match the number of "
            f"dimensions ({rank}) for operand {k}{'' if '...' in term else ' and no ellipsis was given'}"
        )
    return term.replace("...", hidden[len(hidden) - covered :])


def _prepared(operands, terms: list[str]) -> list:
    """Each operand with its letters: repeated ones made a diagonal, axes of length 1 that only broadcast dropped."""
    sizes = _sizes(operands, terms)
    prepared = []
    for x, letters in zip(operands, terms):
        for letter in dict.fromkeys(letters):
            while letters.count(letter) > 1:
                first, second = letters.index(letter), letters.rindex(letter)
                x = diagonal(x, 0, first, second)
                letters = letters[:first] + letters[first + 1 : second] + letters[second + 1 :] + letter
        kept = [k for k, letter in enumerate(letters) if x.shape[k] == sizes[letter]]
        prepared.append((_in_shape(x, [x.shape[k] for k in kept]), "".join([letters[k] for k in kept])))
    return prepared


def _sizes(operands, terms: list[str]) -> dict[str, int]:
    """The length of the axes of each letter."""
    sizes: dict[str, int] = {}
    for k, (operand, term) in enumerate(zip(operands, terms)):
        if len(set(zip(term, operand.shape))) > len(set(term)):
            raise RuntimeError(
                f"einsum(): a subscript of {term!r} is repeated for operand {k} but the sizes don't match: "
                f"{list(operand.shape)}"
            )
        for letter, n in zip(term, operand.shape):
            if sizes.setdefault(letter, n) != n and n != 1:
                if sizes[letter] != 1:
                    raise RuntimeError(
                        f"einsum(): subscript {letter} has size {n} for operand {k} which does not broadcast with "
                        f"previously seen size {sizes[letter]}"
                    )
                sizes[letter] = n
    return sizes


def _sum_out(x, letters: str, needed: set) -> tuple:
    """Sum over the axes whose letters nothing needs."""
    dims = [k for k, letter in enumerate(letters) if letter not in needed]
    return (sum(x, dims), "".join(c for c in letters if c in needed)) if dims else (x, letters)


def _contract(x, xs: str, y, ys: str, needed: set) -> tuple:
    """The product of two operands, summed over the letters that nothing later needs: a batch of matrix products."""
    x, xs = _sum_out(x, xs, needed.union(ys))
    y, ys = _sum_out(y, ys, needed.union(xs))
    shared = [c for c in xs if c in ys]
    batch, summed = [c for c in shared if c in needed], [c for c in shared if c not in needed]
    rows, columns = [c for c in xs if c not in shared], [c for c in ys if c not in shared]
    sizes = {**dict(zip(xs, x.shape)), **dict(zip(ys, y.shape))}
    first = [batch] if batch else []
    x = _grouped(x, xs, [*first, rows, summed], sizes)
    y = _grouped(y, ys, [*first, summed, columns], sizes)
    letters = batch + rows + columns
    return _in_shape(matmul(x, y) if summed else x * y, [sizes[c] for c in letters]), "".join(letters)


def _grouped(x, letters: str, groups, sizes: dict):
    """The axes of `x` in the order of the groups, each group merged into one axis."""
    x = _in_order(x, [letters.index(c) for group in groups for c in group])
    return _in_shape(x, [math.prod(sizes[c] for c in group) for group in groups])


def _in_order(x, order: list):
    return x if order == sorted(order) else permute(x, order)


def _in_shape(x, shape: list):
    return x if list(x.shape) == shape else reshape(x, shape)
