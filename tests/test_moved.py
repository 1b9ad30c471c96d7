"""Old names of modules still lead to what they held, and say where that is now."""

import importlib
import subprocess
import sys
import warnings
from textwrap import dedent

import pytest

import autograd_core as ac
from autograd_core.moved import MOVED, MOVED_NAMES, new_places

OLD = ac.__name__  # apart, so that who renames modules everywhere does not rename them here


@pytest.fixture(autouse=True)
def forgotten():
    """No old name has been imported yet."""
    forget()
    yield
    forget()


def forget():
    for name in list(sys.modules):
        if new_places(name) is not None:
            del sys.modules[name]
    for name in MOVED.keys() & vars(ac).keys():
        delattr(ac, name)


@pytest.fixture
def told():
    """What a reader is told, each once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        yield lambda: {str(warning.message) for warning in caught if warning.category is FutureWarning}


@pytest.mark.parametrize("old", [old for old in MOVED if not old.endswith("__main__")])
def test_an_old_name_gives_what_was_there(old, told):
    module = importlib.import_module(f"autograd_core.{old}")
    where = " and ".join(MOVED[old])
    assert f"autograd_core.{old} is {where} now; the old name goes with the next release" in told()
    for place in MOVED[old]:
        names = [name for name in vars(importlib.import_module(place)) if name[:2] != "__"]
        assert set(names) <= vars(module).keys()


def test_what_stands_below_an_old_name_moved_with_it(told):
    picture = importlib.import_module(f"{OLD}.viz.picture").picture
    assert any(text.startswith(f"{OLD}.viz.picture is autograd_book.look.picture now") for text in told())
    assert picture is importlib.import_module("autograd_book.look.picture").picture


def test_the_imports_of_a_notebook_of_last_year():
    imports = f"""
        from {OLD}.classroom import check, hand_in, listing
        from {OLD}.classroom.limits import Limits
        from {OLD}.primitive import elementwise, registry
        from {OLD}.tensor import Version
        from {OLD}.testing import compare, contrast, raises, warns
    """
    names: dict = {}
    with pytest.warns(FutureWarning):
        exec(dedent(imports), names)
    assert all(callable(value) for name, value in names.items() if name[:2] != "__" and name != "registry")
    assert "mul" in names["registry"]


def test_the_function_tensor_is_not_replaced_by_the_module_that_had_its_name():
    importlib.import_module(f"{OLD}.tensor")
    assert ac.tensor(1.0).item() == 1.0


@pytest.mark.parametrize("name", MOVED_NAMES)
def test_an_old_name_in_a_module_that_stayed(name):
    module, _, own = name.rpartition(".")
    with pytest.warns(FutureWarning, match=f"{name} is {MOVED_NAMES[name]}.{own} now"):
        assert getattr(importlib.import_module(module), own) is getattr(importlib.import_module(MOVED_NAMES[name]), own)


def test_as_an_attribute_of_the_package():
    with pytest.warns(FutureWarning, match=r"autograd_core\.viz is autograd_book\.look now"):
        assert callable(ac.viz.microscope)


@pytest.mark.parametrize("old", ["explain", "classroom"])
def test_a_command_under_its_old_name(old):
    done = subprocess.run([sys.executable, "-m", f"autograd_core.{old}", "--help"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "usage: python -m autograd_" in done.stdout and "the old name goes with the next release" in done.stderr


def test_a_name_that_never_was_is_not_found():
    with pytest.raises(ModuleNotFoundError, match=r"autograd_core\.vizz"):
        importlib.import_module("autograd_core.vizz")
    assert new_places("autograd_core.ops") is None and new_places("numpy.viz") is None
