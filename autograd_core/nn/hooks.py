"""Hooks of modules: functions that see, and may replace, what passes through a module forward and backward.

A backward hook wants the gradients of all inputs and of all outputs of a call. Each of the two sets is sent through one
node, the identity, and the hooks of these two nodes do the rest.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable, Sequence

from ..autograd.function import Function
from ..autograd.hooks import RemovableHandle, register
from ..core.modes import is_grad_enabled
from ..core.tensor import Tensor
from ..ops.making.creation import zeros
from .contents import Contents

Hooks = OrderedDict[int, Callable]  # by the number of the handle


# -- of one module


class Hooked(Contents):
    """The part of a `Module` that hooks are registered with."""

    _forward_pre_hooks: Hooks
    _forward_pre_hooks_with_kwargs: dict[int, bool]
    _forward_hooks: Hooks
    _forward_hooks_with_kwargs: dict[int, bool]
    _forward_hooks_always_called: dict[int, bool]
    _backward_pre_hooks: Hooks
    _backward_hooks: Hooks
    _is_full_backward_hook: bool | None

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before each `forward`: what it returns, if not None, takes the place of `args`.

        With `with_kwargs` it is `hook(module, args, kwargs)`, which returns None or both. Hooks run in the order in
        which they came; `prepend` puts this one first.
        """
        notes = [self._forward_pre_hooks_with_kwargs] if with_kwargs else []
        return register(self._forward_pre_hooks, hook, *notes, prepend=prepend)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False, always_call: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after each `forward`: what it returns, if not None, is the output.

        With `with_kwargs` it is `hook(module, args, kwargs, output)`. With `always_call` it is called after an
        exception too, with the output that there is, or None.

        >>> import autograd_core as ac
        >>> layer = ac.nn.ReLU()
        >>> with layer.register_forward_hook(lambda module, args, output: print(module, args, output)):
        ...     _ = layer(ac.tensor([-1.0, 2.0]))
        ReLU() (tensor([-1.,  2.]),) tensor([0., 2.])
        """
        notes = [self._forward_hooks_with_kwargs] if with_kwargs else []
        notes += [self._forward_hooks_always_called] if always_call else []
        return register(self._forward_hooks, hook, *notes, prepend=prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` once the gradients of all outputs of a call are there.

        It may return a tuple that takes the place of `grad_output`.
        """
        return register(self._backward_pre_hooks, hook, prepend=prepend)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` once the gradients of all positional inputs of a call are there.

        Both are tuples, with None for what is no tensor and zeros for a tensor that gets no gradient; the hook may
        return a tuple that takes the place of `grad_input`. If no input requires gradients, it is called, with a
        warning, as soon as those of the outputs are there. Inputs and outputs of the module become views, so that
        neither may be overwritten in place.

        >>> import autograd_core as ac
        >>> layer = ac.nn.Tanh()
        >>> handle = layer.register_full_backward_hook(lambda module, grad_in, grad_out: print(grad_in, grad_out))
        >>> (5 * layer(ac.zeros(1, requires_grad=True))).backward()
        (tensor([5.]),) (tensor([5.]),)
        """
        self._is_full_backward_hook = kind_of_all(self._is_full_backward_hook, True, "on a single Module")
        return register(self._backward_hooks, hook, prepend=prepend)

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Deprecated, and kept for old programs: a hook of the node that made the output, and of it alone.

        `hook(module, grad_input, grad_output)` gets the gradients of that node's inputs, which are the module's if its
        forward is one operation; otherwise a FutureWarning tells. Use `register_full_backward_hook`.
        """
        self._is_full_backward_hook = kind_of_all(self._is_full_backward_hook, False, "on a single Module")
        return register(self._backward_hooks, hook)


def kind_of_all(before: bool | None, full: bool, where: str) -> bool:
    """Whether all backward hooks of a place are full ones, now that one more is. RuntimeError for both kinds."""
    if before is not None and before != full:
        raise RuntimeError(
            f"Cannot use both regular backward hooks and full backward hooks {where}. Please use only one of them: "
            "register_full_backward_hook."
        )
    return full


def first_tensor(value) -> Tensor:
    """The first tensor in what a module returned."""
    while not isinstance(value, Tensor):
        value = next(v for v in value.values() if isinstance(v, Tensor)) if isinstance(value, dict) else value[0]
    return value


def tell_what_is_missed(args: tuple, result, node) -> None:
    """Warn where the inputs and outputs of the last node are not those of the module."""
    results = result if isinstance(result, tuple) else (result,)
    makers = {r.grad_fn for r in results if isinstance(r, Tensor)} - {None}
    if not all(isinstance(value, Tensor) for value in results):
        why, what = "on a Module that does not return a single Tensor or a tuple of Tensors", "grad_output"
    elif not all(isinstance(value, Tensor) for value in args):
        why, what = "on a Module that does not take as input a single Tensor or a tuple of Tensors", "grad_input"
    elif makers and node not in makers:
        why, what = "when outputs are nested in python data structure", "grad_output"
    elif len(makers) > 1:
        why, what = "when outputs are generated by different autograd Nodes", "grad_output"
    elif {arg.grad_fn for arg in args} - {None} != {above for above, _ in node.next_functions}:
        why, what = "when the forward contains multiple autograd Nodes", "grad_input"
    else:
        return
    warnings.warn(
        f"Using a non-full backward hook {why} is deprecated and will be removed in future versions. This hook will be "
        f"missing some {what}. Please use register_full_backward_hook to get the documented behavior.",
        FutureWarning,
        stacklevel=5,
    )


# -- the gradients of all inputs and of all outputs


class BackwardHookFunction(Function):
    """Several tensors as they are, through one node."""

    @staticmethod
    def forward(ctx, *tensors):
        """Return them."""
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tensors

    @staticmethod
    def backward(ctx, *grads):
        """Return the gradients."""
        return grads


def _through_one_node(values: tuple):
    """`values` with its tensors sent through one node, their positions, and the node: None if nothing is recorded."""
    at = [i for i, value in enumerate(values) if isinstance(value, Tensor)]
    if not (is_grad_enabled() and any(values[i].requires_grad for i in at)):
        return values, at, None
    passed = dict(zip(at, BackwardHookFunction.apply(*[values[i] for i in at])))
    node = next(t.grad_fn for t in passed.values() if t.requires_grad)
    changed = [passed.get(i, value) for i, value in enumerate(values)]
    return (tuple(changed) if type(values) is tuple else type(values)(*changed)), at, node


def _spread(gradients: Sequence, at: list, n: int) -> tuple:
    """The gradients at the positions of their tensors, None elsewhere."""
    found = dict(zip(at, gradients))
    return tuple(found.get(i) for i in range(n))


def _picked(values: tuple, at: list, sent_on: Sequence) -> tuple:
    """What a node sends on in place of `sent_on`: None stays where no gradient flows."""
    return tuple(None if g is None else values[i] for i, g in zip(at, sent_on))


class BackwardHooks:
    """One call of a module whose backward is watched. The gradients of the outputs come first, and wait here."""

    def __init__(self, module, hooks: list[Callable], pre_hooks: list[Callable]):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs: tuple | None = None
        self.n_inputs, self.reach_inputs = 0, False

    def see_inputs(self, args: tuple) -> tuple:
        """The arguments, with a node that calls the hooks when the gradients of all tensors among them are there."""
        args, at, node = _through_one_node(args)
        self.n_inputs, self.reach_inputs = len(args), node is not None
        kinds = [(args[i].shape, args[i].dtype) for i in at]

        def at_inputs(gradients, _):
            if self.grad_outputs is None:
                return None
            filled = [zeros(shape, dtype=dtype) if g is None else g for g, (shape, dtype) in zip(gradients, kinds)]
            return _picked(self._run(_spread(filled, at, self.n_inputs)), at, gradients)

        if node is not None:
            node.register_hook(at_inputs)
        return args

    def see_outputs(self, result):
        """The result, with a node that calls the pre-hooks and keeps the gradients of its tensors."""
        if not isinstance(result, (Tensor, tuple)):
            warnings.warn(
                "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received "
                f"{type(result)}",
                UserWarning,
                stacklevel=4,
            )
        alone = not isinstance(result, tuple)
        values, at, node = _through_one_node((result,) if alone else result)
        n = len(values)  # the hook must not hold the values: they hold its node

        def at_outputs(sent_on, gradients):
            self.grad_outputs = _spread(gradients, at, n)
            for hook in self.pre_hooks:
                self._replace_outputs(hook(self.module, self.grad_outputs))
            sent = _picked(self.grad_outputs, at, sent_on)
            if self.hooks and not self.reach_inputs:
                self._run_without_inputs()
            return sent

        if node is not None:
            node.register_hook(at_outputs)
        return values[0] if alone else values

    def _run_without_inputs(self) -> None:
        warnings.warn(
            "Full backward hook is firing when gradients are computed with respect to module outputs since no inputs "
            "require gradients.",
            UserWarning,
            stacklevel=2,
        )
        if any(g is not None for g in self._run((None,) * self.n_inputs)):
            raise RuntimeError(
                "Backward hook for Modules where no input requires gradient should always return None or None for all "
                "gradients."
            )

    def _replace_outputs(self, changed) -> None:
        if changed is None:
            return
        changed = changed if isinstance(changed, tuple) else (changed,)
        wanted = len(self.grad_outputs or ())
        if len(changed) != wanted:
            raise RuntimeError(
                f"Backward pre hook returned an invalid number of grad_output, got {len(changed)}, but expected "
                f"{wanted}"
            )
        self.grad_outputs = changed

    def _run(self, grad_inputs: tuple) -> tuple:
        """The gradients of the inputs as the hooks leave them."""
        grad_outputs, self.grad_outputs = self.grad_outputs, None
        for hook in self.hooks:
            changed = hook(self.module, grad_inputs, grad_outputs)
            if changed is None:
                continue
            changed = changed if isinstance(changed, tuple) else (changed,)
            if len(changed) != len(grad_inputs):
                raise RuntimeError(
                    f"Backward hook returned an invalid number of grad_input, got {len(changed)}, but expected "
                    f"{len(grad_inputs)}"
                )
            grad_inputs = changed
        return grad_inputs
