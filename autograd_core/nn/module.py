"""Modules: objects that hold parameters, buffers and other modules, and that compute when called.

What a module holds, its state and its hooks have modules of their own; here it is called, switched, converted and
printed.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable

from ..autograd.accumulation import clear_grad
from ..core import dtypes
from ..core.modes import no_grad
from ..core.tensor import Tensor
from ..ops.making.creation import check_device, empty_like
from .hooks import (
    Call,
    Hooked,
    _global_backward_hooks,
    _global_backward_pre_hooks,
    _global_forward_hooks,
    _global_forward_pre_hooks,
)
from .state import Stateful


def _nothing() -> dict:
    """The attributes of a module that holds nothing yet."""
    held: dict = {"_parameters": {}, "_buffers": {}, "_modules": {}, "_non_persistent_buffers_set": set()}
    hooks_of_calls = ("_forward_pre_hooks", "_forward_hooks", "_backward_pre_hooks", "_backward_hooks")
    hooks_of_states = ("_state_dict_pre_hooks", "_state_dict_hooks")
    hooks_of_loads = ("_load_state_dict_pre_hooks", "_load_state_dict_post_hooks")
    for name in (*hooks_of_calls, *hooks_of_states, *hooks_of_loads):
        held[name] = OrderedDict()
    for note in ("_forward_pre_hooks_with_kwargs", "_forward_hooks_with_kwargs", "_forward_hooks_always_called"):
        held[note] = {}
    return {**held, "_is_full_backward_hook": None, "training": True}


class Module(Stateful, Hooked):
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
            told = (
                f"got an unexpected keyword argument '{next(iter(kwargs))}'"
                if kwargs
                else (f"takes 1 positional argument but {len(args) + 1} were given")
            )
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
            return Call(self, args, kwargs).run()
        return self.forward(*args, **kwargs)

    # -- switching and changing all of it

    def train(self, mode: bool = True) -> Module:
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

    def eval(self) -> Module:
        """Switch to evaluation: `train(False)`."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set the flag of every parameter: False freezes the module. Returns it."""
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradient of every parameter: None, or zeros in the same tensor with `set_to_none=False`."""
        for parameter in self.parameters():
            clear_grad(parameter, set_to_none)

    def apply(self, fn: Callable[[Module], None]) -> Module:
        """Call `fn` on every module below this one and then on this one, which is returned."""
        for child in self.children():
            child.apply(fn)
        fn(self)
        return self

    def _apply(self, fn: Callable[[Tensor], Tensor], recurse: bool = True) -> Module:
        """Let `fn` make new values of all parameters, gradients and buffers: what every conversion comes down to.

        The parameters stay the objects that they are. Each child converts its own part, by its own `_apply`.
        """
        for child in self.children() if recurse else ():
            child._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            with no_grad():
                changed, gradient = fn(parameter), parameter.grad
                gradient = None if gradient is None else fn(gradient)
            parameter.data = changed
            parameter.grad = gradient
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def to(self, *targets, device=None, dtype=None, non_blocking: bool = False, copy: bool = False) -> Module:
        """Convert floating parameters, gradients and buffers to a floating dtype, in this very module; return it.

        The dtype is given as such or by a tensor that has it. A device may be given too; "cpu" is the only one, and
        `non_blocking` has no effect. TypeError for a dtype that is not floating, RuntimeError for `copy`.
        """
        if copy:
            raise RuntimeError(".to() does not accept copy argument: a module is converted in place; copy.deepcopy it")
        for target in targets:
            if isinstance(target, Tensor):
                dtype = target.dtype
            elif _is_dtype(target):
                dtype = target
            elif not isinstance(target, bool):  # non_blocking
                device = target
        check_device(device)
        if dtype is None:
            return self._apply(lambda tensor: tensor)
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating_point:
            raise TypeError(f"nn.Module.to only accepts floating point dtypes, but got desired dtype={dtype}")
        return self._apply(lambda tensor: tensor.to(dtype) if tensor.is_floating_point() else tensor)

    def type(self, dst_type) -> Module:
        """Convert all parameters and buffers to a dtype, those of integers too."""
        return self._apply(lambda tensor: tensor.type(dst_type))

    def to_empty(self, *, device=None, recurse: bool = True) -> Module:
        """Give all parameters and buffers new memory, whose values are undefined. "cpu" is the only device."""
        check_device(device)
        return self._apply(empty_like, recurse)

    def double(self) -> Module:
        """Convert to float64."""
        return self.to(dtypes.float64)

    def float(self) -> Module:
        """Convert to float32."""
        return self.to(dtypes.float32)

    def half(self) -> Module:
        """Convert to float16."""
        return self.to(dtypes.float16)

    def bfloat16(self) -> Module:
        """NotImplementedError: NumPy, and so this package, has no bfloat16."""
        raise NotImplementedError("bfloat16 is not implemented: NumPy has no such dtype; use half() or float()")

    def cpu(self) -> Module:
        """The module itself: "cpu" is the only device."""
        return self._apply(lambda tensor: tensor)

    def cuda(self, device=None) -> Module:
        """RuntimeError: "cpu" is the only device."""
        check_device("cuda")
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


def _is_dtype(value) -> bool:
    """Whether a value means a dtype. A text does not: it means a device."""
    if isinstance(value, str):
        return False
    try:
        dtypes.as_dtype(value)
    except TypeError:
        return False
    return True
