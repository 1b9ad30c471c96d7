"""Containers: modules that hold modules or parameters by number or by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, MutableMapping, MutableSequence

from ..core.tensor import Parameter, Tensor
from .module import Module


class _Numbered(Module, MutableSequence):
    """A list whose entries are attributes "0", "1", ...: `append`, `extend`, `insert` and `pop` are those of lists."""

    def __init__(self, values: Iterable = ()):
        super().__init__()
        self.extend(values)

    def _checked(self, value):
        if not isinstance(value, Module):
            raise TypeError(
                f"{type(value).__name__} is not a Module subclass; wrap functions in a Module, or use nn.ReLU() and "
                "the like"
            )
        return value

    def _held(self) -> dict:
        return dict(self._own_modules())

    def _fill(self, values: Iterable) -> None:
        values = [self._checked(value) for value in values]
        for name in self._held():
            delattr(self, name)
        for number, value in enumerate(values):
            setattr(self, str(number), value)

    def __len__(self) -> int:
        return len(self._held())

    def __iter__(self):
        return iter(list(self._held().values()))

    def __getitem__(self, index):
        held = list(self._held().values())
        return type(self)(held[index]) if isinstance(index, slice) else held[index]

    def __setitem__(self, index, value) -> None:
        setattr(self, list(self._held())[index], self._checked(value))

    def __delitem__(self, index) -> None:
        values = list(self)
        del values[index]
        self._fill(values)

    def insert(self, index: int, value) -> None:
        """Put a value before entry `index`."""
        values = list(self)
        values.insert(index, value)
        self._fill(values)

    def append(self, value):
        """Put a value at the end. Returns the container."""
        setattr(self, str(len(self)), self._checked(value))
        return self

    def extend(self, values: Iterable):
        """Put values at the end. Returns the container."""
        for value in list(values):
            self.append(value)
        return self

    def __add__(self, other: Iterable):
        return type(self)([*self, *other])


class Sequential(_Numbered):
    """Modules one after the other: each gets what the one before returned. Index, slice and change it like a list.

    A dict gives the modules names.

    >>> import autograd_core as ac
    >>> net = ac.nn.Sequential(ac.nn.Linear(2, 3), ac.nn.ReLU())
    >>> net
    Sequential(
      (0): Linear(in_features=2, out_features=3, bias=True)
      (1): ReLU()
    )
    >>> net[-1], len(net)
    (ReLU(), 2)
    """

    def __init__(self, *modules: Module | dict[str, Module]):
        super().__init__()
        named = modules[0] if len(modules) == 1 and isinstance(modules[0], dict) else dict(enumerate(modules))
        for name, module in named.items():
            self.add_module(str(name), self._checked(module))

    def __getitem__(self, index):
        if isinstance(index, slice):
            return Sequential(dict(list(self._held().items())[index]))
        return super().__getitem__(index)

    def __add__(self, other: Iterable):
        return Sequential(*self, *other)

    def forward(self, input):
        """The last module's result."""
        for module in self._held().values():
            input = module(input)
        return input


class ModuleList(_Numbered):
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

    def __repr__(self) -> str:
        """Neighbors that print the same share a line."""
        runs: list[list] = []
        for number, text in enumerate(map(repr, self)):
            if runs and runs[-1][2] == text:
                runs[-1][1] = number
            else:
                runs.append([number, number, text])
        if not runs:
            return "ModuleList()"
        lines = [
            f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            for first, last, text in runs
        ]
        return "\n  ".join(["ModuleList(", *[line.replace("\n", "\n  ") for line in lines]]) + "\n)"


class ParameterList(_Numbered):
    """A list of parameters, which are registered. A tensor that is no parameter becomes one.

    >>> import autograd_core as ac
    >>> weights = ac.nn.ParameterList([ac.ones(2), ac.zeros(2, 3)])
    >>> weights, [name for name, _ in weights.named_parameters()]
    (ParameterList(
      (0): Parameter containing: [autograd_core.float32 of size 2]
      (1): Parameter containing: [autograd_core.float32 of size 2x3]
    ), ['0', '1'])
    """

    def _checked(self, value):
        return _as_parameter(value)

    def _held(self) -> dict:
        return dict(self._own_parameters())

    def extra_repr(self) -> str:
        """A line for each parameter."""
        return "\n".join(f"({name}): {_described(value)}" for name, value in self._held().items())


def _as_parameter(value) -> Parameter:
    if isinstance(value, Parameter):
        return value
    if not isinstance(value, Tensor):
        raise TypeError(f"{type(value).__name__} is not a tensor: parameters are made from tensors")
    return Parameter(value)


def _described(parameter: Tensor) -> str:
    return f"Parameter containing: [{parameter.dtype} of size {'x'.join(map(str, parameter.shape))}]"


class _Named(Module, MutableMapping):
    """A dict whose values are attributes."""

    __eq__ = object.__eq__
    __hash__ = object.__hash__
    _held: Callable[[], dict]

    def __len__(self) -> int:
        return len(self._held())

    def __iter__(self):
        return iter(self._held())

    def __getitem__(self, key: str):
        return self._held()[key]

    def __delitem__(self, key: str) -> None:
        self._held()[key]  # a KeyError for what is not an entry
        delattr(self, key)


class ModuleDict(_Named):
    """A dict of modules, which are registered. It is not called itself.

    Raises KeyError for a key that names an attribute of modules, such as "forward", or has a dot.

    >>> import autograd_core as ac
    >>> choices = ac.nn.ModuleDict({"tanh": ac.nn.Tanh(), "relu": ac.nn.ReLU()})
    >>> choices["relu"], list(choices), "gelu" in choices
    (ReLU(), ['tanh', 'relu'], False)
    """

    def __init__(self, modules: Mapping[str, Module] | Iterable[tuple[str, Module]] = ()):
        super().__init__()
        self.update(modules)

    def _held(self) -> dict:
        return dict(self._own_modules())

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)


class ParameterDict(_Named):
    """A dict of parameters, which are registered. A tensor that is no parameter becomes one.

    >>> import autograd_core as ac
    >>> ac.nn.ParameterDict({"scale": ac.ones(2), "shift": ac.zeros(2)})
    ParameterDict(
      (scale): Parameter containing: [autograd_core.float32 of size 2]
      (shift): Parameter containing: [autograd_core.float32 of size 2]
    )
    """

    def __init__(self, parameters: Mapping[str, Tensor] | Iterable[tuple[str, Tensor]] = ()):
        super().__init__()
        self.update(parameters)

    def _held(self) -> dict:
        return dict(self._own_parameters())

    def __setitem__(self, key: str, value: Tensor) -> None:
        self.register_parameter(key, _as_parameter(value))

    def extra_repr(self) -> str:
        """A line for each parameter."""
        return "\n".join(f"({name}): {_described(value)}" for name, value in self._held().items())
