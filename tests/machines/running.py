"""Running a state machine: how many programs, from which seed, and what they did.

`make test` runs the same programs every time. `PROGRAMS=20000` in the environment (`make fuzz`) runs that many new
ones, and `SEED=...` repeats a run.
"""

import os
import random
from collections import Counter

import hypothesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import RuleBasedStateMachine, run_state_machine_as_test

PROGRAMS = int(os.environ.get("PROGRAMS", 500))


class Machine(RuleBasedStateMachine):
    """A machine that counts what its programs do, and whose program is `over` once a step has raised."""

    happened: Counter

    def __init__(self):
        super().__init__()
        self.over = False
        self.happened["programs"] += 1

    def note(self, what: str) -> None:
        """Count an event for the summary that ends the test."""
        self.happened[what] += 1


def run(machine: type[Machine], steps: int) -> None:
    """Run a machine on random programs of up to `steps` steps, and print what happened."""
    seed = int(os.environ.get("SEED", random.randrange(2**32) if "PROGRAMS" in os.environ else 0))
    print(f"SEED={seed}")
    machine.happened = Counter()
    run_state_machine_as_test(
        hypothesis.seed(seed)(machine),
        settings=settings(
            max_examples=PROGRAMS,
            stateful_step_count=steps,
            phases=[Phase.reuse, Phase.generate, Phase.shrink],
            suppress_health_check=list(HealthCheck),
            deadline=None,
            print_blob=True,
        ),
    )
    print(f"{machine.__name__}: " + ", ".join(f"{count} {what}" for what, count in machine.happened.most_common()))
    assert machine.happened["programs"] >= PROGRAMS
