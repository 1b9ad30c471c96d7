"""L-BFGS: Newton's steps with a curvature learned from the last few gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..core.modes import enable_grad
from ..core.silence import quiet
from ..core.tensor import Tensor, wrap
from ..core.write import count_write
from .by_gradient import ByGradient, gradient_of, plain, settings
from .line_search import Point, strong_wolfe


class LBFGS(ByGradient):
    """p ← p + t · d with d = -H g, where H approximates the inverse Hessian from the last `history_size` steps.

    One call of `step` makes up to `max_iter` such moves and calls the closure up to about `max_eval` times (5/4 of
    `max_iter` if not given). It ends early where no gradient is larger than `tolerance_grad`, or where the loss, or
    every parameter, moved by less than `tolerance_change`. t is `lr`, but for the first move, which is short; with
    `line_search_fn="strong_wolfe"` it is searched for, and kept where the loss is lower and its slope flatter.

    All parameters count as one long vector, so there is one group; one without a gradient has a gradient of zero.
    Source: Nocedal and Wright, Numerical Optimization, 2nd edition, algorithms 7.4 and 7.5.

    ValueError for a negative rate or for several groups; RuntimeError from `step` for another line search.

    >>> import autograd_core as ac
    >>> w = ac.tensor([-1.2, 1.0], dtype=ac.float64, requires_grad=True)
    >>> optimizer = ac.optim.LBFGS([w], line_search_fn="strong_wolfe", max_iter=60)
    >>> def closure():
    ...     optimizer.zero_grad()
    ...     loss = (1 - w[0]) ** 2 + 100 * (w[1] - w[0] ** 2) ** 2
    ...     loss.backward()
    ...     return loss
    >>> optimizer.step(closure)
    tensor(24.2000, dtype=autograd_core.float64, grad_fn=<AddBackward0>)
    >>> w
    tensor([1.0000, 1.0000], dtype=autograd_core.float64, requires_grad=True)
    """

    def __init__(
        self,
        params,
        lr: float | Tensor = 1.0,
        max_iter: int = 20,
        max_eval: int | None = None,
        tolerance_grad: float = 1e-7,
        tolerance_change: float = 1e-9,
        history_size: int = 100,
        line_search_fn: str | None = None,
    ):
        if max_eval is None:
            max_eval = max_iter * 5 // 4
        super().__init__(params, settings(locals()))

    def add_param_group(self, param_group: dict) -> None:
        """Take the parameters, once: ValueError for a second group."""
        if self.param_groups:
            raise ValueError("LBFGS doesn't support per-parameter options (parameter groups)")
        super().add_param_group(param_group)

    def step(self, closure: Callable):  # type: ignore[override]
        """Move all parameters, several times, and return the loss of before.

        `closure` clears the gradients, computes the loss, calls backward and returns the loss; it is called with
        recording on, at one point after the other. Each move counts as a version.
        """
        group = plain(self.param_groups[0])
        if group["line_search_fn"] not in (None, "strong_wolfe"):
            raise RuntimeError(f"only 'strong_wolfe' is supported, not {group['line_search_fn']!r}")
        state = self.state[group["params"][0]]
        state.setdefault("func_evals", 0)
        state.setdefault("n_iter", 0)
        first = self._run(closure)
        loss, g = _number(first), self._gradient()
        state["func_evals"] += 1
        if np.abs(g).max() > group["tolerance_grad"]:
            self._descend(closure, loss, g, group, state)
        return first

    def _descend(self, closure, loss: float, g: np.ndarray, group: dict, state: dict) -> None:
        """Move until there is a reason to stop."""
        most, evaluated = group["max_iter"], 1
        for n in range(1, most + 1):
            before = loss
            d, t = self._direction(g, group, state), group["lr"]
            if state["n_iter"] == 1:
                t *= min(1.0, 1.0 / np.abs(g).sum())
            state.update(prev_flat_grad=wrap(g), prev_loss=loss, d=wrap(d), t=float(t))
            slope = g @ d
            if slope > -group["tolerance_change"]:
                return
            computed = 0
            if group["line_search_fn"] is not None:
                start = Point(0.0, loss, g, slope)
                point, computed = self._search(closure, start, d, t, group, group["max_eval"] - evaluated)
                loss, g, t = point.value, point.gradient, point.t
                state["t"] = float(t)
                self._move(t, d)
            else:
                self._move(t, d)
                if n < most:  # the next call of step() computes the last loss
                    loss, g, computed = _number(self._run(closure)), self._gradient(), 1
            evaluated += computed
            state["func_evals"] += computed
            small = group["tolerance_change"]
            if (
                evaluated >= group["max_eval"]
                or np.abs(g).max() <= group["tolerance_grad"]
                or np.abs(d * t).max() <= small
                or abs(loss - before) < small
            ):
                return

    @quiet
    def _direction(self, g: np.ndarray, group: dict, state: dict) -> np.ndarray:
        """-H g, with the last step taken into H."""
        state["n_iter"] += 1
        if state["n_iter"] == 1:
            state.update(old_dirs=[], old_stps=[], ro=[], H_diag=1.0)
            return -g
        changes, steps, inverses = state["old_dirs"], state["old_stps"], state["ro"]
        change = g - state["prev_flat_grad"]._array
        step = state["d"]._array * float(state["t"])
        curvature = change @ step
        if curvature > 1e-10:
            if len(changes) == group["history_size"]:
                for past in (changes, steps, inverses):
                    past.pop(0)
            changes.append(wrap(change))
            steps.append(wrap(step))
            inverses.append(float(1 / curvature))
            state["H_diag"] = float(curvature / (change @ change))
        weights = state.setdefault("al", [None] * group["history_size"])
        return _two_loops(-g, [*zip(changes, steps, inverses)], float(state["H_diag"]), weights)

    def _search(self, closure, start: Point, d: np.ndarray, t: float, group: dict, most: int) -> tuple[Point, int]:
        """A step along `d`, found by trying several; the parameters are back where they were afterwards."""
        origin = [p._array.copy() for p in group["params"]]

        def at(t: float) -> Point:
            self._move(t, d)
            value, g = _number(self._run(closure)), self._gradient()
            for p, array in zip(group["params"], origin):
                p._array[...] = array
                count_write(p, "LBFGS.step")
            return Point(t, value, g, g @ d)

        return strong_wolfe(at, start, t, np.abs(d).max(), group["tolerance_change"], most)

    def _run(self, closure) -> Any:
        with enable_grad():
            return closure()

    def _gradient(self) -> np.ndarray:
        """The gradients of all parameters as one vector, which is a copy."""
        params = self.param_groups[0]["params"]
        parts = [np.zeros(p.numel(), p._array.dtype) if p._grad is None else gradient_of(p).reshape(-1) for p in params]
        return np.concatenate(parts)

    def _move(self, t: float, d: np.ndarray) -> None:
        """Add t · d to the parameters."""
        start = 0
        for p in self.param_groups[0]["params"]:
            part = d[start : start + p._array.size]
            p._array += (t * part).reshape(p._array.shape)
            start += part.size
            count_write(p, "LBFGS.step")


def _two_loops(q: np.ndarray, memory: list, scale: float, weights: list) -> np.ndarray:
    """H q, with H built from the changes of the gradient over the steps. Source: algorithm 7.4.

    The weights are put into a list of the state, as PyTorch does.
    """
    for i in reversed(range(len(memory))):
        y, s, inverse = memory[i]
        weights[i] = float(inverse) * float(s._array @ q)
        q = q - weights[i] * y._array
    q = q * scale
    for (y, s, inverse), weight in zip(memory, weights):
        q = q + (weight - float(inverse) * float(y._array @ q)) * s._array
    return q


def _number(loss) -> float:
    """What a closure returned, as a number."""
    return float(loss.item() if hasattr(loss, "item") else loss)
