"""The passes that compute derivatives, on a lent engine: reverse passes of this package that consume nothing."""

from __future__ import annotations

import numpy as np

from ..autograd.functional import pushforward
from ..core import engine as reverse
from ..core.tensor import Tensor, edge_of, wrap
from ..ops.linear_algebra.matmul import LinAlgError
from .cpu_engine import CpuEngine
from .errors import AdRuleSource, EagerError, NumericalFailure, UnsupportedAdRule


def pulled_back(
    transform: str, engine: CpuEngine, output: Tensor, cotangent: Tensor | None, targets: list, create_graph: bool
) -> dict:
    """What arrives at the edges `targets`, by edge; without a cotangent the output's is 1."""
    root = edge_of(output)
    if root is None:
        return {}
    roots = [(root, 1 if cotangent is None else cotangent.detach())]
    return engine._run(
        transform, reverse.gradients, roots, targets, refusal=_refusal, retain_graph=True, create_graph=create_graph
    )


def pushed_forward(engine: CpuEngine, output: Tensor, wrt: Tensor, tangent: Tensor) -> Tensor | None:
    """J v by two reverse passes; None where `wrt` is not reached."""
    if edge_of(wrt) is None:
        return None
    return engine._run("jvp", _pushed_forward, output, wrt, tangent, refusal=_refusal)


def _pushed_forward(output: Tensor, wrt: Tensor, tangent: Tensor) -> Tensor | None:
    """A map that is reached and does not move the output gives zeros."""
    rows, push = pushforward([output], [wrt])
    if rows[0] is None:
        return None
    (pushed,) = push([tangent.detach()], create_graph=True)
    return wrap(np.zeros_like(output._array)) if pushed is None else pushed


def _refusal(transform: str, error: Exception) -> EagerError:
    """What the caller of a derivative is told where a rule on the way refuses."""
    if isinstance(error, NotImplementedError):
        return UnsupportedAdRule(transform, str(error))
    if isinstance(error, LinAlgError):
        return NumericalFailure(f"{transform}: {error}")
    return AdRuleSource(transform, error)
