"""Programs for PyTorch that run on this package: what they import, and that they run as under Python itself."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_core import as_torch

HERE = "where = 'here'\n"


def python(*arguments, folder):
    """Run Python in a folder: its exit code, output and errors."""
    here = {**os.environ, "PYTHONPATH": str(Path(ac.__file__).parents[1])}
    run = subprocess.run([sys.executable, *arguments], capture_output=True, text=True, cwd=folder, env=here)
    return run.returncode, run.stdout, run.stderr


def output(program: str, folder) -> list[str]:
    """The lines that a program prints with this package as PyTorch."""
    (folder / "program.py").write_text(program)
    code, out, errors = python("-m", "autograd_core.as_torch", "program.py", folder=folder)
    assert not code, errors
    return out.splitlines()


# Where PyTorch defines what programs import, and where the name is public here.
DEEP = {
    "torch.amp.autocast_mode": "amp.autocast",
    "torch.amp.grad_scaler": "amp.GradScaler",
    "torch.autograd.anomaly_mode": "autograd.detect_anomaly",
    "torch.autograd.profiler": "profiler.record_function",
    "torch.profiler": "profiler.ProfilerActivity",
    "torch.distributions.multinomial": "distributions.Multinomial",
    "torch.distributions.mixture_same_family": "distributions.MixtureSameFamily",
    "torch.nn.attention": "nn.attention.sdpa_kernel",
    "torch.nn.parallel.data_parallel": "nn.DataParallel",
    "torch.nn.parallel.distributed": "nn.parallel.DistributedDataParallel",
    "torch.optim.sparse_adam": "optim.SparseAdam",
    "torch.random": "random.fork_rng",
    "torch.storage": "UntypedStorage",
    "torch.utils._pytree": "utils._pytree.tree_map",
    "torch.utils.data.distributed": "utils.data.DistributedSampler",
    "torch.utils.hooks": "utils.hooks.RemovableHandle",
    "torch.utils.model_zoo": "utils.model_zoo.load_url",
    "torch.hub": "hub.load_state_dict_from_url",
    "torch.multiprocessing": "multiprocessing.Process",
}


def test_names_are_found_in_the_modules_that_define_them(tmp_path):
    lines = ["import autograd_core as ac"]
    for module, name in DEEP.items():
        assert hasattr(importlib.import_module(module), name.rpartition(".")[2]), f"PyTorch has no {module} of {name}"
        lines += [f"from {module} import {name.rpartition('.')[2]} as it", f"assert it is ac.{name}, {name!r}"]
    assert output("\n".join([*lines, "print(1)"]), tmp_path) == ["1"]


def test_every_way_to_import_finds_the_name_of_this_package(tmp_path):
    program = """
import torch, torch.nn as nn, torch.nn.functional as F, torch.utils.data as data
import torch.autograd.gradcheck
from torch import Tensor, nn as nn_again, optim
from torch.autograd.function import Function
from torch.autograd.gradcheck import gradgradcheck
from torch.nn.modules.conv import Conv2d
from torch.nn.parameter import Parameter
from torch.optim.lr_scheduler import StepLR
from torch.optim.optimizer import Optimizer, required
from torch.nn.parallel import DistributedDataParallel
from torch.nn.parallel.data_parallel import DataParallel
from torch.distributions.normal import Normal
from torch.cuda.amp import GradScaler
from torch.utils.checkpoint import checkpoint
from torch.utils.data.dataset import Dataset
import autograd_core as ac, sys

pairs = [
    (Tensor, ac.Tensor), (F.relu, ac.nn.functional.relu), (Conv2d, ac.nn.Conv2d), (Function, ac.autograd.Function),
    (Parameter, ac.nn.Parameter), (StepLR, ac.optim.lr_scheduler.StepLR), (Optimizer, ac.optim.Optimizer),
    (Dataset, ac.utils.data.Dataset), (checkpoint, ac.utils.checkpoint.checkpoint), (torch.no_grad, ac.no_grad),
    (torch.nn.modules.linear.Linear, ac.nn.Linear), (torch.autograd.gradcheck, ac.autograd.gradcheck.gradcheck),
    (Normal, ac.distributions.Normal), (DataParallel, ac.nn.DataParallel), (required, ac.optim.optimizer.required),
    (gradgradcheck, ac.autograd.gradgradcheck), (torch.linalg.norm, ac.linalg.norm), (torch.pi, ac.pi),
]
assert all(theirs is ours for theirs, ours in pairs), pairs
assert nn is nn_again is torch.nn and optim is torch.optim and data is torch.utils.data
assert not [name for name in sys.modules if name.startswith("torch._C")]
print(dir(torch) == dir(ac), torch.__version__)
"""
    program = program.replace("ac.autograd.gradcheck.gradcheck", "ac.autograd.gradcheck")
    assert output(program, tmp_path) == ["True 2.13.0+autograd_core"]


MISSING = {
    "torch.stft": ("AttributeError", "autograd_core has no stft: PyTorch has it"),
    "torch.sinus": ("AttributeError", "autograd_core has no sinus, and neither has PyTorch"),
    "torch.optim.adam.adam": (
        "AttributeError",
        "autograd_core has no adam: what it has of torch.optim.adam is in autograd_core.optim",
    ),
    "torch.nn._reduction": ("AttributeError", "autograd_core has no nn._reduction, a name that is nobody's promise"),
    "torch.ops": ("AttributeError", "autograd_core.ops is a module of this package's own"),
    "import torch.fx": ("ModuleNotFoundError", "cannot import torch.fx: autograd_core has no fx: PyTorch has it"),
    "import torch.nn.intrinsic.qat": ("ModuleNotFoundError", "cannot import torch.nn.intrinsic: autograd_core has no"),
    "from torch import stft": (
        "ModuleNotFoundError",
        "cannot import torch.stft: autograd_core has no stft: PyTorch has it",
    ),
    "from torch.optim.adam import adam": (
        "ModuleNotFoundError",
        "autograd_core has no adam: what it has of torch.optim.adam is in autograd_core.optim",
    ),
    "import torch.relu": ("ModuleNotFoundError", "cannot import torch.relu: relu is no module"),
    "from torch.utils.benchmark import Timer": (
        "ModuleNotFoundError",
        "no utils.benchmark: PyTorch has it",
    ),
}


def test_a_missing_name_says_what_it_is_where_it_is_asked_for(tmp_path):
    program = f"""
import torch
for statement in {list(MISSING)!r}:
    try:
        exec(statement)
    except Exception as error:
        print(f"{{type(error).__name__}}: {{error}}")
"""
    lines = output(program, tmp_path)
    assert len(lines) == len(MISSING)
    for line, (kind, words) in zip(lines, MISSING.values()):
        assert line.startswith(f"{kind}: ") and words in line


def test_a_name_that_is_set_is_set_for_the_package(tmp_path):
    program = """
import torch, torch.nn.functional as F, autograd_core as ac
F.relu = abs
torch.helper = 3
print(ac.nn.functional.relu(-2), ac.helper)
"""
    assert output(program, tmp_path) == ["2 3"]


def test_explanations_take_the_tensors_for_this_package_s(tmp_path):
    program = """
import torch, autograd_core as ac
with ac.explain.watch():
    w = torch.tensor(2.0, requires_grad=True)
    (w.detach() * torch.ones(1, requires_grad=True)).backward()
    print(ac.explain.why_none(w).kinds)
"""
    assert output(program, tmp_path) == ["('detached',)"]


LOOK = """
import sys, os
{torch}
import beside
print(sys.argv, __name__, __file__, __package__, __spec__ and __spec__.name, os.getcwd(), sys.path[0], beside.where)
print(type(__loader__).__name__, sorted(globals()), sys.modules["__main__"].__dict__ is globals())
def inner():
    {end}
inner()
"""
ENDS = {
    "an error": "1 / 0",
    "an error with a cause": "try: 1 / 0\n    except ZeroDivisionError as e: raise ValueError('other') from e",
    "an exit code": "sys.exit(7)",
    "an exit with a message": "sys.exit('enough')",
    "no error": "print(2, file=sys.stderr)",
    "an own hook": "sys.excepthook = lambda *e: print(e[0], e[2].tb_frame.f_code.co_name); raise KeyError",
}


@pytest.mark.parametrize("end", ENDS.values(), ids=ENDS)
def test_a_script_runs_as_under_python(end, tmp_path):
    folder = tmp_path / "scripts"
    folder.mkdir()
    (folder / "beside.py").write_text(HERE)
    (folder / "program.py").write_text(LOOK.format(torch="", end=end))
    arguments = ["scripts/program.py", "-m", "--epochs", "3"]
    assert python("-m", "autograd_core.as_torch", *arguments, folder=tmp_path) == python(*arguments, folder=tmp_path)


def test_a_module_runs_as_under_python(tmp_path):
    package = tmp_path / "package"
    package.mkdir()
    (package / "__init__.py").write_text("")
    (package / "beside.py").write_text(HERE)
    for name in ("train", "__main__"):
        (package / f"{name}.py").write_text(
            "from .beside import where\nimport sys\nprint(sys.argv, sys.path[0], where, "
            "__name__, __file__, __package__, __spec__.name)\nsys.exit(3)"
        )
    for name in ("package.train", "package"):
        ours = python("-m", "autograd_core.as_torch", "-m", name, "--x", folder=tmp_path)
        assert ours == python("-m", name, "--x", folder=tmp_path)


def test_what_cannot_be_run_ends_as_in_python(tmp_path):
    (tmp_path / "wrong.py").write_text("import torch\nx = = 3\n")
    for arguments in (["wrong.py"], ["absent.py"]):
        assert python("-m", "autograd_core.as_torch", *arguments, folder=tmp_path) == python(
            *arguments, folder=tmp_path
        )
    code, _, errors = python("-m", "autograd_core.as_torch", "-m", "absent", folder=tmp_path)
    assert code == 1 and errors.endswith("No module named absent\n")
    code, _, errors = python("-m", "autograd_core.as_torch", folder=tmp_path)
    assert code == 1 and errors.startswith("usage: python -m autograd_core.as_torch")


def test_it_does_not_take_the_place_of_an_imported_pytorch():
    with pytest.raises(RuntimeError, match="PyTorch has been imported already"):
        as_torch.install()
    assert as_torch.lenders_of("torch.nn.modules.conv")[-1] is ac.nn
