"""The log of a program: what happened to its tensors, so that later one cause and its line can be named.

It notes which op made which from which, what was detached, cleared or switched off, and what each backward pass
reached. It holds numbers and lines, never a tensor: nothing lives longer for being watched.
"""

from __future__ import annotations

import weakref
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..reading import grad_of, is_accumulator, reach, reader_of, tensors_in
from ..reading.lines import line_at, user_source
from .sweep import Zeros, zeros_of

PASSES = ("backward", "grad")
NUMBERS = ("item", "tolist", "numpy", "float", "int")


class Mark(NamedTuple):
    """What a tensor was like at an event."""

    requires_grad: bool
    floating: bool
    leaf: bool


class Event(NamedTuple):
    """Something that happened: an op or another act, the tensors it took and gave (by number), and where."""

    what: str
    source: Any
    recording: bool
    inference: bool
    inputs: dict[int, Mark]
    outputs: dict[int, Mark]

    @property
    def line(self) -> str | None:
        """The user's line."""
        return line_at(self.source)

    def cuts(self, tracked: set[int]) -> bool:
        """Whether one of the `tracked` tensors went in and nothing came out that leads back to it."""
        if self.what == "detach_":  # afterwards it no longer shows that it had a history
            return not tracked.isdisjoint(self.inputs)
        went_in = any(m.requires_grad for n, m in self.inputs.items() if n in tracked and n not in self.outputs)
        return went_in and not any(m.requires_grad and not m.leaf for m in self.outputs.values())


class Reached(NamedTuple):
    """A leaf that a pass will reach: the op it feeds, a weak reference to it, and what of the user's may act on it.

    `hooked` says that hooks run once its gradient is stored, `custom` that the op is a custom Function; `version` is
    how often the leaf had been written to.
    """

    op: str
    leaf: weakref.ref
    hooked: bool
    custom: bool
    version: int


@dataclass
class Pass:
    """A reverse pass: when it began and from where, the leaves it reached, and in which of them it stored.

    `end` is when it came to its end; None if it raised or still runs.
    """

    what: str
    source: Any
    time: int
    roots: tuple[int, ...]
    wanted: tuple[int, ...]
    reached: dict[int, Reached]
    zeros: dict[int, Zeros]
    stored: set[int] = field(default_factory=set)
    end: int | None = None

    @property
    def line(self) -> str | None:
        """The user's line."""
        return line_at(self.source)

    @property
    def ended(self) -> bool:
        """Whether it ran to its end."""
        return self.end is not None


class Log:
    """The events and passes seen so far, and the numbers by which they speak of tensors."""

    def __init__(self):
        self.events: list[Event] = []
        self.passes: list[Pass] = []
        self._numbers: dict[int, tuple] = {}
        self._count = 0

    def number(self, tensor) -> int:
        """The number of a tensor; a new one if it was not seen before."""
        known = self._numbers.get(id(tensor))
        if known is None or known[0]() is not tensor:
            self._count += 1
            known = self._numbers[id(tensor)] = weakref.ref(tensor), self._count
        return known[1]

    def note(self, what: str, inputs, outputs, *, recording: bool, inference: bool) -> None:
        """Add an event."""
        marks = [
            {
                self.number(t): Mark(t.requires_grad, t.is_floating_point(), reader_of(t).is_leaf(t))
                for t in tensors_in(group)
            }
            for group in (inputs, outputs)
        ]
        self.events.append(Event(what, user_source(), recording, inference, *marks))

    def begin(self, what: str, roots, seeds, wanted) -> Pass:
        """Add a pass that is about to run."""
        roots = list(tensors_in(roots))
        reached: dict[int, Reached] = {}
        for node in reach(roots):
            if is_accumulator(node):
                self._note_leaf(node, None, reached)
            for above, _ in node.next_functions:
                if above is not None and is_accumulator(above):
                    self._note_leaf(above, node, reached)
        zeros: dict = {}
        if what == "backward":
            zeros = zeros_of(roots, list(tensors_in(seeds)), {n: leaf.leaf() for n, leaf in reached.items()})
        numbers = tuple(map(self.number, roots))
        wanted = tuple(map(self.number, tensors_in(wanted)))
        began = Pass(what, user_source(), len(self.events), numbers, wanted, reached, zeros)
        self.passes.append(began)
        return began

    def _note_leaf(self, node, fed, reached: dict) -> None:
        leaf = node.variable
        if leaf is not None:
            graph = reader_of(leaf)
            op, custom = ("nothing", False) if fed is None else (graph.op_name(fed), graph.is_custom(fed))
            hooked = graph.has_accumulate_hooks(leaf)
            reached.setdefault(self.number(leaf), Reached(op, weakref.ref(leaf), hooked, custom, leaf._version))

    def end(self, roots) -> None:
        """Note in which leaves the latest pass from these roots has stored."""
        numbers = tuple(map(self.number, tensors_in(roots)))
        began = next(p for p in reversed(self.passes) if p.roots == numbers and not p.ended)
        began.end = len(self.events)
        for number, reached in began.reached.items():
            leaf = reached.leaf()
            if leaf is not None and grad_of(leaf) is not None and began.what == "backward":
                began.stored.add(number)

    # -- reading

    def last(self, number: int, *names: str) -> tuple[int, Event] | None:
        """The latest event of one of these names that took a tensor, and its time."""
        for time in reversed(range(len(self.events))):
            event = self.events[time]
            if event.what in names and number in event.inputs:
                return time, event
        return None

    def maker(self, number: int, before: int | None = None) -> tuple[int, Event] | None:
        """The latest event that gave a tensor, before a time."""
        for time in reversed(range(len(self.events) if before is None else before)):
            if number in self.events[time].outputs:
                return time, self.events[time]
        return None

    def number_taken_at(self, time: int) -> Event | None:
        """The event just before a time, if it took a plain number of a tensor on the same line."""
        before = self.events[time - 1] if time else None
        return before if before and before.what in NUMBERS and before.line == self.events[time].line else None

    def upstream(self, roots, before: int) -> Iterator[tuple[int, Event]]:
        """The events that the values of `roots` depend on, recorded or not, newest first."""
        wanted = set(roots)
        for time in reversed(range(before)):
            event = self.events[time]
            if not wanted.isdisjoint(event.outputs):
                wanted.update(event.inputs)
                yield time, event

    def starts_unseen(self, roots, before: int) -> bool:
        """Whether `roots` depend on a tensor without history that was made unseen, so that it may hide a cut."""
        marks: dict[int, Mark] = {}
        made: set[int] = set()
        for _, event in self.upstream(roots, before):
            if not all(m.leaf and m.requires_grad for m in event.outputs.values()):  # not the filling of a parameter
                marks.update(event.inputs)
            made.update(event.outputs)
        return any(m.floating and not m.requires_grad for number, m in marks.items() if number not in made)

    def downstream(self, number: int, before: int) -> Iterator[tuple[int, Event]]:
        """The events that a tensor has an influence on, oldest first."""
        touched = {number}
        for time, event in enumerate(self.events[:before]):
            if not touched.isdisjoint(event.inputs):
                touched.update(event.outputs)
                yield time, event


open_log: ContextVar[Log | None] = ContextVar("autograd_core.explain.log", default=None)
current_log = open_log.get
