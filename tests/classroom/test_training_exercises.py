"""Chapters 05, 09, 11 and 12: a wrong function is recognized for the belief behind it."""

import pytest

from autograd_core.classroom import check


@pytest.fixture(autouse=True)
def ungraded(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)


def weighted(weight):
    def accumulate(T, w, parts):
        n = sum(len(part) for part in parts)
        for part in parts:
            (weight(part, parts, n) * (w.square() * part).mean()).backward()

    return accumulate


def over_tokens(divisor, reduction="sum"):
    def step(T, scores, sequences):
        for target in sequences:
            logits = scores.expand(len(target), len(scores))
            loss = T.nn.functional.cross_entropy(logits, target, reduction=reduction)
            (loss / divisor(sequences)).backward()

    return step


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


def renamed(T, params, buffers, lr, momentum):
    with T.no_grad():
        for p in params:
            if p.grad is not None:
                p = p - lr * p.grad


def really_moved(T, w):
    w.square().backward()
    with T.no_grad():
        w -= 0.1 * w.grad
    return w


def never_walked(T, w):
    return w.detach() - 0.4


def masked_after(T, x):
    return T.where(x == 0, T.ones_like(x), x.sin() / x)


def exchanged_sinc(T, x):
    safe = T.where(x == 0, x, T.ones_like(x))
    return T.where(x == 0, T.ones_like(x), safe.sin() / safe)


def exchanged_length(T, x):
    total = x.square().sum(dim=1)
    return T.where(total > 0, T.zeros_like(total), total)


def hvp_with(seed, after=lambda product, v: product):
    def hvp(T, f, w, v):
        (g,) = T.autograd.grad(f(w), w, create_graph=True)
        return after(T.autograd.grad(g, w, seed(T, v))[0], v)

    return hvp


def penalty_with(create_graph=True, norm=lambda g: g.norm(dim=1), reduce=lambda p: p.mean()):
    def penalty(T, model, x):
        x = x.detach().requires_grad_()
        (g,) = T.autograd.grad(model(x).sum(), x, create_graph=create_graph)
        return reduce((norm(g) - 1).square())

    return penalty


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
        ("05.weight", weighted(lambda part, parts, n: 1 / len(parts)), "mean of means"),
        ("05.weight", weighted(lambda part, parts, n: 1), "Nothing is weighted"),
        ("05.weight", weighted(lambda part, parts, n: 1 / n), "Divided twice"),
        ("05.tokens", over_tokens(len, "mean"), "mean of means"),
        ("05.tokens", over_tokens(lambda sequences: sum(map(len, sequences))), "padding was counted"),
        ("05.tokens", over_tokens(lambda sequences: 1), "A sum, not a mean"),
        ("05.hide", {"hidden": ([1.0], [2.0]), "opposite": ([1.0, 1.0, 1.0], [-2.0])}, "Equal parts"),
        ("05.hide", {"hidden": ([1.0], [2.0, 3.0]), "opposite": ([1.0, 1.0, 1.0], [-2.0])}, "Not hidden"),
        ("05.hide", {"hidden": ([4.0], [2.0, 6.0]), "opposite": ([1.0, 2.0, 3.0], [-1.0])}, "same direction"),
        ("09.order", fit_in_order("backward", "zero_grad", "step"), "Emptied too early"),
        ("09.order", fit_in_order("backward", "step", "zero_grad"), "nothing left to look at"),
        ("09.order", fit_in_order("backward", "step"), "Nobody empties"),
        ("09.optimizer", plain_descent, "no momentum"),
        ("09.optimizer", renamed, "The name was moved"),
        ("09.idle", really_moved, "a real one"),
        ("09.idle", never_walked, "Nobody walked back"),
        ("11.sinc", masked_after, "the gradient is not"),
        ("11.sinc", exchanged_sinc, "exchanged"),
        ("11.length", lambda T, x: x.square().sum(dim=1).sqrt(), "Zero times infinity"),
        ("11.length", exchanged_length, "exchanged"),
        ("11.nan", lambda T, x: (x - 1).sqrt(), "Infinity is a number"),
        ("11.nan", lambda T, x: (x - 1) / (x - 1), "no number either"),
        ("12.hvp", hvp_with(lambda T, v: T.ones_like(v)), "seed is missing"),
        ("12.hvp", hvp_with(lambda T, v: T.ones_like(v), lambda product, v: product * v), "entry by entry"),
        ("12.penalty", penalty_with(create_graph=False), "Not recorded"),
        ("12.penalty", penalty_with(norm=lambda g: g.norm()), "One norm"),
        ("12.penalty", penalty_with(reduce=lambda p: p.sum()), "A sum, not a mean"),
        ("12.fool", sine(lambda g, x: g * x.cos()), "Nothing is hidden"),
        ("12.fool", sine(lambda g, x: g * x.detach().sin()), "first derivative is wrong"),
    ],
)
def test_a_wrong_function_is_recognized(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label in str(verdict)


def test_a_small_number_under_the_root_loses_the_direction_of_small_rows():
    verdict = check("11.length", lambda T, x: (x.square().sum(dim=1) + 1e-12).sqrt())
    assert [row.name for row in verdict.rows if not row.agrees] == ["gradient of (3e-7, 4e-7)"]


def test_right_functions_of_another_kind_pass():
    assert check("05.hide", {"hidden": ([3.0], [3.0, 3.0]), "opposite": ([-1.0, -1.0, -1.0], [2.0])})
    assert check("12.hvp", lambda T, f, w, v: T.func.jvp(T.func.grad(f), (w.detach(),), (v,))[1])
    assert check("12.fool", sine(lambda g, x: g * x.detach().cos()))
