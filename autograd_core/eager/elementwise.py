"""Operations that map elements to elements. Operands broadcast as NumPy's do, and meet in the wider type."""

from __future__ import annotations

import math

from ..ops.elementwise import comparison
from ..ops.elementwise.arithmetic import (
    exp,
    expm1,
    fmod,
    log,
    log1p,
    mul,
    neg,
    plain_add,
    plain_div,
    plain_sub,
    rsqrt,
    sqrt,
)
from ..ops.elementwise.conjugation import conj
from ..ops.elementwise.piecewise import abs as absolute
from ..ops.elementwise.piecewise import choose, maximum, minimum, sign
from ..ops.elementwise.trigonometry import cos, sin, tanh
from ..ops.making.conversion import to
from ..ops.special.error_functions import erf
from .checks import broadcast, dtype_name, element_type, promoted, require
from .configs import CompareDir
from .errors import InvalidArgument
from .kinks import Power, strict_clamp
from .launch import elementwise
from .operations import Operations
from .tensor import EagerTensor


class Elementwise(Operations):
    """neg to erf, add to compare, select and clamp, and conversions."""

    # -- of one operand

    def neg(self, x: EagerTensor) -> EagerTensor:
        """-x. Stands for `s.neg(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.neg(s.constant_from([1.0, -2.0])).value()
        array([-1.,  2.])
        """
        return self._elementwise("neg", neg, x)

    def exp(self, x: EagerTensor) -> EagerTensor:
        """e to the power of x. Stands for `s.exp(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.exp(s.constant_from([0.0, 1.0])).value()
        array([1.        , 2.71828183])
        """
        return self._elementwise("exp", exp, x)

    def abs(self, x: EagerTensor) -> EagerTensor:
        """|x|. Its derivative at 0 is 0. Stands for `s.abs(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.abs(s.constant_from([-1.0, 2.0])).value()
        array([1., 2.])
        """
        return self._elementwise("abs", absolute, x)

    def conj(self, x: EagerTensor) -> EagerTensor:
        """The complex conjugate: of a real number, itself. Stands for `s.conj(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.conj(s.constant_from([1.0, -2.0])).value()
        array([ 1., -2.])
        """
        self._begin("conj", x)
        return self._run("conj", conj, x)

    def sign(self, x: EagerTensor) -> EagerTensor:
        """-1, 0 or 1. It has no derivative: what is reached through it alone is inactive. Stands for `s.sign(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.sign(s.constant_from([-3.0, 0.0])).value()
        array([-1.,  0.])
        """
        return self._elementwise("sign", sign, x, differentiable=False)

    def log(self, x: EagerTensor) -> EagerTensor:
        """The natural logarithm. Stands for `s.log(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.log(s.constant_from([1.0])).value()
        array([0.])
        """
        return self._elementwise("log", log, x)

    def sqrt(self, x: EagerTensor) -> EagerTensor:
        """The square root. Stands for `s.sqrt(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.sqrt(s.constant_from([4.0, 9.0])).value()
        array([2., 3.])
        """
        return self._elementwise("sqrt", sqrt, x)

    def rsqrt(self, x: EagerTensor) -> EagerTensor:
        """1 / sqrt(x). Stands for `s.rsqrt(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.rsqrt(s.constant_from([4.0])).value()
        array([0.5])
        """
        return self._elementwise("rsqrt", rsqrt, x)

    def sin(self, x: EagerTensor) -> EagerTensor:
        """The sine of x, in radians. Stands for `s.sin(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.sin(s.constant_from([0.0])).value()
        array([0.])
        """
        return self._elementwise("sin", sin, x)

    def cos(self, x: EagerTensor) -> EagerTensor:
        """The cosine of x, in radians. Stands for `s.cos(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.cos(s.constant_from([0.0])).value()
        array([1.])
        """
        return self._elementwise("cos", cos, x)

    def tanh(self, x: EagerTensor) -> EagerTensor:
        """The hyperbolic tangent. Stands for `s.tanh(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.tanh(s.constant_from([0.0])).value()
        array([0.])
        """
        return self._elementwise("tanh", tanh, x)

    def expm1(self, x: EagerTensor) -> EagerTensor:
        """exp(x) - 1, exact near 0. Stands for `s.expm1(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.expm1(s.constant_from([0.0, 1e-20])).value()
        array([0.e+00, 1.e-20])
        """
        return self._elementwise("expm1", expm1, x)

    def log1p(self, x: EagerTensor) -> EagerTensor:
        """log(1 + x), exact near 0. Stands for `s.log1p(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.log1p(s.constant_from([0.0, 1e-20])).value()
        array([0.e+00, 1.e-20])
        """
        return self._elementwise("log1p", log1p, x)

    def erf(self, x: EagerTensor) -> EagerTensor:
        """The error function. Stands for `s.erf(&x)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.erf(s.constant_from([0.0])).value()
        array([0.])
        """
        return self._elementwise("erf", erf, x)

    # -- of two operands

    def add(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x + y. Stands for `s.add(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.add(s.constant_from([1.0, 2.0]), s.constant_from(10.0)).value()
        array([11., 12.])
        """
        return self._elementwise("add", plain_add, x, y)

    def sub(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x - y. Stands for `s.sub(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.sub(s.constant_from([1.0, 2.0]), s.constant_from(10.0)).value()
        array([-9., -8.])
        """
        return self._elementwise("sub", plain_sub, x, y)

    def mul(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x y. Stands for `s.mul(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.mul(s.constant_from([1.0, 2.0]), s.constant_from(10.0)).value()
        array([10., 20.])
        """
        return self._elementwise("mul", mul, x, y)

    def div(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x / y. Stands for `s.div(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.div(s.constant_from([1.0, 2.0]), s.constant_from(4.0)).value()
        array([0.25, 0.5 ])
        """
        return self._elementwise("div", plain_div, x, y)

    def rem(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """The remainder of x / y, with the sign of x. It has no derivative. Stands for `s.rem(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.rem(s.constant_from([7.0, -7.0]), s.constant_from(4.0)).value()
        array([ 3., -3.])
        """
        return self._elementwise("rem", fmod, x, y, differentiable=False)

    def maximum(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """The larger of both. Where they are equal, each gets half of the gradient. Stands for `s.maximum(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.maximum(s.constant_from([1.0, 2.0]), s.constant_from(1.5)).value()
        array([1.5, 2. ])
        """
        return self._elementwise("maximum", maximum, x, y)

    def minimum(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """The smaller of both. Where they are equal, each gets half of the gradient. Stands for `s.minimum(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.minimum(s.constant_from([1.0, 2.0]), s.constant_from(1.5)).value()
        array([1. , 1.5])
        """
        return self._elementwise("minimum", minimum, x, y)

    def pow(self, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x to the power of y, for floats. The derivative by y is x^y log(x) everywhere: NaN at x = 0. Stands for
        `s.pow(&x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.pow(s.constant_from([2.0, 3.0]), s.constant_from(2.0)).value()
        array([4., 9.])
        """
        self._begin("pow", x, y)
        broadcast("pow", x.shape, y.shape)
        return self._run("pow", lambda *tensors: Power.apply(*promoted(tensors)), x, y)

    def compare(self, x: EagerTensor, y: EagerTensor, direction: CompareDir) -> EagerTensor:
        """A Bool tensor: whether x is equal to y, less, greater. It has no derivative. Stands for `s.compare(&x, &y,
        CompareDir::Gt)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.compare(s.constant_from([1.0, 3.0]), s.constant_from(2.0), eager.CompareDir.Gt).value()
        array([False,  True])
        """
        self._begin("compare", x, y)
        require("compare", "direction", direction, CompareDir)
        broadcast("compare", x.shape, y.shape)
        function = getattr(comparison, direction.value)
        return self._run("compare", lambda *tensors: function(*promoted(tensors)), x, y, differentiable=False)

    # -- of three operands

    def where_select(self, condition: EagerTensor, x: EagerTensor, y: EagerTensor) -> EagerTensor:
        """x where the condition (Bool) holds, else y. Stands for `s.where_select(&condition, &x, &y)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.where_select(s.constant_from([True, False]), s.constant_from(1.0), s.constant_from(2.0)).value()
        array([1., 2.])
        """
        self._begin("where_select", condition, x, y)
        broadcast("where_select", condition.shape, x.shape, y.shape)

        def compute(mask, *branches):
            return elementwise(self._engine, choose, mask, *promoted(branches))

        return self._run("where_select", compute, condition, x, y)

    select = where_select

    def clamp(self, x: EagerTensor, low: EagerTensor, high: EagerTensor) -> EagerTensor:
        """x within [low, high]. Where x is at a bound, no gradient flows. Stands for `s.clamp(&x, &lo, &hi)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.clamp(s.constant_from([-2.0, 0.5, 5.0]), s.constant_from(-1.0), s.constant_from(4.0)).value()
        array([-1. ,  0.5,  4. ])
        """
        self._begin("clamp", x, low, high)
        broadcast("clamp", x.shape, low.shape, high.shape)
        return self._run("clamp", lambda *tensors: strict_clamp(*promoted(tensors)), x, low, high)

    # -- scaling and conversion

    def scale_real(self, x: EagerTensor, factor: float) -> EagerTensor:
        """x times a number; for integers, the number rounded. InvalidArgument for a NaN with integers. Stands for
        `s.scale_real(&x, 2.5)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.scale_real(s.constant_from([1.0, 2.0]), 2.5).value()
        array([2.5, 5. ])
        """
        self._begin("scale_real", x)
        if not x.dtype.is_floating_point:
            if not math.isfinite(factor):
                raise InvalidArgument("scale_real", f"invalid argument factor: {factor} has no integer value")
            factor = math.floor(factor + 0.5) if factor >= 0 else math.ceil(factor - 0.5)
        return self._run("scale_real", lambda tensor: tensor * factor, x)

    def convert(self, x: EagerTensor, dtype) -> EagerTensor:
        """x in another type that can hold all its values; InvalidArgument where digits could be lost, for which there
        is `cast`. Stands for `s.convert(&x, DType::F64)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.convert(s.constant_from([1, 2]), float).value()
        array([1., 2.])
        """
        self._begin("convert", x)
        target = element_type("convert", dtype)
        lossless = (x.dtype.category, x.dtype.itemsize) <= (target.category, target.itemsize)
        if not lossless or (x.dtype.category == target.category and x.dtype.itemsize > target.itemsize):
            raise InvalidArgument(
                "convert",
                f"invalid argument dtype: {dtype_name(x.dtype)} to {dtype_name(target)} may lose digits; use cast",
            )
        return self._run("convert", lambda tensor: to(tensor, target), x)

    def cast(self, x: EagerTensor, dtype) -> EagerTensor:
        """x in another type, digits cut off where it is narrower. No gradient passes an integer or Bool type. Stands
        for `s.cast(&x, DType::I32)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.cast(s.constant_from([1.2, -2.8]), int).value()
        array([ 1, -2])
        """
        self._begin("cast", x)
        target = element_type("cast", dtype)
        return self._run("cast", lambda tensor: to(tensor, target), x)
