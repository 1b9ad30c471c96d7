"""Chapter 13: wrong programs that are none of the mutants."""

import pytest

from autograd_core.classroom import check


@pytest.fixture(autouse=True)
def not_graded(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)


def two_faults_that_cancel_for_two_numbers(T, x, c):
    (x.cos() * c).sum().backward()
    g, x.grad = x.grad, None
    return g


def refused(s, rt, x, y):
    return s.mul(x, y)


def of_a_new_x(s, rt, x, y):
    return s.mul(rt.variable_from(x.value()), y.detach_into(rt))


@pytest.mark.parametrize(
    ("id", "answer", "complaint"),
    [
        ("13.translate", two_faults_that_cancel_for_two_numbers, "differs"),
        ("13.strangers", (refused, of_a_new_x), "A variable without a past"),
        ("13.strangers", (refused, refused), "Your answer raised ContextMismatch"),
    ],
)
def test_a_wrong_program_is_rejected(id, answer, complaint):
    verdict = check(id, answer)
    assert not verdict
    assert complaint in str(verdict)
