"""Where tensors are, which is this machine's processor, and how they lie in memory, which is with strides.

PyTorch's names for all of it are here, so that programs which ask may go on; what asks for another place is refused.
"""

from __future__ import annotations

TYPES = (
    *("cpu", "cuda", "ipu", "xpu", "mkldnn", "opengl", "opencl", "ideep", "hip", "ve", "fpga", "maia", "xla", "lazy"),
    *("vulkan", "mps", "meta", "hpu", "mtia", "privateuseone"),
)
REMEDY = "autograd_core computes on the CPU: write device='cpu', or leave it out"


class device:
    """A place for tensors by its name, such as `ac.device("cpu")`. The others have names too, and no tensors.

    In a `with` block, or as a decorator, it is the place where tensors are made.

    Raises RuntimeError for a name that PyTorch does not know.

    >>> import autograd_core as ac
    >>> place = ac.device("cuda" if ac.cuda.is_available() else "cpu")
    >>> place, place.type, ac.zeros(2, device=place).device == place
    (device(type='cpu'), 'cpu', True)
    """

    __slots__ = ("index", "type")

    type: str
    index: int | None

    def __new__(cls, type, index: int | None = None):
        if isinstance(type, device) and index is None:
            return type
        if isinstance(type, int):
            raise RuntimeError(f"Cannot access accelerator device when none is available. {REMEDY}")
        if not isinstance(type, str):
            raise TypeError(
                f"device(): argument 'device' must be torch.device, not {type.__class__.__name__}: {type!r}"
            )
        name, colon, number = type.partition(":")
        if name not in TYPES:
            raise RuntimeError(f"Expected one of {', '.join(TYPES)} device type at start of device string: {type}")
        if colon and (index is not None or not number.isdecimal()):
            raise RuntimeError(f"Invalid device string: '{type}'")
        made = object.__new__(cls)
        object.__setattr__(made, "type", name)
        object.__setattr__(made, "index", int(number) if colon else index)
        return made

    def __setattr__(self, name: str, value) -> None:
        raise AttributeError(f"attribute '{name}' of 'device' objects is not writable")

    def __eq__(self, other) -> bool:
        return isinstance(other, device) and (self.type, self.index) == (other.type, other.index)

    def __hash__(self) -> int:
        return hash((self.type, self.index))

    def __str__(self) -> str:
        return self.type if self.index is None else f"{self.type}:{self.index}"

    def __repr__(self) -> str:
        return f"device(type='{self.type}'{'' if self.index is None else f', index={self.index}'})"

    def __reduce__(self):
        return device, (self.type, self.index)

    def __enter__(self) -> device:
        check_device(self)
        return self

    def __exit__(self, *_exception) -> None:
        pass

    def __call__(self, function):
        check_device(self)
        return function


CPU = device("cpu")


def check_device(place) -> None:
    """Raise unless `place`, None, a device or what `device` takes, means this machine's processor.

    AssertionError for CUDA and XPU, NotImplementedError for another kind, as in PyTorch without them.
    """
    if place is None or place == "cpu" or place is CPU:
        return
    asked = device(place)
    if asked.type in ("cuda", "xpu"):
        raise AssertionError(
            f"Torch not compiled with {asked.type.upper()} enabled, and device {asked} is asked for. {REMEDY}"
        )
    if asked.type != "cpu":
        raise NotImplementedError(f"Could not run on the '{asked.type.upper()}' backend (device {asked}). {REMEDY}")


def get_default_device() -> device:
    """Where tensors are made unless it is said: always the CPU.

    >>> import autograd_core as ac
    >>> ac.get_default_device()
    device(type='cpu')
    """
    return CPU


def set_default_device(device) -> None:
    """Nothing for the CPU; any other device is refused, at once.

    >>> import autograd_core as ac
    >>> ac.set_default_device("cpu")
    """
    check_device(device)


class Word:
    """A name of PyTorch's for how a tensor lies in memory: one of its layouts or memory formats."""

    __slots__ = ("name",)

    def __init__(self, name: str):
        self.name = name

    def __repr__(self) -> str:
        return f"autograd_core.{self.name}"

    def __reduce__(self) -> str:
        return self.name  # the name under which this module holds it


class layout(Word):
    """How elements are kept: `ac.strided`, all of them, with a step for each axis.

    >>> import autograd_core as ac
    >>> ac.zeros(2).layout
    autograd_core.strided
    """

    __slots__ = ()


class memory_format(Word):
    """The order of axes in the memory of a copy: `ac.contiguous_format`, row-major, or `ac.preserve_format`.

    >>> import autograd_core as ac
    >>> ac.ones(2, 3).T.clone(memory_format=ac.contiguous_format).stride()
    (2, 1)
    """

    __slots__ = ()


strided = layout("strided")
contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")


def check_layout(name: str, layout, pin_memory=False) -> None:
    """Raise for what factory `name` does not make: a layout other than `strided`, and pinned memory."""
    if layout not in (None, strided):
        raise NotImplementedError(f"{name}(): layout {layout!r} is not here; tensors of autograd_core are strided")
    if pin_memory:
        raise RuntimeError(f"{name}(): pin_memory=True requires a CUDA or other accelerator backend. {REMEDY}")


def is_row_major(name: str, format, default: memory_format = preserve_format) -> bool:
    """Whether op `name` is asked for memory in row-major order. TypeError for what is no memory format of ours."""
    format = default if format is None else format
    if format not in (contiguous_format, preserve_format):
        raise TypeError(
            f"{name}(): memory_format must be ac.contiguous_format or ac.preserve_format, not {format!r}; "
            "permute() gives any other order"
        )
    return format is contiguous_format
