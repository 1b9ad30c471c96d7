"""The reference comes from PyTorch, else from JAX, a record or differences; this package never judges alone."""

import json

import numpy as np
import pytest

import autograd_core as ac
from autograd_book.check import check, exercises, find, reference
from autograd_book.check.reference import SEED, disagreements
from autograd_book.compare import engines
from autograd_book.compare.wire import decode
from tools.record_exercises import record

DRAWN = "01.vjp"  # which JAX and differences answer, too


def source(seed=None):
    return check(DRAWN, find(DRAWN).reference(ac), seed).source


@pytest.fixture
def nothing_recorded(monkeypatch):
    monkeypatch.setattr(reference, "_recorded", lambda chapter: {"engine": "", "rows": {}})


def test_pytorch_comes_first():
    assert source() == f"PyTorch {engines.load('PyTorch').__version__}"


def test_jax_comes_second(hidden):
    jax = engines.load("JAX")
    hidden("PyTorch")
    assert source() == f"JAX {jax.__version__}"


def test_the_record_comes_third_where_it_has_the_inputs(hidden):
    hidden("PyTorch")
    hidden("JAX")
    assert source(SEED).endswith(", recorded")
    assert source(SEED + 1) == "finite differences"


def test_differences_come_last(hidden, nothing_recorded):
    hidden("PyTorch")
    hidden("JAX")
    assert source() == "finite differences"


def test_inputs_stay_those_of_the_record_where_nothing_answers_others(hidden, monkeypatch, asked):
    asked(reference=lambda T: lambda x: x, rows=lambda f, T, rng: {"f": f(rng.uniform())})
    rows = {"f": np.random.default_rng(SEED).uniform()}
    monkeypatch.setattr(reference, "_recorded", lambda chapter: {"engine": "PyTorch 1", "rows": {"99.toy": rows}})
    hidden("PyTorch")
    hidden("JAX")
    assert [check("99.toy", lambda x: -x).seed for _ in range(2)] == [SEED, SEED]
    with pytest.raises(LookupError, match=r"nothing here answers 99\.toy for seed 7; install PyTorch, or use seed=1"):
        check("99.toy", lambda x: -x, seed=7)


def test_what_is_not_drawn_is_answered_by_the_record_for_any_seed(hidden):
    hidden("PyTorch")
    hidden("JAX")
    assert check("00.warm_up", {"L": 75.0, "w.grad": 30.0}, seed=7).source.endswith(", recorded")


def test_this_package_alone_is_no_reference(hidden, nothing_recorded):
    hidden("PyTorch")
    hidden("JAX")
    with pytest.raises(LookupError, match=r"00\.warm_up"):
        check("00.warm_up", {"L": 75.0, "w.grad": 30.0})


def test_an_exercise_about_this_package_states_its_rows(asked, hidden):
    asked(reference=lambda T: {"kind": "refused"}, stated={"kind": "refused"})
    hidden("PyTorch")
    assert check("99.toy", {"kind": "refused"}).source == "stated by the exercise"


def test_engines_that_disagree_stop_the_check(asked):
    asked(reference=lambda T: float(T is ac))
    with pytest.raises(RuntimeError, match=r"autograd_core and the reference of 99\.toy \(PyTorch .*disagree: answer"):
        check("99.toy", 1.0)


def test_rows_in_the_other_engines_own_words(asked):
    asked(
        reference=lambda T: lambda x: 2 * x,
        rows=lambda f, T, rng: {"f": f(rng.uniform())},
        torch=lambda T, rng: {"f": T.tensor(rng.uniform(), dtype=T.float64) * 2},
    )
    assert check("99.toy", lambda x: x + x)


def test_jax_and_differences_agree_with_pytorch():
    for exercise in exercises():
        if not (exercise.jax or exercise.differences):
            continue
        right = reference.by_pytorch(exercise, engines.load("PyTorch"), SEED)
        for rows in (
            exercise.jax and exercise.jax(engines.load("JAX"), np.random.default_rng(SEED)),
            exercise.differences and exercise.differences(np.random.default_rng(SEED)),
        ):
            assert not rows or not disagreements(exercise, rows, right), exercise.id


def test_the_record_is_fresh():
    for chapter, now in record().items():
        recorded = reference._recorded(chapter)
        assert recorded["rows"].keys() == now["rows"].keys(), "run python -m tools.record_exercises"
        for id, rows in now["rows"].items():
            old, new = (decode(json.dumps(each)) for each in (recorded["rows"][id], rows))
            assert not disagreements(find(id), old, new), f"{id}: run python -m tools.record_exercises"
