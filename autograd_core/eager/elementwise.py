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
from . import launch
from .checks import dtype_name, element_type, promoted, require
from .configs import CompareDir
from .errors import InvalidArgument
from .kinks import Power, strict_clamp
from .operations import Operations, elementwise_method
from .tensor import EagerTensor


class Elementwise(Operations):
    """neg to erf, add to compare, select and clamp, and conversions."""

    # -- of one operand

    @elementwise_method(neg, "[1.0, -2.0]", gives="array([-1.,  2.])")
    def neg(self, x: EagerTensor):
        """-x."""

    @elementwise_method(exp, "[0.0, 1.0]", gives="array([1.        , 2.71828183])")
    def exp(self, x: EagerTensor):
        """e to the power of x."""

    @elementwise_method(absolute, "[-1.0, 2.0]", gives="array([1., 2.])")
    def abs(self, x: EagerTensor):
        """|x|. Its derivative at 0 is 0."""

    @elementwise_method(sign, "[-3.0, 0.0]", gives="array([-1.,  0.])", differentiable=False)
    def sign(self, x: EagerTensor):
        """-1, 0 or 1. It has no derivative: what is reached through it alone is inactive."""

    @elementwise_method(log, "[1.0]", gives="array([0.])")
    def log(self, x: EagerTensor):
        """The natural logarithm."""

    @elementwise_method(sqrt, "[4.0, 9.0]", gives="array([2., 3.])")
    def sqrt(self, x: EagerTensor):
        """The square root."""

    @elementwise_method(rsqrt, "[4.0]", gives="array([0.5])")
    def rsqrt(self, x: EagerTensor):
        """1 / sqrt(x)."""

    @elementwise_method(sin, "[0.0]", gives="array([0.])")
    def sin(self, x: EagerTensor):
        """The sine of x, in radians."""

    @elementwise_method(cos, "[0.0]", gives="array([1.])")
    def cos(self, x: EagerTensor):
        """The cosine of x, in radians."""

    @elementwise_method(tanh, "[0.0]", gives="array([0.])")
    def tanh(self, x: EagerTensor):
        """The hyperbolic tangent."""

    @elementwise_method(expm1, "[0.0, 1e-20]", gives="array([0.e+00, 1.e-20])")
    def expm1(self, x: EagerTensor):
        """exp(x) - 1, exact near 0."""

    @elementwise_method(log1p, "[0.0, 1e-20]", gives="array([0.e+00, 1.e-20])")
    def log1p(self, x: EagerTensor):
        """log(1 + x), exact near 0."""

    @elementwise_method(erf, "[0.0]", gives="array([0.])")
    def erf(self, x: EagerTensor):
        """The error function."""

    @elementwise_method(conj, "[1.0, -2.0]", gives="array([ 1., -2.])")
    def conj(self, x: EagerTensor):
        """The complex conjugate: of a real number, itself."""

    # -- of two operands

    @elementwise_method(plain_add, "[1.0, 2.0]", "10.0", gives="array([11., 12.])")
    def add(self, x: EagerTensor, y: EagerTensor):
        """x + y."""

    @elementwise_method(plain_sub, "[1.0, 2.0]", "10.0", gives="array([-9., -8.])")
    def sub(self, x: EagerTensor, y: EagerTensor):
        """x - y."""

    @elementwise_method(mul, "[1.0, 2.0]", "10.0", gives="array([10., 20.])")
    def mul(self, x: EagerTensor, y: EagerTensor):
        """x y."""

    @elementwise_method(plain_div, "[1.0, 2.0]", "4.0", gives="array([0.25, 0.5 ])")
    def div(self, x: EagerTensor, y: EagerTensor):
        """x / y."""

    @elementwise_method(fmod, "[7.0, -7.0]", "4.0", gives="array([ 3., -3.])", differentiable=False)
    def rem(self, x: EagerTensor, y: EagerTensor):
        """The remainder of x / y, with the sign of x. It has no derivative."""

    @elementwise_method(maximum, "[1.0, 2.0]", "1.5", gives="array([1.5, 2. ])")
    def maximum(self, x: EagerTensor, y: EagerTensor):
        """The larger of both. Where they are equal, each gets half of the gradient."""

    @elementwise_method(minimum, "[1.0, 2.0]", "1.5", gives="array([1. , 1.5])")
    def minimum(self, x: EagerTensor, y: EagerTensor):
        """The smaller of both. Where they are equal, each gets half of the gradient."""

    @elementwise_method(Power.apply, "[2.0, 3.0]", "2.0", gives="array([4., 9.])")
    def pow(self, x: EagerTensor, y: EagerTensor):
        """x to the power of y, for floats. The derivative by y is x^y log(x) everywhere: NaN at x = 0."""

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
        self._begin_broadcast("compare", x, y)
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
        self._begin_broadcast("where_select", condition, x, y)

        def compute(mask, *branches):
            return launch.elementwise(self._engine, choose, mask, *promoted(branches))

        return self._run("where_select", compute, condition, x, y)

    select = where_select

    def clamp(self, x: EagerTensor, low: EagerTensor, high: EagerTensor) -> EagerTensor:
        """x within [low, high]. Where x is at a bound, no gradient flows. Stands for `s.clamp(&x, &lo, &hi)?`.

        >>> from autograd_core import eager
        >>> s = eager.EagerRuntime().session(eager.CpuEngine.serial())
        >>> s.clamp(s.constant_from([-2.0, 0.5, 5.0]), s.constant_from(-1.0), s.constant_from(4.0)).value()
        array([-1. ,  0.5,  4. ])
        """
        return self._elementwise("clamp", strict_clamp, x, low, high)

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
