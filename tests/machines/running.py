"""Running a state machine: how many programs, from which seed, and what they did.

`make test` runs the same programs every time. `PROGRAMS=20000` in the environment (`make fuzz`) runs that many new
ones, and `SEED=...` repeats a run. A program that fails is printed with no step in it that it can do without.
"""

import os
import random
import sys
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

    def both_engines_agree(self) -> None:
        """Compare what can be compared between two steps; a machine that does so makes this its invariant."""


def run(machine: type[Machine], steps: int) -> None:
    """Run a machine on random programs of up to `steps` steps, and print what happened."""
    seed = int(os.environ.get("SEED", random.randrange(2**32) if "PROGRAMS" in os.environ else 0))
    print(f"SEED={seed}")
    machine.happened = Counter()
    try:
        run_state_machine_as_test(
            hypothesis.seed(seed)(machine),
            settings=settings(
                max_examples=PROGRAMS,
                stateful_step_count=steps,
                phases=[Phase.reuse, Phase.generate, Phase.shrink],
                suppress_health_check=list(HealthCheck),
                deadline=None,
                report_multiple_bugs=False,
            ),
        )
    except AssertionError as error:
        program = without_idle_steps(machine, steps_of(error))
        error.__notes__ = ["The program:", *program]
        raise
    print(f"{machine.__name__}: " + ", ".join(f"{count} {what}" for what, count in machine.happened.most_common()))
    assert machine.happened["programs"] >= PROGRAMS


def steps_of(error: AssertionError) -> list[str]:
    """The steps of the program that failed, one a line, from what Hypothesis says of it."""
    lines = "\n".join(error.__notes__).splitlines()
    return [
        line for line in lines if "state." in line and not line.endswith(("state.both_engines_agree()", ".teardown()"))
    ]


def without_idle_steps(machine: type[Machine], program: list[str]) -> list[str]:
    """The program without the steps, and pairs of steps, that it fails without too.

    Hypothesis stops early where programs are slow, and leaves what no other step needs.
    """
    shorter = program
    while shorter:
        program, n = shorter, len(shorter)
        pairs = [{i, j} for i in reversed(range(n)) for j in reversed(range(i + 1))]  # {i, i} is one step
        candidates = ([step for k, step in enumerate(program) if k not in pair] for pair in pairs)
        shorter = next((rest for rest in candidates if fails(machine, rest)), [])
    return program


def fails(machine: type[Machine], program: list[str]) -> bool:
    """Whether the two engines disagree in a program. One that lacks a step that another builds on does not count."""
    state = machine()
    scope = {**vars(sys.modules[machine.__module__]), "state": state}
    try:
        for step in program:
            exec(step, scope)
            if not state.over:
                state.both_engines_agree()
    except AssertionError:
        return True
    except Exception:
        return False
    finally:
        state.teardown()
    return False
