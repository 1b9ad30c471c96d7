"""Watching a program: what its tensors tell the engine's observers goes into a log."""

from __future__ import annotations

from contextlib import suppress

from ..core.modes import ModeSwitch, current_mode
from ..reading.lines import pytorch
from .log import PASSES, Log, current_log, open_log


class watch(ModeSwitch):
    """Watch a program, this package's tensors and PyTorch's, so that the questions asked inside are answered by fact.

    It knows what happens inside the block only: where that does not settle a question, the answer lists what is
    possible. Watching costs time: each op is noted with its line, and each backward is run once more by hand to see
    where zeros come from. PyTorch is watched if it has been imported before.

    >>> import autograd_core as ac
    >>> with ac.explain.watch():
    ...     w = ac.tensor(2.0, requires_grad=True)
    ...     h = w.detach()
    ...     b = ac.tensor(1.0, requires_grad=True)
    ...     (h * b).backward()
    ...     ac.explain.why_none(w).kinds
    ('detached',)
    """

    def __init__(self):
        super().__init__()
        self._outside: list = []

    def _changes(self, outside):
        return {"observers": (*outside.observers, self._observe)}

    def _observe(self, what: str, inputs, outputs) -> None:
        log = current_log()
        if log is None:
            return
        mode = current_mode()
        with suppress(Exception):  # a program runs as it does unwatched, whatever a look at its tensors may raise
            if what in PASSES:
                roots, seeds = inputs
                log.begin(what, roots, seeds, outputs)
            elif what == "ended":
                log.end(inputs)
            else:
                log.note(what, inputs, outputs, recording=mode.grad, inference=mode.inference)

    def __enter__(self) -> None:
        log = Log()
        torch_mode = None
        if pytorch() is not None:
            from .torch_watching import TorchWatch

            torch_mode = TorchWatch(log)
            torch_mode.__enter__()
        self._outside.append((open_log.get(), torch_mode))
        open_log.set(log)
        super().__enter__()

    def __exit__(self, *exception) -> None:
        super().__exit__(*exception)
        before, torch_mode = self._outside.pop()
        open_log.set(before)
        if torch_mode is not None:
            torch_mode.__exit__(*exception)
