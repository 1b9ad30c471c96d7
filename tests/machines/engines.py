"""Random programs whose every step runs in PyTorch and here."""

import torch
from hypothesis.stateful import precondition, rule

import autograd_core as ac
from tests.machines.running import Machine

ENGINES = (torch, ac)


def going_on(self) -> bool:
    """Whether a program has not yet ended with an error; the precondition of a rule."""
    return not self.over


class TwoEngines(Machine):
    """A machine that runs its steps in both engines and ends where both raise."""

    def step(self, action, *pairs):
        """Run one step on both engines; its two results, or None after both have raised."""
        self.note("steps")
        results, errors = [], []
        for T, *operands in zip(ENGINES, *pairs):
            try:
                results.append(action(T, *operands))
                errors.append(None)
            except Exception as error:
                errors.append(error)
        theirs, ours = errors
        assert type(ours) is type(theirs), f"torch: {theirs or 'fine'}\nautograd_core: {ours or 'fine'}"
        if theirs is not None:
            self.over = True
            self.note("raises")
            return None
        return results

    @rule()
    @precondition(lambda self: self.over)
    def rest(self):
        """The program has ended with an error."""
