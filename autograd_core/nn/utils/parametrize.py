"""Parametrizations: a parameter or buffer of a module as a function of other tensors, which are what is trained.

The value is computed whenever the attribute is read. The originals and the functions are in `module.parametrizations`,
and so in its `state_dict`.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from typing import Any

from ...core.modes import no_grad
from ...core.tensor import Parameter, Tensor
from ..containers import ModuleDict, ModuleList
from ..module import Module

__all__ = [
    "ParametrizationList",
    "cached",
    "is_parametrized",
    "register_parametrization",
    "remove_parametrizations",
    "transfer_parametrizations_and_params",
    "type_before_parametrizations",
]


# -- values that are kept

# While a block is open, what is computed in it, by module and name; of each thread and task, as modes are.
_computed: ContextVar[dict[tuple[Module, str], Tensor] | None] = ContextVar("autograd_core.computed", default=None)


@contextmanager
def cached() -> Iterator[None]:
    """Within the block each parametrized tensor is computed once, at its first use.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils import parametrize, parametrizations
    >>> layer = parametrizations.weight_norm(ac.nn.Linear(2, 2))
    >>> with parametrize.cached():
    ...     layer.weight is layer.weight
    True
    """
    outside = _computed.get()
    _computed.set({} if outside is None else outside)
    try:
        yield
    finally:
        _computed.set(outside)


# -- one parametrized tensor


class ParametrizationList(ModuleList):
    """The functions of one tensor, the first one first, and its originals.

    There is one, `original`, unless the first function takes several: `original0`, `original1` and so on. Assigning to
    the parametrized tensor sends the value through the `right_inverse` of each function, the last one first.
    """

    original: Tensor

    def __init__(self, modules: Sequence[Module], original: Tensor, unsafe: bool = False):
        if not modules:
            raise ValueError("ParametrizationList requires one or more modules.")
        super().__init__(modules)
        self.unsafe = unsafe
        shape, dtype = original.shape, original.dtype
        new = _inverted(modules, original)
        if not isinstance(new, (Tensor, Sequence)):
            raise ValueError(
                f"'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got "
                f"{type(new).__name__}"
            )
        self.is_tensor = isinstance(new, Tensor)
        self.ntensors = 1 if self.is_tensor else len(new)
        before = original.data
        if isinstance(new, Tensor):
            if dtype != new.dtype:
                raise ValueError(
                    f"When `right_inverse` outputs one tensor, it may not change the dtype: it made {new.dtype} of "
                    f"{dtype}"
                )
            original.data = new
            register(self, "original", original)
        else:
            for number, part in enumerate(new):
                self._register_part(number, part, original)
        try:
            if not unsafe:
                _check_value("A parametrization", self(), shape, dtype)
        except BaseException:
            original.data = before
            raise

    def _register_part(self, number: int, part, original: Tensor) -> None:
        if not isinstance(part, Tensor):
            raise ValueError(
                "'right_inverse' must return a Tensor or a Sequence of tensors (list, tuple...). Got element "
                f"{number} of the sequence with type {type(part).__name__}."
            )
        part = Parameter(part, original.requires_grad) if isinstance(original, Parameter) else part
        register(self, f"original{number}", part.requires_grad_(original.requires_grad))

    def originals(self) -> list[Tensor]:
        """What the value is computed from."""
        if self.is_tensor:
            return [self.original]
        return [getattr(self, f"original{number}") for number in range(self.ntensors)]

    def right_inverse(self, value: Tensor) -> None:
        """Set the originals so that the value becomes this one. RuntimeError where a function has no right inverse."""
        with no_grad():
            for module in reversed(list(self)):
                if not hasattr(module, "right_inverse"):
                    raise RuntimeError(f"parametrization {type(module).__name__} does not implement right_inverse.")
                value = module.right_inverse(value)
        parts = [value] if self.is_tensor else value
        if not isinstance(parts, Sequence) or not all(isinstance(part, Tensor) for part in parts):
            wanted = "a tensor" if self.is_tensor else "a sequence of tensors"
            raise ValueError(f"`right_inverse` should return {wanted}. Got {type(value).__name__}")
        if len(parts) != self.ntensors:
            raise ValueError(
                f"'right_inverse' must return a sequence of tensors of length {self.ntensors}. Got a sequence of "
                f"length {len(parts)}."
            )
        originals = self.originals()
        for original, part in zip(originals, parts):
            if part.dtype != original.dtype:
                raise ValueError(
                    f"The tensor returned by `right_inverse` has dtype {part.dtype} while the original has dtype "
                    f"{original.dtype}"
                )
        for original, part in zip(originals, parts):
            original.data = part

    def forward(self) -> Tensor:
        """The value."""
        first, *others = self
        value = first(*self.originals())
        for module in others:
            value = module(value)
        return value


def register(module: Module, name: str, value: Tensor) -> None:
    """Add a parameter or a buffer, whichever a tensor is."""
    if isinstance(value, Parameter):
        module.register_parameter(name, value)
    else:
        module.register_buffer(name, value)


def _inverted(modules: Sequence[Module], value):
    """What the functions make of `value` backward; one that has no right inverse, or will not, lets it pass."""
    with no_grad():
        for module in reversed(list(modules)):
            if hasattr(module, "right_inverse"):
                with suppress(NotImplementedError):
                    value = module.right_inverse(value)
    return value


CHANGED = "Registering a parametrization may not change the {} of the tensor, unless `unsafe` flag is enabled"
CHANGED_BACK = "The tensor returned by parametrization.right_inverse must have the same {}, unless `unsafe` is enabled"


def _check_value(who: str, value, shape, dtype, changed: str = CHANGED) -> None:
    """Raise ValueError unless a value may take the place of a tensor."""
    if not isinstance(value, Tensor):
        raise ValueError(f"{who} must return a tensor. Got {type(value).__name__}.")
    for what, was, found in (("dtype", dtype, value.dtype), ("shape", shape, value.shape)):
        if was != found:
            raise ValueError(f"{changed.format(what)}: it made {found} of {was}")


# -- modules that have some


def register_parametrization(module: Any, tensor_name: str, parametrization: Module, *, unsafe: bool = False) -> Module:
    """Let a parameter or buffer be what `parametrization` makes of the original. Returns the module.

    A second one is applied to the result of the first. `parametrization.right_inverse`, if there is one, gives the
    original for the present value, or a sequence of originals, and is used by assignment.

    ValueError where shape or dtype would change, unless `unsafe`, and for a name that is neither parameter nor buffer.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils import parametrize
    >>> class Symmetric(ac.nn.Module):
    ...     def forward(self, x):
    ...         return x.triu() + x.triu(1).T
    >>> layer = parametrize.register_parametrization(ac.nn.Linear(3, 3), "weight", Symmetric())
    >>> bool((layer.weight == layer.weight.T).all()), [name for name, _ in layer.named_parameters()]
    (True, ['bias', 'parametrizations.weight.original'])
    """
    parametrization.train(module.training)
    if is_parametrized(module, tensor_name):
        parametrizations = module.parametrizations[tensor_name]
        if not unsafe:
            _check_added(parametrization, getattr(module, tensor_name))
        parametrizations.append(parametrization)
        parametrizations.unsafe |= unsafe
    elif tensor_name in module._buffers or tensor_name in module._parameters:
        original = getattr(module, tensor_name)
        parametrizations = ParametrizationList([parametrization], original, unsafe=unsafe)
        delattr(module, tensor_name)
        if not is_parametrized(module):
            module.__class__ = _class_for(type(module))
            module.parametrizations = ModuleDict()
        setattr(type(module), tensor_name, _property(tensor_name))
        module.parametrizations[tensor_name] = parametrizations
    else:
        raise ValueError(
            f"Module '{module}' does not have a parameter, a buffer, or a parametrized element with name "
            f"'{tensor_name}'"
        )
    return module


def _check_added(parametrization: Module, value: Tensor) -> None:
    found = parametrization(value)
    _check_value("A parametrization", found, value.shape, value.dtype)
    if hasattr(parametrization, "right_inverse"):
        try:
            back = parametrization.right_inverse(found)
        except NotImplementedError:
            return
        _check_value("parametrization.right_inverse", back, value.shape, value.dtype, CHANGED_BACK)


def _property(name: str) -> property:
    def value(self) -> Tensor:
        kept = _computed.get()
        if kept is None:
            return self.parametrizations[name]()
        if (self, name) not in kept:
            kept[self, name] = self.parametrizations[name]()
        return kept[self, name]

    def set_value(self, given: Tensor) -> None:
        self.parametrizations[name].right_inverse(given)

    return property(value, set_value, doc="Computed from the originals in `parametrizations`.")


def _class_for(kind: type) -> type:
    """A class of its own for one module: its parametrized tensors are properties of the class."""

    def deepcopied(self, memo: dict):
        twin = memo[id(self)] = object.__new__(type(self))
        twin.__dict__.update(copy.deepcopy(self.__dict__, memo))
        return twin

    def refused(self):
        raise RuntimeError(
            "Serialization of parametrized modules is only supported through state_dict(): save that, and "
            "parametrize a new module before it is loaded"
        )

    own: dict[str, Any] = {"__getstate__": refused}
    if not hasattr(kind, "__deepcopy__"):
        own["__deepcopy__"] = deepcopied
    return type(f"Parametrized{kind.__name__}", (kind,), own)


def is_parametrized(module: Module, tensor_name: str | None = None) -> bool:
    """Whether a module has a parametrized tensor, or this one.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 2))
    >>> ac.nn.utils.parametrize.is_parametrized(layer), ac.nn.utils.parametrize.is_parametrized(layer, "bias")
    (True, False)
    """
    parametrizations = getattr(module, "parametrizations", None)
    if not isinstance(parametrizations, ModuleDict):
        return False
    return len(parametrizations) > 0 if tensor_name is None else tensor_name in parametrizations


def type_before_parametrizations(module: Module) -> type:
    """The class that a module had before it was parametrized.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 2))
    >>> type(layer).__name__, ac.nn.utils.parametrize.type_before_parametrizations(layer).__name__
    ('ParametrizedLinear', 'Linear')
    """
    return type(module).__bases__[0] if is_parametrized(module) else type(module)


def remove_parametrizations(module: Any, tensor_name: str, leave_parametrized: bool = True) -> Module:
    """Make a parametrized tensor an ordinary one again. Returns the module.

    It has the value that it has now, or with `leave_parametrized=False` that of the original, if there is one.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 2))
    >>> _ = ac.nn.utils.parametrize.remove_parametrizations(layer, "weight")
    >>> [name for name, _ in layer.named_parameters()]
    ['bias', 'weight']
    """
    if not is_parametrized(module, tensor_name):
        raise ValueError(f"Module {module} does not have a parametrization on {tensor_name}")
    parametrizations = module.parametrizations[tensor_name]
    if not parametrizations.is_tensor and not leave_parametrized:
        raise ValueError(
            "Cannot leave unparametrized (`leave_parametrized=False`) a tensor that is parametrized in terms of a "
            "sequence of tensors."
        )
    if parametrizations.is_tensor:
        tensor = parametrizations.original
        if leave_parametrized:
            with no_grad():
                tensor.data = getattr(module, tensor_name)
    else:
        value = getattr(module, tensor_name)
        tensor = Parameter(value) if value.requires_grad else value
    delattr(type(module), tensor_name)
    del module.parametrizations[tensor_name]
    register(module, tensor_name, tensor)
    if not is_parametrized(module):
        del module.parametrizations
        module.__class__ = type(module).__bases__[0]
    return module


def transfer_parametrizations_and_params(from_module: Any, to_module: Any, tensor_name: str | None = None) -> Module:
    """Parametrize one module as another is, with the same functions and originals: all its tensors, or one.

    >>> import autograd_core as ac
    >>> parametrize = ac.nn.utils.parametrize
    >>> a, b = ac.nn.utils.parametrizations.weight_norm(ac.nn.Linear(2, 2)), ac.nn.Linear(2, 2)
    >>> _ = parametrize.transfer_parametrizations_and_params(a, b)
    >>> parametrize.is_parametrized(b, "weight"), ac.equal(a.weight, b.weight)
    (True, True)
    """
    if not is_parametrized(from_module):
        return to_module
    for name in list(from_module.parametrizations) if tensor_name is None else [tensor_name]:
        source = from_module.parametrizations[name]
        if not hasattr(to_module, name):
            setattr(to_module, name, Parameter(getattr(from_module, name)))
        for parametrization in source:
            register_parametrization(to_module, name, parametrization)
        target = to_module.parametrizations[name]
        for kept in [key for key in (*source._parameters, *source._buffers) if key.startswith("original")]:
            setattr(target, kept, getattr(source, kept))
    return to_module
