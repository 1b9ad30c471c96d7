"""Function transforms: from a function to the function that computes its derivative.

A transform calls the function on *stand-ins* for the arguments it differentiates, and asks the reverse pass for
gradients with respect to these. A tensor that the function captures is a constant to the transform. It is none to the
code around, be that another transform or an ordinary `backward`: a result that depends on something tracked outside
keeps its history, and any other result has none. Transforms so nest as functions do.
"""

from __future__ import annotations

import functools
from typing import Any

from ..autograd.forward_ad import Level, primal_of, tangent_of
from ..autograd.functional import columns, gradients, pushforward, stacked, unit_vectors, zeros_like
from ..core.graph import Leaf, schedule, tick
from ..core.modes import ModeSwitch, Transform, current_mode, inference_mode
from ..core.tensor import Tensor, dual_of, edge_of, with_requires_grad, with_tangent
from .trees import tree_flatten, tree_map, tree_unflatten


def grad(func, argnums=0, has_aux: bool = False):
    """The function that computes the gradient of `func` with respect to its arguments number `argnums`.

    `func` returns one number, as a 0-d tensor. An argument is a tensor or a tree of them (nested lists, tuples, named
    tuples, dicts); its gradient is a tree of the same structure, with zeros where `func` does not depend on a tensor.
    `argnums` is an int, or a tuple of them for a tuple of gradients; negative ones count from the back. With `has_aux`,
    `func` returns `(value, aux)` and the new function `(gradient, aux)`.

    Raises RuntimeError for argument numbers out of range or repeated, a value that is not one 0-d tensor, an integer
    tensor; ValueError where an argument holds something else than tensors.

    >>> import autograd_core as ac
    >>> loss = lambda params, x: (params["w"] * x + params["b"]) ** 2
    >>> ac.func.grad(loss)({"w": ac.tensor(2.0), "b": ac.tensor(1.0)}, 3.0)
    {'w': tensor(42.), 'b': tensor(14.)}
    >>> ac.func.grad(ac.func.grad(ac.sin))(ac.tensor(0.0))
    tensor(-0.)
    """

    @functools.wraps(func)
    def gradient(*args, **kwargs):
        call, gs = _differentiate("grad", func, argnums, has_aux, args, kwargs)
        return (gs, call.aux()) if has_aux else gs

    return gradient


def grad_and_value(func, argnums=0, has_aux: bool = False):
    """Like `grad`, for `(gradient, value)`; with `has_aux`, `(gradient, (value, aux))`.

    >>> import autograd_core as ac
    >>> ac.func.grad_and_value(lambda x: x**3)(ac.tensor(2.0))
    (tensor(12.), tensor(8.))
    """

    @functools.wraps(func)
    def gradient_and_value(*args, **kwargs):
        call, gs = _differentiate("grad_and_value", func, argnums, has_aux, args, kwargs)
        return gs, ((call.output(), call.aux()) if has_aux else call.output())

    return gradient_and_value


def value_and_grad(func, argnums=0, has_aux: bool = False):
    """Like `grad_and_value` in JAX's order: `(value, gradient)`; with `has_aux`, `((value, aux), gradient)`.

    >>> import autograd_core as ac
    >>> ac.func.value_and_grad(lambda x: x**3)(ac.tensor(2.0))
    (tensor(8.), tensor(12.))
    """

    @functools.wraps(func)
    def value_and_gradient(*args, **kwargs):
        gs, value = grad_and_value(func, argnums, has_aux)(*args, **kwargs)
        return value, gs

    return value_and_gradient


def vjp(func, *primals, has_aux: bool = False) -> tuple:
    """`func(*primals)` and the function v ↦ vᵀJ, which maps cotangents of the output to those of the primals.

    Primals and output are trees of tensors. The second function takes cotangents of the output's structure, shapes and
    dtypes, and returns a tuple with one tree a primal; it can be called many times. With `has_aux`, `func` returns
    `(output, aux)`, and `vjp` three things: output, function, aux.

    Raises RuntimeError for an output that is empty, holds something else than tensors, or does not have the structure
    and shapes of the cotangents.

    >>> import autograd_core as ac
    >>> y, pullback = ac.func.vjp(lambda x: x * x, ac.tensor([1.0, 2.0]))
    >>> y, pullback(ac.tensor([1.0, 10.0]))
    (tensor([1., 4.]), (tensor([ 2., 40.]),))
    """
    call = _Call("vjp", func, primals, tuple(range(len(primals))), has_aux, {})
    outputs, structure = call.outputs()

    def pullback(cotangents):
        seeds, given = tree_flatten(cotangents)
        if given != structure:
            raise RuntimeError(
                "Expected pytree structure of cotangents to be the same as pytree structure of outputs to the "
                f"function. cotangents: {given}, primal output: {structure}"
            )
        for seed in seeds:
            if not isinstance(seed, Tensor):
                raise RuntimeError(f"vjp: Expected cotangents to only contain Tensors, got {type(seed)}")
        return call.shown(tree_unflatten(call.structure, call.pull(outputs, seeds)))

    return (call.output(), pullback, call.aux()) if has_aux else (call.output(), pullback)


def jvp(func, primals: tuple, tangents: tuple, *, strict: bool = False, has_aux: bool = False) -> tuple:
    """`func(*primals)` and J v for the tangents v: how the output moves when the primals move by v.

    `tangents` has the structure and shapes of the tuple `primals`. `strict` raises where the output does not depend on
    the primals, which otherwise gives zeros. With `has_aux`, `func` returns `(output, aux)`, and `jvp` three things.

    Raises RuntimeError where primals and tangents differ in structure, shape or dtype, or are not tensors.

    >>> import autograd_core as ac
    >>> ac.func.jvp(lambda x: x * x, (ac.tensor([1.0, 2.0]),), (ac.tensor([1.0, 10.0]),))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    directions = _check_tangents(primals, tangents)
    following = iter(directions)
    with Level():
        (level,) = current_mode().levels[-1:]
        args = tree_map(lambda x: with_tangent(x, level, next(following)), primals)
        with _Inside(_tensors(args) + directions, takes_hooks=True):
            result = func(*args)
        output, aux = _split("jvp", result, has_aux)
        _check_outputs("jvp", output)
        outputs, structure = tree_flatten(output)
        pushed = [tangent_of(y, level) for y in outputs]
        if strict and any(t is None for t in pushed):
            raise RuntimeError(
                "jvp(f, primals, tangents, strict=True): The output of f is independent of the inputs. "
                "This is not allowed with strict=True."
            )
        pushed = [zeros_like(y) if t is None else t for t, y in zip(pushed, outputs)]
        output, aux = (tree_map(lambda y: primal_of(y, level), tree) for tree in (output, aux))
    result = output, tree_unflatten(structure, pushed)
    return (*result, aux) if has_aux else result


def linearize(func, *primals) -> tuple:
    """`func(*primals)` and the function v ↦ J v, which runs `func` no more, however often it is called.

    Primals and output are trees of tensors; the tangents have the structure, shapes and dtypes of the primals. Good
    where many tangents come at one point; for one, `jvp` does less. Errors as in `jvp`.

    >>> import autograd_core as ac
    >>> y, pushforward = ac.func.linearize(lambda x: x * x, ac.tensor([1.0, 2.0]))
    >>> y, pushforward(ac.tensor([1.0, 10.0]))
    (tensor([1., 4.]), tensor([ 2., 40.]))
    """
    call = _Call("linearize", func, primals, tuple(range(len(primals))), False, {})
    outputs, structure = call.outputs()
    push = call.pusher(outputs)

    def push_forward(*tangents):
        pushed = push(_check_tangents(primals, tangents))
        complete = [zeros_like(y) if t is None else t for t, y in zip(pushed, outputs)]
        return call.shown(tree_unflatten(structure, complete))

    return call.output(), push_forward


def jacrev(
    func, argnums=0, *, has_aux: bool = False, chunk_size: int | None = None, _preallocate_and_copy: bool = False
):
    """The function that computes the Jacobian of `func` row by row: one reverse pass an element of the output.

    ∂y/∂x has the shape `y.shape + x.shape`. The result is a tree of the output's structure, in which every leaf is a
    tree of the argument's structure (a tuple of them if `argnums` is a tuple). `argnums`, `has_aux` and errors as in
    `grad`. Good where the output is smaller than the input. `chunk_size` and `_preallocate_and_copy` change nothing:
    the rows are computed one by one. ValueError for a chunk size that is not positive.

    >>> import autograd_core as ac
    >>> ac.func.jacrev(lambda x: x * x.sum())(ac.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """
    if chunk_size is not None and chunk_size <= 0:
        raise ValueError(f"jacrev: `chunk_size` should be greater than 0, got {chunk_size}")

    @functools.wraps(func)
    def jacobian(*args):
        call = _Call("jacrev", func, args, argnums, has_aux, {})
        outputs, structure = call.outputs()
        blocks = []
        for y in outputs:
            rows = [call.pull([y], [unit]) for unit in unit_vectors(y)]
            row = [stacked([r[k] for r in rows], 0, (*y.shape, *x.shape), x) for k, x in enumerate(call.inputs)]
            blocks.append(call.shown(tree_unflatten(call.structure, row)))
        result = tree_unflatten(structure, blocks)
        return (result, call.aux()) if has_aux else result

    return jacobian


def jacfwd(func, argnums=0, has_aux: bool = False, *, randomness: str = "error"):
    """The function that computes the Jacobian of `func` column by column: one J v an element of the input.

    The same result as `jacrev`, good where the input is smaller than the output. `func` runs once: the pass v ↦ vᵀJ is
    recorded, and its transpose applied to each unit vector. So its random numbers are the same for all of them, whether
    `randomness` is "same" or "error", which refuses none here; NotImplementedError for "different", RuntimeError for
    another word.

    >>> import autograd_core as ac
    >>> ac.func.jacfwd(lambda x: x * x.sum())(ac.tensor([1.0, 2.0]))
    tensor([[4., 1.],
            [2., 5.]])
    """

    if randomness not in ("error", "different", "same"):
        raise RuntimeError(f"Only allowed values for randomness are 'error', 'different', or 'same'. Got {randomness}")
    if randomness == "different":
        raise NotImplementedError("jacfwd runs the function once, with one set of random numbers: randomness='same'")

    @functools.wraps(func)
    def jacobian(*args):
        call = _Call("jacfwd", func, args, argnums, has_aux, {})
        outputs, structure = call.outputs()
        blocks = columns(call.pusher(outputs), call.inputs, outputs)
        result = tree_unflatten(structure, [call.shown(tree_unflatten(call.structure, block)) for block in blocks])
        return (result, call.aux()) if has_aux else result

    return jacobian


def hessian(func, argnums=0):
    """The function that computes the Hessian of `func`: `jacfwd(jacrev(func))`.

    For a scalar function of a tensor it has the shape `x.shape + x.shape`. `argnums` as in `grad`.

    >>> import autograd_core as ac
    >>> ac.func.hessian(lambda x: x[0] * x[0] * x[1])(ac.tensor([2.0, 3.0]))
    tensor([[6., 4.],
            [4., 0.]])
    """
    return jacfwd(jacrev(func, argnums), argnums)


class _Inside(ModeSwitch):
    """Around a function that is transformed: what it captures it must not write to.

    Where the gradient belongs to the transform, hooks on saved tensors have no place, neither around it nor inside.
    """

    def __init__(self, arguments, takes_hooks: bool):
        super().__init__()
        self.arguments, self.takes_hooks = arguments, takes_hooks

    def _changes(self, outside):
        changes = {"transform": Transform(tick(), [x._cell for x in self.arguments])}
        if self.takes_hooks:
            return changes
        if isinstance(outside.saved_hooks, tuple):
            raise RuntimeError(NO_HOOKS)
        return {**changes, "saved_hooks": NO_HOOKS}


class _Call:
    """A function called on stand-ins for the arguments to differentiate: `inputs`, and the `structure` they came in.

    A stand-in for a tensor that is tracked outside is a view, so that the history goes on; else it is a leaf, which is
    cut off from its tensor when the function has returned: what depends on nothing but such leaves is a constant.
    """

    def __init__(self, name, func, args, argnums, has_aux, kwargs):
        self.name = name
        numbers = _argument_numbers(argnums, len(args))
        single = isinstance(argnums, int)
        wanted = args[numbers[0]] if single else tuple(args[i] for i in numbers)
        leaves, self.structure = tree_flatten(wanted)
        recording = current_mode().grad
        with inference_mode(False):  # also records
            self.inputs = [_stand_in(name, leaf, recording) for leaf in leaves]
            replaced = tree_unflatten(self.structure, self.inputs)
            args, kwargs = tree_map(_alias, list(args)), tree_map(_alias, kwargs)
            for i, value in zip(numbers, [replaced] if single else replaced):
                args[i] = value
            edges = [edge_of(x) for x in self.inputs]
            with _Inside(_tensors((args, kwargs)), takes_hooks=name not in HOOKLESS):
                result = func(*args, **kwargs)
            self._output, self._aux = _split(name, result, has_aux)
        for x, edge in zip(self.inputs, edges):
            if edge_of(x) is not edge:
                raise RuntimeError(
                    f"{name}: the function changed its argument of shape {list(x.shape)}, or a tensor that shares its "
                    "memory, in an in-place operation; write to a clone() instead"
                )
            if type(edge) is Leaf:
                edge._tensor = None
        self.tracked = recording and _depends_on_a_leaf(_tensors((self._output, self._aux)))

    def output(self):
        """What the function returned, for the code around."""
        return self.shown(self._output)

    def aux(self):
        """What it returned beside that."""
        return self.shown(self._aux)

    def outputs(self) -> tuple[list, Any]:
        """The tensors that the function returned, and their structure. Raises RuntimeError for anything else."""
        _check_outputs(self.name, self._output)
        return tree_flatten(self._output)

    def pull(self, outputs, seeds) -> list:
        """vᵀJ for every input; the graph is kept."""
        with inference_mode(False):
            found = gradients(outputs, self.inputs, seeds, create_graph=self._recorded(seeds), retain_graph=True)
        return [zeros_like(x) if g is None else g for g, x in zip(found, self.inputs)]

    def pusher(self, outputs):
        """The function from tangents of the inputs to those of the outputs, None for an output that is constant."""
        with inference_mode(False):
            _, push = pushforward(outputs, self.inputs)

        def push_tangents(tangents):
            with inference_mode(False):
                return push(tangents, self._recorded(tangents))

        return push_tangents

    def _recorded(self, vectors) -> bool:
        """Whether the code around can differentiate a product with these vectors."""
        return self.tracked or any(v.requires_grad for v in vectors)

    def shown(self, tree):
        """A tree for the code around: tensors that depend on nothing tracked there lose their history."""
        recording = current_mode().grad

        def show(leaf):
            if not isinstance(leaf, Tensor) or not leaf.requires_grad:
                return leaf
            return leaf if recording and _depends_on_a_leaf([leaf]) else leaf.detach()

        return tree_map(show, tree)


def _differentiate(name, func, argnums, has_aux, args, kwargs) -> tuple:
    """The call of a scalar function, and its gradient."""
    call = _Call(name, func, args, argnums, has_aux, kwargs)
    value = call._output
    if not isinstance(value, Tensor):
        raise RuntimeError(f"{name}(f)(*args): Expected f(*args) to return a Tensor, got {type(value)}")
    if value.ndim:
        raise RuntimeError(
            f"{name}(f)(*args): Expected f(*args) to return a scalar Tensor, got tensor with {value.ndim} dims. "
            "Maybe you wanted to use the vjp or jacrev APIs instead?"
        )
    with inference_mode(False):
        found = gradients([value], call.inputs, [None], create_graph=call.tracked)
    gs = [zeros_like(x) if g is None else g for g, x in zip(found, call.inputs)]
    return call, call.shown(tree_unflatten(call.structure, gs))


def _alias(leaf):
    """What a function is given for an argument that is not differentiated: a write reaches the memory, no more."""
    plain = isinstance(leaf, Tensor) and not leaf.requires_grad and dual_of(leaf) is None
    return leaf.detach() if plain else leaf


def _stand_in(name: str, leaf, recording: bool) -> Tensor:
    if not isinstance(leaf, Tensor):
        raise ValueError(
            f"{name}: Thing passed to transform API must be Tensor, got {type(leaf)}; wrap it in ac.tensor(...), or "
            "leave its argument out of argnums"
        )
    if (dual := dual_of(leaf)) is not None:
        return with_tangent(_stand_in(name, dual.primal, recording), dual.level, dual.tangent)
    return leaf.view_as(leaf) if recording and leaf.requires_grad else with_requires_grad(leaf.detach())


HOOKLESS = frozenset({"grad", "grad_and_value", "jacrev", "vjp"})
NO_HOOKS = (
    "func.{grad, vjp, jacrev, hessian} don't yet support saved tensor hooks (saved_tensors_hooks, save_on_cpu, "
    "checkpoint with use_reentrant=False). Take the gradient with autograd.grad, or leave the hooks away."
)

# PyTorch names a transform in its messages as it is called, or as the one that it is made of.
CALLED = {
    "grad": "grad_and_value(f)(*args)",
    "grad_and_value": "grad_and_value(f)(*args)",
    "jacfwd": "jacfwd: jvp(f, primals, tangents)",
    "jacrev": "jacrev: vjp(f, *primals)",
    "jvp": "jvp(f, primals, tangents)",
    "linearize": "linearize: jvp(f, primals, tangents)",
    "vjp": "vjp(f, *primals)",
}


def _check_outputs(name: str, output) -> None:
    """Raise RuntimeError unless a function returned tensors, and at least one."""
    leaves, _ = tree_flatten(output)
    if not leaves:
        raise RuntimeError(
            f"{CALLED[name]}: Expected f to be a function that has non-empty output (got output = {output})"
        )
    for leaf in leaves:
        if not isinstance(leaf, Tensor):
            raise RuntimeError(
                f"{CALLED[name]}: expected f(*primals) to return only tensors, got unsupported type {type(leaf)}"
            )


def _depends_on_a_leaf(tensors) -> bool:
    """Whether the history of these tensors leads to a leaf that is, or was, somebody's tensor."""
    edges = [edge_of(t) for t in tensors]
    edges += [edge for node in schedule(edges) for edge in node.edges]
    return any(type(edge) is Leaf and edge._tensor is not None for edge in edges)


def _tensors(tree) -> list[Tensor]:
    return [leaf for leaf in tree_flatten(tree)[0] if isinstance(leaf, Tensor)]


def _split(name: str, result, has_aux: bool) -> tuple:
    """What a function returned as (output, aux)."""
    if not has_aux:
        return result, None
    if not (isinstance(result, tuple) and len(result) == 2):
        raise RuntimeError(f"{CALLED[name]}: output of function f should be a tuple: (output, aux) if has_aux is True")
    leaves, structure = tree_flatten(result[1])
    wrong = next((leaf for leaf in leaves if not isinstance(leaf, Tensor)), None)
    if wrong is not None or structure.holds_none():
        raise RuntimeError(
            f"{CALLED[name]}: aux: Expected tensors, got unsupported type {type(wrong)}. Wrap numbers in "
            "ac.tensor(...), and let the function leave anything else in a variable of the code around it"
        )
    return result


def _argument_numbers(argnums, count: int) -> tuple[int, ...]:
    """`argnums` as a tuple of numbers from 0 to `count` - 1."""
    if not isinstance(argnums, (int, tuple)):
        raise RuntimeError(f"argnums must be int or Tuple[int, ...], got: {type(argnums)}")
    numbers = (argnums,) if isinstance(argnums, int) else argnums
    if count and not numbers:
        raise RuntimeError("argnums must be non-empty")
    for number in numbers:
        if not isinstance(number, int):
            raise RuntimeError(f"argnum must be int, got: {type(number)}")
        if not -count <= number < count:
            raise RuntimeError(f"Got argnum={number}, but only {count} positional inputs")
    found = tuple(number % count for number in numbers)
    if len(set(found)) != len(found):
        raise RuntimeError(f"argnums elements must be unique, got {found}")
    return found


def _check_tangents(primals, tangents) -> list[Tensor]:
    """The tangents as a list, checked against the primals."""
    name = "jvp(f, primals, tangents)"
    if not isinstance(primals, tuple):
        raise RuntimeError(f"{name}: Expected primals to be a tuple. E.g. it should be valid to call f(*primals).")
    values, structure = tree_flatten(primals)
    directions, given = tree_flatten(tangents)
    if not values:
        raise RuntimeError(f"{name}: Expected primals to contain at least one Tensor.")
    if given != structure:
        raise RuntimeError(
            f"{name}: Expected primals and tangents to have the same python structure. "
            f"Got primals with structure {structure} and tangents with structure {given}"
        )
    for what, leaves in {"primals": values, "tangents": directions}.items():
        for leaf in leaves:
            if not isinstance(leaf, Tensor):
                raise RuntimeError(f"{name}: Expected {what} to only contain Tensors, got {type(leaf)}")
    for value, direction in zip(values, directions):
        if value.shape != direction.shape:
            raise RuntimeError(
                f"{name}: a tangent has a different size than that of the original Tensor: "
                f"{list(direction.shape)}, the primal has {list(value.shape)}"
            )
        if value.dtype != direction.dtype:
            raise RuntimeError(
                f"{name}: Expected a tangent of the primal's dtype, {value.dtype}, got {direction.dtype}"
            )
    return directions
