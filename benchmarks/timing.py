"""The clock: minima of rounds that take turns, with Python's garbage collector on, as users have it.

A slow moment of the machine hits all that take part, and the fastest round of each has the fewest of them in it.
Programs on many numbers get processes of their own: how often the C library gives memory back, and so how many pages
each run has to ask for anew, depends on what else the process has in its heap.
"""

from __future__ import annotations

import gc
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from timeit import Timer, timeit

BATCH_SECONDS = 0.02
FEWEST_ROUNDS = 3
LONG = 5.0
PROCESSES = 2


def fastest(programs: Mapping[str, Callable], once: Mapping[str, float], seconds: float) -> dict[str, float]:
    """The fastest round of each program, in seconds a run. What took more than LONG when it ran once runs no more."""
    # timeit switches the collector off, and its setup on again
    timers = {name: Timer(run, gc.enable) for name, run in programs.items()}
    best = {name: time if time > LONG else min(timers[name].timeit(1) for _ in range(3)) for name, time in once.items()}
    batches = {name: max(1, int(BATCH_SECONDS / time)) for name, time in best.items() if once[name] <= LONG}
    each = sum(best[name] * batch for name, batch in batches.items())
    for _ in range(max(FEWEST_ROUNDS, int(seconds / each)) if batches else 0):
        for name, batch in batches.items():
            best[name] = min(best[name], timers[name].timeit(batch) / batch)
    return best


def fastest_alone(title: str, modules: Mapping[str, str], seconds: float) -> dict[str, float]:
    """The same of a row of the table with each library in processes of its own, which take turns."""
    best = dict.fromkeys(modules, float("inf"))
    for _ in range(PROCESSES):
        for name, module in modules.items():
            command = [sys.executable, __file__, title, module, str(seconds / len(modules) / PROCESSES)]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            best[name] = min(best[name], float(output.split()[-1]))
    return best


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    import one_thread  # noqa: F401
    from table import TABLE, library

    _, title, module, seconds = sys.argv
    program = TABLE[title].make(library(module))
    print(fastest({title: program}, {title: timeit(program, number=1)}, float(seconds))[title])
