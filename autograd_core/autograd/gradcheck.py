"""gradcheck: do the gradients that backward computes agree with central differences of the function itself?

For output y and input x of a function, the Jacobian has one row an output element and one column an input element. The
*analytical* one is computed row by row, by a reverse pass seeded with a unit vector; the *numerical* one column by
column, as (y(x + eps e) - y(x - eps e)) / (2 eps). Its error is of the order eps² from the curvature plus rounding /
eps, so in float64 eps = 1e-6 leaves about ten digits and in float32 almost none.
"""

from __future__ import annotations

import warnings

import numpy as np

from ..core.memory import overlaps_itself
from ..core.modes import current_mode
from ..core.tensor import Tensor, with_tangent, wrap
from .forward_ad import Level, primal_of, tangent_of
from .functional import unit_vectors
from .gradient import grad


class GradcheckError(RuntimeError):
    """Raised by `gradcheck` and `gradgradcheck` when a gradient is wrong."""


def gradcheck(
    func,
    inputs,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the gradients of `func(*inputs)` with central differences.

    Every output is checked with respect to every input that requires gradients.

    `func` returns a tensor or a tuple of them and must be deterministic. Entries a (analytical) and n (numerical) agree
    when |a - n| <= atol + rtol |n|. The reverse pass is run twice and may differ by `nondet_tol`; gradients must be
    zero for a zero seed. Outputs are seeded one at a time, so a backward by hand always meets outputs that no gradient
    comes to: `check_undefined_grad` adds nothing. `check_forward_ad` checks forward mode too, and
    `check_backward_ad=False` leaves out reverse mode. `fast_mode` compares one random projection uᵀJv instead of all
    of J. Inputs are perturbed in place and restored.

    Returns True, or raises GradcheckError that shows the worst entry (False with `raise_exception=False`). Raises
    ValueError where no input requires gradients, RuntimeError for one whose elements share memory, TypeError for an
    output that is not a tensor, AssertionError where the shape or dtype of an output depends on the values of the
    inputs, NotImplementedError for a check of batched gradients, which needs vmap; and warns about inputs that are not
    float64. `masked` is about sparse tensors, of which there are none.

    >>> import autograd_core as ac
    >>> x = ac.tensor([0.5, 2.0], dtype=ac.float64, requires_grad=True)
    >>> ac.autograd.gradcheck(lambda x: x * x, (x,))
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    _refuse_batched(check_batched_grad or check_batched_forward_grad)
    inputs = _as_tuple(inputs)
    try:
        checked = _check_inputs(inputs)
        outputs = _outputs(func, inputs)
        differentiable = [i for i, y in enumerate(outputs) if y.requires_grad]
        _check_constant_outputs(func, inputs, checked, outputs, eps)
        for i in differentiable:
            if check_forward_ad:
                _compare_forward(func, inputs, checked, i, outputs[i], eps, atol, rtol)
            if check_backward_ad:
                compare = _compare_projections if fast_mode else _compare_jacobians
                compare(func, inputs, checked, i, outputs[i], eps, atol, rtol, nondet_tol)
                _check_zero_seed(inputs, checked, i, outputs[i], check_grad_dtypes)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func,
    inputs,
    grad_outputs=None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Compare second derivatives of `func(*inputs)` with central differences of the first.

    The reverse pass is a function of the inputs and of the seeds `grad_outputs` (tensors like the outputs that require
    gradients; random ones with values within ±1 if None, which `gen_non_contig_grad_outputs` spreads in memory).
    `check_fwd_over_rev` checks it in forward mode, `check_rev_over_rev` in reverse mode. Everything else as in
    `gradcheck`.

    >>> import autograd_core as ac
    >>> x = ac.tensor([0.5, 2.0], dtype=ac.float64, requires_grad=True)
    >>> ac.autograd.gradgradcheck(lambda x: x * x * x, (x,))
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    inputs = _as_tuple(inputs)
    _check_inputs(inputs)
    if grad_outputs is None:
        random = np.random.default_rng(0)
        grad_outputs = [
            wrap(_spread(seed) if gen_non_contig_grad_outputs else seed).requires_grad_()
            for y in _outputs(func, inputs)
            if y.requires_grad
            for seed in [random.uniform(-1, 1, y.shape).astype(y._array.dtype)]
        ]
    seeds = _as_tuple(grad_outputs)

    def first_derivative(*values):
        arguments, v = values[: len(inputs)], values[len(inputs) :]
        outputs = [y for y in _outputs(func, arguments) if y.requires_grad]
        wanted = [t for t in arguments if isinstance(t, Tensor) and t.requires_grad]
        return tuple(g for g in grad(outputs, wanted, v, create_graph=True, allow_unused=True) if g is not None)

    return gradcheck(
        first_derivative,
        inputs + seeds,
        eps=eps,
        atol=atol,
        rtol=rtol,
        raise_exception=raise_exception,
        nondet_tol=nondet_tol,
        check_undefined_grad=check_undefined_grad,
        check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad,
        check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
        fast_mode=fast_mode,
        masked=masked,
    )


def _refuse_batched(wanted: bool) -> None:
    if wanted:
        raise NotImplementedError(
            "gradcheck of batched gradients needs vmap, which autograd_core does not have; leave check_batched_grad "
            "and check_batched_forward_grad at False"
        )


def _spread(array: np.ndarray) -> np.ndarray:
    """The same values at every second place of the memory."""
    wide = np.empty((*array.shape, 2), array.dtype)
    wide[..., 0] = array
    return wide[..., 0]


# -- inputs and outputs


def _as_tuple(value) -> tuple:
    return (value,) if isinstance(value, Tensor) else tuple(value)


def _check_inputs(inputs) -> list[int]:
    """Numbers of the inputs to check. Refuses those that cannot be perturbed element by element."""
    checked = [k for k, x in enumerate(inputs) if isinstance(x, Tensor) and x.requires_grad]
    if not checked:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of them have requires_grad=True."
        )
    for k in checked:
        x = inputs[k]._array
        if x.dtype != np.float64:
            warnings.warn(
                f"Input #{k} requires gradient and is not a double precision floating point: it is {x.dtype.name}. "
                "This check will likely fail if all the inputs are not of double precision floating point.",
                UserWarning,
                stacklevel=3,
            )
        if overlaps_itself(x):
            raise RuntimeError(
                f"The {k}th input has a dimension with stride 0 (shape {list(x.shape)}). gradcheck only supports "
                "inputs that are non-overlapping, to be able to compute the numerical gradients correctly. Pass its "
                "clone()."
            )
    return checked


def _outputs(func, inputs) -> tuple:
    outputs = _as_tuple(func(*inputs))
    for i, y in enumerate(outputs):
        if not isinstance(y, Tensor):
            raise TypeError(
                f"gradcheck expects func to return a tensor or a tuple of tensors, but output {i} is {type(y).__name__}"
            )
    return outputs


def _check_constant_outputs(func, inputs, checked, outputs, eps) -> None:
    """An output without history must not depend on the inputs."""
    for i, y in enumerate(outputs):
        if not y.requires_grad and y.is_floating_point():
            for k in checked:
                if np.any(_numerical_jacobian(func, inputs, k, i, y, eps)):
                    raise GradcheckError(
                        f"Numerical gradient for function expected to be zero: output {i} has no history (its "
                        f"requires_grad is False), but it changes with input {k}. Was it computed from a detach(), or "
                        "under no_grad()?"
                    )


# -- Jacobians


def _evaluate(func, inputs, i, output) -> np.ndarray:
    y = _outputs(func, inputs)[i]
    for what, now, then in (("shape", y.shape, output.shape), ("dtype", y.dtype, output.dtype)):
        if now != then:
            raise AssertionError(
                f"Expected `func` to return outputs with the same {what} when inputs are perturbed on index {i}, but "
                f"got: {then} and {now}"
            )
    return y._array.astype(np.float64)


def _numerical_jacobian(func, inputs, k, i, output, eps) -> np.ndarray:
    x = inputs[k]._array
    jacobian = np.empty((output.numel(), x.size))
    for column, index in enumerate(np.ndindex(x.shape)):
        kept = x[index]
        try:
            x[index] = kept + eps
            above = _evaluate(func, inputs, i, output)
            x[index] = kept - eps
            below = _evaluate(func, inputs, i, output)
        finally:
            x[index] = kept
        jacobian[:, column] = ((above - below) / (2 * eps)).reshape(-1)
    return jacobian


def _gradient(output, x, seed) -> Tensor | None:
    return grad(output, x, wrap(seed), retain_graph=True, allow_unused=True)[0]


def _analytical_jacobian(output, x) -> np.ndarray:
    jacobian = np.zeros((output.numel(), x.numel()))
    for row, index in enumerate(np.ndindex(tuple(output.shape))):
        seed = np.zeros(output.shape, output._array.dtype)
        seed[index] = 1
        g = _gradient(output, x, seed)
        if g is not None:
            jacobian[row] = g.detach()._array.reshape(-1)
    return jacobian


# -- comparing


def _close(a, n, atol, rtol) -> np.ndarray:
    return np.isclose(a, n, rtol=rtol, atol=atol, equal_nan=False)


def _check_repeatable(first, second, i, k, nondet_tol) -> None:
    difference = np.abs(first - second)
    if not np.all(difference <= nondet_tol):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
            "different values, although analytical gradient matches numerical gradient. The tolerance for "
            f"nondeterminism was {nondet_tol}; output {i} with respect to input {k} differs by up to "
            f"{np.nanmax(difference):.3g}."
        )


def _compare_jacobians(func, inputs, checked, i, output, eps, atol, rtol, nondet_tol) -> None:
    for k in checked:
        analytical = _analytical_jacobian(output, inputs[k])
        numerical = _numerical_jacobian(func, inputs, k, i, output, eps)
        _check_close("Jacobian mismatch", analytical, numerical, i, k, output, inputs[k], atol, rtol)
        _check_repeatable(analytical, _analytical_jacobian(output, inputs[k]), i, k, nondet_tol)


def _compare_forward(func, inputs, checked, i, output, eps, atol, rtol) -> None:
    """The same with J v for every unit vector v, in forward mode."""
    for k in checked:
        x = inputs[k]
        forward = np.zeros((output.numel(), x.numel()))
        for column, direction in enumerate(unit_vectors(x)):
            with Level():
                dual = with_tangent(x, current_mode().levels[-1], direction)
                tangent = tangent_of(_outputs(func, (*inputs[:k], dual, *inputs[k + 1 :]))[i])
                if tangent is not None:
                    forward[:, column] = primal_of(tangent).detach()._array.reshape(-1)
        numerical = _numerical_jacobian(func, inputs, k, i, output, eps)
        what = "Jacobian computed with forward mode mismatch"
        _check_close(what, forward, numerical, i, k, output, x, atol, rtol)


def _check_close(what: str, analytical, numerical, i, k, output, x, atol, rtol) -> None:
    close = _close(analytical, numerical, atol, rtol)
    if not close.all():
        worst = _worst_entry(analytical, numerical, close, i, k, tuple(output.shape), tuple(x.shape), atol, rtol)
        raise GradcheckError(
            f"{what} for output {i} with respect to input {k},\n{worst}\nnumerical:{numerical}\n"
            f"analytical:{analytical}\n(rows: elements of the output, columns: elements of the input)"
        )


def _worst_entry(analytical, numerical, close, i, k, output_shape, input_shape, atol, rtol) -> str:
    excess = np.where(close, -np.inf, np.abs(analytical - numerical) - rtol * np.abs(numerical))
    excess[np.isnan(excess)] = np.inf
    row, column = np.unravel_index(np.argmax(excess), excess.shape)
    a, n = analytical[row, column], numerical[row, column]
    y = f"output {i}" + _at(row, output_shape)
    x = f"input {k}" + _at(column, input_shape)
    ratio = f", ratio analytical/numerical {a / n:.6g}" if n else ""
    return (
        f"worst of {np.count_nonzero(~close)} wrong entries out of {close.size}: d({y}) / d({x}): numerical {n:.10g}, "
        f"analytical {a:.10g}, difference {abs(a - n):.3g}{ratio} (allowed: atol={atol} + rtol={rtol} * {abs(n):.3g})"
    )


def _at(number, shape) -> str:
    return str([int(j) for j in np.unravel_index(number, shape)]) if shape else ""


def _compare_projections(func, inputs, checked, i, output, eps, atol, rtol, nondet_tol) -> None:
    """Compare uᵀJv for random u and a random unit vector v, and report whole Jacobians where they differ."""
    random = np.random.default_rng(0)
    u = random.uniform(0.1, 1, output.shape).astype(output._array.dtype)
    for k in checked:
        x = inputs[k]._array
        v = random.uniform(0.1, 1, x.shape)
        v /= np.sqrt((v * v).sum()) if v.size else 1
        g, again = (_gradient(output, inputs[k], u) for _ in range(2))
        kept = x.copy()
        try:
            x[...] = kept + eps * v
            above = _evaluate(func, inputs, i, output)
            x[...] = kept - eps * v
            below = _evaluate(func, inputs, i, output)
        finally:
            x[...] = kept
        numerical = float((u * (above - below)).sum()) / (2 * eps)
        analytical = 0.0 if g is None else float((g.detach()._array * v).sum())
        if not _close(analytical, numerical, atol, rtol):
            _compare_jacobians(func, inputs, checked, i, output, eps, atol, rtol, nondet_tol)
            raise GradcheckError(
                f"Projected Jacobian mismatch for output {i} with respect to input {k}: numerical {numerical:.10g}, "
                f"analytical {analytical:.10g}, although every entry is within its own tolerance. Use fast_mode=False."
            )
        if g is not None and again is not None:
            _check_repeatable(g.detach()._array, again.detach()._array, i, k, nondet_tol)


def _check_zero_seed(inputs, checked, i, output, check_grad_dtypes) -> None:
    """A gradient is linear in the seed, so a zero seed gives zero; its dtype is its input's."""
    for k in checked:
        g = _gradient(output, inputs[k], np.zeros(output.shape, output._array.dtype))
        if g is not None and np.any(g.detach()._array):
            raise GradcheckError(
                f"backward not multiplied by grad_output: for output {i} and a zero seed, the gradient of input {k} "
                "is not zero"
            )
        if check_grad_dtypes and g is not None and g.dtype != inputs[k].dtype:
            raise GradcheckError(
                f"dtype of the gradient of input {k} is {g.dtype}, that of the input is {inputs[k].dtype}"
            )


__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]
