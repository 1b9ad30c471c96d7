"""`compare` accepts what agrees and names what does not."""

import warnings

import numpy as np
import pytest

from autograd_book.compare import compare, contrast, raises, warns
from autograd_book.compare.engines import load
from autograd_book.compare.table import Table

torch = pytest.importorskip("torch")


def is_torch(T):
    return T is torch


def test_every_column_is_kept():
    def chain(T):
        w = T.tensor(2.0, requires_grad=True)
        (3 * w.square()).backward()
        return {"w.grad": w.grad, "w": w, "nothing": None, "leaf": w.is_leaf, "name": "w", "list": [w, 1]}

    result = compare(chain, {"w.grad": 12.0, "nothing": None, "leaf": True, "name": "w", "list": [2.0, 1]})
    assert list(result.columns) == ["by hand", "autograd_core", "PyTorch"]
    assert result.columns["PyTorch"]["w.grad"] == 12.0
    assert repr(result).splitlines()[1].split() == ["w.grad", "12", "12", "12"]
    assert "<td>12</td>" in result._repr_html_()


def test_jax_is_the_third_column_and_computes_in_64_bits():
    pytest.importorskip("jax")

    def derivative(T):
        w = T.tensor(0.1, dtype=T.float64, requires_grad=True)
        w.sin().backward()
        return {"value": w.sin(), "w.grad": w.grad}

    result = compare(derivative, jax=lambda jax, jnp: {"w.grad": jax.grad(jnp.sin)(0.1)})
    assert result.columns["JAX"]["w.grad"].dtype == np.float64
    assert "value" not in result.columns["JAX"]


def test_other_programs_are_columns_that_must_agree():
    def double(T):
        return {"value": 2 * T.tensor(3.0), "name": "double"}

    result = compare(double, {"value": 6.0}, others={"by adding": lambda: {"value": 3.0 + 3.0}})
    assert list(result.columns) == ["by hand", "autograd_core", "PyTorch", "by adding"]
    assert result.columns["by adding"] == {"value": 6.0}
    with pytest.raises(AssertionError, match=r"value: .*by adding 9"):
        compare(double, others={"by adding": lambda: {"value": 9.0}})
    with pytest.raises(ValueError, match=r"by adding has the rows \['typo'\]"):
        compare(double, others={"by adding": lambda: {"typo": 6.0}})


def test_another_program_is_named_by_its_warnings_and_its_exceptions():
    def warn():
        warnings.warn("beware", UserWarning, stacklevel=1)
        return {}

    assert compare(lambda T: {"row": 1}, others={"loud": warn}).warnings["loud"] == ["UserWarning: beware"]
    with pytest.raises(ZeroDivisionError) as error:
        compare(lambda T: {"row": 1}, others={"broken": lambda: {"row": 1 / 0}})
    assert "broken" in error.value.__notes__[0]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (None, 0.0),
        (True, 1),
        ("a", "b"),
        (1.0, 1.0 + 1e-9),
        (np.float32([1.0]), np.float32([1.00001])),
        (np.zeros(2), np.zeros((2, 1))),
        (np.zeros(2, np.float32), np.zeros(2, np.float64)),
        ([1.0, None], [1.0, 0.0]),
        ([1.0], [1.0, 1.0]),
        ([1.0, 2.0], None),
        ([[1.0], [1.0, 2.0]], [1.0, 2.0]),
        (float("nan"), 0.0),
    ],
)
def test_engines_that_differ_are_named(ours, theirs):
    with pytest.raises(AssertionError, match=r"(?s)the row: .*autograd_core.*PyTorch"):
        compare(lambda T: {"the row": theirs if is_torch(T) else ours})


@pytest.mark.parametrize(
    "value", [None, True, 3, "a", float("nan"), np.float32([1.0, np.nan]), [1.0, None, [True]], np.zeros((0, 2))]
)
def test_a_value_agrees_with_itself(value):
    compare(lambda T: {"row": value}, {"row": value})


def test_all_wrong_rows_are_listed_and_the_right_ones_are_not():
    with pytest.raises(AssertionError) as error:
        compare(lambda T: {"a": 1.0, "b": 2.0, "c": None}, {"a": 1.5, "b": 2.0, "c": 0.0})
    assert "a: by hand 1.5" in str(error.value)
    assert "c: by hand 0" in str(error.value)
    assert "b:" not in str(error.value)


def test_tolerance_follows_the_less_precise_dtype_and_can_be_given():
    third = np.float32(1) / np.float32(3)
    compare(lambda T: {"x": third}, {"x": 1 / 3})
    compare(lambda T: {"x": 1.01}, {"x": 1.0}, atol=0.1)
    compare(lambda T: {"x": 1.01}, {"x": 1.0}, rtol=0.1)


def test_a_later_write_does_not_change_a_result():
    kept = []

    def experiment(T):
        kept.append(T.tensor([1.0, 2.0]))
        return {"row": kept[-1]}

    result = compare(experiment)
    for tensor in kept:
        tensor += 1
    for engine in ("autograd_core", "PyTorch"):
        assert np.array_equal(result.columns[engine]["row"], [1, 2])


def test_a_row_that_only_one_side_has_is_an_error():
    with pytest.raises(AssertionError, match="returned the rows"):
        compare(lambda T: {"ours": 1} if not is_torch(T) else {"theirs": 1})
    with pytest.raises(ValueError, match="typo"):
        compare(lambda T: {"row": 1}, {"typo": 1})


def test_a_value_that_cannot_be_compared_names_its_row():
    with pytest.raises(TypeError, match="'bad' is a set"):
        compare(lambda T: {"bad": {1}})


def test_an_exception_says_which_engine_it_came_from():
    def fails_with_torch(T):
        if is_torch(T):
            raise KeyError("lost")
        return {"row": 1}

    with pytest.raises(KeyError) as error:
        compare(fails_with_torch)
    assert "PyTorch" in error.value.__notes__[0]


def test_warnings_are_caught_and_shown():
    def warn(T):
        warnings.warn("beware of this. And more", UserWarning, stacklevel=1)
        return {"row": 1}

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        result = compare(warn)
    assert result.warnings == {engine: ["UserWarning: beware of this."] for engine in ("autograd_core", "PyTorch")}
    assert repr(result).splitlines()[-1] == "autograd_core and PyTorch warned: UserWarning: beware of this."
    assert "PyTorch warned" in result._repr_html_()


def test_a_page_shows_text_as_text():
    html = compare(lambda T: {"<b>": "<i>&"})._repr_html_()
    assert "&lt;b&gt;" in html
    assert "<i>" not in html


def test_programs_that_differ_are_shown_when_each_is_as_expected():
    programs = {"loud": lambda: {"a": 1.0, "own": True}, "quiet": lambda: {"a": None, "b": "x"}}
    result = contrast(programs, {"loud": {"a": 1.0}, "quiet": {"a": None, "b": "x"}})
    assert [line.split() for line in repr(result).splitlines()] == [
        ["loud", "quiet"],
        ["a", "1", "None"],
        ["own", "True"],
        ["b", "x"],
    ]


def test_every_row_that_is_not_as_expected_is_listed():
    with pytest.raises(AssertionError) as error:
        contrast({"one": lambda: {"a": 1.0, "b": 2.0}}, {"one": {"a": 0.0, "b": 2.0, "c": None}})
    assert str(error.value).splitlines()[1:] == ["  one, a: expected 0, got 1", "  one, c: expected None, got no row"]


def test_results_that_are_no_dictionary_and_columns_of_no_program():
    with pytest.raises(TypeError, match="the results are a NoneType; return a dictionary"):
        compare(lambda T: None)
    with pytest.raises(ValueError, match=r"no programs for the columns \['C'\], only for \['Python'\]"):
        contrast({"Python": lambda: {"row": 1}}, {"C": {"row": 1}})


def test_a_contrast_catches_warnings():
    result = contrast({"loud": lambda: warnings.warn("beware", UserWarning, stacklevel=1) or {}}, {})
    assert result.warnings == {"loud": ["UserWarning: beware"]}


def test_a_table_shows_itself_as_text_and_as_html():
    table = Table(["", "here"], [["w.grad", "<12>"]], ["A note."])
    assert repr(table).splitlines() == ["        here", "w.grad  <12>", "A note."]
    assert "<td>&lt;12&gt;</td>" in table._repr_html_() and "<p>A note.</p>" in table._repr_html_()


def test_raises_names_the_exception_and_insists_on_its_words():
    def fail():
        raise RuntimeError("through the graph a Second Time")

    assert raises(fail, RuntimeError, "second time", "graph") == "RuntimeError"
    assert raises(lambda: None, RuntimeError, "second time") == "no error"
    with pytest.raises(AssertionError, match="third time"):
        raises(fail, RuntimeError, "third time")
    with pytest.raises(AssertionError, match="expected ValueError"):
        raises(fail, ValueError)


def test_warns_says_whether_the_word_was_there():
    assert warns(lambda: warnings.warn("not a Leaf", stacklevel=1), "leaf")
    assert not warns(lambda: warnings.warn("not a leaf", stacklevel=1), "branch")
    assert not warns(lambda: None, "leaf")


def test_an_engine_that_nobody_knows():
    with pytest.raises(ValueError, match="MXNet"):
        load("MXNet")


def test_an_engine_that_is_missing_names_the_extra(monkeypatch):
    monkeypatch.setattr("autograd_book.compare.engines.MODULES", {"JAX": "a_module_that_is_not_installed"})
    with pytest.raises(ModuleNotFoundError, match=r"pip install -e .*book"):
        load("JAX")
