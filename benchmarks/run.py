"""Time autograd_core beside its rivals, or beside itself as it was: `make bench`.

    python benchmarks/run.py                            all, and write results.json, from which the book draws
    python benchmarks/run.py --only softmax             the rows with that in their titles
    python benchmarks/run.py --against HEAD~3 --only f  two states of the package in turn

Ratios are the time of the other over ours, or of the state before over the present: above 1, we are faster. Every
library has one thread. All that take part compute the same numbers, which is checked before the clock starts.
"""

from __future__ import annotations

import one_thread  # noqa: F401  isort: skip

import argparse
import json
import os
import platform
import sys
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter

import memory
import numpy as np
from before import NAME, put
from table import MANY, TABLE, library
from timing import fastest, fastest_alone

TINY = 1e-300  # the derivative of a long chain has none of its digits left
RESULTS = Path(__file__).parent / "results.json"
OURS = "autograd_core"


def check(programs: Mapping[str, Callable]) -> dict[str, float]:
    """The seconds that each takes to run once. Raises unless all agree with NumPy by hand, or the other library."""
    results, once = {}, {}
    for name, run in programs.items():
        start = perf_counter()
        results[name] = run()
        once[name] = perf_counter() - start
    judge = next((name for name in ("NumPy by hand", "torch", NAME) if name in programs), None)
    if judge is None:
        return once
    results = {name: _array(result) for name, result in results.items()}
    atol = max(1e-5 * np.abs(results[judge]).max(), TINY)
    for name, result in results.items():
        np.testing.assert_allclose(result, results[judge], rtol=1e-3, atol=atol, err_msg=name)
    return once


def _array(result) -> np.ndarray:
    return result.detach().numpy() if hasattr(result, "detach") else np.asarray(result)


def machine() -> dict:
    """What the figures depend on."""
    import torch

    blas = np.show_config(mode="dicts")["Build Dependencies"]["blas"]
    packages = ("numpy", "torch", "jax", "autograd", "mygrad")
    return {
        "processor": _processor(),
        "system": platform.system(),
        "python": sys.version.split()[0],
        "versions": {name: version(name) for name in packages},
        "matrix products": {
            "NumPy": f"{blas['name']} {blas['version']}, kernels {_kernels()}",
            "torch": f"{_blas_of_torch(torch)}, kernels {torch.backends.cpu.get_cpu_capability()}",
        },
    }


def _blas_of_torch(torch) -> str:
    return "MKL" if torch.backends.mkl.is_available() else "a BLAS that is not MKL"


def _processor() -> str:
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def _kernels() -> str:
    """The kind of processor for which NumPy's BLAS took its kernels."""
    from threadpoolctl import threadpool_info

    found = [pool.get("architecture") for pool in threadpool_info() if "numpy" in pool["filepath"]]
    return found[0] if found and found[0] else "unknown"


def measure_table(modules: Mapping[str, str], only: str, seconds: float) -> dict[str, dict[str, float]]:
    """Time the rows that have `only` in their title with the libraries `modules`, the last of them being the other."""
    table = {}
    libraries = {name: library(module) for name, module in modules.items()}
    other = [*modules][-1]
    for title, row in TABLE.items():
        if only not in title:
            continue
        programs = {name: row.make(found) for name, found in libraries.items()}
        once = check(programs)
        alone = row.elements >= MANY
        table[title] = best = fastest_alone(title, modules, seconds) if alone else fastest(programs, once, seconds)
        times = "".join(f"{time * 1e6:12.1f}" for time in best.values())
        print(f"{title:40s}{times}{best[other] / best[OURS]:8.2f}", flush=True)
    return table


def measure_rivals(programs: Mapping, only: str, seconds: float) -> dict:
    """Time programs that bring their rivals, and print all of them."""
    table = {}
    for title, make in programs.items():
        if only not in str(title):
            continue
        rivals = make()
        best = table[title] = fastest(rivals, check(rivals), seconds)
        print(title)
        for name, time in best.items():
            print(f"  {name:30s} {time * 1e6:12.2f}  ({time / best[OURS]:.2f})", flush=True)
    return table


def compare_with(revision: str, only: str, seconds: float) -> None:
    """Print the ratios of the state at a revision over the present one."""
    with TemporaryDirectory() as folder:
        put(revision, Path(folder))
        sys.path.insert(0, folder)
        os.environ["PYTHONPATH"] = f"{folder}:{os.environ.get('PYTHONPATH', '')}"
        print(f"microseconds a run now and at {revision}, and the latter over the former\n")
        measure_table({OURS: OURS, NAME: NAME}, only, seconds)


def record(only: str, seconds: float) -> None:
    """Time everything, and write it down if nothing was left out."""
    from rivals import CURVES, PROGRAMS

    print("microseconds a run: autograd_core, torch, and the latter over the former\n")
    results = {
        "machine": machine(),
        "date": datetime.now(UTC).date().isoformat(),
        "table": measure_table({OURS: OURS, "torch": "torch"}, only, seconds),
        "seconds": measure_rivals(PROGRAMS, only, seconds * 4),
    }
    if only:
        return
    results["curves"] = {title: measure_rivals(programs, "", seconds * 2) for title, programs in CURVES.items()}
    results["memory"] = {memory.TITLE: memory.measure()}
    RESULTS.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n")
    print(f"\nwritten to {RESULTS.relative_to(Path(__file__).parents[1])}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows with TEXT in their title; nothing is written")
    parser.add_argument("--against", metavar="REV", help="compare with the package at this revision")
    parser.add_argument("--seconds", type=float, default=3.0, help="for a row of the table")
    given = parser.parse_args()
    if given.against:
        compare_with(given.against, given.only, given.seconds)
    else:
        record(given.only, given.seconds)


if __name__ == "__main__":
    main()
