"""From a constraint to a transform that makes unbounded numbers satisfy it."""

from __future__ import annotations

from collections.abc import Callable

from . import constraints, transforms
from .constraints import Constraint


class ConstraintRegistry:
    """Transforms by the class of a constraint.

    >>> import autograd_core as ac
    >>> ac.distributions.transform_to(ac.distributions.constraints.positive)
    ExpTransform()
    """

    def __init__(self):
        self._registry: dict[type, Callable] = {}

    def register(self, constraint, factory: Callable | None = None) -> Callable:
        """Let `factory(constraint)` make the transforms of this class of constraints, or of that of this constraint.

        Without a factory a decorator for one. TypeError for what is no constraint.
        """
        if factory is None:
            return lambda factory: self.register(constraint, factory)
        kind = constraint if isinstance(constraint, type) else type(constraint)
        if not issubclass(kind, Constraint):
            raise TypeError(f"Expected constraint to be either a Constraint subclass or instance, but got {constraint}")
        self._registry[kind] = factory
        return factory

    def __call__(self, constraint):
        """The transform for a constraint. NotImplementedError where there is none."""
        if type(constraint) not in self._registry:
            raise NotImplementedError(
                f"Cannot transform {type(constraint).__name__} constraints: register a transform for them"
            )
        return self._registry[type(constraint)](constraint)


biject_to, transform_to = ConstraintRegistry(), ConstraintRegistry()


def _both(*kinds) -> Callable:
    """Register for bijections and for other transforms."""

    def register(factory: Callable) -> Callable:
        for kind in kinds:
            biject_to.register(kind, factory)
            transform_to.register(kind, factory)
        return factory

    return register


@_both(constraints.real)
def _real(constraint):
    return transforms.identity_transform


@biject_to.register(constraints.independent)
def _bijection_of_events(constraint):
    inner = biject_to(constraint.base_constraint)
    return transforms.IndependentTransform(inner, constraint.reinterpreted_batch_ndims)


@transform_to.register(constraints.independent)
def _transform_of_events(constraint):
    inner = transform_to(constraint.base_constraint)
    return transforms.IndependentTransform(inner, constraint.reinterpreted_batch_ndims)


@_both(constraints.greater_than, constraints.greater_than_eq)
def _above(constraint):
    if constraint is constraints.positive or constraint is constraints.nonnegative:
        return transforms.ExpTransform()
    parts = [transforms.ExpTransform(), transforms.AffineTransform(constraint.lower_bound, 1)]
    return transforms.ComposeTransform(parts)


@_both(constraints.less_than)
def _below(constraint):
    parts = [transforms.ExpTransform(), transforms.AffineTransform(constraint.upper_bound, -1)]
    return transforms.ComposeTransform(parts)


@_both(constraints.interval, constraints.half_open_interval)
def _between(constraint):
    low, high = constraint.lower_bound, constraint.upper_bound
    if isinstance(low, (int, float)) and (low, high) == (0, 1):
        return transforms.SigmoidTransform()
    return transforms.ComposeTransform([transforms.SigmoidTransform(), transforms.AffineTransform(low, high - low)])


@biject_to.register(constraints.simplex)
def _bijection_to_simplex(constraint):
    return transforms.StickBreakingTransform()


@transform_to.register(constraints.simplex)
def _transform_to_simplex(constraint):
    return transforms.SoftmaxTransform()


@transform_to.register(constraints.lower_cholesky)
def _to_lower_cholesky(constraint):
    return transforms.LowerCholeskyTransform()


@transform_to.register(constraints.positive_definite)
@transform_to.register(constraints.positive_semidefinite)
def _to_positive_definite(constraint):
    return transforms.PositiveDefiniteTransform()
