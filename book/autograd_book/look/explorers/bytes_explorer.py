"""`bytes_explorer()`: the bytes that a graph holds, while forward fills it and backward empties it."""

from collections import Counter
from functools import partial
from html import escape
from types import ModuleType
from typing import Any, NamedTuple
from weakref import finalize

from ...compare import engines
from ...wording import translate as _
from ..program import run
from .scene_explorer import SceneExplorer

SIZE, DEEP, PARTS = 1000, 3, 3  # elements of x, sines of a part, parts
TOP, BOTTOM = 44, 176  # pixels from the top: the most bytes, none
CODE, LINE = 228, 19  # pixels from the top: the first line of the program, and from line to line

FORWARD = """\
def part(h):
    for _ in range({deep}):
        h = h.sin()
    return h

h = ones({size}, requires_grad=True)
for _ in range({parts}):
    h = {call}
L = h.sum()"""


class Moment(NamedTuple):
    """A node saved a value or read one that it had saved; the bytes that nodes held once that was done."""

    backward: bool
    reads: bool
    held: int


def program(retain: bool, again: bool) -> tuple[str, str]:
    """The forward and the backward, with or without `retain_graph`, and with or without checkpoints.

    >>> program(True, False)[1]
    'L.backward(retain_graph=True)'
    """
    call = "checkpoint(part, h)" if again else "part(h)"
    forward = FORWARD.format(deep=DEEP, size=SIZE, parts=PARTS, call=call)
    return forward, f"L.backward({'retain_graph=True' if retain else ''})"


def history(T: ModuleType, retain: bool, again: bool) -> list[Moment]:
    """What happened to saved values in a run of the program in an engine. Checkpoints are of the reentrant kind.

    >>> [moment.held for moment in history(engines.load("autograd_core"), False, False)][7:11]
    [32000, 36000, 32000, 28000]
    """
    ledger = _Ledger()
    names = {"ones": T.ones, "checkpoint": partial(T.utils.checkpoint.checkpoint, use_reentrant=True)}
    with T.autograd.graph.saved_tensors_hooks(ledger.pack, ledger.unpack):
        for ledger.backward, source in enumerate(program(retain, again)):
            if error := run(source, names):
                raise error
    return list(ledger.moments)


class _Parcel:
    """What a node keeps in place of a saved tensor; that it is gone tells that the node let go."""

    def __init__(self, tensor: Any):
        self.tensor = tensor


class _Ledger:
    """Counts the memory behind all parcels. Values that share memory count once."""

    def __init__(self):
        self.backward = 0
        self.moments: list[Moment] = []
        self.parcels: Counter[int] = Counter()
        self.sizes: dict[int, int] = {}

    def pack(self, tensor: Any) -> _Parcel:
        place, parcel = tensor.data_ptr(), _Parcel(tensor)
        self.sizes[place] = tensor.numel() * tensor.element_size()
        self.parcels[place] += 1
        finalize(parcel, self._drop, place)
        self._note(reads=False)
        return parcel

    def unpack(self, parcel: _Parcel) -> Any:
        self._note(reads=True)
        return parcel.tensor

    def _drop(self, place: int) -> None:
        self.parcels[place] -= 1
        self.moments[-1] = self.moments[-1]._replace(held=self._held())

    def _note(self, reads: bool) -> None:
        self.moments.append(Moment(bool(self.backward), reads, self._held()))

    def _held(self) -> int:
        return sum(self.sizes[place] for place, count in self.parcels.items() if count)


class BytesExplorer(SceneExplorer):
    """Three parts of three sines each, and the bytes of the values that nodes have saved, moment by moment."""

    sheets = (*SceneExplorer.sheets, "explorers/bytes_explorer.css")
    width, height = 340, CODE + 3 * LINE + 8
    left, right = 52, 326
    finer = 1

    def __init__(self):
        off, self.on = _("off"), _("on")
        T = engines.load("autograd_core")
        self.histories = {
            (retain, again): history(T, retain == self.on, again == self.on)
            for retain in (off, self.on)
            for again in (off, self.on)
        }
        self.most = max(moment.held for moments in self.histories.values() for moment in moments)
        longest = max(map(len, self.histories.values()))
        choices = {"retain_graph": (off, self.on), "checkpoint": (off, self.on)}
        start = PARTS * DEEP  # the end of the forward without checkpoints
        super().__init__(choices, _("moment"), range(longest + 1), start)
        self.note = _(
            "part(h) takes the sine of {size:,} numbers {deep} times. The node of a sine saves its input."
        ).format(size=SIZE, deep=DEEP)

    def held(self, retain: str, again: str, stop: float) -> int:
        """The bytes held after so many moments; after the last of a run nothing changes.

        >>> BytesExplorer().held("off", "on", 3), BytesExplorer().held("on", "off", 99)
        (12000, 36000)
        """
        moments = self.histories[retain, again][: int(stop)]
        return moments[-1].held if moments else 0

    def stop_name(self, stop: float) -> str:
        return _("moment {k}").format(k=int(stop))

    def sentence(self, retain: str, again: str, stop: float) -> str:
        """What happens, and the bytes held then."""
        now = self.held(retain, again, stop)
        most = max(moment.held for moment in self.histories[retain, again])
        held = _("With retain_graph {retain} and checkpoint {again} the graph holds {now:,} bytes, {most:,} at most.")
        said = f"{self._event(retain, again, int(stop))} {held}"
        return said.format(k=int(stop), retain=retain, again=again, now=now, most=most)

    def _event(self, retain: str, again: str, k: int) -> str:
        """What happens in the k-th moment of a run."""
        moments = self.histories[retain, again]
        if k == 0:
            return _("Nothing has run yet.")
        if k > len(moments):
            return _("Backward is over.")
        moment = moments[k - 1]
        gain = moment.held - self.held(retain, again, k - 1)
        if not moment.backward and again == self.on:
            return _("Forward, moment {k}: a checkpoint saves the input of a part.")
        if not moment.backward:
            return _("Forward, moment {k}: a sine saves its input.")
        if not moment.reads and gain:
            return _("Backward, moment {k}: the part runs again, and a sine saves its input.")
        if not moment.reads:
            return _("Backward, moment {k}: the part runs again, and saves what the checkpoint holds already.")
        if gain:
            return _("Backward, moment {k}: a sine reads what it saved, and lets go of it.")
        if again == self.on:
            return _("Backward, moment {k}: the input of a part is read, and held on to.")
        return _("Backward, moment {k}: a sine reads what it saved, and keeps it.")

    def examples(self) -> list[tuple]:
        """The end of the forward and the end of every run."""
        return [(*chosen, stop) for chosen in self.histories for stop in (self._forward(*chosen), self.stops[-1] + 1)]

    def scene(self, retain: str, again: str) -> str:
        """The axes, the steps, the most that was held, and the lines that the choices change."""
        moments = self.histories[retain, again]
        most, end = max(moment.held for moment in moments), self.across(len(moments))
        turn = self.across(self._forward(retain, again) + 0.5)
        steps = "".join(f"H{self.across(k + 1):.1f} V{self._up(moment.held):.1f} " for k, moment in enumerate(moments))
        ticks = "".join(
            f'<text x="{self.left - 8}" y="{self._up(held) + 4:.1f}" text-anchor="end">{held:,}</text>'
            for held in range(0, self.most + 1, self.most // 3)
        )
        forward, backward = program(retain == self.on, again == self.on)
        lines = "".join(
            f'<text x="0" y="{CODE + k * LINE}" xml:space="preserve">{escape(line)}</text>'
            for k, line in enumerate([*forward.splitlines()[-3:], backward])
        )
        return (
            f'<g class="ac-axes"><path d="M{self.left},{TOP - 8} V{BOTTOM} H{self.right}"/>{ticks}'
            f'<text x="0" y="16">{escape(_("bytes"))}</text>'
            f'<path d="M{turn:.1f},{TOP - 24} V{BOTTOM}"/>'
            f'<text x="{turn - 6:.1f}" y="{TOP - 14}" text-anchor="end">{escape(_("forward"))}</text>'
            f'<text x="{turn + 6:.1f}" y="{TOP - 14}">{escape(_("backward"))}</text>'
            f'<path d="M{end:.1f},{BOTTOM} v5"/>'
            f'<text x="{end:.1f}" y="{BOTTOM + 20}" text-anchor="middle">{len(moments)}</text></g>'
            f'<g class="ac-most"><path d="M{self.left},{self._up(most):.1f} H{self.right}"/></g>'
            f'<g class="ac-held"><path d="M{self.left},{BOTTOM} {steps}H{self.right}"/></g>'
            f'<g class="ac-program">{lines}</g>'
        )

    def marks(self, retain: str, again: str, stop: float) -> str:
        """A line at the moment, and the bytes held then."""
        x, y = self.across(stop), self._up(self.held(retain, again, stop))
        line = f'<path d="M{x:.1f},{TOP - 8} V{BOTTOM}"/>'
        return f'<g class="ac-moment">{line}<circle cx="{x:.1f}" cy="{y:.1f}" r="6"/></g>'

    def _forward(self, retain: str, again: str) -> int:
        """The moments of the forward."""
        return sum(not moment.backward for moment in self.histories[retain, again])

    def _up(self, held: float) -> float:
        return BOTTOM - held / self.most * (BOTTOM - TOP)


def bytes_explorer() -> BytesExplorer:
    """The explorer of what a graph holds in memory.

    >>> from autograd_book.look import bytes_explorer
    >>> bytes_explorer().sentence("off", "off", 10)
    'Backward, moment 10: a sine reads what it saved, and lets go of it. With retain_graph off and checkpoint off the
    graph holds 32,000 bytes, 36,000 at most.'
    """
    return BytesExplorer()
