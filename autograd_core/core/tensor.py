"""The tensor: an array, an edge into the graph, a slot for its gradient, and a version. No mathematics here.

Ops and operators are bound to the class by `autograd_core.ops`; `backward` and the hooks by `autograd_core.autograd`.
"""

from __future__ import annotations

import warnings
from copy import deepcopy
from typing import TYPE_CHECKING, Any
from weakref import ref

import numpy as np

from ..names import missing
from . import device as places
from . import dtypes, legacy, memory
from .graph import Leaf, Node, Output, index_of, new, node_of, rare_of, shown, user_level
from .modes import current_mode, refuse_in_transform, tell
from .printing import tensor_text
from .size import Size, sizes
from .version import Version
from .whole_numbers import axis_of

if TYPE_CHECKING:
    from .._methods import TensorMethods
else:
    TensorMethods = object

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. It is not kept: the "
    "gradient passed through this tensor on its way to the leaves. Call .retain_grad() on it before "
    "backward() to keep it; if you meant a leaf, access that leaf's .grad instead."
)


ndarray = np.ndarray


class Meta:
    """What only few tensors have.

    How it was cut out of a base (`view`), whether it was made in inference mode, its tangent (`dual`).
    """

    __slots__ = ("dual", "inference", "view")

    def __init__(self, view=None, inference=False, dual=None):
        self.view, self.inference, self.dual = view, inference, dual


class Dual:
    """The tangent of a tensor in forward mode: made at `level`, beside the `primal`, a tensor on the same memory."""

    __slots__ = ("level", "primal", "tangent")

    def __init__(self, level, primal, tangent):
        self.level, self.primal, self.tangent = level, primal, tangent


def _always(answer: bool, why: str) -> property:
    """A question that has one answer here."""
    return property(lambda self: answer, doc=f"{answer}: {why}.")


class Tensor(TensorMethods):
    """A NumPy array that remembers how it was computed.

    Make one with `ac.tensor(data, requires_grad=True)`. `Tensor(data)` itself takes a sequence or an array as floats of
    the default dtype; `Tensor(2, 3)`, or a Size, is unset memory of that shape; of a tensor it is the same memory.

    It takes attributes of your own, which copies and pickles keep. Of a subclass, methods and ops make the subclass.

    >>> import autograd_core as ac
    >>> w = ac.tensor(2.0, requires_grad=True)
    >>> h = w * w
    >>> h
    tensor(4., grad_fn=<MulBackward0>)
    >>> h.backward(); w.grad
    tensor(4.)
    """

    __slots__ = ("__dict__", "__weakref__", "_array", "_cell", "_edge", "_grad", "_meta")

    _array: np.ndarray
    _cell: Version
    _edge: Any
    _grad: Tensor | None
    _meta: Meta | None

    __array_priority__ = 1000

    def __new__(cls, *data, device=None):
        places.check_device(device)
        if len(data) == 1 and isinstance(data[0], Tensor):
            return of_kind(data[0].view(data[0].shape), cls)
        return of_kind(wrap(legacy.array_of(data, dtypes.get_default_dtype().numpy)), cls)

    def __init_subclass__(cls, **named):
        super().__init_subclass__(**named)
        if "__torch_function__" in vars(cls):
            raise TypeError(
                f"{cls.__name__} defines __torch_function__, which autograd_core does not call; override the methods "
                "that are to differ"
            )

    # -- storage

    def _same_memory(self, cell: Version) -> Tensor:
        tensor = wrap(self._array, cell=cell)
        tensor._meta = None
        if self._meta is None:  # no subclass of the user's
            return tensor
        tensor._meta = Meta(inference=True) if self.is_inference() else None
        return of_kind(tensor, kind_of_results([self]))

    @property
    def data(self) -> Tensor:
        """The same memory as a tensor without history and with a version of its own: writes through it go unnoticed.

        Assigning swaps the storage for that of another tensor and leaves the history as it is.
        """
        bare = self._same_memory(Version())
        if self._cell.born:
            bare._cell.born = self._cell.born
        if current_mode().observers:
            tell("data", (self,), (bare,))
        return bare

    @data.setter
    def data(self, new: Tensor) -> None:
        if not isinstance(new, Tensor):
            raise TypeError(
                f"Variable data has to be a tensor, but got {type(new).__name__}; wrap it in ac.tensor(...)"
            )
        if self.requires_grad and not new.is_floating_point():
            raise RuntimeError(
                f"data set to a tensor that requires gradients must be floating point or complex dtype, got {new.dtype}"
            )
        self._array = new._array
        if type(self._edge) is Leaf:
            self._edge.shape, self._edge.dtype = new._array.shape, new._array.dtype

    @property
    def shape(self) -> Size:
        """The length of each axis."""
        return sizes[self._array.shape]

    @property
    def ndim(self) -> int:
        """The number of axes; 0 for a scalar."""
        return self._array.ndim

    @property
    def dtype(self) -> dtypes.dtype:
        """The element type, such as `ac.float32`."""
        return dtypes.OF_NUMPY[self._array.dtype]

    @property
    def device(self) -> places.device:
        """Where the elements are: `ac.device("cpu")`."""
        return places.CPU

    @property
    def layout(self) -> places.layout:
        """How the elements are kept: `ac.strided`."""
        return places.strided

    def get_device(self) -> int:
        """-1, which stands for the CPU."""
        return -1

    is_cpu = _always(True, "the elements are in the memory of this machine's processor")
    is_cuda, is_xpu, is_mps, is_meta = [_always(False, "all tensors are on the CPU")] * 4
    is_sparse, is_mkldnn, is_quantized, is_nested = [_always(False, "all tensors are strided")] * 4

    def size(self, dim: int | None = None):
        """The shape, or the length of axis `dim`."""
        return self.shape if dim is None else self._array.shape[axis_of(dim, self._array.ndim)]

    def dim(self) -> int:
        """The number of axes; PyTorch's other name for `ndim`."""
        return self._array.ndim

    def numel(self) -> int:
        """The number of elements."""
        return self._array.size

    def nelement(self) -> int:
        """The number of elements; PyTorch's other name for `numel`."""
        return self._array.size

    def ndimension(self) -> int:
        """The number of axes; PyTorch's other name for `dim`."""
        return self._array.ndim

    def element_size(self) -> int:
        """Bytes taken by one element."""
        return self._array.itemsize

    @property
    def itemsize(self) -> int:
        """Bytes taken by one element."""
        return self._array.itemsize

    @property
    def nbytes(self) -> int:
        """Bytes taken by all elements."""
        return self._array.nbytes

    def stride(self, dim: int | None = None):
        """Elements to step over in memory to reach the next one along each axis, or along axis `dim`."""
        steps = tuple(s // self._array.itemsize for s in self._array.strides)
        return steps if dim is None else steps[axis_of(dim, self._array.ndim)]

    def is_contiguous(self, memory_format=places.contiguous_format) -> bool:
        """True when the elements lie in memory in row-major order without gaps."""
        if memory_format is not places.contiguous_format:
            places.is_row_major("is_contiguous", memory_format)
        return self._array.flags.c_contiguous

    def is_floating_point(self) -> bool:
        """True for float16, float32 and float64."""
        return self._array.dtype.kind == "f"

    def is_signed(self) -> bool:
        """True for a dtype with negative numbers: all but bool and uint8."""
        return self._array.dtype.kind in "fi"

    def is_same_size(self, other: Tensor) -> bool:
        """Whether `other` has the same shape."""
        return self._array.shape == other._array.shape

    @property
    def _version(self) -> int:
        """How often the storage was written; one counter for all views and `detach()`.

        Raises RuntimeError for an inference tensor: its writes are not watched.
        """
        if self.is_inference():
            raise RuntimeError(
                "Inference tensors do not track version counter; make a normal tensor of it with clone()"
            )
        return self._cell.count

    def data_ptr(self) -> int:
        """Address of the first element: equal for two tensors that start at the same memory."""
        return memory.address(self._array)

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """The array itself, memory shared; with `force`, also of a tensor that requires gradients.

        Raises RuntimeError for a tensor that requires gradients while ops are recorded, unless `force` says that the
        history is to end: call `detach()` first.
        """
        mode = current_mode()
        if mode.grad and self.requires_grad and not force:
            raise RuntimeError(
                "Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() instead: as it stands, "
                "the array would leave the graph unnoticed."
            )
        if mode.observers:
            tell("numpy", (self,))
        return self._array

    def item(self):
        """The only element as a Python number; RuntimeError when there is not exactly one."""
        if self._array.size != 1:
            raise RuntimeError(
                f"a Tensor with {self._array.size} elements cannot be converted to Scalar; "
                "index it, or use tolist() for all its values"
            )
        if current_mode().observers:
            tell("item", (self,))
        return self._array.item()

    def tolist(self):
        """The elements as nested Python lists; a number for a 0-d tensor."""
        if current_mode().observers:
            tell("tolist", (self,))
        return self._array.tolist()

    def as_subclass(self, cls: type[Tensor]) -> Tensor:
        """The same memory and history as a tensor of a subclass."""
        if not issubclass(cls, Tensor):
            raise TypeError(f"cls must be a subclass of Tensor, not {cls!r}")
        return of_kind(self.view(self.shape), cls)

    @staticmethod
    def _make_subclass(cls: type[Tensor], data: Tensor, require_grad: bool = False) -> Tensor:
        """The memory of `data` as a leaf of a subclass."""
        return with_requires_grad(of_kind(data.detach(), cls), require_grad)

    def detach(self) -> Tensor:
        """The same memory and version without history: a write through either is seen by both, and by backward."""
        detached = self._same_memory(self._cell)
        if current_mode().observers:
            tell("detach", (self,), (detached,))
        return detached

    def detach_(self) -> Tensor:
        """Drop the history of this tensor, which becomes a leaf that does not require gradients. A view refuses."""
        if self._meta is not None and self._meta.view is not None:
            raise RuntimeError("Can't detach views in-place: the base keeps its history. Use detach() instead.")
        if (node := node_of(self._edge)) is not None:
            rare_of(node).detached = True
        _let_rest(self)
        if current_mode().observers:
            tell("detach_", (self,), (self,))
        return self

    @property
    def _base(self) -> Tensor | None:
        """The tensor that this one is a view of, through any number of views; None for one that is not a view."""
        view = self._meta.view if self._meta is not None else None
        return None if view is None else view.base

    def _is_view(self) -> bool:
        """Whether this tensor was cut out of another, and a write to either extends the history of both."""
        return self._meta is not None and self._meta.view is not None

    # -- the graph

    @property
    def requires_grad(self) -> bool:
        """Whether ops on this tensor are recorded. Can be set on leaves only."""
        meta = self._meta
        if self._edge is not None or meta is None:
            return self._edge is not None
        if meta.dual is not None:
            return meta.dual.primal.requires_grad
        return meta.view is not None and meta.view.base._edge is not None

    @requires_grad.setter
    def requires_grad(self, flag: bool) -> None:
        if not isinstance(flag, bool):
            raise RuntimeError(f"requires_grad must be a bool, not {flag!r}")
        if not self.is_leaf:
            raise RuntimeError(
                "you can only change requires_grad flags of leaf variables. If you want to use a computed "
                "variable in a subgraph that doesn't require differentiation use var_no_grad = var.detach()."
            )
        if not flag:
            _let_rest(self)
        elif self._edge is None:
            check_differentiable(self._array.dtype)
            if self._meta is not None and self._meta.inference and not current_mode().inference:
                raise RuntimeError(
                    "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed; "
                    "clone() it first."
                )
            self._edge = (_resting and _leaf_again(self)) or Leaf(self, self._array.shape, self._array.dtype)
        if current_mode().observers:
            tell("requires_grad_", (self,))

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set the flag and return the tensor.

        True on a tensor that has it already changes nothing, even on a non-leaf. RuntimeError inside a function that is
        transformed by `func`.
        """
        refuse_in_transform("requires_grad_", " (or perhaps using autograd.functional)")
        return with_requires_grad(self, requires_grad)

    @property
    def grad_fn(self) -> Node | None:
        """The node of the op that made this tensor; None for a leaf."""
        return shown(node_of(edge_of(self)))

    @property
    def is_leaf(self) -> bool:
        """True when no recorded op made it: nothing upstream is waiting for its gradient."""
        return node_of(edge_of(self)) is None

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this tensor is."""
        return self._edge.index if type(edge_of(self)) is Output else 0

    @property
    def grad(self) -> Tensor | None:
        """The gradient accumulated so far; None where none ever arrived.

        Reading it on a non-leaf that does not retain it warns.
        """
        if self._grad is None and node_of(self._edge) is not None and not self.retains_grad:
            warnings.warn(NON_LEAF_GRAD, UserWarning, stacklevel=2)
        return self._grad

    @grad.setter
    def grad(self, new: Tensor | None) -> None:
        if new is not None:
            if not isinstance(new, Tensor):
                raise TypeError(f"assigned grad expected to be a Tensor or None but got {type(new).__name__}")
            if new is self:
                raise RuntimeError("can't assign Variable as its own grad")
            if new._array.dtype != self._array.dtype:
                raise RuntimeError(
                    f"assigned grad has data of a different type: {new.dtype}, the tensor has {self.dtype}"
                )
            if new._array.shape != self._array.shape:
                raise RuntimeError(
                    f"assigned grad has data of a different size: {list(new.shape)}, the tensor has {list(self.shape)}"
                )
        self._grad = new
        if current_mode().observers:
            tell("clear", (self,))

    @grad.deleter
    def grad(self) -> None:
        self._grad = None
        if current_mode().observers:
            tell("clear", (self,))

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in `.grad` too. Call it before backward; nothing changes on a leaf.

        RuntimeError for a tensor that does not require gradients, and inside a function that is transformed by `func`.
        """
        edge = edge_of(self)
        if edge is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        refuse_in_transform("retain_grad")
        if type(edge) is not Leaf:
            retain(edge, self)
            if current_mode().observers:
                tell("retain_grad", (self,))

    @property
    def retains_grad(self) -> bool:
        """Whether this is a non-leaf that will keep its gradient."""
        node = node_of(self._edge)
        return node is not None and node.rare is not None and index_of(self._edge) in node.retained

    def is_inference(self) -> bool:
        """True for a tensor made in `inference_mode()`."""
        return self._meta is not None and self._meta.inference

    # -- Python's protocols

    if not TYPE_CHECKING:  # to a type checker it would mean that a tensor has every attribute

        def __getattr__(self, name: str):
            raise missing(self, "ac.Tensor", name)

    def __repr__(self) -> str:
        suffixes = []
        default = dtypes.get_default_dtype().numpy
        without_suffix = (default, np.int64, np.bool_) if self._array.size else (default,)
        if self._array.dtype not in without_suffix:
            suffixes.append(f"dtype={self.dtype}")
        try:
            node = node_of(edge_of(self))
        except RuntimeError:  # a view whose history could not follow a write: using it raises, looking does not
            suffixes.append("grad_fn=<Invalid>")
        else:
            if node is not None:
                suffixes.append(f"grad_fn=<{node.name()}>")
            elif self.requires_grad:
                suffixes.append("requires_grad=True")
        if (dual := dual_of(self)) is not None and dual.level in current_mode().levels:
            suffixes.append(f"tangent={dual.tangent}")
        kind = type(self)
        return tensor_text(self._array, suffixes, "tensor" if kind is Tensor or kind is Parameter else kind.__name__)

    def __format__(self, spec: str) -> str:
        return format(self._array.item(), spec) if self._array.ndim == 0 else object.__format__(self, spec)

    def __bool__(self) -> bool:
        if self._array.size != 1:
            raise RuntimeError(
                f"Boolean value of Tensor with {'more than one value' if self._array.size else 'no values'} "
                "is ambiguous; use .any() or .all()"
            )
        return bool(self._array.item())

    def _number(self):
        if self._array.size != 1:
            raise ValueError(
                f"only one element tensors can be converted to Python scalars, not one of shape {list(self.shape)}"
            )
        if current_mode().observers:
            tell("item", (self,))
        return self._array.item()

    def __float__(self) -> float:
        if self._edge is not None or self._meta is not None:
            warn_leaving(self)
        return float(self._number())

    def __int__(self) -> int:
        return int(self._number())

    def __index__(self) -> int:
        if self._array.dtype.kind == "f" or self._array.size != 1:
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return len(self._array)

    def __contains__(self, value) -> bool:
        if not isinstance(value, (Tensor, int, float, np.number)):
            raise RuntimeError(
                f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(value)}."
            )
        return bool((self._array == (value._array if isinstance(value, Tensor) else value)).any())

    def __hash__(self) -> int:
        return id(self)

    def __array__(self, dtype=None, copy=None) -> np.ndarray:
        return np.array(self.numpy(), dtype, copy=copy)

    def __reduce__(self):
        return _rebuild, (type(self), self._array, self.requires_grad), vars(self) or None

    def __deepcopy__(self, memo: dict) -> Tensor:
        if (node := node_of(edge_of(self))) is not None:
            raise RuntimeError(
                "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol: this one is "
                f"the result of {node.name()}. Copy its detach(), or use clone(), which stays in the graph."
            )
        copied = memo[id(self)] = _rebuild(type(self), memory.copied(self._array, memo), self.requires_grad)
        vars(copied).update(deepcopy(vars(self), memo))
        if type(self) is Tensor:  # PyTorch copies the gradient of a plain tensor, not that of a Parameter
            copied._grad = deepcopy(self._grad, memo)
        return copied


class Parameter(Tensor):
    """A tensor that a `Module` registers when it is assigned to an attribute.

    It requires gradients unless told otherwise, and shares the memory of `data`. TypeError for what is no tensor.

    >>> import autograd_core as ac
    >>> ac.nn.Parameter(ac.ones(2))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """

    __slots__ = ()

    def __new__(cls, data: Tensor | None = None, requires_grad: bool = True):
        if data is not None and not isinstance(data, Tensor):
            raise TypeError(
                f"Parameter data has to be a tensor, but got {type(data).__name__}; wrap it in ac.tensor(...)"
            )
        array = np.zeros(0, dtypes.get_default_dtype().numpy) if data is None else data._array
        return with_requires_grad(wrap(array, kind=cls), requires_grad)

    def __repr__(self) -> str:
        return "Parameter containing:\n" + super().__repr__()


def _rebuild(cls: type[Tensor], array: np.ndarray, requires_grad: bool) -> Tensor:
    """A leaf around `array`, without a gradient: what copying and unpickling make of a tensor."""
    return with_requires_grad(of_kind(wrap(dtypes.with_own_dtype(array)), cls), requires_grad)


def of_kind(tensor: Tensor, kind: type[Tensor]) -> Tensor:
    """A new tensor as one of a subclass.

    Those of the user's have a `Meta`, which keeps them off the straight road of an op: it makes no subclasses.
    """
    if kind is not Tensor:
        tensor.__class__ = kind
        if tensor._meta is None and not issubclass(kind, Parameter):
            tensor._meta = Meta()
    return tensor


def kind_of_results(inputs) -> type[Tensor]:
    """The class of what an op makes of `inputs`: the user's subclass if one is among them, that of a Parameter apart.

    TypeError for two of them, neither of which is a subclass of the other.
    """
    kinds = {type(x) for x in inputs if isinstance(x, Tensor) and not isinstance(x, Parameter)}
    for kind in kinds:
        if all(issubclass(kind, other) for other in kinds):
            return kind
    if not kinds:
        return Tensor
    raise TypeError(
        f"no implementation found for subclasses of Tensor together of which neither is one of the other: "
        f"{', '.join(sorted(kind.__name__ for kind in kinds))}; use as_subclass() on one of the operands"
    )


def wrap(array, edge=None, cell: Version | None = None, kind: type[Tensor] = Tensor) -> Tensor:
    """A tensor around `array` (or a NumPy scalar), without copying: the one place that makes one."""
    tensor = new(kind)
    tensor._array = array if type(array) is ndarray else np.asarray(array)
    mode = current_mode()
    tensor._cell = mode.version() if cell is None else cell
    tensor._edge, tensor._grad = edge, None
    tensor._meta = Meta(inference=True) if mode.inference else None
    return tensor


def is_inference(input: Tensor) -> bool:
    """True for a tensor made in `inference_mode()`.

    >>> import autograd_core as ac
    >>> with ac.inference_mode():
    ...     x = ac.ones(2)
    >>> ac.is_inference(x), ac.is_inference(x.clone())
    (True, False)
    """
    return input.is_inference()


def dual_of(tensor: Tensor) -> Dual | None:
    """What makes a tensor dual; its level may have ended."""
    return None if tensor._meta is None else tensor._meta.dual


def with_tangent(primal: Tensor, level: int, tangent: Tensor) -> Tensor:
    """The dual on the memory of `primal`, which may itself be dual at an outer level."""
    dual = wrap(primal._array, edge_of(primal), primal._cell)
    dual._meta = Meta(inference=primal.is_inference(), dual=Dual(level, primal, tangent))
    return dual


def edge_of(tensor: Tensor):
    """The current edge of a tensor. That of a view may have to be rebuilt first, since its base was written."""
    meta = tensor._meta
    if meta is not None:
        if meta.view is not None:
            meta.view.refresh(tensor)
        elif meta.dual is not None:
            tensor._edge = edge_of(meta.dual.primal)
    return tensor._edge


def warn_leaving(tensor: Tensor) -> None:
    """Warn where a tracked tensor becomes a number without a word such as `item` that says so."""
    if current_mode().grad and tensor.requires_grad:
        warnings.warn(
            "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\nConsider using "
            "tensor.detach() first. No gradient flows through the number; item() says that this is meant.",
            UserWarning,
            stacklevel=1 + user_level(),
        )


# The leaves of tensors that require no gradients at present, by the id of the tensor. Graphs that were recorded before
# lead to them, and they have hooks; what never was such a tensor pays nothing for it.
_resting: dict[int, Leaf] = {}


def _let_rest(tensor: Tensor) -> None:
    """Take the edge of a tensor away. A leaf is kept until the tensor requires gradients again, or is gone."""
    leaf, tensor._edge = tensor._edge, None
    if type(leaf) is Leaf and leaf.tensor is tensor:
        key = id(tensor)
        _resting[key] = leaf
        leaf._tensor = ref(tensor, lambda _: _resting.pop(key, None))


def _leaf_again(tensor: Tensor) -> Leaf | None:
    """The leaf that a tensor had before, unless its memory was replaced by another kind since."""
    leaf = _resting.pop(id(tensor), None)
    fits = leaf is not None and leaf.shape == tensor._array.shape and leaf.dtype == tensor._array.dtype
    return leaf if fits else None


def with_requires_grad(tensor: Tensor, flag: bool = True) -> Tensor:
    """What `requires_grad_` does, for the package itself: inside function transforms too."""
    if not isinstance(flag, bool):
        raise TypeError(f"requires_grad_(): argument 'requires_grad' must be bool, not {type(flag).__name__}")
    if not (flag and tensor.requires_grad):
        tensor.requires_grad = flag
    return tensor


def retain(edge, tensor: Tensor) -> None:
    """Have the reverse pass store in `tensor.grad` what arrives at `edge`."""
    node: Any = node_of(edge)
    node.retained[index_of(edge)] = ref(tensor)


def check_differentiable(array_dtype) -> None:
    """Raise unless tensors of this type can require gradients."""
    if array_dtype.kind != "f":
        raise RuntimeError(
            f"only Tensors of floating point dtype can require gradients, not {dtypes.OF_NUMPY[array_dtype].name}; "
            "write the numbers with a decimal point, or pass dtype=ac.float32"
        )
