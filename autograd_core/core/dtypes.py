"""Element types, and the rule that decides the type of a result.

PyTorch's promotion looks at the *category* of an operand first (bool < integer < floating) and at its
*dimension* second: a tensor with axes outranks a 0-d tensor, which outranks a Python number. An operand of
lower rank can raise the category of the result, never widen it: a 0-d float64 does not turn a float32 vector
into float64.

Some types of PyTorch's can only be named here, such as `bfloat16` and `complex64`: a program may compare a dtype with
them and ask what they are, and gets an error where it would make a tensor of one. They have no `numpy`.
"""

from __future__ import annotations

from contextlib import suppress
from math import isfinite

import numpy as np


class dtype:
    """The element type of a tensor, such as `ac.float32`.

    Equal to nothing but itself; `numpy` is the NumPy type it stands for, `itemsize` the bytes of one element.
    NotImplementedError where a tensor is to be made of a dtype that can only be named, such as `ac.bfloat16`.

    >>> import autograd_core as ac
    >>> ac.float32, ac.float32.itemsize, ac.int64.is_floating_point
    (autograd_core.float32, 4, False)
    >>> ac.ones(2).dtype == ac.bfloat16, ac.bfloat16.is_floating_point, ac.complex64.is_complex
    (False, True, True)
    """

    __slots__ = ("category", "itemsize", "name", "numpy")

    def __init__(self, name: str, category: int, itemsize: int | None = None):
        self.name, self.category = name, category
        if itemsize is None:
            self.numpy = np.dtype(name)
        self.itemsize = self.numpy.itemsize if itemsize is None else itemsize

    def __getattr__(self, name: str):
        if name == "numpy":
            raise NotImplementedError(f"no tensor of {self} can be made here: use {self._instead()}")
        raise AttributeError(f"{self} has no attribute {name!r}", name=name, obj=self)

    def _instead(self) -> str:
        """What serves in place of a dtype that can only be named."""
        if self.is_complex:
            return f"{self.to_real()}, for real and imaginary parts"
        return f"{float32} or {float16}" if self.is_floating_point else f"{int32} or {int64}"

    @property
    def is_floating_point(self) -> bool:
        """True for float16, float32 and float64, the types that carry gradients, and for bfloat16."""
        return self.category == FLOATING

    @property
    def is_complex(self) -> bool:
        """True for complex64 and its kin, which can only be named: numbers are real here."""
        return self.category == COMPLEX

    @property
    def is_signed(self) -> bool:
        """True for a type with negative numbers: all but bool and the unsigned integers."""
        return self.category > BOOL and not self.name.startswith("u")

    def to_real(self) -> dtype:
        """The type of the real part: of a real type itself."""
        return {complex32: float16, complex64: float32, complex128: float64}.get(self, self)

    def __repr__(self) -> str:
        return f"autograd_core.{self.name}"

    def __reduce__(self) -> str:
        return "bool_" if self is bool_ else self.name  # the name under which this module holds it


BOOL, INTEGER, FLOATING, COMPLEX = 0, 1, 2, 3

bool_ = dtype("bool", BOOL)
uint8, int8, int16, int32, int64 = (dtype(name, INTEGER) for name in ("uint8", "int8", "int16", "int32", "int64"))
float16, float32, float64 = (dtype(name, FLOATING) for name in ("float16", "float32", "float64"))
HALF, SINGLE = float16.numpy, float32.numpy
WIDE = frozenset({float32.numpy, float64.numpy})  # in which an op computes; float16 is brought to one of them
half, float_, double, short, int_, long = float16, float32, float64, int16, int32, int64

# only named
bfloat16 = dtype("bfloat16", FLOATING, itemsize=2)
uint16, uint32, uint64 = (dtype(f"uint{8 * itemsize}", INTEGER, itemsize) for itemsize in (2, 4, 8))
complex32, complex64, complex128 = (dtype(f"complex{8 * itemsize}", COMPLEX, itemsize) for itemsize in (4, 8, 16))
chalf, cfloat, cdouble = complex32, complex64, complex128

OF_NUMPY = {d.numpy: d for d in (bool_, uint8, int8, int16, int32, int64, float16, float32, float64)}
_OF_PYTHON: dict = {bool: bool_, int: int64, float: float64}
_default = float32


def with_own_dtype(array: np.ndarray) -> np.ndarray:
    """An array with NumPy's own object for its dtype, on the same memory.

    Pickles and files bring equal ones of their own, and a plain call of an op tells dtypes by identity.
    """
    return np.asarray(array, as_dtype(array.dtype).numpy)


def get_default_dtype() -> dtype:
    """The floating type given to Python floats and to factories: float32 unless changed.

    >>> import autograd_core as ac
    >>> ac.get_default_dtype()
    autograd_core.float32
    """
    return _default


def set_default_dtype(d: dtype) -> None:
    """Make `d`, a floating dtype of this package, the default one. Raises TypeError for anything else.

    NotImplementedError for bfloat16, which can only be named.

    >>> import autograd_core as ac
    >>> ac.set_default_dtype(ac.float32)
    """
    global _default
    if type(d) is not dtype or not d.is_floating_point:
        raise TypeError(f"only floating-point types are supported as the default type, such as ac.float64, not {d!r}")
    _default = OF_NUMPY[d.numpy]


def as_dtype(d) -> dtype:
    """The `dtype` that `d` means: one of ours, a Python number type, or, beyond PyTorch, a NumPy type.

    `float` means float64, `int` int64 and `bool` bool. Raises TypeError for anything else: for a name, since PyTorch
    takes none, and for NumPy's complex types, since this package knows real numbers only.

    >>> import numpy as np, autograd_core as ac
    >>> ac.zeros(1, dtype=float).dtype, ac.zeros(1, dtype=np.int32).dtype
    (autograd_core.float64, autograd_core.int32)
    """
    if type(d) is dtype:
        return d
    found = _OF_PYTHON.get(d) if isinstance(d, type) else None
    if found is None and isinstance(d, (type, np.dtype)):
        with suppress(TypeError):
            found = OF_NUMPY.get(np.dtype(d))
    if found is None:
        names = ", ".join(f"ac.{known.name}" for known in OF_NUMPY.values())
        raise TypeError(f"{d!r} is not a dtype of autograd_core; it has {names}")
    return found


# -- Python numbers and the range of a type


def _limits(kind: np.dtype) -> tuple:
    if kind.kind == "f":
        return float(np.finfo(kind).min), float(np.finfo(kind).max)
    return np.iinfo(kind).min, np.iinfo(kind).max


LIMITS = {kind: _limits(kind) for kind in OF_NUMPY if kind.kind != "b"}  # least and greatest, as Python numbers


def wrapped(number: int, kind: np.dtype) -> int:
    """A Python int as an operand of integer arithmetic in NumPy type `kind`, which is arithmetic modulo 2**bits.

    Raises OverflowError for an int of more than 64 bits.
    """
    least, greatest = LIMITS[kind]
    if least <= number <= greatest:
        return number
    if not -(2**63) <= number < 2**64:
        raise OverflowError(f"int too big to convert: {number} has more than 64 bits")
    return (number - least) % (greatest - least + 1) + least


def stored(number, kind: np.dtype):
    """A Python number as an element of NumPy type `kind`.

    Raises RuntimeError for one that the type does not hold, and OverflowError for an int of more than 64 bits.
    Unsigned types take a negative int down to minus their greatest value, and wrap it, as in PyTorch.
    """
    if kind.kind == "b":
        return bool(number)
    if isinstance(number, int):
        wrapped(number, int64.numpy)
    if lowest(kind, isinstance(number, float)) <= number <= LIMITS[kind][1]:
        return number if kind.kind == "f" else wrapped(int(number), kind)
    if kind.kind == "f" and not isfinite(number):
        return number
    raise RuntimeError(overflow(number, kind))


def lowest(kind: np.dtype, from_float: bool):
    """The least number that may be stored in NumPy type `kind`."""
    least, greatest = LIMITS[kind]
    return least or (0 if from_float else -greatest)


def overflow(number, kind: np.dtype) -> str:
    """Why `kind` does not take a number."""
    least, greatest = LIMITS[kind]
    return (
        f"value cannot be converted to type {kind} without overflow: {number} is not within {least} to {greatest}; "
        "use a dtype that holds it"
    )


CATEGORIES = {"b": BOOL, "i": INTEGER, "u": INTEGER, "f": FLOATING}


def category(value) -> int:
    """BOOL, INTEGER or FLOATING, for an array or a Python number. Raises TypeError for complex and object values."""
    kind = value.dtype.kind if hasattr(value, "dtype") else np.dtype(type(value)).kind
    try:
        return CATEGORIES[kind]
    except KeyError:
        raise TypeError(
            f"autograd_core computes with real numbers; {value!r} is of type {type(value).__name__}"
        ) from None


def promote_types(a, b) -> np.dtype:
    """The NumPy type that holds both: the floating one if only one floats, else NumPy's own answer."""
    a_floats, b_floats = a.kind == "f", b.kind == "f"
    if a_floats != b_floats:
        return a if a_floats else b
    return np.promote_types(a, b)


def _combine(higher, lower):
    """Merge the result of a higher rank (more dimensions) with that of a lower one."""
    if higher is None or lower is None:
        return higher if lower is None else lower
    if higher.kind == "b" or (lower.kind == "f" and higher.kind != "f"):
        return promote_types(higher, lower)
    return higher


def result_type(*operands) -> np.dtype:
    """NumPy type of a result computed from arrays (of any dimension) and Python numbers, by PyTorch's rules."""
    ranks: list = [None, None, None]  # Python numbers, 0-d arrays, arrays with axes
    for operand in operands:
        if hasattr(operand, "dtype"):
            rank, own = 1 + (operand.ndim > 0), operand.dtype
        else:
            own = (bool_, int64, _default)[category(operand)].numpy
            rank = 0
        ranks[rank] = own if ranks[rank] is None else promote_types(ranks[rank], own)
    return _combine(ranks[2], _combine(ranks[1], ranks[0]))
