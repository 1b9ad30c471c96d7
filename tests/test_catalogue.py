"""The catalogue that chapter 24 is made of: who is in it, what it says, and what it draws."""

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.core.primitive import registry
from autograd_core.core.table import elementwise

pytest.importorskip("matplotlib")
TOOL = Path(__file__).parents[1] / "tools" / "make_catalogue.py"
RECORD = {
    "samples": 3,
    "entries": {
        "std": {"values": True, "vjps": True, "second_order": True, "jvps": True, "adjoint": True},
        "std.unbiased": {"values": True, "vjps": False, "second_order": True, "jvps": True, "adjoint": True},
        "nn.functional.relu": {"values": True, "vjps": True, "errors": True},
        "__radd__": {"values": True},
        "logcumsumexp": {"values": True},
        "nn.functional.no_such_function": {"values": True},
    },
    "left out": {"nn.functional.dropout": "it draws"},
    "excused": {"logcumsumexp, jvps": "1 < 2"},
}


@pytest.fixture(scope="module")
def catalogue():
    spec = spec_from_file_location("make_catalogue", TOOL)
    module = module_from_spec(spec)
    sys.modules[spec.name] = module  # a dataclass looks its module up
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def found(catalogue):
    return catalogue.functions()


@pytest.fixture(scope="module")
def examined(catalogue, found):
    lost = catalogue.assign(RECORD, found)
    assert lost == ["nn.functional.no_such_function"]
    return {f.name: f for f in found}


def test_each_name_is_in_one_entry(found):
    paths = [path for f in found for path in f.paths]
    assert len(paths) == len(set(paths))
    calculus = {"add", "nn.functional.gelu", "linalg.solve", "special.erfcx", "masked.sum", "Tensor.view"}
    assert calculus <= {f.name for f in found}
    assert not {"no_grad", "Tensor.backward", "optim", "Tensor.__array_ufunc__"} & set(paths)


def test_aliases_methods_and_in_place_forms_belong_to_their_function(found):
    mul = next(f for f in found if f.name == "mul")
    assert {"multiply", "Tensor.mul", "Tensor.mul_", "Tensor.multiply_"} <= set(mul.paths)
    asin = next(f for f in found if "arcsin" in f.paths)
    assert asin.name == "asin" and asin.family == "trigonometry"


def test_what_is_saved_is_read_off_the_table(catalogue):
    assert catalogue.saved_by(ac.mul.primitive) == "`input`, `other`"
    assert catalogue.saved_by(ac.exp.primitive) == "`out`"
    assert catalogue.saved_by(ac.neg.primitive) == "nothing"


def test_a_composition_shows_what_its_example_records(catalogue, found):
    add = next(f for f in found if f.name == "add")
    assert add.primitive is None
    assert {node.op.node_name for node in add.graph} == {"AddScaledBackward0"}


def test_variants_count_together(catalogue, examined):
    std = examined["std"]
    assert catalogue.mark("values", std, RECORD) == "pass"
    assert catalogue.mark("vjps", std, RECORD) == "fail (1 of 2)"
    assert catalogue.mark("errors", std, RECORD) == "none"
    lines = catalogue.examined(std, RECORD)
    assert lines[0] == "✓ passed: values, second order, forward mode, adjoint identity"
    assert "✗ gradient: fail (1 of 2)" in lines


def test_reasons_are_given(catalogue, examined):
    assert catalogue.mark("jvps", examined["logcumsumexp"], RECORD) == "excused"
    assert any(r"1 \< 2" in line for line in catalogue.examined(examined["logcumsumexp"], RECORD))
    assert catalogue.examined(examined["nn.functional.dropout"], RECORD) == [
        "`nn.functional.dropout` is left out: it draws."
    ]
    assert "see `nn.functional.relu`" in catalogue.examined(examined["relu"], RECORD)[0]
    assert "not among" in catalogue.examined(examined["floor_divide"], RECORD)[0]


def test_a_function_without_outcomes_has_a_reason(catalogue, examined):
    def why(name):
        return catalogue.unexamined(examined[name])

    assert why("std") == why("logcumsumexp") == ""
    assert why("nn.functional.dropout") == "left out: it draws"
    assert why("relu") == "see nn.functional.relu"
    assert why("floor_divide") == "no entry"
    rows = catalogue.table(list(examined.values()), RECORD, dict.fromkeys(examined, "op"))["functions"]
    assert all(any(row["marks"].values()) != bool(row["unexamined"]) for row in rows)


def test_text_survives_as_markdown(catalogue):
    assert catalogue.escaped("|a_b| < `c_d` * 2") == r"\|a\_b\| \< `c_d` \* 2"


def test_a_curve_is_drawn_where_the_function_is_finite(found):
    ranges = {f.name: (f.plot.low, f.plot.high) for f in found if f.plot is not None}
    assert ranges["log"][0] > 0 and ranges["acos"][0] > -1 and ranges["acosh"][0] > 1
    assert not {"softmax", "cumsum", "nn.functional.dropout", "clone", "flip", "argmax"} & set(ranges)
    for f in found:
        if f.plot is not None:
            assert np.isfinite(f.plot.y).all() and np.isfinite(f.plot.dy).all(), f.name


def test_a_function_that_draws_numbers_has_no_curve(catalogue):
    x = ac.linspace(0, 1, 20, dtype=ac.float64).requires_grad_()
    scales = iter([2, 2])  # the second and third call agree, the first did not
    assert catalogue.is_function_of_one_number(lambda x: 3 * x, x, 3 * x)
    assert not catalogue.is_function_of_one_number(lambda x: next(scales) * x, x, 3 * x)


def test_a_curve_has_a_gap_at_a_jump_and_none_where_it_is_steep(catalogue):
    x = np.linspace(-1, 1, 41)
    sign = catalogue.broken(np.sign(x), x, {0.0: 0.0})
    assert np.flatnonzero(np.isnan(sign)).tolist() == [20]
    assert np.isnan(catalogue.broken(np.floor(x + 0.51), x, {})).sum() == 2
    assert not np.isnan(catalogue.broken(np.exp(5 * x), x, {})).any()


def test_a_drawing_says_what_it_shows_and_leaks_no_style(catalogue, found):
    svg = catalogue.drawn(next(f for f in found if f.name == "tanh"))
    root = ElementTree.fromstring(svg.replace("xlink:href", "href"))
    assert root.get("role") == "img" and "tanh" in root.get("aria-label")
    assert "<style" not in svg and "currentColor" in svg and "#010203" not in svg


def test_a_new_row_needs_no_more_to_be_shown(catalogue):
    op = elementwise("catalogued", np.square, "x", lambda g, x: 2 * g * x, doc="x². Gradient: 2 g x.", kinks={})
    del registry["catalogued"]
    function = catalogue.Function(op, "elementwise", ["catalogued"])
    page = catalogue.section(function, RECORD, "op-catalogued")
    assert "## catalogued" in page and "2 g x" in page and "`input`" in page and "<svg" in page
