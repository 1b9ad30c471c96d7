"""Packages that import a module when one of its names is first asked for."""

import subprocess
import sys

import pytest

import autograd_core as ac

PACKAGES = [ac.nn, ac.nn.functional, ac.nn.utils, ac.optim, ac.optim.lr_scheduler]


def told(program: str) -> str:
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: package.__name__)
def test_each_name_that_is_shown_is_there(package):
    assert dir(package) == package.__all__ == sorted(set(package.__all__))
    for home, names in package.HOMES.items():
        for name in names.split():
            assert getattr(package, name) is not None, (home, name)


def test_a_layer_comes_without_the_others():
    program = """
import sys, autograd_core as ac
print(ac.nn.Linear.__name__, "autograd_core.nn.recurrent" in sys.modules)
print(ac.nn.LSTM.__name__, "autograd_core.nn.recurrent" in sys.modules, "LSTM" in vars(ac.nn))
"""
    assert told(program).split() == ["Linear", "False", "LSTM", "True", "True"]


@pytest.mark.parametrize("name", ["nn.functional.dropout", "nn.functional.embedding", "nn.utils.spectral_norm"])
def test_a_module_does_not_stand_in_the_place_of_its_function(name):
    package, _, function = f"autograd_core.{name}".rpartition(".")
    program = f"import {package}.{function}, {package} as package; print(type(package.{function}).__name__)"
    assert told(program) == "function\n"


def test_a_module_is_there_under_its_own_name():
    program = "import autograd_core as ac; print(ac.optim.sgd.SGD is ac.optim.SGD, ac.nn.linear.Linear is ac.nn.Linear)"
    assert told(program) == "True True\n"
    with pytest.raises(AttributeError, match=r"autograd_core has no nn\.contains, and neither has PyTorch"):
        ac.nn.contains  # noqa: B018
