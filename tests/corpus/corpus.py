"""A corpus of behaviors that people ask about, each a function of the engine: `case(T)` returns plain values.

A value is compared with the one PyTorch gave, kept in `expected.json`; `python -m tests.corpus.corpus` asks it anew.

Plain values are numbers, strings, booleans, None, and lists and dicts of them; NaN and infinities are strings. An
exception is "raises:<type>:<the key phrase found in its message>".
"""

import importlib
import json
import math
import sys
import warnings
from pathlib import Path

import numpy as np

EXPECTED = Path(__file__).with_name("expected.json")

TWICE = "backward through the graph a second time"
WRITTEN = "modified by an inplace operation"
LEAF_WRITTEN = "leaf variable that requires grad is being used in an in-place operation"
LEAF_VIEW_WRITTEN = "view of a leaf variable that requires grad is being used in an in-place operation"
NO_GRAD = "does not require grad"
UNUSED = "appears to not have been used in the graph"

CASES = {}  # name -> function, in the order of the files; a name says what the case is about


def case(parity):
    """Register a case.

    `parity` says how far an engine with PyTorch's interface must agree: "must"; "should", where a documented deviation
    would be defensible; or "info", a peculiarity that is shown but binds nobody.
    """

    def register(function):
        name = function.__name__.removeprefix("case_")
        if name in CASES:
            raise ValueError(f"two cases are called {name}: in {CASES[name].__module__} and {function.__module__}")
        function.parity = parity
        CASES[name] = function
        return function

    return register


def load() -> dict:
    """All cases."""
    for path in sorted(Path(__file__).parent.glob("cases_*.py")):
        importlib.import_module(f"tests.corpus.{path.stem}")
    return CASES


def run(function, T):
    """The plain value of a case, whatever it warns of and whatever mode it leaves behind."""
    T.set_grad_enabled(True)
    try:
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            return snapshot(function(T))
    finally:
        T.set_grad_enabled(True)


# -- what the cases use


def snapshot(value):
    """A copy of a value as a plain one."""
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, float):
        return float(f"{value:.10g}") + 0.0 if math.isfinite(value) else str(value)
    if isinstance(value, dict):
        return {str(key): snapshot(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [snapshot(item) for item in value]
    return snapshot(value.tolist()) if hasattr(value, "tolist") else str(value)


def outcome(function, *phrases) -> str:
    """What calling a function comes to: "ok", or how it raised, with the first of the phrases its message contains."""
    try:
        function()
    except Exception as error:
        message = " ".join(str(error).split()).lower()
        found = next((phrase for phrase in phrases if phrase.lower() in message), "?")
        return f"raises:{type(error).__name__}:{found}"
    return "ok"


def warns(function, phrase) -> bool:
    """Whether calling a function warns in words that contain the phrase."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        function()
    return any(phrase.lower() in str(warning.message).lower() for warning in caught)


def dtype_name(tensor) -> str:
    """The name of a dtype without its module."""
    return str(tensor.dtype).split(".")[-1]


# -- comparing


def differences(got, expected, path="result") -> list[str]:
    """Where two plain values differ, a line each."""
    if isinstance(got, dict) and isinstance(expected, dict):
        keys = [*expected, *(key for key in got if key not in expected)]
        found = [
            differences(got.get(key, "missing"), expected.get(key, "unexpected"), f"{path}[{key!r}]") for key in keys
        ]
        return [line for lines in found for line in lines]
    return [] if same(got, expected) else [f"{path}: got {got!r}, expected {expected!r}"]


def same(a, b) -> bool:
    """Whether two plain values are equal, numbers but for rounding."""
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b))
    numbers = all(isinstance(v, (int, float)) and not isinstance(v, bool) for v in (a, b))
    return abs(a - b) <= 1e-9 + 1e-6 * abs(b) if numbers else type(a) is type(b) and a == b


def main() -> None:
    import torch

    torch.set_warn_always(True)
    results = {name: run(function, torch) for name, function in load().items()}
    lines = (f"{json.dumps(name)}: {json.dumps(result)}" for name, result in sorted(results.items()))
    EXPECTED.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")
    print(f"{len(results)} results of PyTorch {torch.__version__} written", file=sys.stderr)


if __name__ == "__main__":
    # `python -m` runs this file a second time, under another name: the cases register with the first
    importlib.import_module("tests.corpus.corpus").main()
