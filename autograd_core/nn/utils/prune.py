"""Pruning: a mask of zeros and ones beside a parameter, and in the parameter's place their product.

The parameter moves to `<name>_orig` and is trained as before; `<name>_mask` is a buffer. A hook multiplies them before
each `forward`, so that gradients reach what the mask lets through, and no more.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from ...core.modes import no_grad
from ...core.tensor import Tensor
from ...names import facade
from ...ops.elementwise.piecewise import abs
from ...ops.linear_algebra.norms import norm
from ...ops.making.creation import ones_like, zeros_like
from ...ops.making.random_values import rand, rand_like
from ...ops.reductions.selection import topk
from ..module import Module
from .vectors import parameters_to_vector

__all__ = [
    "BasePruningMethod",
    "CustomFromMask",
    "Identity",
    "L1Unstructured",
    "LnStructured",
    "PruningContainer",
    "RandomStructured",
    "RandomUnstructured",
    "custom_from_mask",
    "global_unstructured",
    "identity",
    "is_pruned",
    "l1_unstructured",
    "ln_structured",
    "random_structured",
    "random_unstructured",
    "remove",
]
__getattr__, __dir__ = facade(__name__, __all__)

UNSTRUCTURED, STRUCTURED, GLOBAL = "unstructured", "structured", "global"
WHOLE = (int, np.integer)


# -- what all methods share


class BasePruningMethod(ABC):
    """A way to choose what is pruned: a subclass says in `compute_mask` which elements stay.

    Its `PRUNING_TYPE` says what a second method on the same parameter sees of it: "unstructured", the elements that are
    not pruned yet, "structured", the slices along `dim` that are not, or "global", all.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils import prune
    >>> class Positive(prune.BasePruningMethod):
    ...     PRUNING_TYPE = "unstructured"
    ...     def compute_mask(self, t, default_mask):
    ...         return default_mask * (t > 0)
    >>> layer = ac.nn.Linear(2, 1)
    >>> _ = ac.nn.init.constant_(layer.weight, -1.0)
    >>> _ = Positive.apply(layer, "weight"); layer.weight_mask
    tensor([[0., 0.]])
    """

    PRUNING_TYPE: str
    _tensor_name: str | None = None

    def __call__(self, module: Module, inputs) -> None:
        """Multiply again: this is the hook before `forward`."""
        setattr(module, self._name_in(module), self.apply_mask(module))

    def _name_in(self, module: Module) -> str:
        if self._tensor_name is None:
            raise AssertionError(f"Module {module} has to be pruned: {type(self).__name__}.apply(module, name) does it")
        return self._tensor_name

    @abstractmethod
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """1 where an element of `t`, the scores, stays, 0 where it is pruned, on top of `default_mask`."""

    def apply_mask(self, module: Module) -> Tensor:
        """The parameter times its mask. AssertionError before `apply`."""
        name = self._name_in(module)
        original = getattr(module, f"{name}_orig")
        return getattr(module, f"{name}_mask").to(original.dtype) * original

    @classmethod
    def apply(cls, module: Module, name: str, *args, importance_scores: Tensor | None = None, **kwargs):
        """Prune parameter `name` of a module, on top of what is pruned already. Returns the method.

        `importance_scores` take the place of the values when it is chosen; AssertionError for another shape. The other
        arguments are those of the class. Where it fails, nothing has changed.
        """
        method, before = cls(*args, **kwargs), _method_on(module, name)
        method._tensor_name = name
        current = getattr(module, name)
        scores = _scores_for(current, importance_scores, f"parameter {name} of {module}")
        if before is None:
            mask = method.compute_mask(scores, default_mask=ones_like(current))
            module.register_parameter(f"{name}_orig", current)
            del module._parameters[name]
        else:
            mask = _on_top(method, scores, getattr(module, f"{name}_mask").detach().clone())
            method = _joined(before, method)
            module._forward_pre_hooks.pop(_number_of(module, before))
        module.register_buffer(f"{name}_mask", mask)
        setattr(module, name, method.apply_mask(module))
        module.register_forward_pre_hook(method)
        return method

    def prune(self, t: Tensor, default_mask: Tensor | None = None, importance_scores: Tensor | None = None) -> Tensor:
        """A tensor times the mask for it, without any module."""
        scores = _scores_for(t, importance_scores, "tensor t")
        return t * self.compute_mask(scores, default_mask=ones_like(t) if default_mask is None else default_mask)

    def remove(self, module: Module) -> None:
        """Make the pruned values the parameter, under its old name, and take the mask away. The hook stays."""
        name = self._name_in(module)
        values, original = self.apply_mask(module), module._parameters[f"{name}_orig"]
        if hasattr(module, name):
            delattr(module, name)
        original.data = values.data  # type: ignore[union-attr]
        del module._parameters[f"{name}_orig"], module._buffers[f"{name}_mask"]
        setattr(module, name, original)


def _scores_for(t: Tensor, scores: Tensor | None, what: str) -> Tensor:
    if scores is None:
        return t
    if scores.shape != t.shape:
        raise AssertionError(
            f"importance_scores should have the same shape as {what}, got {list(scores.shape)} vs {list(t.shape)}"
        )
    return scores


def _method_on(module: Module, name: str) -> BasePruningMethod | None:
    """The method that prunes parameter `name`. AssertionError where there are several."""
    found: list[Any] = [hook for hook in module._forward_pre_hooks.values() if _prunes(hook, name)]
    if len(found) > 1:
        raise AssertionError(
            f"Avoid adding multiple pruning hooks to the same tensor {name} of module {module}. Use a PruningContainer."
        )
    return found[0] if found else None


def _prunes(hook, name: str) -> bool:
    return isinstance(hook, BasePruningMethod) and hook._tensor_name == name


def _number_of(module: Module, method: BasePruningMethod) -> int:
    return next(number for number, hook in module._forward_pre_hooks.items() if hook is method)


# -- several methods, one after the other


class PruningContainer(BasePruningMethod):
    """Methods that prune the same parameter, in their order. `apply` makes one for the second.

    TypeError for what is no method, ValueError for one that prunes another parameter.
    """

    def __init__(self, *args: BasePruningMethod):
        self._pruning_methods: tuple[BasePruningMethod, ...] = ()
        if len(args) == 1:
            self._tensor_name = args[0]._tensor_name
        for method in args:
            self.add_pruning_method(method)

    def add_pruning_method(self, method: BasePruningMethod | None) -> None:
        """Put a method behind the others."""
        if method is not None and not isinstance(method, BasePruningMethod):
            raise TypeError(f"{type(method)} is not a BasePruningMethod subclass")
        if method is not None and method._tensor_name != self._tensor_name:
            raise ValueError(
                f"Can only add pruning methods acting on the parameter named '{self._tensor_name}' to PruningContainer "
                f"{self}. Found '{method._tensor_name}'"
            )
        self._pruning_methods += (method,)  # type: ignore[operator]

    def __len__(self) -> int:
        return len(self._pruning_methods)

    def __iter__(self) -> Iterator[BasePruningMethod]:
        return iter(self._pruning_methods)

    def __getitem__(self, idx):
        return self._pruning_methods[idx]

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The mask of the last method, on top of what the others have pruned."""
        return _on_top(self._pruning_methods[-1], t, default_mask)


def _joined(before: BasePruningMethod, method: BasePruningMethod) -> PruningContainer:
    container = before if isinstance(before, PruningContainer) else PruningContainer(before)
    container.add_pruning_method(method)
    return container


def _on_top(method: BasePruningMethod, t: Tensor, mask: Tensor) -> Tensor:
    """A mask with that of one more method, which is asked about what its type lets it see."""
    mask = mask.to(t.dtype, copy=True)
    seen = _seen_by(method, mask)
    mask[seen] = method.compute_mask(t[seen], default_mask=mask[seen]).to(mask.dtype)
    return mask


def _seen_by(method: BasePruningMethod, mask: Tensor):
    """The index of what a method may prune. ValueError for an unknown type."""
    if method.PRUNING_TYPE == UNSTRUCTURED:
        return mask == 1
    everything: list = [slice(None)] * mask.ndim
    if method.PRUNING_TYPE == STRUCTURED:
        if not hasattr(method, "dim"):
            raise AttributeError(
                'Pruning methods of PRUNING_TYPE "structured" need to have the attribute `dim` defined.'
            )
        dim = method.dim + mask.ndim * (method.dim < 0)
        if dim < 0:
            raise IndexError(f"Index is out of bounds for tensor with dimensions {mask.ndim}")
        everything[dim] = mask.sum([axis for axis in range(mask.ndim) if axis != dim]) != 0
    elif method.PRUNING_TYPE != GLOBAL:
        raise ValueError(f"Unrecognized PRUNING_TYPE {method.PRUNING_TYPE}")
    return tuple(everything)


# -- the methods


class Identity(BasePruningMethod):
    """Prunes nothing, and makes the mask."""

    PRUNING_TYPE = UNSTRUCTURED

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """`default_mask`."""
        return default_mask

    @classmethod
    def apply(cls, module: Module, name: str):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name)


class _ByAmount(BasePruningMethod):
    """Prunes a number of elements or slices (an int), or a share of them (a float within 0 and 1).

    TypeError for another type, ValueError for a number out of range and for more than there are.
    """

    def __init__(self, amount):
        if not isinstance(amount, (int, float, np.integer, np.floating)):
            raise TypeError(f"Invalid type for amount: {amount}. Must be int or float.")
        if amount < 0 or (amount > 1 and not isinstance(amount, WHOLE)) or math.isnan(amount):
            raise ValueError(f"amount={amount} should either be a float in the range [0, 1] or a non-negative integer")
        self.amount = amount

    def _count(self, size: int) -> int:
        """How many of `size`."""
        if not isinstance(self.amount, WHOLE):
            return round(self.amount * size)
        if self.amount > size:
            raise ValueError(f"amount={self.amount} should be smaller than the number of parameters to prune={size}")
        return int(self.amount)


class _Elements(_ByAmount):
    """Prunes the elements with the least scores."""

    PRUNING_TYPE = UNSTRUCTURED

    def _scores(self, t: Tensor) -> Tensor:
        raise NotImplementedError

    @no_grad()
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """`default_mask` with zeros at these elements."""
        count, mask = self._count(t.numel()), default_mask.clone()
        if count:
            mask.view(-1)[topk(self._scores(t).reshape(-1), count, largest=False).indices] = 0
        return mask


class RandomUnstructured(_Elements):
    """Prunes elements at random."""

    def _scores(self, t: Tensor) -> Tensor:
        return rand_like(t)

    @classmethod
    def apply(cls, module: Module, name: str, amount):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name, amount=amount)


class L1Unstructured(_Elements):
    """Prunes the elements that are smallest in absolute value."""

    def _scores(self, t: Tensor) -> Tensor:
        return abs(t)

    @classmethod
    def apply(cls, module: Module, name: str, amount, importance_scores=None):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name, amount=amount, importance_scores=importance_scores)


class _Slices(_ByAmount):
    """Prunes the slices along `dim` with the least scores."""

    PRUNING_TYPE = STRUCTURED

    def __init__(self, amount, dim: int = -1):
        super().__init__(amount)
        self.dim = dim

    def _scores(self, t: Tensor) -> Tensor:
        raise NotImplementedError

    @no_grad()
    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """`default_mask` with zeros in these slices. ValueError for less than two axes, IndexError for no axis."""
        if t.ndim < 2:
            raise ValueError(
                "Structured pruning can only be applied to multidimensional tensors. Found tensor of shape "
                f"{list(t.shape)} with {t.ndim} dims"
            )
        if not -t.ndim <= self.dim < t.ndim:
            raise IndexError(f"Invalid index {self.dim} for tensor of size {list(t.shape)}")
        size = t.shape[self.dim]
        count = self._count(size)
        if not count:
            return default_mask
        kept: list = [slice(None)] * t.ndim
        kept[self.dim] = topk(self._scores(t), size - count).indices
        mask = zeros_like(t)
        mask[tuple(kept)] = 1
        return mask * default_mask.to(mask.dtype)


class RandomStructured(_Slices):
    """Prunes slices at random."""

    def _scores(self, t: Tensor) -> Tensor:
        return rand(t.shape[self.dim])

    @classmethod
    def apply(cls, module: Module, name: str, amount, dim: int = -1):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name, amount=amount, dim=dim)


class LnStructured(_Slices):
    """Prunes the slices with the smallest norms of order `n`, as in `ac.norm`."""

    def __init__(self, amount, n, dim: int = -1):
        super().__init__(amount, dim)
        self.n = n

    def _scores(self, t: Tensor) -> Tensor:
        return norm(t, self.n, [axis for axis in range(t.ndim) if axis != self.dim % t.ndim])

    @classmethod
    def apply(cls, module: Module, name: str, amount, n, dim: int, importance_scores=None):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name, amount=amount, n=n, dim=dim, importance_scores=importance_scores)


class CustomFromMask(BasePruningMethod):
    """Prunes what a given mask says. AssertionError for another shape."""

    PRUNING_TYPE = GLOBAL

    def __init__(self, mask: Tensor):
        self.mask = mask

    def compute_mask(self, t: Tensor, default_mask: Tensor) -> Tensor:
        """The product of the masks."""
        if default_mask.shape != self.mask.shape:
            raise AssertionError(
                f"default_mask shape {list(default_mask.shape)} must match self.mask shape {list(self.mask.shape)}"
            )
        return default_mask * self.mask.to(default_mask.dtype)

    @classmethod
    def apply(cls, module: Module, name: str, mask: Tensor):  # type: ignore[override]
        """See `BasePruningMethod.apply`."""
        return super().apply(module, name, mask=mask)


# -- as functions: each prunes parameter `name` of a module, and returns the module


def identity(module: Module, name: str) -> Module:
    """Prune nothing, with a mask that can be changed.

    >>> import autograd_core as ac
    >>> layer = ac.nn.utils.prune.identity(ac.nn.Linear(2, 1), "bias")
    >>> list(layer.state_dict())
    ['weight', 'bias_orig', 'bias_mask']
    """
    Identity.apply(module, name)
    return module


def random_unstructured(module: Module, name: str, amount) -> Module:
    """Prune `amount` elements, drawn at random: an int is a number, a float a share of all.

    >>> import autograd_core as ac
    >>> ac.nn.utils.prune.random_unstructured(ac.nn.Linear(4, 1), "weight", 0.5).weight_mask.sum()
    tensor(2.)
    """
    RandomUnstructured.apply(module, name, amount)
    return module


def l1_unstructured(module: Module, name: str, amount, importance_scores: Tensor | None = None) -> Module:
    """Prune the `amount` elements that are smallest in absolute value, or have the smallest scores.

    >>> import autograd_core as ac
    >>> layer = ac.nn.Linear(3, 1)
    >>> layer.weight.data = ac.tensor([[0.5, -3.0, 1.0]])
    >>> ac.nn.utils.prune.l1_unstructured(layer, "weight", 1).weight
    tensor([[ 0., -3.,  1.]], grad_fn=<MulBackward0>)
    """
    L1Unstructured.apply(module, name, amount=amount, importance_scores=importance_scores)
    return module


def random_structured(module: Module, name: str, amount, dim: int) -> Module:
    """Prune `amount` slices along `dim`, drawn at random.

    >>> import autograd_core as ac
    >>> ac.nn.utils.prune.random_structured(ac.nn.Linear(4, 3), "weight", 1, 0).weight_mask.sum()
    tensor(8.)
    """
    RandomStructured.apply(module, name, amount, dim)
    return module


def ln_structured(module: Module, name: str, amount, n, dim: int, importance_scores: Tensor | None = None) -> Module:
    """Prune the `amount` slices along `dim` that have the smallest norms of order `n`.

    >>> import autograd_core as ac
    >>> layer = ac.nn.Linear(2, 2)
    >>> layer.weight.data = ac.tensor([[1.0, 1.0], [2.0, 0.0]])
    >>> ac.nn.utils.prune.ln_structured(layer, "weight", 1, n=2, dim=0).weight_mask
    tensor([[0., 0.],
            [1., 1.]])
    """
    LnStructured.apply(module, name, amount, n, dim, importance_scores)
    return module


def custom_from_mask(module: Module, name: str, mask: Tensor) -> Module:
    """Prune where `mask` is 0.

    >>> import autograd_core as ac
    >>> ac.nn.utils.prune.custom_from_mask(ac.nn.Linear(1, 2), "bias", ac.tensor([0, 1])).bias_mask
    tensor([0., 1.])
    """
    CustomFromMask.apply(module, name, mask)
    return module


def global_unstructured(parameters, pruning_method, importance_scores: dict | None = None, **kwargs) -> None:
    """Prune elements of several parameters, pairs of a module and a name, as if they were one.

    `pruning_method` is a class of type "unstructured", and `kwargs` are its arguments; `importance_scores` is a dict of
    the pairs. TypeError for another type, and for what is no iterable or no dict.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils import prune
    >>> a, b = ac.nn.Linear(2, 1), ac.nn.Linear(2, 1)
    >>> a.weight.data, b.weight.data = ac.tensor([[1.0, 2.0]]), ac.tensor([[3.0, 4.0]])
    >>> prune.global_unstructured([(a, "weight"), (b, "weight")], prune.L1Unstructured, amount=3)
    >>> a.weight_mask, b.weight_mask
    (tensor([[0., 0.]]), tensor([[0., 1.]]))
    """
    if not isinstance(parameters, Iterable):
        raise TypeError("global_unstructured(): parameters is not an Iterable")
    if not isinstance(importance_scores, (dict, type(None))):
        raise TypeError("global_unstructured(): importance_scores must be of type dict")
    method = pruning_method(**kwargs)
    if method.PRUNING_TYPE != UNSTRUCTURED:
        raise TypeError(
            f'Only "unstructured" PRUNING_TYPE supported for the `pruning_method`. Found method {pruning_method} of '
            f"type {method.PRUNING_TYPE}"
        )
    pairs = list(parameters)
    tensors = [getattr(module, name) for module, name in pairs]
    scores = [(importance_scores or {}).get(pair, tensor) for pair, tensor in zip(pairs, tensors)]
    masks = [getattr(module, f"{name}_mask", ones_like(tensor)) for (module, name), tensor in zip(pairs, tensors)]
    with no_grad():
        mask = _on_top(method, parameters_to_vector(scores), parameters_to_vector(masks))
    parts = mask.split([tensor.numel() for tensor in tensors])
    for (module, name), tensor, part in zip(pairs, tensors, parts):
        custom_from_mask(module, name, part.reshape(tensor.shape))


def remove(module: Module, name: str) -> Module:
    """Make the pruned values of parameter `name` its values, for good. ValueError where it is not pruned.

    >>> import autograd_core as ac
    >>> from autograd_core.nn.utils import prune
    >>> layer = prune.remove(prune.l1_unstructured(ac.nn.Linear(2, 1), "weight", 1), "weight")
    >>> sorted(layer.state_dict()), (layer.weight == 0).sum()
    (['bias', 'weight'], tensor(1))
    """
    method = _method_on(module, name)
    if method is None:
        raise ValueError(f"Parameter '{name}' of module {module} has to be pruned before pruning can be removed")
    method.remove(module)
    del module._forward_pre_hooks[_number_of(module, method)]
    return module


def is_pruned(module: Module) -> bool:
    """Whether a module, or one below it, has a pruned parameter.

    >>> import autograd_core as ac
    >>> ac.nn.utils.prune.is_pruned(ac.nn.Linear(2, 1))
    False
    """
    hooks = (hook for below in module.modules() for hook in below._forward_pre_hooks.values())
    return any(isinstance(hook, BasePruningMethod) for hook in hooks)
