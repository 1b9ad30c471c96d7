"""A message of the error gallery: what it looks like, how its programs run, and how it is found again in a text."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from textwrap import dedent, fill

import numpy as np


@dataclass(frozen=True)
class Entry:
    """A message that a reader may meet, and what to do about it.

    Parameters:
        key: a short name, unique in the gallery.
        error: the name of the exception or warning.
        says: its words; a message belongs here if it holds one of these phrases. The case does not matter.
        cause: what happened.
        program: the smallest program that raises it, for an engine `T`.
        mend: the same program with the smallest change that makes it right.
        unless: when the message does not come although one might expect it.
        silent: a program that shows this: nothing is raised.
        chapter: the chapter that explains it, as its file is called; None where the book says no more about it.
    """

    key: str
    error: str
    says: tuple[str, ...]
    cause: str
    program: str
    mend: str
    unless: str
    silent: str
    chapter: str | None = None

    def __post_init__(self):
        for name in ("program", "mend", "silent"):
            object.__setattr__(self, name, dedent(getattr(self, name)).strip())

    def match(self, message: str) -> int:
        """How much of a message belongs to this entry: the length of the longest of its phrases there, or 0."""
        return max((len(words) for words in self.says if _plain(words) in _plain(message)), default=0)

    def __str__(self) -> str:
        parts = [
            fill(f'{self.key}: {self.error}, "{self.says[0]}"', 80),
            fill(self.cause, 80),
            f"The smallest program that raises it (T is torch or autograd_core):\n\n{_indented(self.program)}",
            f"Mended:\n\n{_indented(self.mend)}",
            f"{fill('When it is not raised: ' + self.unless, 80)}\n\n{_indented(self.silent)}",
        ]
        if self.chapter is not None:
            parts.append(f"Chapter {self.chapter[:2]} explains it: book/{self.chapter}.md")
        return "\n\n".join(parts)


class Section(list[Entry]):
    """The entries of one subject, in the order in which they are shown."""

    def add(self, key: str, error: str, *says: str, **facts: str) -> None:
        """Append the `Entry` of a message with these words; `facts` are its other fields."""
        self.append(Entry(key, error, says, **facts))


def run(program: str, T) -> tuple[str, str] | None:
    """Run a program with an engine: the name and the message of what it raised or warned of first; None if nothing."""
    with warnings.catch_warnings(record=True) as caught, np.errstate(all="ignore"), _every_warning(T):
        warnings.simplefilter("always")
        warnings.simplefilter("ignore", DeprecationWarning)
        try:
            exec(compile(program, "<gallery>", "exec"), {"T": T, "__name__": "gallery"})
        except Exception as error:
            return type(error).__name__.removeprefix("_"), str(error)  # PyTorch's LinAlgError is _LinAlgError
    return next(((w.category.__name__, str(w.message)) for w in caught), None)


@contextmanager
def _every_warning(T) -> Iterator[None]:
    """PyTorch gives some warnings once in a process, unless it is told otherwise."""
    tell = getattr(T, "set_warn_always", None)
    before = tell is not None and T.is_warn_always_enabled()
    if tell is not None:
        tell(True)
    try:
        yield
    finally:
        if tell is not None:
            tell(before)


def messages_in(text: str) -> list[str]:
    """The exceptions and warnings in a traceback, the last one first; the whole text if there is none.

    >>> messages_in("Traceback (most recent call last):\\n  ...\\nValueError: no such thing\\n")
    ['ValueError: no such thing']
    """
    text = COLORS.sub("", text)
    starts = [head.start() for head in HEAD.finditer(text)]
    messages = [text[start:end].split("\nTraceback (most")[0] for start, end in zip(starts, [*starts[1:], len(text)])]
    return [message.strip() for message in reversed(messages)] or [text.strip()]


def recognize(text: str, entries: Sequence[Entry]) -> Entry | None:
    """The entry of the last message in a traceback that one of them knows: the one with the longest phrase in it."""
    for message in messages_in(text):
        best = max(entries, key=lambda entry: entry.match(message))
        if best.match(message):
            return best
    return None


COLORS = re.compile(r"\x1b\[[0-9;]*m")
HEAD = re.compile(r"^(?:.*?:\d+: )?[\w.]*(?:Error|Warning|Exception)\b:", re.MULTILINE)


def _plain(text: str) -> str:
    return " ".join(text.split()).lower()


def _indented(program: str) -> str:
    return "\n".join(f"    {line}".rstrip() for line in program.splitlines())
