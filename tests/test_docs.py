"""Every public name explains itself: documentation, a real signature, and an example that runs."""

import doctest
import importlib.metadata
import inspect
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from operator import attrgetter
from pathlib import Path

import pytest
import torch

import autograd_core as ac
from autograd_core import ops
from autograd_core.core.primitive import registry

ROOT = Path(ac.__file__).parent.parent
PUBLIC = {name: getattr(family, name) for family in ops.FAMILIES for name in family.__all__}


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_an_op_is_documented_with_an_example_that_runs(name):
    op = PUBLIC[name]
    assert op.__doc__ and ">>>" in op.__doc__
    test = doctest.DocTestParser().get_doctest(op.__doc__, {}, name, None, None)
    report = []
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    assert runner.run(test, out=report.append).failed == 0, "".join(report)


@pytest.mark.parametrize("name", sorted(PUBLIC))
def test_an_op_shows_its_real_parameters(name):
    parameters = inspect.signature(PUBLIC[name]).parameters.values()
    assert not any(p.name in ("args", "params", "kwargs") for p in parameters)


def test_what_an_op_saves_can_be_read():
    assert "gradient for x: rule(g, y), saves y" in registry["mul"].explain()
    assert "Saves for backward: input, other" in ac.mul.__doc__


def tool(name):
    spec = spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_names_that_are_missing_are_listed():
    """In a process of its own: what PyTorch shows depends on which of its modules have been imported."""
    code = 'import runpy; print(runpy.run_path("tools/make_torch_names.py")["text"](), end="")'
    fresh = subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True).stdout
    assert (ROOT / "autograd_core" / "_torch_names.py").read_text() == fresh, "run python tools/make_torch_names.py"


def test_the_stubs_are_in_step_with_the_table():
    for file, text in tool("make_stubs").STUBS.items():
        assert (ROOT / "autograd_core" / file).read_text() == text(), (
            f"{file} is out of step: run python tools/make_stubs.py"
        )


def test_importing_the_package_needs_numpy_alone():
    code = (
        "import sys, autograd_core; "
        "heavy = {'scipy', 'torch', 'jax', 'matplotlib', 'ipywidgets', 'IPython', 'pandas'} & set(sys.modules); "
        "assert not heavy, heavy"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


@pytest.mark.parametrize(
    ("owner", "name", "known", "path"),
    [
        (ac, "fft", "fft", "ac"),
        (ac.nn, "SyncBatchNorm", "nn.SyncBatchNorm", "ac.nn"),
        (ac.nn.functional, "grouped_mm", "nn.functional.grouped_mm", "ac.nn.functional"),
        (ac.nn.utils, "stateless", "nn.utils.stateless", "ac.nn.utils"),
        (ac.distributions, "VonMises", "distributions.VonMises", "ac.distributions"),
        (ac.autograd, "profiler", "autograd.profiler", "ac.autograd"),
        (ac.linalg, "eigvals", "linalg.eigvals", "ac.linalg"),
        (ac.testing, "make_tensor", "testing.make_tensor", "ac.testing"),
        (ac.ones(1), "to_sparse", "Tensor.to_sparse", "ac.Tensor"),
    ],
)
def test_a_torch_name_that_is_missing_says_so(owner, name, known, path):
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    assert str(caught.value).startswith(f"autograd_core has no {known}: PyTorch has it")
    assert str(caught.value).endswith(f"dir({path}) lists what there is")
    assert caught.value.name == name and caught.value.obj is owner  # what Python's own suggestion is made from
    assert not hasattr(owner, name)


OWN_OPS = {name for family in ops.FAMILIES for name in getattr(family, "OWN", ())}
NAMESPACES = {
    "": torch,
    "nn": torch.nn,
    "nn.functional": torch.nn.functional,
    "nn.init": torch.nn.init,
    "optim": torch.optim,
    "autograd": torch.autograd,
    "linalg": torch.linalg,
    "masked": torch.masked,
    "nn.utils": torch.nn.utils,
    "special": torch.special,
    "distributions": torch.distributions,
    "distributions.constraints": torch.distributions.constraints,
    "distributions.transforms": torch.distributions.transforms,
    "optim.lr_scheduler": torch.optim.lr_scheduler,
    "optim.swa_utils": torch.optim.swa_utils,
}
OWN = {
    "": {"eager", "explain", *OWN_OPS},
    "autograd": {"GradcheckError"},  # PyTorch's is in autograd.gradcheck, which is a module there
}


def test_a_name_that_pytorch_has_not_either_says_so():
    with pytest.raises(AttributeError, match=r"autograd_core has no sinus, and neither has PyTorch 2\.13\.0"):
        ac.sinus  # noqa: B018


@pytest.mark.parametrize("path", NAMESPACES)
def test_a_namespace_shows_names_of_torch_only(path):
    namespace = attrgetter(path)(ac) if path else ac
    shown = set(dir(namespace))
    assert {name for name in shown if not hasattr(NAMESPACES[path], name)} == OWN.get(path, set()), (
        "PyTorch lacks these names: a family lists its own in OWN"
    )
    assert all(getattr(namespace, name) is not None for name in shown)
    assert not shown & {"annotations", "math", "sys", "types", "facade"}


def test_the_version_is_that_of_the_installed_package(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", lambda package: f"1.2.3 of {package}")
    assert ac.__version__ == "1.2.3 of autograd-core"


def test_without_an_installed_package_there_is_no_version_to_tell(monkeypatch):
    monkeypatch.setattr(importlib.metadata, "version", raises_not_found)
    assert ac.__version__ == "unknown"


def raises_not_found(package):
    raise importlib.metadata.PackageNotFoundError(package)


def test_shapes_are_described_by_the_number_of_inputs():
    assert "Any shape; the result has the same." in ac.sin.__doc__ and "broadcast" not in ac.sin.__doc__
    assert "Any shapes that broadcast together" in ac.mul.__doc__


def test_nan_comes_in_silence_and_other_warnings_of_numpy_stay():
    code = (
        "import warnings; import numpy as np, autograd_core as ac; "
        "x = ac.tensor([-1.0, 0.0], requires_grad=True); (x.log() + x / 0).sum().backward(); "
        "np.log(np.array(-1.0))"
    )
    run = subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, capture_output=True, text=True)
    assert run.stderr.count("RuntimeWarning") == 1 and "<string>" in run.stderr
