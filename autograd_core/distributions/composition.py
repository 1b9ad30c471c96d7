"""Functions of random numbers with their inverses and slopes: what all share, and what is made of others."""

from __future__ import annotations

from functools import reduce
from operator import add, mul
from typing import Any

from ..core.size import Size
from ..core.tensor import Tensor
from ..ops.making.creation import zeros_like
from . import constraints
from .utils import sum_rightmost


class Transform:
    """Base: y = t(x), x = t.inv(y), and `log_abs_det_jacobian(x, y)` = log |dy/dx| of each event.

    `domain` and `codomain` are constraints. `sign` is +1 or -1 for a function of one number that rises or falls. With
    `cache_size=1` the last pair is kept: the inverse of a y that was just made is its very x.

    A subclass defines `_call`, `_inverse` and `log_abs_det_jacobian`. ValueError for another size of the cache.
    """

    bijective = False
    domain: constraints.Constraint
    codomain: constraints.Constraint

    def __init__(self, cache_size: int = 0):
        if cache_size not in (0, 1):
            raise ValueError("cache_size must be 0 or 1")
        self._cache_size, self._cached = cache_size, (None, None)
        self._inv: Any = None

    def __getstate__(self) -> dict:
        return {**vars(self), "_inv": None, "_cached": (None, None)}

    @property
    def event_dim(self) -> int:
        """How many axes make one event. ValueError where that changes."""
        if self.domain.event_dim != self.codomain.event_dim:
            raise ValueError("Please use either .domain.event_dim or .codomain.event_dim")
        return self.domain.event_dim

    @property
    def inv(self) -> Transform:
        """The inverse, whose inverse is this transform."""
        if self._inv is None:
            self._inv = _InverseTransform(self)
        return self._inv

    @property
    def sign(self):
        """+1 where the function rises, -1 where it falls."""
        raise NotImplementedError(f"{type(self).__name__} has no sign")

    def with_cache(self, cache_size: int = 1) -> Transform:
        """The same transform with another size of the cache."""
        if self._cache_size == cache_size:
            return self
        new = type(self).__new__(type(self))
        vars(new).update(self.__getstate__(), _cache_size=cache_size)
        return new

    def __eq__(self, other) -> bool:
        return type(self) is type(other) and self._same(other)

    __hash__ = object.__hash__

    def _same(self, other) -> bool:
        return True if type(self).__init__ is Transform.__init__ else self is other

    def __call__(self, x):
        if self._cache_size and x is self._cached[0]:
            return self._cached[1]
        y = self._call(x)
        if self._cache_size:
            self._cached = x, y
        return y

    def _inv_call(self, y):
        if self._cache_size and y is self._cached[1]:
            return self._cached[0]
        x = self._inverse(y)
        if self._cache_size:
            self._cached = x, y
        return x

    def _call(self, x):
        raise NotImplementedError(f"{type(self).__name__} does not define _call()")

    def _inverse(self, y):
        raise NotImplementedError(f"{type(self).__name__} does not define _inverse()")

    def log_abs_det_jacobian(self, x, y):
        """log |dy/dx| of each event."""
        raise NotImplementedError(f"{type(self).__name__} does not define log_abs_det_jacobian()")

    def forward_shape(self, shape):
        """The shape of y for a shape of x."""
        return Size(shape)

    def inverse_shape(self, shape):
        """The shape of x for a shape of y."""
        return Size(shape)

    def __repr__(self) -> str:
        return f"{type(self).__name__}()"


class _InverseTransform(Transform):
    """The inverse of a transform."""

    def __init__(self, transform: Transform):
        super().__init__(transform._cache_size)
        self._inv = transform

    def __getstate__(self) -> dict:
        return dict(vars(self))

    domain = property(lambda self: self._inv.codomain)
    codomain = property(lambda self: self._inv.domain)
    bijective = property(lambda self: self._inv.bijective)
    sign = property(lambda self: self._inv.sign)

    def with_cache(self, cache_size=1):
        return self._inv.with_cache(cache_size).inv

    def _same(self, other):
        return self._inv == other._inv

    def __call__(self, y):
        return self._inv._inv_call(y)

    def _inv_call(self, x):
        return self._inv(x)

    def log_abs_det_jacobian(self, x, y):
        return -self._inv.log_abs_det_jacobian(y, x)

    def forward_shape(self, shape):
        return self._inv.inverse_shape(shape)

    def inverse_shape(self, shape):
        return self._inv.forward_shape(shape)

    def __repr__(self):
        return f"_InverseTransform({self._inv!r})"


class ComposeTransform(Transform):
    """Transforms one after the other.

    >>> import autograd_core as ac
    >>> d = ac.distributions
    >>> d.ComposeTransform([d.AffineTransform(1.0, 2.0), d.ExpTransform()])(ac.tensor(0.0))
    tensor(2.7183)
    """

    def __init__(self, parts: list[Transform], cache_size: int = 0):
        super().__init__(cache_size)
        self.parts = [part.with_cache(cache_size) for part in parts] if cache_size else parts

    def _same(self, other):
        return self.parts == other.parts

    def with_cache(self, cache_size=1):
        """The same parts with another size of the cache."""
        return self if self._cache_size == cache_size else ComposeTransform(self.parts, cache_size)

    @property
    def domain(self):  # type: ignore[override]
        """That of the first part, as far as all parts see an event."""
        if not self.parts:
            return constraints.real
        event_dim = self.parts[-1].codomain.event_dim
        for part in reversed(self.parts):
            event_dim = max(event_dim + part.domain.event_dim - part.codomain.event_dim, part.domain.event_dim)
        return of_events(self.parts[0].domain, event_dim)

    @property
    def codomain(self):  # type: ignore[override]
        """That of the last part, as far as all parts see an event."""
        if not self.parts:
            return constraints.real
        event_dim = self.parts[0].domain.event_dim
        for part in self.parts:
            event_dim = max(event_dim + part.codomain.event_dim - part.domain.event_dim, part.codomain.event_dim)
        return of_events(self.parts[-1].codomain, event_dim)

    @property
    def bijective(self):  # type: ignore[override]
        """Whether all parts are."""
        return all(part.bijective for part in self.parts)

    @property
    def sign(self):
        """The product of the parts'."""
        return reduce(mul, [part.sign for part in self.parts], 1)

    @property
    def inv(self):
        """The inverses in the opposite order."""
        if self._inv is None:
            self._inv = ComposeTransform([part.inv for part in reversed(self.parts)])
            self._inv._inv = self
        return self._inv

    def __call__(self, x):
        for part in self.parts:
            x = part(x)
        return x

    def log_abs_det_jacobian(self, x, y):
        """The sum of the parts'."""
        if not self.parts:
            return zeros_like(x)
        xs = [x]
        for part in self.parts[:-1]:
            xs.append(part(xs[-1]))
        terms, event_dim = [], self.domain.event_dim
        for part, a, b in zip(self.parts, xs, [*xs[1:], y]):
            terms.append(sum_rightmost(part.log_abs_det_jacobian(a, b), event_dim - part.domain.event_dim))
            event_dim += part.codomain.event_dim - part.domain.event_dim
        return reduce(add, terms)

    def forward_shape(self, shape):
        """Through all parts."""
        return reduce(lambda shape, part: part.forward_shape(shape), self.parts, Size(shape))

    def inverse_shape(self, shape):
        """Back through all parts."""
        return reduce(lambda shape, part: part.inverse_shape(shape), reversed(self.parts), Size(shape))

    def __repr__(self):
        inside = ",\n    ".join(repr(part) for part in self.parts)
        return f"ComposeTransform(\n    {inside}\n)"


def of_events(constraint, event_dim: int):
    """A constraint for events of at least so many axes."""
    more = event_dim - constraint.event_dim
    return constraints.independent(constraint, more) if more > 0 else constraint


identity_transform = ComposeTransform([])


class IndependentTransform(Transform):
    """A transform whose slope is added over more axes, the last `reinterpreted_batch_ndims` of its batch.

    >>> import autograd_core as ac
    >>> t = ac.distributions.IndependentTransform(ac.distributions.ExpTransform(), 1)
    >>> x = ac.tensor([1.0, 2.0]); t.log_abs_det_jacobian(x, t(x))
    tensor(3.)
    """

    def __init__(self, base_transform: Transform, reinterpreted_batch_ndims: int, cache_size: int = 0):
        super().__init__(cache_size)
        self.base_transform = base_transform.with_cache(cache_size)
        self.reinterpreted_batch_ndims = reinterpreted_batch_ndims

    def with_cache(self, cache_size=1):
        """The same transform with another size of the cache."""
        if self._cache_size == cache_size:
            return self
        return IndependentTransform(self.base_transform, self.reinterpreted_batch_ndims, cache_size)

    @property
    def domain(self):  # type: ignore[override]
        """Events of the base's domain."""
        return constraints.independent(self.base_transform.domain, self.reinterpreted_batch_ndims)

    @property
    def codomain(self):  # type: ignore[override]
        """Events of the base's codomain."""
        return constraints.independent(self.base_transform.codomain, self.reinterpreted_batch_ndims)

    @property
    def bijective(self):  # type: ignore[override]
        """As the base."""
        return self.base_transform.bijective

    @property
    def sign(self):
        """As the base."""
        return self.base_transform.sign

    def _call(self, x):
        return self.base_transform(_with_axes(x, self.domain.event_dim))

    def _inverse(self, y):
        return self.base_transform.inv(_with_axes(y, self.codomain.event_dim))

    def log_abs_det_jacobian(self, x, y):
        """The sum over the added axes."""
        return sum_rightmost(self.base_transform.log_abs_det_jacobian(x, y), self.reinterpreted_batch_ndims)

    def forward_shape(self, shape):
        """As the base."""
        return self.base_transform.forward_shape(shape)

    def inverse_shape(self, shape):
        """As the base."""
        return self.base_transform.inverse_shape(shape)

    def __repr__(self):
        return f"IndependentTransform({self.base_transform!r}, {self.reinterpreted_batch_ndims})"


def _with_axes(value: Tensor, least: int) -> Tensor:
    if value.dim() < least:
        raise ValueError(f"Too few dimensions on input: {value.dim()}, and an event has {least}")
    return value


class ReshapeTransform(Transform):
    """Events in another shape. ValueError for shapes of unequal numbers of elements.

    >>> import autograd_core as ac
    >>> ac.distributions.ReshapeTransform((4,), (2, 2))(ac.zeros(3, 4)).shape
    Size([3, 2, 2])
    """

    bijective = True

    def __init__(self, in_shape, out_shape, cache_size: int = 0):
        super().__init__(cache_size)
        self.in_shape, self.out_shape = Size(in_shape), Size(out_shape)
        if self.in_shape.numel() != self.out_shape.numel():
            raise ValueError(
                f"in_shape, out_shape have different numbers of elements: {self.in_shape} and {self.out_shape}"
            )

    @property
    def domain(self):  # type: ignore[override]
        """Numbers in the one shape."""
        return constraints.independent(constraints.real, len(self.in_shape))

    @property
    def codomain(self):  # type: ignore[override]
        """Numbers in the other shape."""
        return constraints.independent(constraints.real, len(self.out_shape))

    def _call(self, x):
        return x.reshape((*x.shape[: x.dim() - len(self.in_shape)], *self.out_shape))

    def _inverse(self, y):
        return y.reshape((*y.shape[: y.dim() - len(self.out_shape)], *self.in_shape))

    def log_abs_det_jacobian(self, x, y):
        """0."""
        return x.new_zeros(tuple(x.shape[: x.dim() - len(self.in_shape)]))

    def forward_shape(self, shape):
        """The batch and the other shape. ValueError for an event of a third shape."""
        return _other_event(shape, self.in_shape, self.out_shape)

    def inverse_shape(self, shape):
        """The batch and the one shape. ValueError for an event of a third shape."""
        return _other_event(shape, self.out_shape, self.in_shape)


def _other_event(shape, event, other) -> Size:
    if len(shape) < len(event):
        raise ValueError(f"Too few dimensions on input: {Size(shape)}, and an event has {event}")
    cut = len(shape) - len(event)
    if tuple(shape[cut:]) != tuple(event):
        raise ValueError(f"Shape mismatch: expected {Size(shape[cut:])} but got {event}")
    return Size((*shape[:cut], *other))
