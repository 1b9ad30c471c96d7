"""Modules: objects that hold parameters, buffers and other modules, and that compute when called.

What a module holds, its state, its hooks and its conversion have modules of their own; here it is called, switched and
printed, and here are the hooks of all modules.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from functools import partial
from typing import Any, Self

from ..autograd.accumulation import clear_grad
from ..autograd.hooks import RemovableHandle, register
from .contents import buffer_hooks, module_hooks, parameter_hooks
from .convertible import Convertible
from .hooks import BackwardHooks, Hooked, Hooks, first_tensor, kind_of_all, tell_what_is_missed
from .state import Stateful, _IncompatibleKeys  # noqa: F401  # where programs look for it

# -- of all modules: they come before those of the one that is called

_global_forward_pre_hooks: Hooks = OrderedDict()
_global_forward_hooks: Hooks = OrderedDict()
_global_forward_hooks_with_kwargs: dict[int, bool] = {}
_global_forward_hooks_always_called: dict[int, bool] = {}
_global_backward_pre_hooks: Hooks = OrderedDict()
_global_backward_hooks: Hooks = OrderedDict()
_global_is_full_backward_hook: bool | None = None


def register_module_forward_pre_hook(hook: Callable) -> RemovableHandle:
    """`Module.register_forward_pre_hook` for all modules that there are and will be."""
    return register(_global_forward_pre_hooks, hook)


def register_module_forward_hook(
    hook: Callable, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """`Module.register_forward_hook` for all modules that there are and will be.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.modules.module import register_module_forward_hook
    >>> with register_module_forward_hook(lambda module, args, output: print(module, output)):
    ...     _ = ac.nn.Sequential(ac.nn.ReLU())(ac.tensor(-1.0))
    ReLU() tensor(0.)
    Sequential(
      (0): ReLU()
    ) tensor(0.)
    """
    notes = [_global_forward_hooks_with_kwargs] if with_kwargs else []
    notes += [_global_forward_hooks_always_called] if always_call else []
    return register(_global_forward_hooks, hook, *notes)


def register_module_full_backward_pre_hook(hook: Callable) -> RemovableHandle:
    """`Module.register_full_backward_pre_hook` for all modules that there are and will be."""
    return register(_global_backward_pre_hooks, hook)


def register_module_full_backward_hook(hook: Callable) -> RemovableHandle:
    """`Module.register_full_backward_hook` for all modules that there are and will be."""
    return _register_global_backward(hook, True)


def register_module_backward_hook(hook: Callable) -> RemovableHandle:
    """`Module.register_backward_hook`, the deprecated one, for all modules that there are and will be."""
    return _register_global_backward(hook, False)


def register_module_parameter_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, param)` when a module is given a parameter: what it returns, if not None, is registered.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.modules.module import register_module_parameter_registration_hook
    >>> with register_module_parameter_registration_hook(lambda module, name, param: print(name, param.shape)):
    ...     _ = ac.nn.Linear(2, 1)
    weight Size([1, 2])
    bias Size([1])
    """
    return register(parameter_hooks, hook)


def register_module_buffer_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, buffer)` when a module is given a buffer: what it returns, if not None, is."""
    return register(buffer_hooks, hook)


def register_module_module_registration_hook(hook: Callable[..., Any]) -> RemovableHandle:
    """Call `hook(module, name, submodule)` when a module is given a child: what it returns, if not None, is."""
    return register(module_hooks, hook)


def _register_global_backward(hook: Callable, full: bool) -> RemovableHandle:
    global _global_is_full_backward_hook
    before = _global_is_full_backward_hook if _global_backward_hooks else None
    _global_is_full_backward_hook = kind_of_all(before, full, "as a global Module hook")
    return register(_global_backward_hooks, hook)


# -- a call


class _Call:
    """One call of a module with the hooks around it."""

    def __init__(self, module, args: tuple, kwargs: dict):
        self.module, self.args, self.kwargs, self.result = module, args, kwargs, None
        self.called: set[int] = set()

    def run(self):
        """What `module.forward` returns, as the hooks leave it; after an exception those that always run do so."""
        try:
            watched = self._watched()
            self._before()
            if watched is not None:
                self.args = watched.see_inputs(self.args)
            self.result = self.module.forward(*self.args, **self.kwargs)
            for number, hook in self._forward_hooks():
                self.called.add(number)
                self._after(number, hook)
            if watched is not None:
                self.result = watched.see_outputs(self.result)
            self._hook_last_node()
            return self.result
        except Exception:
            self._call_always()
            raise

    def _watched(self) -> BackwardHooks | None:
        pre = [*_global_backward_pre_hooks.values(), *self.module._backward_pre_hooks.values()]
        full = self._backward_hooks(True)
        return BackwardHooks(self.module, full, pre) if full or pre else None

    def _backward_hooks(self, full: bool) -> list[Callable]:
        found = [*_global_backward_hooks.values()] if _global_is_full_backward_hook is full else []
        return found + ([*self.module._backward_hooks.values()] if self.module._is_full_backward_hook is full else [])

    def _before(self) -> None:
        module = self.module
        for number, hook in [*_global_forward_pre_hooks.items(), *module._forward_pre_hooks.items()]:
            if number not in module._forward_pre_hooks_with_kwargs:
                changed = hook(module, self.args)
                if changed is not None:
                    self.args = changed if isinstance(changed, tuple) else (changed,)
                continue
            changed = hook(module, self.args, self.kwargs)
            if changed is None:
                continue
            if not (isinstance(changed, tuple) and len(changed) == 2):
                raise RuntimeError(
                    f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed!r}."
                )
            self.args, self.kwargs = changed

    def _forward_hooks(self) -> list[tuple[int, Callable]]:
        return [*_global_forward_hooks.items(), *self.module._forward_hooks.items()]

    def _after(self, number: int, hook: Callable) -> None:
        module = self.module
        with_kwargs = number in module._forward_hooks_with_kwargs or number in _global_forward_hooks_with_kwargs
        given = (self.args, self.kwargs) if with_kwargs else (self.args,)
        changed = hook(module, *given, self.result)
        self.result = self.result if changed is None else changed

    def _call_always(self) -> None:
        for number, hook in self._forward_hooks():
            always = {**_global_forward_hooks_always_called, **self.module._forward_hooks_always_called}
            if number not in always or number in self.called:
                continue
            try:
                self._after(number, hook)
            except Exception as error:
                warnings.warn(
                    "module forward hook with ``always_call=True`` raised an exception that was silenced as another "
                    f"error was raised in forward: {error}",
                    UserWarning,
                    stacklevel=4,
                )

    def _hook_last_node(self) -> None:
        hooks = self._backward_hooks(False)
        if not hooks:
            return
        node: Any = first_tensor(self.result).grad_fn
        if node is None:
            return
        for hook in hooks:
            node.register_hook(partial(hook, self.module))
        tell_what_is_missed(self.args, self.result, node)


# -- modules


def _nothing() -> dict:
    """The attributes of a module that holds nothing yet."""
    return {
        "_parameters": {},
        "_buffers": {},
        "_modules": {},
        "_non_persistent_buffers_set": set(),
        "_forward_pre_hooks": OrderedDict(),
        "_forward_hooks": OrderedDict(),
        "_backward_pre_hooks": OrderedDict(),
        "_backward_hooks": OrderedDict(),
        "_state_dict_pre_hooks": OrderedDict(),
        "_state_dict_hooks": OrderedDict(),
        "_load_state_dict_pre_hooks": OrderedDict(),
        "_load_state_dict_post_hooks": OrderedDict(),
        "_forward_pre_hooks_with_kwargs": {},
        "_forward_hooks_with_kwargs": {},
        "_forward_hooks_always_called": {},
        "_is_full_backward_hook": None,
        "training": True,
    }


class Module(Stateful, Hooked, Convertible):
    """Base class of all layers and models: define `forward`, call the object.

    Assign parameters, other modules and buffers (`Buffer`) to attributes, after `super().__init__()`: that registers
    them.

    >>> import autograd_core as ac
    >>> class Scale(ac.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.factor = ac.nn.Parameter(ac.tensor(3.0))
    ...     def forward(self, x):
    ...         return self.factor * x
    >>> scale = Scale()
    >>> scale(ac.tensor(2.0)), [name for name, _ in scale.named_parameters()]
    (tensor(6., grad_fn=<MulBackward0>), ['factor'])
    """

    training: bool
    call_super_init = False  # whether __init__ passes its arguments on, to a class beside Module

    def __init__(self, *args, **kwargs):
        if not self.call_super_init and (args or kwargs):
            told = f"takes 1 positional argument but {len(args) + 1} were given"
            if kwargs:
                told = f"got an unexpected keyword argument '{next(iter(kwargs))}'"
            raise TypeError(f"{type(self).__name__}.__init__() {told}: Module.__init__ has no arguments")
        vars(self).update(_nothing())
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __setstate__(self, state: dict) -> None:
        vars(self).update(_nothing() | state)

    def forward(self, *args, **kwargs):
        """What the module computes. Subclasses define it; callers call the module itself."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        if (
            self._forward_hooks
            or self._forward_pre_hooks
            or self._backward_hooks
            or self._backward_pre_hooks
            or _global_forward_hooks
            or _global_forward_pre_hooks
            or _global_backward_hooks
            or _global_backward_pre_hooks
        ):
            return _Call(self, args, kwargs).run()
        return self.forward(*args, **kwargs)

    # -- switching and changing all of it

    def train(self, mode: bool = True) -> Self:
        """Switch this module and all below it to training behavior (or, with False, to evaluation), and return it.

        It changes what Dropout and BatchNorm compute. It has nothing to do with recording: that is `no_grad`. Children
        are asked to switch, by their own `train`, so that a subclass may stay as it is.
        """
        if not isinstance(mode, bool):
            raise ValueError(f"training mode is expected to be boolean, got {mode!r}")
        self.training = mode
        for child in self.children():
            child.train(mode)
        return self

    def eval(self) -> Self:
        """Switch to evaluation: `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Self:
        """Set the flag of every parameter: False freezes the module. Returns it."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradient of every parameter: None, or zeros in the same tensor with `set_to_none=False`."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def apply(self, fn: Callable[[Module], None]) -> Self:
        """Call `fn` on every module below this one and then on this one, which is returned."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    # -- printing

    def extra_repr(self) -> str:
        """What to print between the parentheses; layers show their sizes."""
        return ""

    def _get_name(self) -> str:
        return type(self).__name__

    def __repr__(self) -> str:
        lines = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in self._modules.items()]
        extra, name = self.extra_repr().splitlines(), self._get_name()
        if not lines and len(extra) < 2:
            return f"{name}({''.join(extra)})"
        return "\n  ".join([f"{name}(", *extra, *lines]) + "\n)"
