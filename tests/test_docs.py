"""Every public name explains itself: documentation, a real signature, and an example that runs."""

import doctest
import inspect
import subprocess
import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_core import ops
from autograd_core.primitive import registry

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


def test_the_stubs_are_in_step_with_the_table():
    spec = spec_from_file_location("make_stubs", ROOT / "tools" / "make_stubs.py")
    make_stubs = module_from_spec(spec)
    spec.loader.exec_module(make_stubs)
    for file, text in make_stubs.STUBS.items():
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


def test_a_torch_name_that_is_missing_says_so():
    with pytest.raises(AttributeError, match="fft"):
        ac.fft  # noqa: B018
