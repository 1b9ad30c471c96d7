"""The graph as a user holds it: edges to ask gradients for, hooks on several tensors, and hooks on saved tensors."""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod
from collections import namedtuple
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from weakref import WeakKeyDictionary, ref

from ..core import graph
from ..core.engine import running_pass
from ..core.modes import Mode, ModeSwitch, current_mode, set_mode
from ..core.tensor import Tensor, edge_of
from ..core.write import count_write
from .hooks import RemovableHandle, owner_of, register_hook


class Node(ABC):
    """What `grad_fn` and `next_functions` hold, for `isinstance`: the node of an op, or AccumulateGrad.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> node = (3 * w).grad_fn
    >>> isinstance(node, ac.autograd.graph.Node), node.name(), node.next_functions[0][0].name()
    (True, 'MulBackward0', 'AccumulateGrad')
    """

    @abstractmethod
    def name(self) -> str:
        """The name of the op's backward, such as MulBackward0."""

    @property
    @abstractmethod
    def next_functions(self) -> tuple:
        """One pair (node, output number) an input; (None, 0) where no gradient flows."""

    @property
    @abstractmethod
    def metadata(self) -> dict:
        """A dict for notes of the user's own."""

    @abstractmethod
    def register_hook(self, hook) -> RemovableHandle:
        """Call `hook(grad_inputs, grad_outputs)` after the node has run in a backward pass."""

    @abstractmethod
    def register_prehook(self, hook) -> RemovableHandle:
        """Call `hook(grad_outputs)` before the node runs in a backward pass."""


Node.register(graph.Node)
Node.register(graph.Leaf)


# -- edges


class GradientEdge(namedtuple("GradientEdge", "node output_nr")):
    """Where a gradient goes: output `output_nr` of `node`. `backward` and `grad` take it in place of its tensor."""

    __slots__ = ()

    @property
    def edge(self):
        """The edge as the graph itself stores it."""
        several = isinstance(self.node, graph.Node) and self.node.outputs is not None
        return graph.Output(self.node, self.output_nr) if several else self.node


def get_gradient_edge(tensor: Tensor) -> GradientEdge:
    """The edge of a tensor: it outlives the tensor, and a write in place does not move it.

    Raises RuntimeError where the tensor does not require gradients.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> y = 3 * w
    >>> edge = ac.autograd.graph.get_gradient_edge(y)
    >>> loss = y * y
    >>> del y
    >>> ac.autograd.grad(loss, edge)
    (tensor(12.),)
    """
    edge = edge_of(tensor)
    if edge is None:
        raise RuntimeError(
            "It is not possible to get the gradient edge for a Tensor that does not require gradients: no node made "
            "it, and no gradient will arrive"
        )
    return GradientEdge(owner_of(edge), graph.index_of(edge))


# -- hooks on several tensors


class _Handles:
    """The handle of hooks that were registered together."""

    def __init__(self, handles):
        self.handles = handles

    def remove(self) -> None:
        """Take all of them away."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> _Handles:
        return self

    def __exit__(self, *_exception) -> None:
        self.remove()


def register_multi_grad_hook(tensors: Sequence[Tensor], fn: Callable, *, mode: str = "all") -> _Handles:
    """Call `fn` once in each backward pass that reaches some of these tensors.

    With mode "all", `fn(grads)` runs when the last gradient of the pass is there: a list with None for a tensor that
    the pass does not reach. With "any", `fn(grad)` runs on the first. What it returns is ignored.

    Raises ValueError for another mode, RuntimeError for a tensor that does not require gradients.

    >>> import autograd_core as ac
    >>> a, b = (ac.tensor(v, requires_grad=True) for v in (2.0, 3.0))
    >>> handle = ac.autograd.graph.register_multi_grad_hook((a, b), print)
    >>> (a * b).backward()
    [tensor(3.), tensor(2.)]
    """
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    lock = threading.RLock()  # a signal handler may run a pass while it is held
    arrived: WeakKeyDictionary = WeakKeyDictionary()  # of each pass under way: the gradients, and how many will come
    places: list = []  # weak, since a node holds its hooks

    def note(i, g):
        running = running_pass()
        with lock:
            if first := running not in arrived:
                nodes = [(node(), number) for node, number in places]
                edges = [GradientEdge(node, number).edge for node, number in nodes if node is not None]
                arrived[running] = {}, sum(map(running.will_reach, edges))
            grads, coming = arrived[running]
            grads[i] = g
            complete = len(grads) == coming
        if mode == "any" and first:
            fn(g)
        elif mode == "all" and complete:
            fn([grads.get(k) for k in range(len(places))])

    handles = _Handles([register_hook(tensor, partial(note, i)) for i, tensor in enumerate(tensors)])
    places += [(ref(node), number) for node, number in map(get_gradient_edge, tensors)]
    return handles


# -- hooks on saved tensors


class saved_tensors_hooks(ModeSwitch):
    """Within the block, ops save `pack_hook(tensor)` in place of a tensor, and backward uses `unpack_hook` of that.

    `pack_hook` sees a tensor as the op saves it (neither a number nor a shape) and must leave it as it is, else
    RuntimeError; it runs unrecorded. `unpack_hook` must return a tensor, else TypeError. A packed value is the hooks'
    own: overwriting the tensor that it was made from goes unnoticed. Of nested blocks the innermost counts.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> with ac.autograd.graph.saved_tensors_hooks(lambda t: t.item(), lambda v: ac.tensor(v + 1)):
    ...     y = w * w
    >>> y.backward(); w.grad
    tensor(6.)
    """

    def __init__(self, pack_hook: Callable, unpack_hook: Callable):
        super().__init__()
        self.pack_hook, self.unpack_hook = pack_hook, unpack_hook

    def _changes(self, outside: Mode) -> dict:
        if isinstance(outside.saved_hooks, str):
            raise RuntimeError(outside.saved_hooks)
        return {"saved_hooks": (self.pack_hook, self.unpack_hook, outside.saved_hooks)}

    def __enter__(self) -> None:
        set_mode(current_mode().but(**self._changes(current_mode())))

    def __exit__(self, *_exception) -> None:
        """Take the innermost hooks away, whoever brought them, as PyTorch does."""
        hooks = current_mode().saved_hooks
        if not isinstance(hooks, tuple):
            raise RuntimeError(f"{type(self).__name__} is left more often than it was entered")
        set_mode(current_mode().but(saved_hooks=hooks[-1]))

    def _copy(self):
        return saved_tensors_hooks(self.pack_hook, self.unpack_hook)


class save_on_cpu(saved_tensors_hooks):
    """Within the block, ops save copies in main memory, which is where all tensors of this package are.

    So what remains of PyTorch's offloading is that a saved value may be overwritten. `pin_memory` and `device_type` are
    taken for compatibility.

    >>> import autograd_core as ac
    >>> w = ac.tensor([2.0], requires_grad=True)
    >>> with ac.autograd.graph.save_on_cpu():
    ...     y = w * w
    >>> y.backward(); w.grad
    tensor([4.])
    """

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda"):
        super().__init__(lambda t: t.detach().clone(), lambda kept: kept)

    def _copy(self):
        return save_on_cpu()


class disable_saved_tensors_hooks(ModeSwitch):
    """Within the block, entering `saved_tensors_hooks` raises RuntimeError with this message.

    So does entering this block inside such hooks.

    >>> import autograd_core as ac
    >>> with ac.autograd.graph.disable_saved_tensors_hooks("not here"):
    ...     with ac.autograd.graph.save_on_cpu():
    ...         pass
    Traceback (most recent call last):
    RuntimeError: not here
    """

    def __init__(self, error_message: str):
        super().__init__()
        self.error_message = error_message

    def _changes(self, outside: Mode) -> dict:
        if isinstance(outside.saved_hooks, tuple):
            raise RuntimeError(self.error_message)
        return {"saved_hooks": self.error_message}

    def _copy(self):
        return disable_saved_tensors_hooks(self.error_message)


class _Kept:
    """Stands in a node for a saved tensor that `allow_mutation_on_saved_tensors` keeps a copy of."""


class allow_mutation_on_saved_tensors(saved_tensors_hooks):
    """Within the block, tensors that backward needs may be overwritten: ops save copies of them.

    The copies live as long as the block and the graph, so backward has to run inside; later it raises AssertionError.
    The blocks do not nest (RuntimeError).

    >>> import autograd_core as ac
    >>> w = ac.tensor([2.0], requires_grad=True)
    >>> with ac.autograd.graph.allow_mutation_on_saved_tensors():
    ...     h = w * 1
    ...     y = h * h
    ...     h += 5
    ...     y.backward()
    >>> w.grad
    tensor([4.])
    """

    def __init__(self):
        super().__init__(self._keep, self._give)
        self._copies: WeakKeyDictionary = WeakKeyDictionary()

    def _keep(self, tensor):
        kept = _Kept()
        self._copies[kept] = tensor.detach().clone()
        return kept

    def _give(self, kept):
        if kept not in self._copies:
            raise AssertionError(
                "Trying to backward outside of the 'allow_mutation_on_saved_tensors' context in which the graph was "
                "originally recorded. The copies of the saved tensors end with the block: move backward() into it."
            )
        return self._copies[kept]

    def _changes(self, outside: Mode) -> dict:
        if isinstance(outside.saved_hooks, tuple) and isinstance(
            getattr(outside.saved_hooks[0], "__self__", None), allow_mutation_on_saved_tensors
        ):
            raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
        return super()._changes(outside)

    def _copy(self):
        return allow_mutation_on_saved_tensors()

    def __exit__(self, *exception) -> None:
        self._copies.clear()
        super().__exit__(*exception)


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Count a write to a tensor (or to each of several) that happened where it could not be seen, as through `.data`.

    A backward that needs the old value raises then. Inference tensors have no count, and are left alone.

    >>> import autograd_core as ac
    >>> w = ac.tensor([2.0], requires_grad=True)
    >>> w.data.fill_(3.0)
    tensor([3.])
    >>> ac.autograd.graph.increment_version(w); w._version
    1
    """
    for t in [tensor] if isinstance(tensor, Tensor) else tensor:
        if not t.is_inference():
            count_write(t, "increment_version")


__all__ = [
    "GradientEdge",
    "Node",
    "allow_mutation_on_saved_tensors",
    "disable_saved_tensors_hooks",
    "get_gradient_edge",
    "increment_version",
    "register_multi_grad_hook",
    "save_on_cpu",
    "saved_tensors_hooks",
]
