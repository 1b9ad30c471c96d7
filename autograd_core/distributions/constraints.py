"""Sets of numbers, vectors and matrices: what parameters may be, and where a distribution lives.

`check(value)` says for each event of a batch whether it is inside. `is_discrete` and `event_dim`, how many of the last
axes make one event, describe a set.
"""

from __future__ import annotations

from ..core.dtypes import bool_
from ..core.tensor import Tensor
from ..linalg import cholesky_ex, eigvalsh
from ..names import facade
from ..ops.making.creation import full
from .utils import eps_of

__all__ = [
    *(
        "Constraint",
        "MixtureSameFamilyConstraint",
        "boolean",
        "corr_cholesky",
        "dependent",
        "dependent_property",
        "greater_than",
        "greater_than_eq",
    ),
    *("half_open_interval", "independent", "integer_interval", "interval", "is_dependent", "less_than"),
    *("lower_cholesky", "lower_triangular", "multinomial", "nonnegative", "nonnegative_integer", "one_hot", "positive"),
    *("positive_definite", "positive_integer", "positive_semidefinite", "real", "real_vector", "simplex", "square"),
    *("symmetric", "unit_interval"),
]
__getattr__, __dir__ = facade(__name__, __all__)


class Constraint:
    """Base of the sets: a subclass defines `check`."""

    is_discrete = False
    event_dim = 0

    def check(self, value: Tensor) -> Tensor:
        """Whether each event of `value` is inside."""
        raise NotImplementedError(f"{type(self).__name__} does not define check()")

    def __repr__(self) -> str:
        bounds = ", ".join(f"{name}={value}" for name, value in vars(self).items())
        return f"{type(self).__name__.removeprefix('_')}({bounds})"


class _Dependent(Constraint):
    """A set that other parameters decide: its check is theirs."""

    def __init__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        self._is_discrete, self._event_dim = is_discrete, event_dim

    @property
    def is_discrete(self):  # type: ignore[override]
        """Whether the set is discrete; NotImplementedError where that depends."""
        return self._known("is_discrete")

    @property
    def event_dim(self):  # type: ignore[override]
        """How many axes make an event; NotImplementedError where that depends."""
        return self._known("event_dim")

    def _known(self, name: str):
        value = getattr(self, f"_{name}")
        if value is NotImplemented:
            raise NotImplementedError(f".{name} cannot be determined statically")
        return value

    def __call__(self, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        return _Dependent(is_discrete=is_discrete, event_dim=event_dim)

    def check(self, value):
        """Refuse: ValueError."""
        raise ValueError("Cannot determine validity of dependent constraint")


class dependent_property(property, _Dependent):
    """A property of a distribution that is a set; asked of the class it is a dependent one."""

    def __init__(self, fn=None, *, is_discrete=NotImplemented, event_dim=NotImplemented):
        property.__init__(self, fn)
        _Dependent.__init__(self, is_discrete=is_discrete, event_dim=event_dim)

    def __call__(self, fn):  # type: ignore[override]
        return dependent_property(fn, is_discrete=self._is_discrete, event_dim=self._event_dim)


def is_dependent(constraint) -> bool:
    """Whether a set can be checked only with other parameters."""
    return isinstance(constraint, _Dependent)


class independent(Constraint):
    """Events of a set along more axes: all must be inside."""

    def __init__(self, base_constraint: Constraint, reinterpreted_batch_ndims: int):
        self.base_constraint, self.reinterpreted_batch_ndims = base_constraint, reinterpreted_batch_ndims

    @property
    def is_discrete(self):  # type: ignore[override]
        """As the set of one event."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):  # type: ignore[override]
        """The axes of one event and those that are added."""
        return self.base_constraint.event_dim + self.reinterpreted_batch_ndims

    def check(self, value):
        """Whether all events along the added axes are inside. ValueError for too few axes."""
        result = self.base_constraint.check(value)
        if result.dim() < self.reinterpreted_batch_ndims:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        kept = result.shape[: result.dim() - self.reinterpreted_batch_ndims]
        return result.reshape((*kept, -1)).all(-1)

    def __repr__(self) -> str:
        return f"IndependentConstraint({self.base_constraint!r}, {self.reinterpreted_batch_ndims})"


class MixtureSameFamilyConstraint(Constraint):
    """A set of the components of a mixture: an event must be inside for all of them."""

    def __init__(self, base_constraint: Constraint):
        self.base_constraint = base_constraint

    @property
    def is_discrete(self):  # type: ignore[override]
        """As the components' set."""
        return self.base_constraint.is_discrete

    @property
    def event_dim(self):  # type: ignore[override]
        """As the components' set."""
        return self.base_constraint.event_dim

    def check(self, value):
        """Whether each event is inside for all components. ValueError for too few axes."""
        if value.dim() < self.event_dim:
            raise ValueError(f"Expected value.dim() >= {self.event_dim} but got {value.dim()}")
        inside = self.base_constraint.check(value.unsqueeze(-1 - self.event_dim))
        return inside.reshape((*value.shape[: value.dim() - self.event_dim], -1)).all(-1)

    def __repr__(self) -> str:
        return f"MixtureSameFamilyConstraint({self.base_constraint!r})"


class _Boolean(Constraint):
    is_discrete = True

    def check(self, value):
        return (value == 0) | (value == 1)


class _OneHot(Constraint):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return ((value == 0) | (value == 1)).all(-1) & (value.sum(-1) == 1)


class _Bounded(Constraint):
    """A set of numbers between two bounds."""

    def __init__(self, lower_bound, upper_bound):
        self.lower_bound, self.upper_bound = lower_bound, upper_bound


class _BoundedBelow(Constraint):
    """A set of numbers with a lower bound."""

    def __init__(self, lower_bound):
        self.lower_bound = lower_bound


class _BoundedAbove(Constraint):
    """A set of numbers with an upper bound."""

    def __init__(self, upper_bound):
        self.upper_bound = upper_bound


class _IntegerInterval(_Bounded):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (self.lower_bound <= value) & (value <= self.upper_bound)


class _IntegerGreaterThan(_BoundedBelow):
    is_discrete = True

    def check(self, value):
        return (value % 1 == 0) & (value >= self.lower_bound)


class _Real(Constraint):
    def check(self, value):
        return value == value  # not NaN


class _GreaterThan(_BoundedBelow):
    def check(self, value):
        return self.lower_bound < value


class _GreaterThanEq(_BoundedBelow):
    def check(self, value):
        return self.lower_bound <= value


class _LessThan(_BoundedAbove):
    def check(self, value):
        return value < self.upper_bound


class _Interval(_Bounded):
    def check(self, value):
        return (self.lower_bound <= value) & (value <= self.upper_bound)


class _HalfOpenInterval(_Bounded):
    def check(self, value):
        return (self.lower_bound <= value) & (value < self.upper_bound)


class _Simplex(Constraint):
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & ((value.sum(-1) - 1).abs() < 1e-6)


class _Multinomial(_BoundedAbove):
    is_discrete = True
    event_dim = 1

    def check(self, value):
        return (value >= 0).all(-1) & (value.sum(-1) <= self.upper_bound)

    def __repr__(self):
        return "Multinomial()"


class _LowerTriangular(Constraint):
    event_dim = 2

    def check(self, value):
        return (value.tril() == value).all(-1).all(-1)


class _LowerCholesky(_LowerTriangular):
    def check(self, value):
        return super().check(value) & (value.diagonal(dim1=-2, dim2=-1) > 0).all(-1)


class _CorrCholesky(_LowerCholesky):
    def check(self, value):
        tolerance = eps_of(value) * value.shape[-1] * 10
        lengths = (value.detach() ** 2).sum(-1).sqrt()
        return super().check(value) & ((lengths - 1).abs() <= tolerance).all(-1)


class _Square(Constraint):
    event_dim = 2

    def check(self, value):
        return full(tuple(value.shape[:-2]), value.shape[-2] == value.shape[-1], dtype=bool_)


class _Symmetric(_Square):
    def check(self, value):
        square_check = super().check(value)
        if not bool(square_check.all()):
            return square_check
        return value.isclose(value.mT, atol=1e-6).all(-2).all(-1)


class _PositiveSemidefinite(_Symmetric):
    def check(self, value):
        symmetric_check = super().check(value)
        if not bool(symmetric_check.all()):
            return symmetric_check
        return (eigvalsh(value.detach()) >= 0).all(-1)


class _PositiveDefinite(_Symmetric):
    def check(self, value):
        symmetric_check = super().check(value)
        if not bool(symmetric_check.all()):
            return symmetric_check
        return cholesky_ex(value.detach()).info == 0


dependent = _Dependent()
boolean, one_hot, real, simplex = _Boolean(), _OneHot(), _Real(), _Simplex()
nonnegative_integer, positive_integer = _IntegerGreaterThan(0), _IntegerGreaterThan(1)
positive, nonnegative, unit_interval = _GreaterThan(0.0), _GreaterThanEq(0.0), _Interval(0.0, 1.0)
real_vector = independent(real, 1)
integer_interval, interval, half_open_interval = _IntegerInterval, _Interval, _HalfOpenInterval
greater_than, greater_than_eq, less_than, multinomial = _GreaterThan, _GreaterThanEq, _LessThan, _Multinomial
lower_triangular, lower_cholesky, corr_cholesky = _LowerTriangular(), _LowerCholesky(), _CorrCholesky()
square, symmetric = _Square(), _Symmetric()
positive_semidefinite, positive_definite = _PositiveSemidefinite(), _PositiveDefinite()
