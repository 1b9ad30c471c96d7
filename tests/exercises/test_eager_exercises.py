"""Chapter 13: wrong programs that are none of the mutants."""

import pytest

from autograd_book.check import check


def two_faults_that_cancel_for_two_numbers(T, x, c):
    (x.cos() * c).sum().backward()
    g, x.grad = x.grad, None
    return g


def divided_by_three(T, x, c):
    (x.cos() * c).sum().backward(T.tensor(2.0 / 3))
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


def test_what_is_right_for_three_numbers_is_wrong_for_every_seed():
    assert not [seed for seed in range(1, 21) if check("13.translate", divided_by_three, seed)]
