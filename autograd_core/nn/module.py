"""Modules: objects that hold parameters, buffers and other modules, and that compute when called.

A module is an ordinary object. What it holds is found by type among its attributes: a `Parameter` is a parameter, a
`Module` a child. Buffers are plain tensors, so their names are noted when they are registered.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator

from .. import dtypes
from ..autograd.accumulation import clear_grad
from ..modes import no_grad
from ..ops.creation import check_device
from ..tensor import Parameter, Tensor

IncompatibleKeys = namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")


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

    def __init__(self):
        object.__setattr__(self, "_buffers", {})

    def forward(self, *args, **kwargs):
        """What the module computes. Subclasses define it; callers call the module itself."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args, **kwargs):
        return self.forward(*args, **kwargs)

    def __setattr__(self, name: str, value) -> None:
        held = vars(self)
        if isinstance(value, (Parameter, Module)):
            if "_buffers" not in held:
                what = "parameters" if isinstance(value, Parameter) else "module"
                raise AttributeError(
                    f"cannot assign {what} before Module.__init__() call: begin {type(self).__name__}.__init__ with "
                    "super().__init__()"
                )
        elif value is not None and isinstance(held.get(name), (Parameter, Module)):
            kind = "parameter" if isinstance(held[name], Parameter) else "child module"
            wrap = ": wrap the tensor in nn.Parameter(...)" if kind == "parameter" else ""
            raise TypeError(
                f"cannot assign '{type(value).__name__}' as {kind} '{name}' (a {kind} or None expected){wrap}, or "
                "delete the attribute"
            )
        object.__setattr__(self, name, value)

    # -- what a module holds

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

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """Direct children with their names, each once."""
        seen = set()
        for name, value in vars(self).items():
            if isinstance(value, Module) and value not in seen:
                seen.add(value)
                yield name, value

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
        for name, value in vars(self).items():
            if isinstance(value, Module):
                yield from value.named_modules(memo, prefix + "." + name if prefix else name)

    def modules(self) -> Iterator[Module]:
        """This module and all below it, each once."""
        return (module for _, module in self.named_modules())

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

    def to(self, target) -> Module:
        """Convert floating parameters, gradients and buffers to a floating dtype, in this very module; return it.

        A device may be given instead; "cpu" is the only one. TypeError for a dtype that is not floating.
        """
        if isinstance(target, str) and target.partition(":")[0] in ("cpu", "cuda", "mps"):
            check_device(target)
            return self
        dtype = dtypes.as_dtype(target)
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

    # -- saving and loading

    def _state(self) -> dict[str, Tensor]:
        """All parameters and persistent buffers under all their names: a shared one is saved under each."""
        state: dict[str, Tensor] = {}
        for name, value in self._own_parameters():
            state[name] = value
        for name, value in self._own_buffers():
            if self._buffers[name]:
                state[name] = value
        for name, child in vars(self).items():
            if isinstance(child, Module):
                state.update((f"{name}.{key}", value) for key, value in child._state().items())
        return state

    def state_dict(self) -> dict[str, Tensor]:
        """Parameters and persistent buffers by dotted name, detached, sharing memory with the module.

        >>> import autograd_core as ac
        >>> list(ac.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        return {name: tensor.detach() for name, tensor in self._state().items()}

    def load_state_dict(self, state_dict, strict: bool = True) -> IncompatibleKeys:
        """Copy the values of a `state_dict` into this module, and return which names were missing and unexpected.

        Raises RuntimeError that lists every missing or unexpected name (unless `strict=False`) and every shape that
        does not fit; nothing is copied then.
        """
        own = self._state()
        missing = [name for name in own if name not in state_dict]
        unexpected = [name for name in state_dict if name not in own]
        problems = []
        if strict and unexpected:
            problems.append(f"Unexpected key(s) in state_dict: {_quoted(unexpected)}.")
        if strict and missing:
            problems.append(f"Missing key(s) in state_dict: {_quoted(missing)}.")
        for name, tensor in own.items():
            value = state_dict.get(name)
            if name in state_dict and not isinstance(value, Tensor):
                problems.append(f"{name}: expected a tensor, got {type(value).__name__}.")
            elif name in state_dict and value.shape != tensor.shape:
                problems.append(
                    f"size mismatch for {name}: copying a param with shape {list(value.shape)} from checkpoint, the "
                    f"shape in current model is {list(tensor.shape)}."
                )
        if problems:
            raise RuntimeError("\n\t".join([f"Error(s) in loading state_dict for {type(self).__name__}:", *problems]))
        with no_grad():
            for name, tensor in own.items():
                if name in state_dict:
                    tensor.copy_(state_dict[name])
        return IncompatibleKeys(missing, unexpected)

    # -- printing

    def extra_repr(self) -> str:
        """What to print between the parentheses; layers show their sizes."""
        return ""

    def __repr__(self) -> str:
        held = [(name, value) for name, value in vars(self).items() if isinstance(value, Module)]
        lines = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in held]
        extra = self.extra_repr()
        if not lines:
            return f"{type(self).__name__}({extra})"
        return "\n  ".join([f"{type(self).__name__}(", *([extra] if extra else []), *lines]) + "\n)"


def _quoted(names) -> str:
    return ", ".join(f'"{name}"' for name in names)
