"""The state of a module: its parameters and persistent buffers by dotted name, taken out and put back.

Each module saves and loads its own part, and a subclass may do so in its own way. Loading either succeeds or leaves
everything as it was.
"""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any

import numpy as np

from ..autograd.hooks import RemovableHandle
from ..core import dtypes
from ..core.modes import no_grad
from ..core.tensor import Parameter, Tensor, wrap
from .contents import Contents
from .parameter import is_lazy

EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", "missing_keys unexpected_keys")):
    """Names that `load_state_dict` found missing, and those it had no place for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"


class Stateful(Contents):
    """The part of a `Module` that saves and loads it."""

    _version = 1
    _state_dict_pre_hooks: OrderedDict[int, Callable]
    _state_dict_hooks: OrderedDict[int, Callable]
    _load_state_dict_pre_hooks: OrderedDict[int, Callable]
    _load_state_dict_post_hooks: OrderedDict[int, Callable]

    def get_extra_state(self) -> Any:
        """What else belongs to the state of a module: a subclass returns it, and `state_dict` has it."""
        raise RuntimeError(f"{type(self).__name__} defines no get_extra_state()")

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` returned: a subclass that defines the one defines the other."""
        raise RuntimeError(
            f"{type(self).__name__} has no set_extra_state(), though the state_dict holds an extra state for it: "
            "define it beside get_extra_state()"
        )

    def _own_state(self) -> dict[str, Tensor]:
        """The parameters and persistent buffers of this very module."""
        passing = self._non_persistent_buffers_set
        buffers = [(name, value) for name, value in self._buffers.items() if name not in passing]
        return {name: value for name, value in [*self._parameters.items(), *buffers] if value is not None}

    # -- saving

    def state_dict(self, *args, destination=None, prefix: str = "", keep_vars: bool = False) -> OrderedDict[str, Any]:
        """Parameters and persistent buffers by dotted name, sharing memory with the module, in an OrderedDict.

        They are detached, unless `keep_vars` asks for the tensors themselves. `prefix` goes before each name. Each
        child adds its own part to `destination`, by its own `state_dict`. A shared parameter is saved under each name.

        >>> import autograd_core as ac
        >>> list(ac.nn.Linear(2, 1).state_dict())
        ['weight', 'bias']
        """
        if args:
            warnings.warn(
                "Positional args are being deprecated, use kwargs instead: destination=, prefix= and keep_vars=",
                FutureWarning,
                stacklevel=2,
            )
            given = dict(zip(("destination", "prefix", "keep_vars"), args, strict=False))
            return self.state_dict(**{"destination": destination, "prefix": prefix, "keep_vars": keep_vars, **given})
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        local_metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = local_metadata
        for hook in list(self._state_dict_pre_hooks.values()):
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in list(self._modules.items()):
            if child is not None:
                child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in list(self._state_dict_hooks.values()):
            changed = hook(self, destination, prefix, local_metadata)
            destination = destination if changed is None else changed
        return destination

    def _save_to_state_dict(self, destination, prefix: str, keep_vars: bool) -> None:
        """Put the part of this very module into `destination`; a subclass may put more, or otherwise."""
        for name, value in self._own_state().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if type(self).get_extra_state is not Stateful.get_extra_state:
            destination[prefix + EXTRA_STATE] = self.get_extra_state()

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before this module saves its state."""
        return RemovableHandle(self._state_dict_pre_hooks, hook)

    def register_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, local_metadata)` when this module and all below it are saved.

        It may change the `state_dict` in place, and returns None: else RuntimeError.
        """
        return RemovableHandle(self._state_dict_hooks, partial(_returning_none, hook))

    def _register_state_dict_hook(self, hook: Callable) -> RemovableHandle:
        """As `register_state_dict_post_hook`, but what it returns, if not None, is the state."""
        return RemovableHandle(self._state_dict_hooks, hook)

    # -- loading

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False):
        """Copy the values of a `state_dict` into this module, and return which names were missing and unexpected.

        Values are tensors of this package or of PyTorch, or NumPy arrays. With `assign` they are not copied: they take
        the places of the parameters and buffers, with their dtypes, and an optimizer has to be made after that.

        Raises RuntimeError that lists every missing or unexpected name (unless `strict=False`) and every value that
        does not fit; nothing is changed then.

        >>> import autograd_core as ac, numpy as np
        >>> layer = ac.nn.Linear(1, 1)
        >>> layer.load_state_dict({"weight": np.ones((1, 1)), "bias": ac.zeros(1)})
        <All keys matched successfully>
        >>> layer(ac.tensor([3.0])).item()
        3.0
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict).__name__}.")
        before = _Remembered(self)
        try:
            load = _Load(state_dict, assign)
            load.into(self, OrderedDict(state_dict), "")
            problems = [*(load.keys_that_differ() if strict else []), *load.problems]
            if problems:
                told = f"Error(s) in loading state_dict for {type(self).__name__}:"
                raise RuntimeError("\n\t".join([told, *problems]))
        except BaseException:
            before.restore()
            raise
        return load.keys

    def _load_from_state_dict(
        self, state_dict, prefix: str, local_metadata, strict: bool, missing_keys, unexpected_keys, error_msgs
    ) -> None:
        """Load the part of this very module, whose names begin with `prefix`; a subclass may load otherwise.

        What is wrong is added to the last three, which are lists of texts. `local_metadata` is what the module that was
        saved noted: its `version`.
        """
        for hook in list(self._load_state_dict_pre_hooks.values()):
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        own, extra = self._own_state(), prefix + EXTRA_STATE
        for name, tensor in own.items():
            key = prefix + name
            if key not in state_dict:
                missing_keys += [key] if strict else []
                continue
            value, problem = _fitting(key, state_dict[key], tensor)
            if value is None:
                error_msgs.append(problem)
            elif is_lazy(value):
                continue
            elif local_metadata.get("assign_to_params_buffers", False):
                setattr(self, name, _in_place_of(tensor, value))
            else:
                with no_grad():
                    tensor.copy_(value)
        if extra in state_dict and type(self).set_extra_state is not Stateful.set_extra_state:
            self.set_extra_state(state_dict[extra])
        elif strict:
            wanted = type(self).set_extra_state is not Stateful.set_extra_state
            missing_keys += [extra] if wanted else []
            unexpected_keys += [extra] if extra in state_dict else []
        if strict:
            unexpected_keys += [key for key in state_dict if self._has_no_place_for(key, prefix, own)]

    def _has_no_place_for(self, key: str, prefix: str, own: dict) -> bool:
        if not key.startswith(prefix) or key == prefix + EXTRA_STATE:
            return False
        first, dot, _ = key[len(prefix) :].partition(".")
        return first not in (self._modules if dot else own)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, ...)`, the arguments of `_load_from_state_dict`, before a load.

        It may change the `state_dict` in place, such as names of an older version.
        """
        return self._register_load_state_dict_pre_hook(hook, with_module=True)

    def _register_load_state_dict_pre_hook(self, hook: Callable, with_module: bool = False) -> RemovableHandle:
        return RemovableHandle(self._load_state_dict_pre_hooks, partial(hook, self) if with_module else hook)

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after this module and all below it are loaded.

        It may change the two lists of names in place, and returns None: else AssertionError.
        """
        return RemovableHandle(self._load_state_dict_post_hooks, hook)


def _returning_none(hook: Callable, *args) -> None:
    if hook(*args) is not None:
        raise RuntimeError("state_dict post-hook must return None: change the state_dict in place")


class _Load:
    """One `load_state_dict`: what it has found."""

    def __init__(self, state_dict: Mapping[str, Any], assign: bool):
        self.metadata, self.assign = getattr(state_dict, "_metadata", None) or {}, assign
        self.keys = _IncompatibleKeys([], [])
        self.problems: list[str] = []

    def into(self, module, state_dict: dict[str, Any], prefix: str) -> None:
        """Load a module and all below it from the part of a state that is theirs."""
        noted = dict(self.metadata.get(prefix[:-1], {}))
        if self.assign:
            noted["assign_to_params_buffers"] = True
        module._load_from_state_dict(state_dict, prefix, noted, True, *self.keys, self.problems)
        for name, child in list(module._modules.items()):
            if child is not None:
                below = f"{prefix}{name}."
                self.into(child, {key: v for key, v in state_dict.items() if key.startswith(below)}, below)
        for hook in list(module._load_state_dict_post_hooks.values()):
            if hook(module, self.keys) is not None:
                raise AssertionError(
                    "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                    "values: change the lists of incompatible_keys in place"
                )

    def keys_that_differ(self) -> Iterator[str]:
        """A text for the missing keys and one for the unexpected, if there are any."""
        for what, names in zip(("Missing", "Unexpected"), self.keys):
            if names:
                quoted = ", ".join(f'"{name}"' for name in names)
                yield f"{what} key(s) in state_dict: {quoted}. "


class _Remembered:
    """The tensors and values of a module and all below it, to be put back if a load fails."""

    def __init__(self, module):
        modules = list(module.modules())
        self.held = [(m, dict(m._parameters), dict(m._buffers)) for m in modules]
        tensors = [t for _, *both in self.held for held in both for t in held.values() if t is not None]
        self.values = [(t, t._cell.count, t.detach().clone()) for t in tensors if not is_lazy(t)]

    def restore(self) -> None:
        """Put everything back."""
        for module, parameters, buffers in self.held:
            module._parameters.update(parameters)
            module._buffers.update(buffers)
        with no_grad():
            for tensor, count, value in self.values:
                if tensor._cell.count != count:
                    tensor.copy_(value)


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


def _fitting(name: str, given, wanted: Tensor) -> tuple[Tensor | None, str]:
    """A value of a state dict as a tensor that fits in place of another: or None, and what is wrong."""
    value = _as_tensor(given)
    if value is None:
        of_dtype = f" of {given.dtype}" if hasattr(given, "dtype") else ""
        return None, (
            f'While copying the parameter named "{name}", expected a Tensor, or a NumPy array, from checkpoint but '
            f"received {type(given)}{of_dtype}"
        )
    if is_lazy(wanted) and is_lazy(value):
        return value, ""  # both wait
    if not wanted.shape and value.shape == (1,):  # how PyTorch once saved scalars
        value = value[0]
    if value.shape == wanted.shape:
        return value, ""
    return None, (
        f"size mismatch for {name}: copying a param with shape {value.shape} from checkpoint, the shape in current "
        f"model is {wanted.shape}."
    )


def _in_place_of(old: Tensor, value: Tensor) -> Tensor:
    """What `assign=True` puts in place of a tensor: a parameter for a parameter, which trains if the old one does."""
    if not isinstance(old, Parameter):
        return value
    if not isinstance(value, Parameter):
        return Parameter(value, old.requires_grad)
    return value.requires_grad_(old.requires_grad)
