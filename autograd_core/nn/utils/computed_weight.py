"""Weights that a hook computes before each call of a module: what the deprecated normalizations share."""

from __future__ import annotations

from typing import Any, TypeVar

from ..module import Module

Hook = TypeVar("Hook", bound="ComputedWeight")


class ComputedWeight:
    """A hook that sets the attribute `name` of a module before each call."""

    name: str

    @classmethod
    def of(cls: type[Hook], module: Module, name: str) -> list[tuple[int, Hook]]:
        """The hooks of this class that a module has for the weight `name`, with their numbers: one, or none."""
        found: list[tuple[int, Any]] = list(module._forward_pre_hooks.items())
        return [(number, hook) for number, hook in found if isinstance(hook, cls) and hook.name == name]
