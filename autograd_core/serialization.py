"""Saving and loading: a file holds arrays and plain data, and loading it runs no code unless the caller says so.

A file whose name ends in `.npz` is NumPy's: a zip archive of arrays. Any other, `model.pt` too, is a safetensors file:
a header in JSON and the bytes of the tensors behind it (https://huggingface.co/docs/safetensors). A dict of tensors,
such as a `state_dict`, is stored under its own names, and other programs can read it. What is nested, such as the state
of an optimizer, is described by one entry more: JSON in which each tensor is the name it is stored under.

What is neither, such as a whole module, is pickled. A pickle runs code where it is loaded, so that it is read only if
`save` wrote it, and names only what is declared safe or the caller says `weights_only=False`.
"""

from __future__ import annotations

import io
import json
import math
import os
import struct
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np

from . import pickles
from .core.device import check_device
from .core.dtypes import with_own_dtype
from .core.tensor import Tensor, wrap
from .pickles import add_safe_globals, clear_safe_globals, get_safe_globals, safe_globals

__all__ = ["add_safe_globals", "clear_safe_globals", "get_safe_globals", "load", "safe_globals", "save"]

STRUCTURE = "__structure__"  # the entry that describes what is nested
FROM_PYTORCH = "load it in PyTorch and save its tensors as .safetensors or .npz"
PLAIN = (bool, int, float, str, type(None))

DTYPES = {
    "F64": np.float64,
    "F32": np.float32,
    "F16": np.float16,
    "I64": np.int64,
    "I32": np.int32,
    "I16": np.int16,
    "I8": np.int8,
    "U8": np.uint8,
    "BOOL": np.bool_,
}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}


def save(obj: Any, f: str | os.PathLike | IO[bytes]) -> None:
    """Write tensors to a file: a `state_dict`, or other dicts, lists and tuples of tensors.

    Between the tensors there may be numbers, strings and None. `f` is a path, or a file that is open for writing bytes.
    The format is safetensors, or NumPy's for a path that ends in `.npz`; it is not PyTorch's, whatever the name. An
    existing file is replaced when the new one is complete.

    Any other object is pickled: `load(f, weights_only=False)` reads it, where its classes can be imported. TypeError
    for one under a name that ends in `.npz` or `.safetensors`.

    >>> import autograd_core as ac, pathlib, tempfile
    >>> from autograd_core.serialization import load, save
    >>> layer = ac.nn.Linear(2, 1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder, "layer.pt")
    ...     save(layer.state_dict(), path)
    ...     ac.nn.Linear(2, 1).load_state_dict(load(path))
    <All keys matched successfully>
    """
    if not isinstance(f, (str, os.PathLike)):
        _writer(obj, "")(f)
        return
    path = Path(f)
    write = _writer(obj, path.suffix)
    if not path.parent.is_dir():
        raise FileNotFoundError(
            f"save: there is no folder {path.parent} to put {path.name} in (Parent directory {path.parent} does not "
            "exist); make it first"
        )
    partial = path.with_name(path.name + ".partial")
    try:
        with open(partial, "wb") as file:
            write(file)
        os.replace(partial, path)
    finally:
        partial.unlink(missing_ok=True)


def _writer(obj: Any, ending: str) -> Callable[[IO[bytes]], Any]:
    """What writes `obj` to an open file, in the format that the end of its name asks for."""
    arrays: dict[str, np.ndarray] = {}
    structure = None
    if isinstance(obj, Mapping) and all(isinstance(k, str) and isinstance(v, Tensor) for k, v in obj.items()):
        if STRUCTURE in obj:
            raise ValueError(f"save: the name {STRUCTURE!r} is taken; give that tensor another")
        arrays = {name: np.ascontiguousarray(tensor._array).reshape(tensor.shape) for name, tensor in obj.items()}
    else:
        try:
            structure = json.dumps(_described(obj, "", arrays))
        except TypeError:
            if ending in (".npz", ".safetensors"):
                raise
            contents = pickles.written(obj)
            return lambda file: file.write(contents)
    write = _write_npz if ending == ".npz" else _write_safetensors
    return lambda file: write(file, arrays, structure)


def load(f: str | os.PathLike | IO[bytes], map_location=None, *, weights_only: bool = True) -> Any:
    """Read what `save` wrote, or any other `.npz` or safetensors file, which gives a dict of tensors.

    `f` is a path, or a file that is open for reading bytes. bfloat16, which NumPy has not, comes as float32, without
    loss. Tensors come to the CPU, whatever a `map_location` says of other places; RuntimeError for one that asks for
    another. A pickle of `save`'s, such as a whole module, is read if it names only what tensors are
    made of and what `add_safe_globals` or `safe_globals` lists, and with `weights_only=False` whatever it names.

    Raises pickle.UnpicklingError for any other pickle, and for a pickle of PyTorch's always: unpickling runs whatever
    code the file asks for. Raises ValueError for contents that are in neither format, or not what the ending says.

    >>> import autograd_core as ac, io
    >>> from autograd_core.serialization import load, save
    >>> file = io.BytesIO()
    >>> save({"step": 3, "averages": [ac.ones(2), None]}, file)
    >>> _ = file.seek(0)
    >>> load(file)
    {'step': 3, 'averages': [tensor([1., 1.]), None]}
    """
    _check_place(map_location)
    if isinstance(f, (str, os.PathLike)):
        with open(f, "rb") as file:
            return _loaded(file, Path(f).name, weights_only)
    return _loaded(io.BytesIO(f.read()), str(getattr(f, "name", "the file")), weights_only)


def _check_place(map_location) -> None:
    """Raise RuntimeError for a place that is not here; a function or a dict may say where tensors of others go."""
    if isinstance(map_location, Mapping) or callable(map_location):
        return
    try:
        check_device(map_location)
    except AssertionError as error:
        words = f"Attempting to deserialize object on a {str(map_location).partition(':')[0].upper()} device"
        raise RuntimeError(f"{words} but torch.cuda.is_available() is False: {error}") from None


def _loaded(file: IO[bytes], name: str, weights_only: bool) -> Any:
    if file.read(len(pickles.MARK)) == pickles.MARK:
        file.seek(0)
        return pickles.read(file.read(), name, weights_only)
    _refuse_pickles(file, name)
    in_zip = zipfile.is_zipfile(file)
    read = _read_npz if name.endswith(".npz") or (in_zip and not name.endswith(".safetensors")) else _read_safetensors
    arrays, structure = read(file, name)
    tensors = {name: wrap(with_own_dtype(array)) for name, array in arrays.items()}
    if structure is None:
        return tensors
    try:
        return _restored(json.loads(structure), tensors)
    except (KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"load: the entry {STRUCTURE} of {name} does not describe its tensors: {error!r}") from error


def _refuse_pickles(file: IO[bytes], name: str) -> None:
    file.seek(0)
    start = file.read(9)
    own = start[5:] == b"\0\0\0{"  # the header, after its length, which may begin as a pickle does
    if start[:1] == b"\x80" and b"\2" <= start[1:2] <= b"\5" and not own:
        raise pickles.refusal(name, FROM_PYTORCH)
    if zipfile.is_zipfile(file):
        with zipfile.ZipFile(file) as archive:
            if any(Path(entry).suffix == ".pkl" for entry in archive.namelist()):
                raise pickles.refusal(name, FROM_PYTORCH)


# -- what is nested, as JSON: tensors, dicts and tuples are objects with one entry, which says what they are


def _described(obj: Any, name: str, arrays: dict[str, np.ndarray]) -> Any:
    """`obj` with the names of tensors in their place; the tensors go into `arrays`."""
    if isinstance(obj, Tensor):
        key = name or "tensor"
        while key in arrays or key == STRUCTURE:
            key += "'"
        arrays[key] = np.ascontiguousarray(obj._array).reshape(obj.shape)
        return {"tensor": key}
    if isinstance(obj, Mapping):
        return {"dict": [[_key(k, name), _described(v, f"{name}.{k}".lstrip("."), arrays)] for k, v in obj.items()]}
    if isinstance(obj, (list, tuple)):
        items = [_described(value, f"{name}.{i}".lstrip("."), arrays) for i, value in enumerate(obj)]
        return items if isinstance(obj, list) else {"tuple": items}
    if type(obj) in PLAIN:
        return obj
    hint = "; save its state_dict()" if hasattr(obj, "state_dict") else ""
    where = f" at {name!r}" if name else ""
    raise TypeError(
        f"save: cannot write a {type(obj).__name__}{where}: only tensors, numbers, strings, None, and dicts, lists and "
        f"tuples of them{hint}"
    )


def _key(key: Any, name: str) -> Any:
    if type(key) not in PLAIN:
        raise TypeError(f"save: the keys of a dict must be strings or numbers, got {key!r} at {name!r}")
    return key


def _restored(described: Any, tensors: dict[str, Tensor]) -> Any:
    if isinstance(described, list):
        return [_restored(item, tensors) for item in described]
    if not isinstance(described, dict):
        return described
    ((kind, value),) = described.items()
    if kind == "tensor":
        return tensors[value]
    if kind == "tuple":
        return tuple(_restored(item, tensors) for item in value)
    if kind == "dict":
        return {key: _restored(item, tensors) for key, item in value}
    raise ValueError(f"unknown kind {kind!r}")


# -- .npz


def _write_npz(file: IO[bytes], arrays: dict[str, np.ndarray], structure: str | None) -> None:
    entries = arrays if structure is None else {**arrays, STRUCTURE: np.array(structure)}
    with zipfile.ZipFile(file, "w", allowZip64=True) as archive:
        for name, array in entries.items():
            with archive.open(name + ".npy", "w", force_zip64=True) as entry:
                np.lib.format.write_array(entry, array, allow_pickle=False)


def _read_npz(file: IO[bytes], name: str) -> tuple[dict[str, np.ndarray], str | None]:
    if not zipfile.is_zipfile(file):  # of anything else NumPy says that it is a pickle
        raise ValueError(f"{name} is not an .npz file: it is no zip archive")
    file.seek(0)
    try:
        with np.load(file, allow_pickle=False) as archive:
            entries = {entry: archive[entry] for entry in archive.files}
    except (ValueError, TypeError, EOFError, zipfile.BadZipFile) as error:
        if "allow_pickle" in str(error):
            raise pickles.refusal(name, FROM_PYTORCH) from error
        raise ValueError(f"{name} is not an .npz file: {error}") from error
    structure = entries.pop(STRUCTURE, None)
    for entry, array in entries.items():
        if not isinstance(array, np.ndarray):
            raise ValueError(f"{name}: '{entry}' is no array")
        if array.dtype not in NAMES:
            raise ValueError(f"{name}: '{entry}' has dtype {array.dtype}, which no tensor has")
    return entries, None if structure is None else str(structure)


# -- .safetensors: eight bytes with the length of the header, the header, and the bytes of the tensors


def _write_safetensors(file: IO[bytes], arrays: dict[str, np.ndarray], structure: str | None) -> None:
    header: dict[str, Any] = {} if structure is None else {"__metadata__": {STRUCTURE: structure}}
    end = 0
    for name, array in arrays.items():
        if name == "__metadata__":
            raise ValueError("save: a .safetensors file cannot have a tensor named '__metadata__'")
        begin, end = end, end + array.nbytes
        header[name] = {"dtype": NAMES[array.dtype], "shape": list(array.shape), "data_offsets": [begin, end]}
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write(struct.pack("<Q", len(text)) + text)
    for array in arrays.values():
        file.write(array.astype(array.dtype.newbyteorder("<"), copy=False).tobytes())


def _read_safetensors(file: IO[bytes], name: str) -> tuple[dict[str, np.ndarray], str | None]:
    size = file.seek(0, os.SEEK_END)
    file.seek(0)
    (length,) = struct.unpack("<Q", file.read(8)) if size >= 8 else (size,)
    if length > size - 8:
        raise ValueError(
            f"{name} is not a .safetensors file, nor a zip archive of arrays: its header would be longer than the file"
        )
    try:
        header = json.loads(file.read(length))
        metadata = header.pop("__metadata__", {})
        _check_spans([entry["data_offsets"] for entry in header.values()], size - 8 - length)
        arrays = {key: _read_array(file, entry, 8 + length) for key, entry in header.items()}
        return arrays, metadata.get(STRUCTURE)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"{name} is not a sound .safetensors file: {error}") from error


def _check_spans(spans: list, size: int) -> None:
    """Raise ValueError unless each tensor begins where another ends, so that a small file cannot ask for much."""
    position = 0
    for begin, end in sorted(spans):
        if begin != position:
            raise ValueError(f"its tensors overlap or leave a gap: one begins at byte {begin}, not at {position}")
        position = end
    if position != size:
        raise ValueError(f"its tensors end at byte {position} of {size}")


def _read_array(file, entry: dict, start: int) -> np.ndarray:
    """One tensor, copied out of the file."""
    wide = entry["dtype"] == "BF16"
    if not wide and entry["dtype"] not in DTYPES:
        raise ValueError(f"a tensor has dtype {entry['dtype']}; there are {', '.join([*DTYPES, 'BF16'])}")
    dtype = np.dtype(np.uint16 if wide else DTYPES[entry["dtype"]])
    shape, (begin, end) = entry["shape"], entry["data_offsets"]
    if end - begin != math.prod(shape) * dtype.itemsize:
        raise ValueError(f"a tensor of shape {shape} does not fit between {begin} and {end}")
    file.seek(start + begin)
    array = np.frombuffer(bytearray(file.read(end - begin)), dtype.newbyteorder("<")).astype(dtype, copy=False)
    if wide:
        array = (array.astype(np.uint32) << 16).view(np.float32)
    return array.reshape(shape)
