"""Noting which module records which node, so that a picture can fold a module into one box."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from functools import wraps
from typing import Any

from autograd_core.reading import GraphReader, is_accumulator, reader_of, tensors_in

from ..wording import translate as _

MODULES = "autograd_core.modules"  # the key of the note in a node's metadata


@contextmanager
def note_modules(model: Any) -> Iterator[None]:
    """Note with each node which module of `model` recorded it, while this lasts; `microscope` folds by these notes.

    Every module gets a `forward` that does it around its own, which is back at the end. The notes are in the `metadata`
    of the nodes and go with the graph.

    Args:
        model: an `nn.Module` of this package or of PyTorch.

    Raises:
        TypeError: if `model` is not a module.

    Example:
        >>> import autograd_core as ac
        >>> from autograd_book.look import microscope, note_modules
        >>> model = ac.nn.Sequential(ac.nn.Linear(2, 2), ac.nn.Tanh())
        >>> with note_modules(model):
        ...     loss = model(ac.ones(3, 2)).sum()
        >>> [node["place"] for node in microscope(loss).trace["nodes"] if node["op"] in ("linear", "tanh")]
        [['0: Linear'], ['1: Tanh']]
    """
    if not hasattr(model, "named_modules"):
        raise TypeError(f"note_modules() is about an nn.Module, not {type(model).__name__}")
    graph, calls, running = reader_of(model), Counter[str](), list[str]()

    def noting(name: str, module: Any) -> Callable:
        label, forward = f"{name}: {type(module).__name__}" if name else type(module).__name__, module.forward

        @wraps(forward)
        def noted(*args, **kwargs):
            calls[label] += 1
            again = _("{module}, call {number}").format(module=label, number=calls[label])
            running.append(label if calls[label] == 1 else again)
            place, began = tuple(running[1:]), graph.now()  # that all is in the model goes without saying
            try:
                output = forward(*args, **kwargs)
            finally:
                running.pop()
            for node in _made_since(graph, began, tensors_in(output)):
                node.metadata.setdefault(MODULES, place)
            return output

        return noted

    with ExitStack() as stack:
        for name, module in model.named_modules():
            stack.enter_context(_with_forward(module, noting(name, module)))
        yield


@contextmanager
def _with_forward(module: Any, forward: Callable) -> Iterator[None]:
    """A module calls `forward` instead of its own, while this lasts."""
    own = vars(module)
    before = {key: own[key] for key in own.keys() & {"forward"}}
    own["forward"] = forward
    try:
        yield
    finally:
        del own["forward"]
        own.update(before)


def _made_since(graph: GraphReader, began: int, tensors: Iterator) -> Iterator:
    """The nodes behind some tensors that are younger than `began`."""
    stack = [tensor.grad_fn for tensor in tensors if tensor.requires_grad and tensor.grad_fn is not None]
    seen = set(stack)
    while stack:
        node = stack.pop()
        if is_accumulator(node) or graph.age(node) <= began:
            continue
        yield node
        above = {edge for edge, _ in node.next_functions if edge is not None} - seen
        seen |= above
        stack += above
