"""What forward and backward of a deep network need at their peak, in either library: `make bench` prints it.

Two measures. "arrays" is what the library asks for: NumPy reports to tracemalloc, PyTorch to its profiler. "resident"
is by how much the memory of a process rose at the most, which Linux tells, with what the allocators made of it. Each
figure comes from a process of its own, after a run on a small batch that loads what is loaded only once.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
import tracemalloc
from collections.abc import Callable
from itertools import accumulate
from pathlib import Path

LAYERS, WIDTH, BATCH = 20, 512, 4096
TITLE = f"{LAYERS}-layer MLP, {WIDTH} wide, batch {BATCH}, float32"
STATUS = Path("/proc/self/status")


def resident(run: Callable) -> int:
    before = _status("VmRSS")
    Path("/proc/self/clear_refs").write_text("5")  # the peak starts anew
    run()
    return _status("VmHWM") - before


def _status(key: str) -> int:
    line = next(line for line in STATUS.read_text().splitlines() if line.startswith(key))
    return int(line.split()[1]) * 1024


def traced(run: Callable) -> int:
    tracemalloc.start()
    run()
    return tracemalloc.get_traced_memory()[1]


def profiled(run: Callable) -> int:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        run()
    events = profiler.profiler.kineto_results.events()
    return max(accumulate(event.nbytes() for event in events if event.name() == "[memory]"))


MEASURES = {
    "arrays": {"autograd_core": traced, "torch": profiled},
    "resident": {"autograd_core": resident, "torch": resident},
}


def peak(name: str, measure: Callable) -> int:
    """The peak in bytes of forward and backward in the library of that name."""
    library = importlib.import_module(name)
    if name == "torch":
        library.set_num_threads(1)
    nn = library.nn
    net = nn.Sequential(*[part for _ in range(LAYERS) for part in (nn.Linear(WIDTH, WIDTH), nn.ReLU())])
    net(library.ones(8, WIDTH)).sum().backward()
    net.zero_grad()
    x = library.ones(BATCH, WIDTH)
    return measure(lambda: net(x).sum().backward())


def measure() -> dict[str, dict[str, int]]:
    """The peaks of both libraries in bytes, by measure, printed in MiB; nothing resident where there is no /proc."""
    peaks: dict[str, dict[str, int]] = {}
    print(f"peak memory of forward and backward, {TITLE}; MiB, and in brackets: times more than autograd_core")
    for kind, names in MEASURES.items():
        if kind == "resident" and not STATUS.exists():
            print("resident: not measured, this system has no /proc")
            continue
        print(kind)
        peaks[kind] = {}
        for name in names:
            command = [sys.executable, __file__, kind, name]
            output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
            peaks[kind][name] = int(output.split()[-1])
            times = peaks[kind][name] / peaks[kind]["autograd_core"]
            print(f"  {name:14s} {peaks[kind][name] / 2**20:12.2f}  ({times:.2f})", flush=True)
    return peaks


if __name__ == "__main__":
    _, kind, name = sys.argv
    print(peak(name, MEASURES[kind][name]))
