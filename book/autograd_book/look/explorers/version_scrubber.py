"""`version_scrubber()`: move the moment of an in-place write, and see whether backward notices it."""

from html import escape
from types import ModuleType
from typing import Any, NamedTuple

from ...compare import engines
from ...wording import translate as _
from ..captions import number
from ..program import run
from .scene_explorer import SceneExplorer

READERS = ("h.square()", "h.exp()", "h + 1")
WRITES = ("h.add_(1)", "h.data.add_(1)")
MADE, READ, BACKWARD = 1, 2, 4  # the lines that make h, read it and need what the reader saved
HIGH, LOW, AXIS = 44, 96, 112  # pixels from the top: version 1, version 0, the axis
CODE, LINE = 158, 19  # pixels: the first line of the program, and from line to line


def program(reader: str) -> list[str]:
    """The lines of the program, without the write.

    >>> program("h.exp()")[READ]
    'side = h.exp()'
    """
    return ["w = tensor(2.0, requires_grad=True)", "h = w.square()", f"side = {reader}", "L = side + h", "L.backward()"]


def with_write(reader: str, write: str, stop: int) -> list[str]:
    """The lines with the write `stop` lines below the one that makes h."""
    lines = program(reader)
    return [*lines[: MADE + 1 + stop], write, *lines[MADE + 1 + stop :]]


class Outcome(NamedTuple):
    """A run: the version of h when it was read and when backward came, the error if there was one, else w.grad."""

    read: int
    now: int
    error: str | None
    gradient: float | None


def outcome(T: ModuleType, reader: str, write: str, stop: int) -> Outcome:
    """Run the program in an engine, with the write in its place.

    >>> outcome(engines.load("autograd_core"), "h.exp()", "h.add_(1)", 1)[:3]
    (0, 1, None)
    """
    lines = with_write(reader, write, stop)
    read, now = (_until(T, lines, program(reader)[k])["h"]._version for k in (READ, BACKWARD))
    names: dict[str, Any] = {"tensor": T.tensor}
    error = run("\n".join(lines), names)
    return Outcome(read, now, *((str(error), None) if error else (None, names["w"].grad.item())))


def _until(T: ModuleType, lines: list[str], line: str) -> dict[str, Any]:
    """The names when a line is about to run."""
    names: dict[str, Any] = {"tensor": T.tensor}
    run("\n".join(lines[: lines.index(line)]), names)
    return names


class VersionScrubber(SceneExplorer):
    """w = 2 and h = w², a line that reads h, and a line that writes over h, anywhere between the lines.

    The right gradient, beside which the one that came out is judged, is that of the same program with a reader that
    has a clone of h to itself.
    """

    sheets = (*SceneExplorer.sheets, "explorers/version_scrubber.css")
    width, height = 340, CODE + 5 * LINE + 8
    left, right = 66, 318
    finer = 1

    def __init__(self):
        choices = {_("the line that reads"): READERS, _("the line that writes"): WRITES}
        super().__init__(choices, _("moment of the write"), range(4), 1)
        self.note = _("Solid: the version of h. Dashed: the version that the reader saved, until backward needs it.")
        self.engine = engines.load("autograd_core")

    def saves(self, reader: str) -> bool:
        """Whether the reader saved h itself.

        >>> [VersionScrubber().saves(reader) for reader in READERS]
        [True, False, False]
        """
        names = _until(self.engine, program(reader), program(reader)[BACKWARD])
        return any(cell is names["h"]._cell for _value, cell, *_rest in names["side"].grad_fn.saved)

    def right_gradient(self, reader: str, write: str, stop: float) -> float:
        """w.grad where the write cannot reach what the reader saved.

        >>> VersionScrubber().right_gradient("h.square()", "h.add_(1)", 2)
        36.0
        """
        gradient = outcome(self.engine, reader.replace("h", "h.clone()", 1), write, int(stop)).gradient
        assert gradient is not None
        return gradient

    def stop_name(self, stop: float) -> str:
        return _("after {line}").format(line=program("…")[MADE + int(stop)])

    def sentence(self, reader: str, write: str, stop: float) -> str:
        """What was saved, at which version h is when backward comes, and what backward does."""
        found, right = outcome(self.engine, reader, write, int(stop)), self.right_gradient(reader, write, stop)
        if not self.saves(reader):
            saved = _("{reader} does not save h. When backward comes, h is at version {now}.")
        elif found.read == found.now:
            saved = _("{reader} saved h at version {read}. When backward comes, h is still at version {now}.")
        else:
            saved = _("{reader} saved h at version {read}. When backward comes, h is at version {now}.")
        if found.error:
            comes = _("Backward raises: {error}")
        elif found.gradient == right:
            comes = _("Backward runs, and w.grad = {gradient} is right.")
        else:
            comes = _("Backward runs without an error, and w.grad = {gradient} is wrong: it should be {right}.")
        return " ".join([_("{write} {moment}:"), saved, comes]).format(
            write=write,
            moment=self.stop_name(stop),
            reader=reader,
            read=found.read,
            now=found.now,
            error=found.error,
            gradient=number(found.gradient),
            right=number(right),
        )

    def examples(self) -> list[tuple]:
        """The reader that saves h, with either write at every moment."""
        return [(READERS[0], write, stop) for write in WRITES for stop in self.stops]

    def scene(self, reader: str, write: str) -> str:
        """The two levels, and the events along the axis."""
        events = "".join(
            f'<path d="M{self._event(k)},{AXIS} v5"/>'
            f'<text x="{self._event(k)}" y="{AXIS + 20}" text-anchor="middle">{escape(name)}</text>'
            for k, name in ((MADE, "h"), (READ, "side"), (MADE + 2, "L"), (BACKWARD, "backward"))
        )
        levels = f'<text x="0" y="{HIGH + 4}">1</text><text x="0" y="{LOW + 4}">0</text>'
        title = f'<text x="0" y="12">{escape(_("version of h"))}</text>'
        return f'<g class="ac-axes"><path d="M14,{AXIS} H{self.width}"/>{levels}{title}{events}</g>'

    def marks(self, reader: str, write: str, stop: float) -> str:
        """How the version moves, what the reader saved of it, and the program with the write in its place."""
        found, at = outcome(self.engine, reader, write, int(stop)), self.across(stop)
        counts = write == "h.add_(1)"
        path = f"M{self._event(MADE)},{LOW} H{at:.0f} {f'V{HIGH} ' if counts else ''}H{self.width}"
        height = HIGH if found.read else LOW
        saved = ""
        if self.saves(reader):
            end = self._event(BACKWARD)
            verdict = f"{found.read} = {found.now}" if found.read == found.now else f"{found.read} ≠ {found.now}"
            saved = (
                f'<g class="ac-kept"><path d="M{self._event(READ)},{height - 5} H{end}"/>'
                f'<circle cx="{self._event(READ)}" cy="{height - 5}" r="4"/>'
                f'<text x="{end}" y="{(HIGH + LOW) / 2 + 4}" text-anchor="middle">{verdict}</text></g>'
            )
        lines = "".join(
            f'<text x="14" y="{CODE + k * LINE}"{" class=ac-written" if line == write else ""}>{escape(line)}</text>'
            for k, line in enumerate(with_write(reader, write, int(stop)))
        )
        pointer = CODE + (MADE + 1 + int(stop)) * LINE
        return (
            f'<g class="ac-write"><path d="M{at:.0f},36 V{AXIS}"/>'
            f'<text x="{at:.0f}" y="31" text-anchor="middle">{escape(_("write"))}</text></g>'
            f'<g class="ac-count"><path d="{path}"/></g>{saved}'
            f'<g class="ac-program">{lines}<text x="0" y="{pointer}">▸</text></g>'
        )

    def _event(self, line: int) -> float:
        """Where a line of the program is on the axis: halfway between the moments before and after it."""
        return self.across(line - MADE - 0.5)


def version_scrubber() -> VersionScrubber:
    """The explorer of an in-place write to a value that another line has read.

    >>> from autograd_book.look import version_scrubber
    >>> version_scrubber().sentence("h.square()", "h.data.add_(1)", 1)
    'h.data.add_(1) after side = …: h.square() saved h at version 0. When backward comes, h is still at version 0.
    Backward runs without an error, and w.grad = 44 is wrong: it should be 36.'
    """
    return VersionScrubber()
