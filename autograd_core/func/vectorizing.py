"""`vmap`: a function of one example becomes one of a batch of them.

PyTorch runs the function once, on tensors that hide an axis. Here it runs once for each example, and the results are
stacked: the same values and gradients, and a function that may decide by values, at the price of a call for each.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..core.tensor import Tensor
from ..ops.making.creation import zeros
from ..ops.making.generator import default_generator
from ..ops.shapes.chunking import unbind
from ..ops.shapes.joining import stack
from ..ops.shapes.shape import movedim
from .trees import Structure, tree_flatten, tree_unflatten


def vmap(
    func: Callable, in_dims=0, out_dims=0, randomness: str = "error", *, chunk_size: int | None = None
) -> Callable:
    """The function that applies `func` to each element along an axis of its arguments, and stacks the results.

    `in_dims` says which axis of which argument: one int for all, or a tuple with an int, or None for what is the same
    for all elements, for each argument; a tree of them for an argument that is a tree. `out_dims` says in the same way
    where the new axis of a result is to be, None for a result that is the same for all. Keyword arguments are passed
    on as they are. `randomness` allows random numbers in `func`: "different" for each element, or the "same".
    `chunk_size` changes nothing: elements are computed one by one.

    Raises ValueError for axes and trees that do not fit, RuntimeError for random numbers that are not allowed.

    >>> import autograd_core as ac
    >>> x = ac.tensor([[1.0, 2.0], [3.0, 4.0]])
    >>> ac.vmap(ac.dot)(x, x)
    tensor([ 5., 25.])
    >>> loss = lambda w, x: (w * x).sum() ** 2
    >>> ac.vmap(ac.func.grad(loss), in_dims=(None, 0))(ac.ones(2), x)
    tensor([[ 6., 12.],
            [42., 56.]])
    """
    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"vmap: chunk_size should be None or greater than 0. (got {chunk_size})")
    name = getattr(func, "__name__", repr(func))

    @functools.wraps(func)
    def mapped(*args, **kwargs):
        leaves, structure = tree_flatten(args)
        dims = _axes_of_inputs(name, in_dims, args, leaves)
        size = _size(leaves, dims)
        rows = [None if dim is None else _elements(x, dim) for x, dim in zip(leaves, dims)]
        results, start = [], _state()
        for k in range(max(size, 1)):
            if randomness == "same":
                default_generator.bit_generator.state = start
            parts = [x if row is None else row[k] for x, row in zip(leaves, rows)]
            results.append(func(*tree_unflatten(structure, parts), **kwargs))
            if randomness == "error" and _state() != start:
                raise RuntimeError(
                    "vmap: called random operation while in randomness error mode. Please either use the 'same' or "
                    "'different' randomness flags on vmap or perform the randomness operation out of vmap"
                )
        return _together(name, results, out_dims, size)

    return mapped


def _state() -> Any:
    return default_generator.bit_generator.state


def _elements(x: Tensor, dim: int) -> tuple[Tensor, ...]:
    """The elements along an axis; where there is none, one of zeros, which shows the shapes of results."""
    if x.shape[dim]:
        return unbind(x, dim)
    shape = list(x.shape)
    del shape[dim]
    return (zeros(shape, dtype=x.dtype),)


def _axes_of_inputs(name: str, in_dims, args: tuple, leaves: list) -> list[int | None]:
    """The axis of each leaf among the arguments."""
    call = f"vmap({name}, in_dims={in_dims}, ...)(<inputs>)"
    if not isinstance(in_dims, (int, tuple)):
        raise ValueError(
            f"{call}: expected `in_dims` to be int or a (potentially nested) tuple matching the structure of inputs, "
            f"got: {type(in_dims)}."
        )
    if not args:
        raise ValueError(
            f"vmap({name})(<inputs>): got no inputs. Maybe you forgot to add inputs, or you are trying to vmap over a "
            "function with no inputs. The latter is unsupported."
        )
    dims = _spread(in_dims, args)
    if dims is None:
        raise ValueError(f"{call}: in_dims is not compatible with the structure of `inputs`.")
    for x, dim in zip(leaves, dims):
        if dim is None:
            continue
        if not isinstance(dim, int):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but in_dim must be either an integer dimension or None."
            )
        if not isinstance(x, Tensor):
            raise ValueError(
                f"{call}: Got in_dim={dim} for an input but the input is of type {type(x)}. We cannot vmap over "
                "non-Tensor arguments, please use None as the respective in_dim"
            )
        if not -x.ndim <= dim < x.ndim:
            raise ValueError(
                f"{call}: Got in_dim={dim} for some input, but that input is a Tensor of dimensionality {x.ndim} so "
                f"expected in_dim to satisfy -{x.ndim} <= in_dim < {x.ndim}."
            )
    return dims


def _size(leaves: list, dims: list[int | None]) -> int:
    """How many elements there are."""
    sizes = [x.shape[dim] for x, dim in zip(leaves, dims) if dim is not None]
    if not sizes:
        raise ValueError("vmap: in_dims are None for all inputs, and one of them at least has to be an axis")
    if len(set(sizes)) > 1:
        raise ValueError(
            "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes "
            f"{sizes} for the mapped dimension"
        )
    return sizes[0]


def _spread(prefix: Any, tree: Any) -> list | None:
    """For each leaf of a tree what stands for it in another one, in which a leaf may stand for a whole tree.

    None where the two do not fit.
    """
    if not isinstance(prefix, (tuple, list, dict)):
        return [prefix] * len(tree_flatten(tree)[0])
    if type(prefix) is not type(tree) or len(prefix) != len(tree):
        return None
    if isinstance(prefix, dict) and set(prefix) != set(tree):
        return None
    keys = tree if isinstance(prefix, dict) else range(len(tree))
    spread: list = []
    for key in keys:
        part = _spread(prefix[key], tree[key])
        if part is None:
            return None
        spread += part
    return spread


def _together(name: str, results: list, out_dims, size: int) -> Any:
    """One tree of the results of all elements."""
    dims = _spread(out_dims, results[0])
    columns, structure = _columns(name, results)
    if dims is None:
        raise ValueError(
            f"vmap({name}, ..., out_dims={out_dims})(<inputs>): out_dims is not compatible with the structure of "
            f"`outputs`, {structure}."
        )
    return tree_unflatten(structure, [_stacked(name, column, dim, size) for column, dim in zip(columns, dims)])


def _columns(name: str, results: list) -> tuple[list[tuple], Structure]:
    """For each leaf of a result its values for all elements."""
    flat = [tree_flatten(result) for result in results]
    for leaves, structure in flat:
        for leaf in leaves if results[0] is not None else [None]:
            if not isinstance(leaf, Tensor):
                raise ValueError(
                    f"vmap({name}, ...): `{name}` must only return Tensors, got type {type(leaf)}. Did you mean to set "
                    "out_dims= to None for output?"
                )
        if structure != flat[0][1]:
            raise ValueError(
                f"vmap({name}, ...): `{name}` returned {flat[0][1]} for one element and {structure} for another"
            )
    return list(zip(*(leaves for leaves, _ in flat))), flat[0][1]


def _stacked(name: str, values: tuple, dim: int | None, size: int) -> Tensor:
    if dim is not None:
        return movedim(stack(values)[:size], 0, dim)
    if any(not value.equal(values[0]) for value in values[1:]):
        raise ValueError(f"vmap({name}, ...): `{name}` can not return a BatchedTensor when out_dim is None")
    return values[0]
