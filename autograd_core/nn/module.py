"""Modules: objects that hold parameters, buffers and other modules, and that compute when called.

A module is an ordinary object. What it holds is found by type among its attributes: a `Parameter` is a parameter, a
`Module` a child. Buffers are plain tensors, so their names are noted when they are registered.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping

import numpy as np

from ..autograd.accumulation import clear_grad
from ..autograd.hooks import RemovableHandle
from ..core import dtypes
from ..core.device import check_device
from ..core.device import device as device_type
from ..core.modes import no_grad
from ..core.tensor import Parameter, Tensor, wrap
from . import hooks
from .hooks import ModuleHooks


class IncompatibleKeys(namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")):
    """Names that `load_state_dict` found missing, and those it had no place for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"


class Module:
    """Base class of all layers and models: define `forward`, call the object.

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

    training = True
    _buffers: dict[str, bool]  # name -> whether it belongs to the state_dict
    _left_out: set[str]  # names of parameters that are None
    _hooks: ModuleHooks | None = None  # made with the first hook

    def __init__(self):
        object.__setattr__(self, "_buffers", {})
        object.__setattr__(self, "_left_out", set())

    def forward(self, *args, **kwargs):
        """What the module computes. Subclasses define it; callers call the module itself."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        if self._hooks is None:
            return self.forward(*args, **kwargs)
        return hooks.call(self, self._hooks, args, kwargs)

    def __setattr__(self, name: str, value) -> None:
        held = vars(self)
        if isinstance(value, (Parameter, Module)):
            if "_buffers" not in held:
                what = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(
                    f"cannot assign {what} before Module.__init__() call: begin {type(self).__name__}.__init__ with "
                    "super().__init__()"
                )
            self._buffers.pop(name, None)
            self._left_out.discard(name)
        elif value is None and isinstance(held.get(name), Parameter):
            self._left_out.add(name)
        elif value is not None and "_buffers" in held:
            self._check_place(name, value)
        object.__setattr__(self, name, value)

    def _check_place(self, name: str, value) -> None:
        """Raise TypeError where a name stands for a parameter, a child or a buffer, and the value is none."""
        held = vars(self).get(name)
        if isinstance(held, Parameter) or name in self._left_out:
            kind, remedy = "parameter", "wrap the tensor in nn.Parameter(...), or "
        elif isinstance(held, Module):
            kind, remedy = "child module", ""
        elif name in self._buffers and not isinstance(value, Tensor):
            kind, remedy = "buffer", ""
        else:
            return
        raise TypeError(
            f"cannot assign '{type(value).__name__}' as {kind} '{name}' (a {kind} or None expected): {remedy}delete "
            "the attribute"
        )

    def __delattr__(self, name: str) -> None:
        object.__delattr__(self, name)
        self._buffers.pop(name, None)
        self._left_out.discard(name)

    # -- what a module holds

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter by name, or None for one that is left out. Errors as in `add_module`."""
        self._register(name, param, Parameter, "parameter")

    def add_module(self, name: str, module: Module | None) -> None:
        """Add a child by name.

        Raises KeyError for a name that is taken, has a dot or is empty, TypeError for a value of another type.
        """
        self._register(name, module, Module, "module")

    register_module = add_module

    def _register(self, name: str, value, kind: type, what: str) -> None:
        if not isinstance(name, str):
            raise TypeError(f"{what} name should be a string. Got {type(name).__name__}")
        if hasattr(self, name) and not isinstance(vars(self).get(name), kind):
            raise KeyError(f"attribute '{name}' already exists")
        if not name or "." in name:
            raise KeyError(f"{what} name can't be empty or contain '.', got {name!r}")
        if value is not None and not isinstance(value, kind):
            raise TypeError(f"{type(value).__name__} is not a {kind.__name__}: cannot add it as {what} '{name}'")
        setattr(self, name, value)
        if kind is Parameter and value is None:
            self._left_out.add(name)

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that is state but not trained, such as a running mean.

        Only a persistent one is in the `state_dict`.

        Raises KeyError for a name that is taken, has a dot or is empty, TypeError for a value that is not a tensor or
        None.
        """
        if not name or "." in name:
            raise KeyError(f"buffer name can't be empty or contain '.', got {name!r}")
        if hasattr(self, name) and name not in self._buffers:
            raise KeyError(f"attribute '{name}' already exists")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise TypeError(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' (Tensor or None required)"
            )
        self._buffers[name] = persistent
        setattr(self, name, tensor)

    def get_submodule(self, target: str) -> Module:
        """The module below this one with the dotted name `target`; this one for "". AttributeError if there is none.

        >>> import autograd_core as ac
        >>> ac.nn.Sequential(ac.nn.Sequential(ac.nn.Tanh())).get_submodule("0.0")
        Tanh()
        """
        module = self
        for name in target.split(".") if target else []:
            if not hasattr(module, name):
                raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
            module = getattr(module, name)
            if not isinstance(module, Module):
                raise AttributeError(f"`{name}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Parameter:
        """The parameter with the dotted name `target`. AttributeError if there is none.

        >>> import autograd_core as ac
        >>> ac.nn.Sequential(ac.nn.Linear(2, 3)).get_parameter("0.weight").shape
        Size([3, 2])
        """
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{type(module).__name__} has no attribute `{name}`")
        parameter = getattr(module, name)
        if not isinstance(parameter, Parameter):
            raise AttributeError(f"`{name}` is not an nn.Parameter")
        return parameter

    def get_buffer(self, target: str) -> Tensor:
        """The buffer with the dotted name `target`. AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if name not in module._buffers:
            raise AttributeError(f"`{name}` is not a buffer of {type(module).__name__}")
        return getattr(module, name)

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Direct children with their names, each once."""
        seen = set()
        for name, child in self._own_modules():
            if child not in seen:
                seen.add(child)
                yield name, child

    def children(self) -> Iterator[Module]:
        """Direct children, each once."""
        return (child for _, child in self.named_children())

    def named_modules(self, memo: set | None = None, prefix: str = "") -> Iterator[tuple[str, Module]]:
        """This module (its name is `prefix`) and all below it, with dotted names, each once."""
        memo = set() if memo is None else memo
        if self in memo:
            return
        memo.add(self)
        yield prefix, self
        for name, child in self._own_modules():
            yield from child.named_modules(memo, prefix + "." + name if prefix else name)

    def modules(self) -> Iterator[Module]:
        """This module and all below it, each once."""
        return (module for _, module in self.named_modules())

    def _own_modules(self) -> Iterator[tuple[str, Module]]:
        return ((name, value) for name, value in vars(self).items() if isinstance(value, Module))

    def _own_parameters(self) -> Iterator[tuple[str, Tensor]]:
        return ((name, value) for name, value in vars(self).items() if isinstance(value, Parameter))

    def _own_buffers(self) -> Iterator[tuple[str, Tensor]]:
        held = vars(self)
        return ((name, held[name]) for name in self._buffers if held.get(name) is not None)

    def _named(self, own: Callable, prefix: str, recurse: bool) -> Iterator[tuple[str, Tensor]]:
        seen = set()
        for path, module in self.named_modules(prefix=prefix) if recurse else [(prefix, self)]:
            for name, tensor in own(module):
                if tensor not in seen:
                    seen.add(tensor)
                    yield f"{path}.{name}" if path else name, tensor

    def named_parameters(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Parameters with dotted names; one that is shared comes once, under its first name."""
        return self._named(Module._own_parameters, prefix, recurse)

    def parameters(self, recurse: bool = True) -> Iterator[Tensor]:
        """Parameters of this module and (`recurse`) of all below it, each once: what an optimizer takes."""
        return (parameter for _, parameter in self.named_parameters(recurse=recurse))

    def named_buffers(self, prefix: str = "", recurse: bool = True) -> Iterator[tuple[str, Tensor]]:
        """Buffers with dotted names, each once."""
        return self._named(Module._own_buffers, prefix, recurse)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """Buffers of this module and (`recurse`) of all below it, each once."""
        return (buffer for _, buffer in self.named_buffers(recurse=recurse))

    # -- switching and changing all of it

    def train(self, mode: bool = True) -> Module:
        """Switch this module and all below it to training behavior (or, with False, to evaluation), and return it.

        It changes what Dropout and BatchNorm compute. It has nothing to do with recording: that is `no_grad`.
        """
        if not isinstance(mode, bool):
            raise ValueError(f"training mode is expected to be boolean, got {mode!r}")
        for module in self.modules():
            module.training = mode
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

    def to(self, *targets, device=None, dtype=None) -> Module:
        """Convert floating parameters, gradients and buffers to a floating dtype, in this very module; return it.

        The dtype is given as such or by a tensor that has it. A device may be given too; "cpu" is the only one.
        TypeError for a dtype that is not floating.
        """
        for target in targets:
            if isinstance(target, Tensor):
                dtype = target.dtype
            elif isinstance(target, (str, device_type)):
                device = target
            else:
                dtype = target
        check_device(device)
        if dtype is None:
            return self
        dtype = dtypes.as_dtype(dtype)
        if not dtype.is_floating_point:
            raise TypeError(f"nn.Module.to only accepts floating point dtypes, but got desired dtype={dtype}")
        for parameter in self.parameters():
            gradient, parameter.grad = parameter.grad, None
            parameter.data = parameter.data.to(dtype)
            parameter.grad = None if gradient is None else gradient.to(dtype)
        for module in self.modules():
            for name, buffer in module._own_buffers():
                if buffer.is_floating_point():
                    setattr(module, name, buffer.to(dtype))
        return self

    def double(self) -> Module:
        """Convert to float64."""
        return self.to(dtypes.float64)

    def float(self) -> Module:
        """Convert to float32."""
        return self.to(dtypes.float32)

    def half(self) -> Module:
        """Convert to float16."""
        return self.to(dtypes.float16)

    def cpu(self) -> Module:
        """The module itself: "cpu" is the only device."""
        return self

    # -- hooks

    def _hooks_of_mine(self) -> ModuleHooks:
        if self._hooks is None:
            object.__setattr__(self, "_hooks", ModuleHooks())
        return self._hooks  # type: ignore[return-value]

    def register_forward_pre_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args)` before each `forward`: what it returns, if not None, takes the place of `args`.

        With `with_kwargs` it is `hook(module, args, kwargs)`, which returns None or both. Hooks run in the order in
        which they came; `prepend` puts this one first.
        """
        return hooks.register(self._hooks_of_mine().forward_pre, (hook, with_kwargs), prepend)

    def register_forward_hook(
        self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call `hook(module, args, output)` after each `forward`: what it returns, if not None, is the output.

        With `with_kwargs` it is `hook(module, args, kwargs, output)`.

        >>> import autograd_core as ac
        >>> layer = ac.nn.ReLU()
        >>> with layer.register_forward_hook(lambda module, args, output: print(module, args, output)):
        ...     _ = layer(ac.tensor([-1.0, 2.0]))
        ReLU() (tensor([-1.,  2.]),) tensor([0., 2.])
        """
        return hooks.register(self._hooks_of_mine().forward, (hook, with_kwargs), prepend)

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` once the gradients of all outputs of a call are there.

        It may return a tuple that takes the place of `grad_output`.
        """
        return hooks.register(self._hooks_of_mine().backward_pre, hook, prepend)

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
        return hooks.register(self._hooks_of_mine().backward, hook, prepend)

    # -- saving and loading

    def _state(self) -> dict[str, Tensor]:
        """All parameters and persistent buffers under all their names: a shared one is saved under each."""
        state: dict[str, Tensor] = {}
        for name, value in self._own_parameters():
            state[name] = value
        for name, value in self._own_buffers():
            if self._buffers[name]:
                state[name] = value
        for name, child in self._own_modules():
            state.update((f"{name}.{key}", value) for key, value in child._state().items())
        return state

    def state_dict(self, *, prefix: str = "", keep_vars: bool = False) -> dict[str, Tensor]:
        """Parameters and persistent buffers by dotted name, sharing memory with the module.

        They are detached, unless `keep_vars` asks for the tensors themselves. `prefix` goes before each name.

        >>> import autograd_core as ac
        >>> list(ac.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        state = self._state().items()
        return {prefix + name: tensor if keep_vars else tensor.detach() for name, tensor in state}

    def load_state_dict(self, state_dict, strict: bool = True) -> IncompatibleKeys:
        """Copy the values of a `state_dict` into this module, and return which names were missing and unexpected.

        Values are tensors of this package or of PyTorch, or NumPy arrays.

        Raises RuntimeError that lists every missing or unexpected name (unless `strict=False`) and every value that
        does not fit; nothing is copied then.

        >>> import autograd_core as ac, numpy as np
        >>> layer = ac.nn.Linear(1, 1)
        >>> layer.load_state_dict({"weight": np.ones((1, 1)), "bias": ac.zeros(1)})
        <All keys matched successfully>
        >>> layer(ac.tensor([3.0])).item()
        3.0
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict).__name__}.")
        own = self._state()
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        values, problems = {}, []
        if strict and missing:
            problems.append(f"Missing key(s) in state_dict: {_quoted(missing)}. ")
        if strict and unexpected:
            problems.append(f"Unexpected key(s) in state_dict: {_quoted(unexpected)}. ")
        for name, tensor in own.items():
            if name in state_dict:
                values[name] = _as_tensor(state_dict[name])
                problems += _misfit(name, values[name], state_dict[name], tensor)
        if problems:
            raise RuntimeError("\n\t".join([f"Error(s) in loading state_dict for {type(self).__name__}:", *problems]))
        with no_grad():
            for name, value in values.items():
                own[name].copy_(value)
        return IncompatibleKeys(missing, unexpected)

    # -- printing

    def extra_repr(self) -> str:
        """What to print between the parentheses; layers show their sizes."""
        return ""

    def __repr__(self) -> str:
        lines = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in self._own_modules()]
        extra = self.extra_repr().splitlines()
        name = type(self).__name__
        if not lines and len(extra) < 2:
            return f"{name}({''.join(extra)})"
        return "\n  ".join([f"{name}(", *extra, *lines]) + "\n)"


def _quoted(names) -> str:
    return ", ".join(f'"{name}"' for name in names)


def _as_tensor(value) -> Tensor | None:
    """A value of a state dict, of PyTorch's or NumPy's too; None for what is none of them."""
    if isinstance(value, Tensor):
        return value
    if hasattr(value, "detach"):
        try:
            value = value.detach().cpu().numpy()
        except TypeError:  # a dtype that NumPy has not
            return None
    is_array = isinstance(value, (np.ndarray, np.generic)) and value.dtype in dtypes.OF_NUMPY
    return wrap(np.asarray(value)) if is_array else None


def _misfit(name: str, value: Tensor | None, given, wanted: Tensor) -> list[str]:
    """What keeps a value from being copied into a tensor: one text, or none."""
    if value is None:
        of_dtype = f" of {given.dtype}" if hasattr(given, "dtype") else ""
        return [
            f'While copying the parameter named "{name}", expected a Tensor, or a NumPy array, from checkpoint but '
            f"received {type(given)}{of_dtype}"
        ]
    if value.shape != wanted.shape:
        return [
            f"size mismatch for {name}: copying a param with shape {value.shape} from checkpoint, the shape in current "
            f"model is {wanted.shape}."
        ]
    return []
