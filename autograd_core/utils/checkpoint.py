"""Checkpointing: keep only the inputs of a part of the forward, and compute that part again in the backward.

Memory is traded for a second forward. The usual kind (`use_reentrant=False`) records the part as always, but a
saved-tensors hook keeps a number in the place of each saved value; the first number that a backward pass wants back has
the part run again, and its saved values are then handed out. The reentrant kind is a custom function whose forward
records nothing and whose backward runs the part again and a backward pass inside the one that is running.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable
from contextlib import contextmanager, nullcontext, suppress
from contextvars import ContextVar
from typing import Any
from weakref import WeakKeyDictionary

from ..autograd import Function, backward
from ..autograd.graph import saved_tensors_hooks
from ..core.engine import running_pass
from ..core.modes import checked_switch, enable_grad, is_grad_enabled
from ..core.tensor import Tensor, with_requires_grad
from ..ops.making.creation import empty
from ..ops.making.generator import get_rng_state, set_rng_state


class CheckpointError(RuntimeError):
    """The part of the forward did not do the same when it ran again."""


def get_device_states(*args) -> tuple[list, list]:
    """The devices other than the CPU on which the tensors are, and their random numbers: none.

    >>> import autograd_core as ac
    >>> ac.utils.checkpoint.get_device_states(ac.ones(1))
    ([], [])
    """
    return [], []


def set_device_states(devices, states, *, device_type: str | None = None) -> None:
    """Nothing: what `get_device_states` returned is empty."""


def noop_context_fn():
    """Two contexts that do nothing: the default for `checkpoint`."""
    return nullcontext(), nullcontext()


def checkpoint(
    function: Callable,
    *args,
    use_reentrant: bool | None = None,
    context_fn: Callable = noop_context_fn,
    determinism_check: str = "default",
    preserve_rng_state: bool = True,
    debug: bool = False,
    early_stop: bool = True,
    **kwargs,
) -> Any:
    """Return `function(*args, **kwargs)` without keeping what it saves for the backward, which runs it again.

    `preserve_rng_state` lets the second run draw the same random numbers. `context_fn` makes a context for the first
    run and one for the second. The second run must save values of the same number and, unless `determinism_check` is
    "none", of the same shapes and dtypes; CheckpointError otherwise. It ends when the last one is there, unless
    `early_stop` is False.

    `debug`, a record of all ops of both runs, is refused: NotImplementedError. The error names what differs.

    With `use_reentrant=True` a tensor among `args` itself must require gradients, keyword arguments are not taken, and
    `autograd.grad` or `backward(inputs=...)` raises RuntimeError. Not to pass it means True, with a warning.

    >>> import autograd_core as ac
    >>> from autograd_core.utils.checkpoint import checkpoint
    >>> x = ac.ones(2, requires_grad=True)
    >>> checkpoint(lambda x: x.exp().sin(), x, use_reentrant=False).sum().backward(); x.grad
    tensor([-2.4784, -2.4784])
    """
    if debug:
        raise NotImplementedError("checkpoint(debug=True) records no ops here; its errors say what the two runs saved")
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if _is_reentrant(use_reentrant, "checkpoint"):
        if kwargs:
            raise ValueError(f"Unexpected keyword arguments: {', '.join(kwargs)}; pass use_reentrant=False to give any")
        if context_fn is not noop_context_fn:
            raise ValueError("Passing `context_fn` is only supported when use_reentrant=False.")
        if not any(isinstance(value, Tensor) and value.requires_grad for value in args):
            warnings.warn("None of the inputs have requires_grad=True. Gradients will be None", stacklevel=2)
        return CheckpointFunction.apply(function, preserve_rng_state, *args)
    first, second = context_fn()
    if not is_grad_enabled():
        with first:
            return function(*args, **kwargs)
    set_by_context = _early_stop.get()
    stops = early_stop if set_by_context is None else set_by_context
    again = _Again(function, args, kwargs, second, preserve_rng_state, determinism_check, stops)
    with saved_tensors_hooks(again.pack, again.unpack), first:
        result = function(*args, **kwargs)
    again.completed = True
    return result


_early_stop: ContextVar[bool | None] = ContextVar("autograd_core.early_stop", default=None)


class set_checkpoint_early_stop:
    """Within the block, checkpoints are made whose second run ends when all saved values are there, or does not.

    It takes precedence over the argument `early_stop`. Not to stop lets a second run show all of its side effects.

    >>> import autograd_core as ac
    >>> from autograd_core.utils.checkpoint import checkpoint, set_checkpoint_early_stop
    >>> x = ac.ones(1, requires_grad=True)
    >>> def function(x):
    ...     y = x.exp()
    ...     print("computed")
    ...     return y
    >>> with set_checkpoint_early_stop(False):
    ...     y = checkpoint(function, x, use_reentrant=False)
    computed
    >>> y.backward()
    computed
    """

    def __init__(self, enable: bool):
        self.enable = checked_switch("set_checkpoint_early_stop", "enable", enable)
        self._outside: list[bool | None] = []

    def __enter__(self) -> None:
        self._outside.append(_early_stop.get())
        _early_stop.set(self.enable)

    def __exit__(self, *_exception) -> None:
        _early_stop.set(self._outside.pop())


def checkpoint_sequential(functions, segments: int, input, use_reentrant: bool | None = None, **kwargs) -> Any:
    """Call `functions` (a Sequential, or any sequence) one after the other, in `segments` parts of equal length.

    All parts but the last are checkpointed. Of the keywords of `checkpoint` it takes `preserve_rng_state`.

    >>> import autograd_core as ac
    >>> from autograd_core.utils.checkpoint import checkpoint_sequential
    >>> x = ac.ones(1, requires_grad=True)
    >>> checkpoint_sequential([ac.exp, ac.sin, ac.exp], 3, x, use_reentrant=False)
    tensor([1.5080], grad_fn=<ExpBackward0>)
    """
    use_reentrant = _is_reentrant(use_reentrant, "checkpoint_sequential")
    preserve_rng_state = kwargs.pop("preserve_rng_state", True)
    if kwargs:
        raise ValueError(f"Unexpected keyword arguments: {', '.join(kwargs)}")
    functions = list(functions)
    if not 1 <= segments <= len(functions):
        raise ValueError(f"segments must lie between 1 and the number of functions, {len(functions)}; got {segments}")
    length = len(functions) // segments
    last = length * (segments - 1)
    for start in range(0, last, length):
        part = _one_after_the_other(functions[start : start + length])
        input = checkpoint(part, input, use_reentrant=use_reentrant, preserve_rng_state=preserve_rng_state)
    return _one_after_the_other(functions[last:])(input)


def _one_after_the_other(functions: list) -> Callable:
    def run(value):
        for function in functions:
            value = function(value)
        return value

    return run


def _is_reentrant(use_reentrant: bool | None, name: str) -> bool:
    if use_reentrant is None:
        warnings.warn(
            f"utils.checkpoint.{name}: the use_reentrant parameter should be passed explicitly. use_reentrant=False is "
            "recommended; True is what you get now.",
            stacklevel=3,
        )
        return True
    return use_reentrant


@contextmanager
def _random_numbers_from(state: Tensor | None):
    """Draw random numbers from a state of the generator, and go back to where it was."""
    if state is None:
        yield
        return
    before = get_rng_state()
    set_rng_state(state)
    try:
        yield
    finally:
        set_rng_state(before)


# -- the usual kind


class _Enough(BaseException):
    """Ends the second run when all saved values are there. No `except Exception` of the user's catches it."""


class CheckpointInputs(Function):
    """Keeps the arguments of a checkpointed call as saved tensors of a node: versioned, and packed by outer hooks."""

    @staticmethod
    def forward(ctx, anchor, *args):
        ctx.save_for_backward(*[value if isinstance(value, Tensor) else None for value in args])
        ctx.args = [None if isinstance(value, Tensor) else value for value in args]
        return anchor.detach()


class _Again:
    """One checkpointed call: the hooks of its first run, and its second run for each pass that asks."""

    def __init__(self, function, args, kwargs, context, preserve_rng_state, determinism_check, stops):
        self.function, self.kwargs, self.context, self.stops = function, kwargs, context, stops
        self.inputs = CheckpointInputs.apply(empty(0, requires_grad=True), *args).grad_fn
        self.state = get_rng_state() if preserve_rng_state else None
        self.compares_kinds = determinism_check == "default"
        self.completed = False  # the first run; before, a pass inside it may ask for what is there so far
        self.kinds: list[tuple] = []  # shape and dtype of each value that the first run saved
        self.values: WeakKeyDictionary[Any, dict[int, Tensor]] = WeakKeyDictionary()  # by pass and number

    def pack(self, tensor: Tensor) -> int:
        self.kinds.append((tuple(tensor.shape), tensor.dtype))
        return len(self.kinds) - 1

    def unpack(self, number: int) -> Tensor:
        current = running_pass()
        if current is None:
            return self.run()[number]
        if current not in self.values:
            self.values[current] = self.run()
        if number not in self.values[current]:
            raise CheckpointError(
                "utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once in this pass. "
                "A backward of a custom Function may read ctx.saved_tensors once: keep them in variables."
            )
        return self.values[current].pop(number)

    def run(self) -> dict[int, Tensor]:
        """Run the function again and return the values that it saves, by number."""
        values: dict[int, Tensor] = {}

        def collect(tensor):
            values[len(values)] = tensor.detach()
            if self.stops and len(values) == len(self.kinds):
                raise _Enough
            return tensor.detach()

        tensors = self.inputs.saved_tensors
        args = [value if tensor is None else tensor for tensor, value in zip(tensors, self.inputs.ctx.args)]
        hooks = saved_tensors_hooks(collect, _itself)
        with _random_numbers_from(self.state), enable_grad(), self.context, hooks, suppress(_Enough):
            self.function(*args, **self.kwargs)
        self.compare(values)
        return values

    def compare(self, values: dict[int, Tensor]) -> None:
        """Raise unless the second run saved what the first one did, as far as can be seen."""
        if len(values) < len(self.kinds) or (self.completed and len(values) > len(self.kinds)):
            raise CheckpointError(
                "utils.checkpoint: A different number of tensors was saved during the original forward and "
                f"recomputation ({len(self.kinds)} and {len(values)}). The function must do the same each time it runs."
            )
        kinds = [(tuple(tensor.shape), tensor.dtype) for tensor in values.values()]
        different = [k for k, (now, then) in enumerate(zip(kinds, self.kinds, strict=False)) if now != then]
        if different and self.compares_kinds:
            lines = [f"  number {k}: {self.kinds[k]} in the forward, {kinds[k]} now" for k in different]
            raise CheckpointError(
                "\n".join(
                    [
                        "utils.checkpoint: Recomputed values for the following tensors have different metadata than "
                        "during the forward pass. The function must do the same each time it runs.",
                        *lines,
                    ]
                )
            )


def _itself(tensor: Tensor) -> Tensor:
    return tensor


# -- the reentrant kind


class CheckpointFunction(Function):
    """The call of a function as a single node, whose backward runs it again and differentiates that."""

    @staticmethod
    def forward(ctx, function, preserve_rng_state, *args):
        ctx.function, ctx.state = function, get_rng_state() if preserve_rng_state else None
        ctx.save_for_backward(*[value if isinstance(value, Tensor) else None for value in args])
        ctx.args = [None if isinstance(value, Tensor) else value for value in args]
        return function(*args)

    @staticmethod
    def backward(ctx, *grads):
        if running_pass().targets is not None:
            raise RuntimeError(
                "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` "
                "parameter to .backward(): the backward pass inside stores in every leaf. Use use_reentrant=False, or "
                "call .backward() without `inputs`."
            )
        inputs = [t if t is None else with_requires_grad(t.detach(), t.requires_grad) for t in ctx.saved_tensors]
        args = [value if tensor is None else tensor for tensor, value in zip(inputs, ctx.args)]
        with _random_numbers_from(ctx.state), enable_grad():
            outputs = ctx.function(*args)
        outputs = outputs if isinstance(outputs, tuple) else (outputs,)
        pairs = [(out, g) for out, g in zip(outputs, grads) if isinstance(out, Tensor) and out.requires_grad]
        if not pairs:
            raise RuntimeError("none of output has requires_grad=True, this checkpoint() is not necessary")
        backward([out for out, _ in pairs], [g for _, g in pairs])
        return None, None, *[None if tensor is None else tensor.grad for tensor in inputs]
