"""Time autograd_core beside its rivals: `make bench`.

All rivals of a program run in turn within one process, round after round, so that a slow moment of the
machine hits all of them; the figure kept for each is its fastest round. The table shows ratios: the rival's
time over ours (above 1: we are faster).
"""

from __future__ import annotations

import json
import platform
import sys
from importlib.metadata import version
from pathlib import Path
from timeit import Timer

import numpy as np
from programs import PROGRAMS

ROUND_SECONDS = 0.05
PROGRAM_SECONDS = 12.0
FEWEST_ROUNDS = 3
RESULTS = Path(__file__).parent / "results.json"


def check(rivals: dict) -> None:
    """Raise unless all rivals compute the same numbers as NumPy by hand, where that takes part."""
    if "NumPy by hand" not in rivals:
        return
    results = {name: _array(run()) for name, run in rivals.items()}
    for name, result in results.items():
        np.testing.assert_allclose(result, results["NumPy by hand"], rtol=1e-3, atol=1e-6, err_msg=name)


def _array(result) -> np.ndarray:
    return result.detach().numpy() if hasattr(result, "detach") else np.asarray(result)


def time_rivals(rivals: dict) -> dict[str, float]:
    """The fastest round of each rival, in seconds a run."""
    timers = {name: Timer(run) for name, run in rivals.items()}
    repeats = {}
    for name, timer in timers.items():
        timer.timeit(1)
        once = timer.timeit(1)
        repeats[name] = max(1, int(ROUND_SECONDS / once))
    round_seconds = sum(max(ROUND_SECONDS, timers[name].timeit(1)) for name in timers)
    rounds = max(FEWEST_ROUNDS, int(PROGRAM_SECONDS / round_seconds))
    best = dict.fromkeys(timers, float("inf"))
    for _ in range(rounds):
        for name, timer in timers.items():
            best[name] = min(best[name], timer.timeit(repeats[name]) / repeats[name])
    return best


def machine() -> dict:
    """What the figures depend on."""
    packages = ("numpy", "torch", "jax", "autograd", "mygrad")
    return {
        "processor": platform.processor() or platform.machine(),
        "system": platform.system(),
        "python": sys.version.split()[0],
        "versions": {name: version(name) for name in packages},
    }


def main() -> None:
    table = {}
    print("microseconds a run (fastest round), and in brackets: times slower than autograd_core\n")
    for title, make in PROGRAMS.items():
        rivals = make()
        check(rivals)
        best = table[title] = time_rivals(rivals)
        ours = best["autograd_core"]
        print(title)
        for name, seconds in best.items():
            print(f"  {name:14s} {seconds * 1e6:12.2f}  ({seconds / ours:.2f})")
    RESULTS.write_text(json.dumps({"machine": machine(), "seconds": table}, indent=1) + "\n")
    print(f"\nwritten to {RESULTS.relative_to(Path(__file__).parents[1])}")


if __name__ == "__main__":
    main()
