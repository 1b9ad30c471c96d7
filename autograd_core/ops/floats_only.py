"""What a function says that PyTorch has for floating tensors only."""

from __future__ import annotations

from typing import Any, NoReturn


def check_floats(name: str, x) -> None:
    """Raise NotImplementedError unless an array or a tensor is floating."""
    kind = getattr(x, "_array", x).dtype
    if kind.kind != "f":
        refuse_type(name, kind)


def refuse_type(name: str, kind: Any) -> NoReturn:
    """Raise NotImplementedError."""
    raise NotImplementedError(f'"{name}" not implemented for {kind.name}; convert it with .float()')
