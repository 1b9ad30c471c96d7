"""Chapters 13 and 14: a wrong function is recognized for the belief behind it."""

import pytest

from autograd_core.classroom import check


@pytest.fixture(autouse=True)
def not_graded(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)


def nobody_walks_back(rt, engine, x):
    with rt.session(engine) as s:
        s.reduce_sum(s.mul(x, s.exp(x)), None)
    return x.grad()


def without_the_factor(rt, engine, x):
    with rt.session(engine) as s:
        loss = s.reduce_sum(s.exp(x), None)
    loss.backward(engine)
    return x.grad()


def without_the_cotangent(T, x, c):
    (x.cos() * c).mean().backward()
    g, x.grad = x.grad, None
    return g


def summed(T, x, c):
    (x.cos() * c).sum().backward(T.tensor(2.0))
    g, x.grad = x.grad, None
    return g


def not_emptied(T, x, c):
    (x.cos() * c).mean().backward(T.tensor(2.0))
    return x.grad


def refused(s, rt, x, y):
    return s.mul(x, y)


def repaired(s, rt, x, y):
    return s.mul(x, y.detach_into(rt))


def both_moved(s, rt, x, y):
    return s.mul(x.detach_into(rt), y.detach_into(rt))


def once(rt, engine, f, x, v):
    with rt.session(engine) as s:
        loss = f(s, x)
    return rt.grad(engine, loss, x).value()


def once_times_v(rt, engine, f, x, v):
    with rt.session(engine) as s:
        loss = f(s, x)
    g = rt.grad(engine, loss, x)
    with rt.session(engine) as s:
        return s.mul(g, v).value()


def by_backward(rt, engine, f, x, v):
    with rt.session(engine) as s:
        loss = f(s, x)
    g = rt.grad(engine, loss, x)
    with rt.session(engine) as s:
        gv = s.reduce_sum(s.mul(g, v), None)
    gv.backward(engine)
    return x.grad()


def asks_only(loss, engine):
    if not loss.tracks_grad():
        raise RuntimeError("not recorded")


def returns_nothing(loss, engine):
    if not len(loss.backward(engine)):
        raise RuntimeError("not recorded")


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("13.session", nobody_walks_back, "Nobody walked back"),
        ("13.session", without_the_factor, "The product is missing"),
        ("13.translate", without_the_cotangent, "The cotangent is missing"),
        ("13.translate", summed, "The mean became a sum"),
        ("13.translate", not_emptied, "The slot was not emptied"),
        ("13.strangers", (repaired, repaired), "Nothing was refused"),
        ("13.strangers", (refused, both_moved), "Both were made constants"),
        ("13.strangers", (refused, refused), "Your answer raised ContextMismatch"),
        ("14.hvp", once, "That is the gradient: "),
        ("14.hvp", once_times_v, "That is the gradient, times v"),
        ("14.hvp", by_backward, "The slot was filled"),
        ("14.alarm", lambda loss, engine: loss.backward(engine), "Still silent"),
        ("14.alarm", returns_nothing, "The gradients are lost"),
        ("14.alarm", asks_only, "It asks, and does not walk"),
        ("14.one", lambda s, x: s.reduce_sum(x, None), "That is a scalar"),
        ("14.one", lambda s, x: s.mul(x, x), "That has more than one element"),
        ("14.one", lambda s, x: s.constant_from([1.0]), "Nothing was recorded"),
    ],
)
def test_a_wrong_function_is_recognized(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label in str(verdict)
