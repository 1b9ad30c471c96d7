"""The explorers with a scene: what they say is what the engines compute, and the page holds every state."""

import json
import re
from math import isnan, nan

import pytest

import autograd_core as ac
from autograd_book.look import epsilon_explorer, kink_explorer

PROGRAMS = {
    "relu(x)": lambda T, x: T.relu(x),
    "|x|": lambda T, x: x.abs(),
    "maximum(x, 0)": lambda T, x: T.maximum(x, T.zeros_like(x)),
    "clamp(x, min=0)": lambda T, x: x.clamp(min=0),
    "sqrt(x)": lambda T, x: x.sqrt(),
    "where": lambda T, x: T.where(x > 0, x.sqrt(), T.zeros_like(x)),
    "relu(x) - relu(-x)": lambda T, x: T.relu(x) - T.relu(-x),
}


@pytest.fixture(scope="module")
def kinks():
    pytest.importorskip("torch", reason="the explorer of kinks asks PyTorch too")
    return kink_explorer(PROGRAMS)


def scenes(explorer):
    (state,) = re.findall(r"pageModel\((.*)\), el:", explorer._repr_html_())
    return json.loads(state)["scenes"]


@pytest.mark.parametrize("difference", ["central", "forward"])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_the_two_parts_make_the_error(dtype, difference):
    explorer = epsilon_explorer()
    for exponent in explorer.stops:
        truncation, rounding = explorer.parts(dtype, difference, exponent)
        error = explorer.quotient(dtype, difference, exponent) - explorer.derivative
        assert truncation + rounding == pytest.approx(error, rel=1e-12, abs=1e-15)


def test_truncation_is_what_algebra_says():
    explorer = epsilon_explorer()
    assert explorer.parts("float64", "central", -2.0)[0] == pytest.approx(1e-4)
    assert explorer.parts("float64", "forward", -2.0)[0] == pytest.approx(3 * 1.5 * 1e-2 + 1e-4)


def test_each_curve_has_its_best_step_where_the_parts_meet():
    best = {position[:2]: position[2] for position in epsilon_explorer().examples()}
    for (dtype, difference), exponent in best.items():
        bits, order = 52 if dtype == "float64" else 23, 3 if difference == "central" else 2
        assert exponent == pytest.approx(-bits * 0.301 / order, abs=1.1)


def test_in_float32_a_small_step_does_not_move_x():
    assert epsilon_explorer().quotient("float32", "central", -10.0) == 0
    assert "the error is -8.75, of which" in epsilon_explorer().sentence("float32", "central", -10.0)


@pytest.mark.parametrize("x", [-0.5, 0.0, 0.5])
@pytest.mark.parametrize("name", PROGRAMS)
def test_the_engine_answers_as_pytorch(kinks, name, x):
    answers = kinks.answers(name, x)
    assert answers["autograd_core"] == pytest.approx(answers["PyTorch"], nan_ok=True)


@pytest.mark.parametrize(
    ("name", "slopes", "answer", "verdict"),
    [
        ("relu(x)", (0, 1), 0, "allows"),
        ("|x|", (-1, 1), 0, "The answer is a slope that this kink allows"),
        ("maximum(x, 0)", (0, 1), 0.5, "allows"),
        ("clamp(x, min=0)", (0, 1), 1, "allows"),
        ("sqrt(x)", (nan, float("inf")), float("inf"), "The answer is the slope on the right"),
        ("where", (0, float("inf")), nan, "NaN is wrong"),
        ("relu(x) - relu(-x)", (1, 1), 0, "outside"),
    ],
)
def test_what_is_said_at_a_kink(kinks, name, slopes, answer, verdict):
    assert kinks.slopes(name, 0.0) == pytest.approx(slopes, nan_ok=True)
    assert kinks.answers(name, 0.0)["autograd_core"] == pytest.approx(answer, nan_ok=True)
    assert verdict in kinks.sentence(name, 0.0)


@pytest.mark.parametrize(
    ("name", "x", "answers", "verdict"),
    [
        ("relu(x)", 0.0, (0, 0), "The answer is a slope that this kink allows."),
        ("relu(x)", 0.0, (0, 1), "The answers are slopes that this kink allows."),
        ("relu(x)", 0.0, (2, 2), "The answer lies outside of what the slopes allow."),
        ("relu(x)", 0.0, (0, 2), "An answer lies outside of what the slopes allow."),
        ("relu(x)", 0.0, (0, nan), "NaN is wrong: it is no slope."),
        ("sqrt(x)", -0.5, (nan, nan), "NaN is right: it stands for no number."),
        ("sqrt(x)", -0.5, (nan, 1), "An answer is made up."),
    ],
)
def test_the_answers_of_all_engines_are_judged(kinks, monkeypatch, name, x, answers, verdict):
    given = dict(zip(("autograd_core", "PyTorch"), map(float, answers), strict=True))
    monkeypatch.setattr(type(kinks), "answers", lambda *_: given)
    assert kinks.sentence(name, x).endswith(verdict)


def test_the_slope_on_one_side_alone_is_the_answer(monkeypatch):
    explorer = kink_explorer({"sqrt(-x)": lambda T, x: (-x).sqrt()})
    monkeypatch.setattr(type(explorer), "answers", lambda *_: {"autograd_core": -float("inf")})
    assert explorer.sentence("sqrt(-x)", 0.0).endswith("The answer is the slope on the left.")


def test_where_there_is_no_value_there_is_no_slope(kinks):
    assert all(map(isnan, (*kinks.slopes("sqrt(x)", -0.5), kinks.answers("sqrt(x)", -0.5)["autograd_core"])))
    assert "there is no value" in kinks.sentence("sqrt(x)", -0.5)
    assert "NaN is right" in kinks.sentence("sqrt(x)", -0.5)


def test_an_infinity_is_no_value():
    pytest.importorskip("torch", reason="the explorer of kinks asks PyTorch too")
    explorer = kink_explorer({"1/x": lambda T, x: 1 / x, "sqrt(-x)": lambda T, x: (-x).sqrt()})
    assert "there is no value, and no slope." in explorer.sentence("1/x", 0.0)
    assert "The answer is made up." in explorer.sentence("1/x", 0.0)
    assert "no value on the right, and the slope on the left is -inf" in explorer.sentence("sqrt(-x)", 0.0)
    drawn = [path for scene in scenes(explorer).values() for path in re.findall(r' d="([^"]*)"', str(scene))]
    assert not [path for path in drawn if "n" in path]  # neither nan nor inf
    (curve,) = re.findall(r'"ac-curve"><path d="([^"]*)"', explorer.scene("1/x"))
    assert curve.count("M") == 2  # not drawn through the gap


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_graph_leaves_the_legend_room(kinks, name):
    (curve,) = re.findall(r'"ac-curve"><path d="([^"]*)"', kinks.scene(name))
    points = [tuple(map(float, point)) for point in re.findall(r"([\d.]+),([\d.]+)", curve)]
    places = re.findall(r'<text class="[^"]*" x="([^"]*)" y="([^"]*)"', kinks.marks(name, 0.0))
    assert len(places) == 3
    for x, y in places:
        assert not [point for point in points if point[0] > float(x) - 5 and point[1] > float(y) - 18]


def test_where_the_engines_disagree_nothing_is_shown(kinks):
    disputed = kink_explorer({"x or 2x": lambda T, x: x if T is ac else 2 * x})
    with pytest.raises(AssertionError, match=r"x or 2x at 0.5.*1.0.*2.0"):
        disputed.sentence("x or 2x", 0.5)


def test_jax_stands_beside_when_it_is_given():
    jax = pytest.importorskip("jax", reason="compares with JAX")
    pytest.importorskip("torch", reason="the explorer of kinks asks PyTorch too")
    explorer = kink_explorer({"|x|": PROGRAMS["|x|"]}, {"|x|": jax.numpy.abs})
    assert explorer.answers("|x|", 0.0)["JAX"] == float(jax.grad(jax.numpy.abs)(0.0))
    assert "JAX 1. The answers are slopes that this kink allows." in explorer.sentence("|x|", 0.0)


def test_programs_that_do_not_fit_are_refused():
    with pytest.raises(ValueError, match="there is no program"):
        kink_explorer({})
    with pytest.raises(ValueError, match="abs"):
        kink_explorer({"relu(x)": PROGRAMS["relu(x)"]}, {"abs": abs})


@pytest.mark.parametrize(("make", "number"), [(epsilon_explorer, 4), (lambda: kink_explorer(PROGRAMS), 7)])
def test_the_page_holds_every_state_and_a_sentence_for_each_scene(make, number):
    pytest.importorskip("torch", reason="the explorer of kinks asks PyTorch too")
    explorer = make()
    page = explorer._repr_html_()
    found = scenes(explorer)
    assert len(found) == number == page.count("<li>")
    assert {len(scene["marks"]) for scene in found.values()} == {len(explorer.stops)}
    assert explorer.sentence(*explorer.start) in found["-".join("0" for _ in explorer.choices)]["sentences"]
    drawn = "".join(path for scene in found.values() for path in re.findall(r' d="([^"]*)"', "".join(scene["marks"])))
    assert "http" not in page and "n" not in drawn  # neither nan nor inf


def test_under_ipywidgets_each_state_is_computed():
    pytest.importorskip("ipywidgets", reason="the widget form needs ipywidgets")
    *controls, figure, words, _script = epsilon_explorer().widget().children
    dtype, difference, slider = controls
    dtype.value, difference.value, slider.value = "float32", "forward", -2.25
    assert epsilon_explorer().stop_name(-2.25) == "ε = 5.6e-03"
    assert "ε = 5.6e-03, float32, forward difference" in words.value
    assert "<svg" in figure.value and ".ac-dots" in figure.value
    assert all(control.description for control in controls)
