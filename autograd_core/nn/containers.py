"""Containers: modules that hold modules or parameters by number or by name."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import ItemsView, Iterable, Iterator, KeysView, Mapping, ValuesView
from typing import Any

from ..core.tensor import Parameter, Tensor
from .module import Module


class _Numbered(Module):
    """A list: `append`, `extend`, `insert` and `pop` are those of lists."""

    def __len__(self) -> int:
        raise NotImplementedError

    def __setitem__(self, idx, value) -> None:
        raise NotImplementedError

    def _place(self, index) -> int:
        """An index counted from the front. IndexError for one that is out of range."""
        index, n = operator.index(index), len(self)
        if not -n <= index < n:
            raise IndexError(f"index {index} is out of range for {n} entries")
        return index % n

    def append(self, value):
        """Put a value at the end. Returns the container."""
        raise NotImplementedError

    def extend(self, values: Iterable):
        """Put values at the end. Returns the container. TypeError for what is not iterable."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError(
                f"{type(self).__name__}.extend should be called with an iterable, but got {type(values).__name__}"
            )
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable):
        return self.extend(values)


class _Modules(_Numbered):
    """A list whose entries are children."""

    _modules: dict[str, Module]  # type: ignore[assignment]

    def _refill(self, modules: list) -> None:
        """Let these be the entries, named by their numbers."""
        self._modules = {str(number): module for number, module in enumerate(modules)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator:
        return iter(list(self._modules.values()))

    def __getitem__(self, idx):
        return list(self._modules.values())[self._place(idx)]

    def __setitem__(self, idx, module) -> None:
        setattr(self, list(self._modules)[self._place(idx)], module)

    def __delitem__(self, index) -> None:
        modules = list(self)
        del modules[index if isinstance(index, slice) else self._place(index)]
        self._refill(modules)

    def append(self, module):
        """Put a module at the end. Returns the container."""
        self.add_module(str(len(self)), module)
        return self

    def insert(self, index: int, module):
        """Put a module before entry `index`."""
        modules = list(self)
        modules.insert(index, module)
        self._refill(modules)

    def pop(self, key):
        """Take an entry, or the entries of a slice, out and return it."""
        value = self[key]
        del self[key]
        return value


class Sequential(_Modules):
    """Modules one after the other: each gets what the one before returned. Index, slice and change it like a list.

    A dict gives the modules names.

    >>> import autograd_core as ac
    >>> net = ac.nn.Sequential(ac.nn.Linear(2, 3), ac.nn.ReLU())
    >>> net
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    >>> net[-1], len(net), len(2 * net)
    (ReLU(), 2, 4)
    """

    def __init__(self, *modules: Module | dict[str, Module]):
        super().__init__()
        named: Any = modules[0] if len(modules) == 1 and isinstance(modules[0], dict) else dict(enumerate(modules))
        for name, module in named.items():
            self.add_module(str(name), module)

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(OrderedDict(list(self._modules.items())[idx]))
        return super().__getitem__(idx)

    def insert(self, index: int, module):
        """Put a module before entry `index`. Returns the container. IndexError for one that is out of range."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}, got {type(module).__name__}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        super().insert(index, module)
        return self

    def _check_added(self, other) -> None:
        if not isinstance(other, Sequential):
            raise ValueError(f"add operator supports only objects of Sequential class, but {type(other)} is given.")

    def __add__(self, other: Sequential) -> Sequential:
        self._check_added(other)
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential):  # type: ignore[override]
        self._check_added(other)
        return self.extend(other)

    def _check_factor(self, times) -> None:
        if not isinstance(times, int):
            raise TypeError(f"unsupported operand type(s) for *: {type(self)} and {type(times)}")
        if times <= 0:
            raise ValueError(f"Non-positive multiplication factor {times} for {type(self)}")

    def __mul__(self, times: int) -> Sequential:
        """The same modules, again and again."""
        self._check_factor(times)
        return Sequential(*list(self) * times)

    __rmul__ = __mul__

    def __imul__(self, times: int):
        self._check_factor(times)
        return self.extend(list(self) * (times - 1))

    def forward(self, input):
        """The last module's result."""
        for module in self._modules.values():
            input = module(input)
        return input


class ModuleList(_Modules):
    """A list of modules, which are registered. It is not called itself.

    >>> import autograd_core as ac
    >>> layers = ac.nn.ModuleList(ac.nn.Linear(2, 2) for _ in range(3))
    >>> layers
    ModuleList(
      (0-2): 3 x Linear(in_features=2, out_features=2, bias=True)
    )
    >>> len(layers.append(ac.nn.Tanh())), layers[-1]
    (4, Tanh())
    """

    def __init__(self, modules: Iterable[Module] | None = None):
        super().__init__()
        self.extend([] if modules is None else modules)

    def __getitem__(self, idx):
        return type(self)(list(self)[idx]) if isinstance(idx, slice) else super().__getitem__(idx)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def __repr__(self) -> str:
        """Neighbors that print the same share a line."""
        runs: list[list] = []
        for number, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1][1] = number
            else:
                runs.append([number, number, text])
        if not runs:
            return f"{self._get_name()}()"
        lines = [
            f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            for first, last, text in runs
        ]
        return "\n  ".join([f"{self._get_name()}(", *[line.replace("\n", "\n  ") for line in lines]]) + "\n)"


class ModuleDict(Module):
    """A dict of modules, which are registered. It is not called itself.

    Raises KeyError for a key that names an attribute of modules, such as "forward", or has a dot.

    >>> import autograd_core as ac
    >>> choices = ac.nn.ModuleDict({"tanh": ac.nn.Tanh(), "relu": ac.nn.ReLU()})
    >>> choices["relu"], list(choices), "gelu" in choices
    (ReLU(), ['tanh', 'relu'], False)
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] | None = None):
        super().__init__()
        self.update([] if modules is None else modules)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def __getitem__(self, key: str):
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._modules.keys()

    def values(self) -> ValuesView:
        """The modules."""
        return self._modules.values()

    def items(self) -> ItemsView:
        """The names and the modules."""
        return self._modules.items()

    def pop(self, key: str):
        """Take a module out and return it."""
        module = self[key]
        del self[key]
        return module

    def clear(self) -> None:
        """Take all modules out."""
        self._modules.clear()

    def update(self, modules) -> None:
        """Add modules, or put them in place of others: from a dict or from pairs."""
        for key, module in _pairs(self, modules):
            self[key] = module


def _pairs(holder: Module, given) -> list[tuple]:
    """The names and values of a dict or of pairs."""
    if not isinstance(given, Iterable):
        raise TypeError(
            f"{type(holder).__name__}.update should be called with an iterable of key/value pairs, but got "
            f"{type(given).__name__}"
        )
    if hasattr(given, "items"):
        return list(given.items())
    pairs = [tuple(pair) for pair in given]
    for number, pair in enumerate(pairs):
        if len(pair) != 2:
            raise ValueError(
                f"{type(holder).__name__} update sequence element #{number} has length {len(pair)}; 2 is required"
            )
    return pairs


# -- of parameters, and of whatever a program keeps beside them


class ParameterList(_Numbered):
    """A list of parameters, which are registered. A tensor that is no parameter becomes one; other values stay.

    >>> import autograd_core as ac
    >>> weights = ac.nn.ParameterList([ac.ones(2), ac.zeros(2, 3)])
    >>> weights, [name for name, _ in weights.named_parameters()]
    (ParameterList(
      (0): Parameter containing: [autograd_core.float32 of size 2]
      (1): Parameter containing: [autograd_core.float32 of size 2x3]
    ), ['0', '1'])
    """

    def __init__(self, values: Iterable | None = None):
        super().__init__()
        self._size = 0
        self.extend([] if values is None else values)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator:
        return (self[number] for number in range(len(self)))

    def __getitem__(self, idx):
        if isinstance(idx, slice):
            return type(self)(list(self)[idx])
        return getattr(self, str(self._place(idx)))

    def __setitem__(self, idx, param) -> None:
        setattr(self, str(self._place(idx)), _as_parameter(param))

    def append(self, value):
        """Put a value at the end. Returns the container."""
        setattr(self, str(self._size), _as_parameter(value))
        self._size += 1
        return self

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"({number}): {_described(value)}" for number, value in enumerate(self))

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """A dict of parameters, which are registered. A tensor that is no parameter becomes one; other values stay.

    Of a dict that is no OrderedDict it takes the keys in alphabetical order, as PyTorch does.

    >>> import autograd_core as ac
    >>> ac.nn.ParameterDict({"scale": ac.ones(2), "shift": ac.zeros(2)})
    ParameterDict(
      (scale): Parameter containing: [autograd_core.float32 of size 2]
      (shift): Parameter containing: [autograd_core.float32 of size 2]
    )
    """

    def __init__(self, parameters: Mapping[str, Any] | Iterable[tuple[str, Any]] | None = None):
        super().__init__()
        self._keys: dict[str, None] = {}
        self.update([] if parameters is None else parameters)

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(self._keys)

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def __getitem__(self, key: str):
        return getattr(self, self._named(key))

    def __setitem__(self, key: str, value) -> None:
        setattr(self, self._named(key), _as_parameter(value))
        self._keys[key] = None

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, key)

    @staticmethod
    def _named(key: str) -> str:
        if not isinstance(key, str):
            raise TypeError(
                f"Index given to ParameterDict cannot be used as a key as it is not a string, but {type(key).__name__}"
            )
        return key

    def keys(self) -> KeysView[str]:
        """The names."""
        return self._keys.keys()

    def values(self) -> Iterator:
        """The values."""
        return (self[key] for key in self._keys)

    def items(self) -> Iterator[tuple[str, Any]]:
        """The names and the values."""
        return ((key, self[key]) for key in self._keys)

    def get(self, key: str, default=None):
        """The value with a name, or `default`."""
        return self[key] if key in self._keys else default

    def setdefault(self, key: str, default=None):
        """The value with a name, which becomes `default` if there is none."""
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: str):
        """Take a value out and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Take the last name and value out and return them."""
        key = next(reversed(self._keys))
        return key, self.pop(key)

    def clear(self) -> None:
        """Take all out."""
        for key in list(self._keys):
            del self[key]

    def copy(self) -> ParameterDict:
        """Another dict of the same parameters."""
        return ParameterDict(OrderedDict(self.items()))

    def fromkeys(self, keys: Iterable[str], default=None) -> ParameterDict:
        """Another dict, with `default` for each name."""
        return ParameterDict((key, default) for key in keys)

    def update(self, parameters) -> None:
        """Add values, or put them in place of others: from a dict or from pairs."""
        pairs = _pairs(self, parameters)
        ordered = isinstance(parameters, (OrderedDict, ParameterDict)) or not isinstance(parameters, Mapping)
        for key, value in pairs if ordered else sorted(pairs, key=operator.itemgetter(0)):
            self[key] = value

    def __or__(self, other: ParameterDict) -> ParameterDict:
        both = self.copy()
        both.update(other)
        return both

    def __ror__(self, other: ParameterDict) -> ParameterDict:
        return other.copy() | self

    def __ior__(self, other: ParameterDict) -> ParameterDict:
        self.update(other)
        return self

    def extra_repr(self) -> str:
        """A line for each value."""
        return "\n".join(f"({key}): {_described(value)}" for key, value in self.items())

    def __call__(self, *args, **kwargs):
        raise RuntimeError("ParameterDict should not be called.")


def _as_parameter(value):
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _described(value) -> str:
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{value.dtype} of size {'x'.join(map(str, value.shape))}]"
