"""Chapters 05, 09, 11 and 12: a wrong function is recognized for the belief behind it."""

import pytest

from autograd_book.check import check


def weigh_as_if_two(T, w, parts):
    first, second = parts[0], parts[-1]
    share = len(first) / (len(first) + len(second))
    for part, weight in ((first, share), (second, 1 - share)):
        (weight * (w.square() * part).mean()).backward()


def divide_by_two(T, model, x):
    x = x.detach().requires_grad_()
    (slopes,) = T.autograd.grad(model(x).sum(), x, create_graph=True)
    return (slopes.norm(dim=1) - 1).square().sum() / 2


def fit_in_order(*calls):
    def fit(T, w, optimizer, numbers):
        for x in numbers:
            loss = (w * x - 1).square()
            for call in calls:
                getattr(loss if call == "backward" else optimizer, call)()

    return fit


def plain_descent(T, params, buffers, lr, momentum):
    with T.no_grad():
        for p in params:
            if p.grad is not None:
                p.sub_(lr * p.grad)


def never_walked(T, w):
    return w.detach() - 0.4


def padded_sinc(small):
    return lambda T, x: (x.sin() + small) / (x + small)


def sine(backward):
    def make(T):
        class Sine(T.autograd.Function):
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return x.sin()

            @staticmethod
            def backward(ctx, g):
                return backward(g, *ctx.saved_tensors)

        return Sine.apply

    return make


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("05.parts", {"mean of means": 20.0, "mean of all": 30.0}, "The two are exchanged"),
        ("05.parts", {"mean of means": 30.0, "mean of all": 30.0}, "Both times the mean of means"),
        ("05.hide", {"hidden": ([1.0], [2.0]), "opposite": ([1.0, 1.0, 1.0], [-2.0])}, "Equal parts"),
        ("05.hide", {"hidden": ([1.0], [2.0, 3.0]), "opposite": ([1.0, 1.0, 1.0], [-2.0])}, "Not hidden"),
        ("05.hide", {"hidden": ([4.0], [2.0, 6.0]), "opposite": ([1.0, 2.0, 3.0], [-1.0])}, "same direction"),
        ("09.order", fit_in_order("backward", "step", "zero_grad"), "nothing left to look at"),
        ("09.optimizer", plain_descent, "no momentum"),
        ("09.idle", never_walked, "Nobody walked back"),
        ("11.sinc", padded_sinc(1e-4), None),
        ("11.sinc", padded_sinc(1e-12), None),
        ("12.fool", sine(lambda g, x: g * x.cos()), "Nothing is hidden"),
        ("12.fool", sine(lambda g, x: g * x.detach().sin()), "first derivative is wrong"),
    ],
)
def test_a_wrong_function_is_recognized(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label is None or label in str(verdict)


@pytest.mark.parametrize(("id", "answer"), [("05.weight", weigh_as_if_two), ("12.penalty", divide_by_two)])
def test_what_is_right_for_one_size_is_wrong_for_every_seed(id, answer):
    assert not [seed for seed in range(1, 21) if check(id, answer, seed)]


@pytest.mark.parametrize("small", [1e-12, 1e-20])
def test_a_small_number_under_the_root_loses_the_direction_of_small_rows(small):
    verdict = check("11.length", lambda T, x: (x.square().sum(dim=1) + small).sqrt(), seed=1)
    wrong = [row.name.partition("[")[0] for row in verdict.rows if not row.agrees]
    assert wrong[-1] == "gradient of "
    assert "its gradient" not in wrong


def test_right_functions_of_another_kind_pass():
    assert check("05.hide", {"hidden": ([3.0], [3.0, 3.0]), "opposite": ([-1.0, -1.0, -1.0], [2.0])})
    assert check("12.hvp", lambda T, f, w, v: T.func.jvp(T.func.grad(f), (w.detach(),), (v,))[1])
    assert check("12.fool", sine(lambda g, x: g * x.detach().cos()))
