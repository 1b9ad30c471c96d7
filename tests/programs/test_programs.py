"""Whole programs written for PyTorch: with PyTorch and on this package, unchanged, they print the same record.

A program makes its numbers by NumPy, trains for some steps, and prints one line of JSON: what it recorded by name, and
its dtype, whose precision decides how nearly the two must agree.
"""

import contextlib
import io
import json
import os
import runpy
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import torch

import autograd_core

FOLDER = Path(__file__).parent
PROGRAMS = sorted(path.stem for path in FOLDER.glob("*.py") if not path.stem.startswith("test_"))
PRECISION = {"float64": 1e-9, "float32": 1e-4}


def with_torch(path: Path) -> dict:
    """The record of a program in this process."""
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out):
            runpy.run_path(str(path), run_name="__main__")
    finally:
        torch.set_default_dtype(torch.float32)
        torch.set_grad_enabled(True)
    return json.loads(out.getvalue().splitlines()[-1])


def as_torch(path: Path, folder: Path) -> dict:
    """The record of a program that takes this package for PyTorch."""
    command = [sys.executable, "-W", "error", "-m", "autograd_core.as_torch", str(path)]
    here = {**os.environ, "PYTHONPATH": str(Path(autograd_core.__file__).parents[1])}
    run = subprocess.run(command, capture_output=True, text=True, cwd=folder, env=here)
    assert not run.returncode, run.stderr
    return json.loads(run.stdout.splitlines()[-1])


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_program_records_the_same_as_with_torch(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    # Where PyTorch's own test utilities were imported, its switches are frozen for the process.
    monkeypatch.setitem(torch.backends.flags_frozen.__globals__, "__allow_nonbracketed_mutation_flag", True)
    ours, theirs = as_torch(FOLDER / f"{name}.py", tmp_path), with_torch(FOLDER / f"{name}.py")
    kinds = [record.pop("dtype").rpartition(".")[2] for record in (ours, theirs)]
    assert ours.keys() == theirs.keys() and kinds[0] == kinds[1]
    for key, wanted in theirs.items():
        scale = float(np.abs(wanted).max())
        assert scale > 0, f"{key} is all zero, which shows nothing"
        precision = PRECISION[kinds[0]]
        np.testing.assert_allclose(ours[key], wanted, precision, precision * scale, err_msg=f"{name}: {key}")
