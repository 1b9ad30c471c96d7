"""Time autograd_core beside its rivals: `make bench`.

All rivals of a program run in turn within one process, round after round, so that a slow moment of the
machine hits all of them; the figure kept for each is its fastest round. The table shows ratios: the rival's
time over ours (above 1: we are faster). A run of more than LONG seconds is made once.

`results.json` keeps the figures with the machine and the date; the book draws its plots from it.
"""

from __future__ import annotations

import json
import platform
import sys
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from timeit import Timer

import memory
import numpy as np
from layers import LAYERS
from programs import CURVES, PROGRAMS
from training import TRAINING

ROUND_SECONDS = 0.05
PROGRAM_SECONDS = 12.0
FEWEST_ROUNDS = 3
LONG = 5.0
TINY = 1e-300  # the derivative of a long chain has none of its digits left
RESULTS = Path(__file__).parent / "results.json"


def check(rivals: dict) -> None:
    """Raise unless all rivals compute the same numbers as NumPy by hand, or else as PyTorch, where that takes part."""
    judge = next((name for name in ("NumPy by hand", "torch") if name in rivals), None)
    if judge is None:
        return
    results = {name: _array(run()) for name, run in rivals.items()}
    size = np.abs(results[judge]).max()
    for name, result in results.items():
        np.testing.assert_allclose(result, results[judge], rtol=1e-3, atol=max(1e-5 * size, TINY), err_msg=name)


def _array(result) -> np.ndarray:
    return result.detach().numpy() if hasattr(result, "detach") else np.asarray(result)


def time_rivals(rivals: dict) -> dict[str, float]:
    """The fastest round of each rival, in seconds a run."""
    timers = {name: Timer(run) for name, run in rivals.items()}
    repeats, long = {}, {}
    for name, timer in timers.items():
        if (once := timer.timeit(1)) > LONG:
            long[name] = once
            continue
        repeats[name] = max(1, int(ROUND_SECONDS / timer.timeit(1)))
    timers = {name: timer for name, timer in timers.items() if name not in long}
    round_seconds = sum(max(ROUND_SECONDS, timers[name].timeit(1)) for name in timers)
    rounds = max(FEWEST_ROUNDS, int(PROGRAM_SECONDS / round_seconds))
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(rounds):
        for name, timer in timers.items():
            best[name] = min(best[name], timer.timeit(repeats[name]) / repeats[name])
    return {name: long.get(name) or best[name] for name in rivals}


def machine() -> dict:
    """What the figures depend on."""
    packages = ("numpy", "torch", "jax", "autograd", "mygrad")
    return {
        "processor": platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": sys.version.split()[0],
        "versions": {name: version(name) for name in packages},
    }


def measure(programs: dict) -> dict:
    """Time the rivals of each program and print the table."""
    table = {}
    for title, make in programs.items():
        rivals = make()
        check(rivals)
        best = table[title] = time_rivals(rivals)
        print(title)
        for name, seconds in best.items():
            print(f"  {name:14s} {seconds * 1e6:12.2f}  ({seconds / best['autograd_core']:.2f})", flush=True)
    return table


def main() -> None:
    print("microseconds a run (fastest round), and in brackets: times slower than autograd_core\n")
    results = {
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
        "seconds": measure(PROGRAMS),
        "layers": measure(LAYERS),
        "training": measure(TRAINING),
        "curves": {title: measure(programs) for title, programs in CURVES.items()},
    }
    results["memory"] = {memory.TITLE: memory.measure()}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    print(f"\nwritten to {RESULTS.relative_to(Path(__file__).parents[1])}")


if __name__ == "__main__":
    main()
