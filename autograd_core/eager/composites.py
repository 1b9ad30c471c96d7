"""Activations, softmax and normalizations: compositions of other operations, for floats."""

from __future__ import annotations

import numpy as np

from ..ops.elementwise.arithmetic import exp, log, logaddexp, rsqrt
from ..ops.elementwise.piecewise import where
from ..ops.nn import nonlinearities
from ..ops.reductions.reduction import amax, mean, sum
from .checks import broadcast, one_axis, same_rank
from .errors import DTypeMismatch, ShapeMismatch
from .launch import elementwise
from .operations import Operations
from .tensor import EagerTensor


class Composites(Operations):
    """sigmoid to rms_norm."""

    # -- activations

    def sigmoid(self, x: EagerTensor) -> EagerTensor:
        """1 / (1 + exp(-x)), without overflow. Stands for `s.sigmoid(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.sigmoid(s.constant_from([0.0, -1000.0])).value()
        array([0.5, 0. ])
        """
        return self._activation("sigmoid", nonlinearities.sigmoid, x)

    def silu(self, x: EagerTensor) -> EagerTensor:
        """x sigmoid(x). Stands for `s.silu(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.silu(s.constant_from([0.0, 1.0])).value()
        array([0.        , 0.73105858])
        """
        return self._activation("silu", nonlinearities.silu, x)

    def softplus(self, x: EagerTensor) -> EagerTensor:
        """log(1 + exp(x)), without overflow. Stands for `s.softplus(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.softplus(s.constant_from([0.0, 1000.0])).value()
        array([6.93147181e-01, 1.00000000e+03])
        """
        self._begin_floats("softplus", x)
        return self._run("softplus", lambda tensor: logaddexp(tensor, tensor.detach() * 0), x)

    def gelu(self, x: EagerTensor) -> EagerTensor:
        """x times the standard normal distribution function at x, by erf. Stands for `s.gelu(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.gelu(s.constant_from([0.0, 1.0])).value()
        array([0.        , 0.84134475])
        """
        self._begin_floats("gelu", x)
        return self._run("gelu", nonlinearities.gelu, x)

    def gelu_tanh(self, x: EagerTensor) -> EagerTensor:
        """The approximation of `gelu` by tanh. Stands for `s.gelu_tanh(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.gelu_tanh(s.constant_from([0.0, 1.0])).value()
        array([0.        , 0.84119199])
        """
        self._begin_floats("gelu_tanh", x)
        return self._run("gelu_tanh", lambda tensor: nonlinearities.gelu(tensor, approximate="tanh"), x)

    # -- softmax

    def softmax(self, x: EagerTensor, axis: int) -> EagerTensor:
        """exp(x) / Σ exp(x) along an axis. Where all elements are -inf, zeros. Stands for `s.softmax(&x, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.softmax(s.constant_from([0.0, 0.0, -float("inf")]), 0).value()
        array([0.5, 0.5, 0. ])
        """
        axis = self._begin_along("softmax", x, axis)
        return self._run("softmax", lambda tensor: _softmax(tensor, tensor > -np.inf, axis), x)

    def log_softmax(self, x: EagerTensor, axis: int) -> EagerTensor:
        """x - log Σ exp(x) along an axis. Stands for `s.log_softmax(&x, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.log_softmax(s.constant_from([0.0, 0.0]), 0).value()
        array([-0.69314718, -0.69314718])
        """
        axis = self._begin_along("log_softmax", x, axis)
        return self._run("log_softmax", lambda tensor: _log_softmax(tensor, tensor > -np.inf, axis), x)

    def masked_softmax(self, x: EagerTensor, mask: EagerTensor, axis: int) -> EagerTensor:
        """`softmax` over the elements where the mask (Bool) holds; the others are 0 and get no gradient, even where
        NaN.

        Stands for `s.masked_softmax(&x, &mask, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.masked_softmax(s.constant_from([0.0, 0.0, 9.0]), s.constant_from([True, True, False]), 0).value()
        array([0.5, 0.5, 0. ])
        """
        axis = self._begin_masked("masked_softmax", x, mask, axis)
        return self._run(
            "masked_softmax", lambda tensor, kept: _softmax(tensor, kept & (tensor > -np.inf), axis), x, mask
        )

    def masked_log_softmax(self, x: EagerTensor, mask: EagerTensor, axis: int) -> EagerTensor:
        """The logarithm of `masked_softmax`: -inf where the mask does not hold. Stands for `s.masked_log_softmax(&x,
        &mask, 0)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.masked_log_softmax(s.constant_from([0.0, 0.0, 9.0]), s.constant_from([True, True, False]), 0).value()
        array([-0.69314718, -0.69314718,        -inf])
        """
        axis = self._begin_masked("masked_log_softmax", x, mask, axis)
        return self._run(
            "masked_log_softmax", lambda tensor, kept: _log_softmax(tensor, kept & (tensor > -np.inf), axis), x, mask
        )

    # -- normalizations along one axis

    def layer_norm(
        self,
        x: EagerTensor,
        axis: int,
        weight: EagerTensor | None = None,
        bias: EagerTensor | None = None,
        eps: float = 1e-5,
    ) -> EagerTensor:
        """(x - mean) / sqrt(variance + eps) along an axis, the variance divided by n; times `weight`, plus `bias`, one
        number a position. Stands for `s.layer_norm(&x, axis, weight, bias, eps)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.layer_norm(s.constant_from([1.0, 3.0]), 0, eps=0.0).value()
        array([-1.,  1.])
        """

        def standardized(tensor):
            centered = tensor - mean(tensor, axis, True)
            return centered * rsqrt(mean(centered * centered, axis, True) + eps)

        return self._normalized("layer_norm", standardized, x, axis, weight, bias)

    def rms_norm(self, x: EagerTensor, axis: int, weight: EagerTensor | None = None, eps: float = 1e-5) -> EagerTensor:
        """x / sqrt(mean(x²) + eps) along an axis; times `weight`. Stands for `s.rms_norm(&x, axis, weight, eps)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.rms_norm(s.constant_from([3.0, 3.0]), 0, eps=0.0).value()
        array([1., 1.])
        """

        def scaled(tensor):
            return tensor * rsqrt(mean(tensor * tensor, axis, True) + eps)

        return self._normalized("rms_norm", scaled, x, axis, weight, None)

    def _normalized(self, op: str, normalize, x, axis: int, weight, bias) -> EagerTensor:
        affine = [value for value in (weight, bias) if value is not None]
        self._begin(op, x, *affine)
        axis = self._begin_along(op, x, axis)
        n = x.shape[axis]
        for value in affine:
            if value.shape != (n,):
                raise ShapeMismatch(op, f"shape mismatch: expected={[n]}, actual={list(value.shape)}")
        along = (n,) + (1,) * (len(x.shape) - 1 - axis)

        def compute(tensor, *given):
            factors = [value.reshape(along) for value in given]
            out = normalize(tensor)
            out = out * factors.pop(0) if weight is not None else out
            return out + factors.pop() if bias is not None else out

        return self._run(op, compute, x, *affine)

    def _activation(self, op: str, function, x: EagerTensor) -> EagerTensor:
        self._begin_floats(op, x)
        return self._run(op, lambda tensor: elementwise(self._engine, function, tensor), x)

    def _begin_floats(self, op: str, x: EagerTensor, *others: EagerTensor) -> None:
        self._begin(op, x, *others)
        if not x.dtype.is_floating_point:
            raise DTypeMismatch(op, f"dtype mismatch: expected a float, actual {x.dtype.name}")

    def _begin_along(self, op: str, x: EagerTensor, axis: int) -> int:
        self._begin_floats(op, x)
        return one_axis(op, axis, len(x.shape))

    def _begin_masked(self, op: str, x: EagerTensor, mask: EagerTensor, axis: int) -> int:
        self._begin_floats(op, x, mask)
        if mask.dtype.name != "bool":
            raise DTypeMismatch(op, f"dtype mismatch: expected Bool, actual {mask.dtype.name}")
        same_rank(op, len(x.shape), len(mask.shape))
        if broadcast(op, x.shape, mask.shape) != x.shape:
            raise ShapeMismatch(op, f"incompatible shapes: lhs={list(x.shape)}, rhs={list(mask.shape)}")
        return one_axis(op, axis, len(x.shape))


def _shifted(x, kept, axis: int):
    """x minus its largest kept element, and 0 where it is not kept, so that neither inf nor NaN comes in."""
    bare = where(kept, x, 0.0)
    largest = amax(where(kept, x, -np.inf).detach(), axis, True)
    return where(kept, bare - where(largest > -np.inf, largest, 0.0), 0.0)


def _softmax(x, kept, axis: int):
    weights = where(kept, exp(_shifted(x, kept, axis)), 0.0)
    total = sum(weights, axis, True)
    return weights / where(total > 0, total, 1.0)


def _log_softmax(x, kept, axis: int):
    shifted = _shifted(x, kept, axis)
    total = sum(where(kept, exp(shifted), 0.0), axis, True)
    return where(kept, shifted - log(where(total > 0, total, 1.0)), -np.inf)
