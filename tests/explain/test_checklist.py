"""The checklist finds the planted fault of every model, in its step and for its reason, and blames no healthy one."""

import pytest
import torch

import autograd_core as ac
from autograd_core import explain
from autograd_core.explain.checklist import QUESTIONS

from . import faulty_programs, models
from .test_explain import each_engine

ANSWERS = ("yes", "no", "not asked")

each_fault = pytest.mark.parametrize(
    "program, step, kind, has_line, bare", models.FAULTS, ids=[f[0].__name__ for f in models.FAULTS]
)
each_healthy = pytest.mark.parametrize("program", models.HEALTHY, ids=lambda program: program.__name__)


@each_engine
@each_fault
def test_a_watched_fault_is_named_alone_in_its_step(T, program, step, kind, has_line, bare):
    with explain.watch():
        found = explain.checklist(*program(T))
    assert (found.step, found.kinds) == (step, (kind,)), found
    if has_line:
        assert (found.causes[0].line or "").endswith("# here"), found


@each_engine
@each_fault
def test_without_watching_the_fault_is_among_the_possible_ones(T, program, step, kind, has_line, bare):
    found = explain.checklist(*program(T))
    assert {*bare} & {*found.kinds} if bare else found.step is None, found


@each_engine
@each_fault
def test_a_step_after_a_fault_is_asked_only_about_the_parameters_that_passed(T, program, step, kind, has_line, bare):
    with explain.watch():
        loss, parameters, optimizer = program(T)
        found = explain.checklist(loss, parameters, optimizer)
    asked = list(parameters.named_parameters()) if hasattr(parameters, "named_parameters") else list(parameters)
    failed = {name for s in found.steps for finding in s.findings for name in finding.names}
    for later in found.steps[step:]:
        assert later.answer in ("yes", "not asked"), found
        assert later.answer == "not asked" or len(failed) < len(asked), found


@each_engine
@each_healthy
@pytest.mark.parametrize("watched", [False, True])
def test_a_healthy_model_is_not_blamed(T, program, watched):
    if watched:
        with explain.watch():
            found = explain.checklist(*program(T))
    else:
        found = explain.checklist(*program(T))
    if not watched and program is models.cleared_once_the_step_was_done:
        assert "cleared" in found.kinds  # that a step used it first is seen only inside
        return
    assert found.step is None, found
    assert found.kinds == ()
    assert found.steps[0].answer == found.steps[1].answer == "yes"


def test_there_are_enough_programs():
    assert len(models.FAULTS) >= 40
    assert len(models.HEALTHY) >= 20
    assert len(faulty_programs.FAULTS) >= 40


@each_engine
def test_it_says_every_step_in_order(T):
    w, b = (T.tensor([1.0, -2.0], requires_grad=True) for _ in range(2))
    loss = (w * T.relu(b)).sum()
    loss.backward()
    text = str(explain.checklist(loss, {"w": w, "b": b}.items(), T.optim.SGD([w, b], lr=0.5)))
    places = [text.index(f"{k}. {question} Yes.") for k, question in enumerate(QUESTIONS, 1)]
    assert places == sorted(places)
    assert "2 of 2 are." in text
    assert "w: largest entry 1" in text
    assert "SGD, learning rate 0.5." in text


@each_engine
def test_parameters_may_be_a_model_a_tensor_or_a_list(T):
    layer = T.nn.Linear(2, 1)
    loss = layer(T.ones(1, 2)).sum()
    loss.backward()
    for parameters in (layer, layer.weight, [layer.weight], layer.named_parameters(), iter(layer.parameters())):
        assert explain.checklist(loss, parameters).step is None


@each_engine
def test_what_it_was_not_asked_about_is_said(T):
    layer, hidden = T.nn.Linear(2, 1), T.nn.Linear(1, 4)
    loss = hidden(layer(T.ones(1, 2))).sum()
    loss.backward()
    assert "not asked about, of shape [4, 1], [4]." in str(explain.checklist(loss, layer))


@each_engine
def test_causes_are_grouped_by_parameter(T):
    model = T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Linear(2, 1))
    with explain.watch():
        loss = model[1](model[0](T.ones(1, 2)).detach()).sum()
        loss.backward()
        found = explain.checklist(loss, model)
    (finding,) = found.steps[1].findings
    assert finding.names == ("0.weight", "0.bias")
    assert "test_checklist.py" in str(found)


def test_a_notebook_shows_it_escaped():
    w = ac.tensor([1.0, 2.0], requires_grad=True)
    with explain.watch():
        hits = w < 2.0
        html = explain.checklist(hits.float().mean(), {"<w>": w}.items())._repr_html_()
    assert html.count("<li>") == 5
    assert "w &lt; 2.0" in html
    assert "<w>" not in html


def test_it_wants_tensors_and_some_of_them():
    w = ac.ones(2, requires_grad=True)
    with pytest.raises(TypeError, match="float"):
        explain.checklist(1.0, [w])
    with pytest.raises(TypeError, match="float"):
        explain.checklist(w.sum(), [1.0])
    with pytest.raises(ValueError, match="plain list"):
        explain.checklist(w.sum(), [])


@each_engine
def test_asking_changes_nothing(T):
    w = T.tensor([1.0, 2.0], requires_grad=True)
    loss = (w * w).sum()
    explain.checklist(loss, w)
    assert w.grad is None
    loss.backward()
    assert w.grad.tolist() == [2.0, 4.0]


def test_the_two_engines_do_not_mix_up():
    w = torch.ones(2, requires_grad=True)
    loss = (ac.ones(2, requires_grad=True) * 2).sum()
    assert "unused" in explain.checklist(loss, w).kinds
