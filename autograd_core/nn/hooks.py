"""Hooks of modules: functions that see, and may replace, what passes through a module forward and backward.

A backward hook wants the gradients of all inputs and of all outputs of a call. Each of the two sets is sent through one
node, the identity, and the hooks of these two nodes do the rest.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence

from ..autograd.function import Function
from ..autograd.hooks import RemovableHandle
from ..core.modes import is_grad_enabled
from ..core.tensor import Tensor
from ..ops.making.creation import zeros


class ModuleHooks:
    """The hooks of one module: by kind, a dict from the number of a handle to the hook."""

    def __init__(self):
        self.forward_pre: dict = {}
        self.forward: dict = {}
        self.backward_pre: dict = {}
        self.backward: dict = {}


def register(hooks: dict, hook, prepend: bool) -> RemovableHandle:
    """Add a hook behind the others, or with `prepend` before them."""
    others = list(hooks.items()) if prepend else []
    for number, _ in others:
        del hooks[number]
    handle = RemovableHandle(hooks, hook)
    hooks.update(others)
    return handle


def call(module, hooks: ModuleHooks, args: tuple, kwargs: dict):
    """What `module.forward` returns, with the hooks around it."""
    for hook, with_kwargs in list(hooks.forward_pre.values()):
        args, kwargs = _before(module, hook, with_kwargs, args, kwargs)
    watched = _BackwardHooks(module, hooks) if hooks.backward or hooks.backward_pre else None
    if watched is not None:
        args = watched.see_inputs(args)
    result = module.forward(*args, **kwargs)
    for hook, with_kwargs in list(hooks.forward.values()):
        changed = hook(module, args, kwargs, result) if with_kwargs else hook(module, args, result)
        result = result if changed is None else changed
    return result if watched is None else watched.see_outputs(result)


def _before(module, hook, with_kwargs: bool, args: tuple, kwargs: dict) -> tuple[tuple, dict]:
    if not with_kwargs:
        changed = hook(module, args)
        return args if changed is None else changed if isinstance(changed, tuple) else (changed,), kwargs
    changed = hook(module, args, kwargs)
    if changed is None:
        return args, kwargs
    if not (isinstance(changed, tuple) and len(changed) == 2):
        raise RuntimeError(
            f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed!r}."
        )
    return changed


class Identity(Function):
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
    passed = dict(zip(at, Identity.apply(*[values[i] for i in at])))
    node = next(t.grad_fn for t in passed.values() if t.requires_grad)
    return tuple(passed.get(i, value) for i, value in enumerate(values)), at, node


def _spread(gradients: Sequence, at: list, n: int) -> tuple:
    """The gradients at the positions of their tensors, None elsewhere."""
    found = dict(zip(at, gradients))
    return tuple(found.get(i) for i in range(n))


class _BackwardHooks:
    """One call of a module whose backward is watched. The gradients of the outputs come first, and wait here."""

    def __init__(self, module, hooks: ModuleHooks):
        self.module = module
        self.hooks, self.pre_hooks = list(hooks.backward.values()), list(hooks.backward_pre.values())
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
            grad_inputs = self._run(_spread(filled, at, self.n_inputs))
            return tuple(grad_inputs[i] for i in at)

        if node is not None:
            node.register_hook(at_inputs)
        return args

    def see_outputs(self, result):
        """The result, with a node that calls the pre-hooks and keeps the gradients of its tensors."""
        alone = not isinstance(result, tuple)
        values, at, node = _through_one_node((result,) if alone else result)
        n = len(values)  # the hook must not hold the values: they hold its node

        def at_outputs(gradients):
            self.grad_outputs = _spread(gradients, at, n)
            for hook in self.pre_hooks:
                self._replace_outputs(hook(self.module, self.grad_outputs))
            sent = tuple(self.grad_outputs[i] for i in at)
            if self.hooks and not self.reach_inputs:
                self._run_without_inputs()
            return sent

        if node is not None:
            node.register_prehook(at_outputs)
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
