"""Chapters 01 to 10: right answers that are written in another way, and wrong ones that are none of the mutants."""

import math

import pytest

from autograd_book.check import check


class AddsInPlaceToItsOwn:
    grad = None

    def receive(self, g):
        if self.grad is None:
            self.grad = g.clone()
        else:
            self.grad.add_(g)

    def clear(self):
        self.grad = None


class PopsWhatItSaved:
    def forward(self, x):
        self.saved = [x]
        return x**2

    def backward(self, g, retain=False):
        if not self.saved:
            raise RuntimeError("released")
        x = self.saved[-1] if retain else self.saved.pop()
        return 2 * x * g


class ForgetsByDeleting:
    def forward(self, x):
        self.x = x
        return x**2

    def backward(self, g, retain=False):
        result = 2 * self.x * g
        if not retain:
            del self.x
        return result


class CountsForAll:
    count = 0

    def __init__(self, values):
        self.values = values

    def write(self, i, value):
        self.values[i] = value
        CountsForAll.count += 1

    def save(self, i):
        count = CountsForAll.count

        def read():
            if CountsForAll.count != count:
                raise RuntimeError("written")
            return self.values[i]

        return read


class SharesItsSlot(AddsInPlaceToItsOwn):
    def receive(self, g):
        SharesItsSlot.grad = g if self.grad is None else self.grad + g

    def clear(self):
        SharesItsSlot.grad = None


class Alternates(CountsForAll):
    def __init__(self, values):
        super().__init__(values)
        self.count = 0

    def write(self, i, value):
        self.values[i] = value
        self.count = 1 - self.count

    def save(self, i):
        count = self.count

        def read():
            if self.count != count:
                raise RuntimeError("written")
            return self.values[i]

        return read


def write_through_data(T, x, h):
    x.data.add_(1)


def add_zero(T, x, h):
    h.add_(0)


def write_h_through_data(T, x, h):
    h.data.add_(1)


def write_h_unrecorded(T, x, h):
    with T.no_grad():
        h.add_(1)


def raise_in_a_hook(T, x, h):
    def refuse(g):
        raise RuntimeError

    h.register_hook(refuse)


def walk_before(T, x, h):
    h.sum().backward()


def add_zero_to_a_clone(T, x, h):
    h.clone().add_(0)


def always_in_training_again(T, model, x):
    with T.inference_mode():
        y = model.eval()(x)
    model.train()
    return y


def one_sided(f, x, eps=1e-6):
    moved = [[*x[:j], x[j] + eps, *x[j + 1 :]] for j in range(len(x))]
    columns = [[(up - here) / eps for up, here in zip(f(point), f(x), strict=True)] for point in moved]
    return [list(row) for row in zip(*columns, strict=True)]


def passes_with(absolute=1e-5, relative=1e-3, up=1e-6, down=1e-6, divisor=None):
    def passes(f, df, x):
        numeric = (f(x + up) - f(x - down)) / (divisor or up + down)
        return abs(numeric - df(x)) <= absolute + relative * abs(numeric)

    return passes


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01.jvp", lambda w, w_dot: (2 / w**3, -6 / w**4 * w_dot)),
        ("01.steps", {"large": 5, "small": 1e-7}),
        ("03.sentences", lambda T, lengths: [1 / len(lengths) / n for n in lengths for _ in range(n)]),
        ("03.deaf", {"refused": [1.0], "deaf": [0, 4, -1]}),
        ("03.deaf", {"refused": [1.0], "deaf": [3e-20, -4e-20, 0.0]}),
        ("04.slot", AddsInPlaceToItsOwn),
        ("04.rolls_on", {"set_to_none": False, "settings": {"lr": 0.1, "weight_decay": 0.5}}),
        (
            "06.silence",
            (
                lambda T, w: w.item() * w.square(),
                lambda T, w: T.tensor(w.item() ** 3, requires_grad=True),
                lambda T, w: w.detach() ** 3,
            ),
        ),
        ("07.release", PopsWhatItSaved),
        ("07.shared", lambda T, w: (h := w.exp(), h * h, h.sum())),
        ("08.two_writes", (lambda T, x, h: h.mul_(1), write_through_data)),
        ("10.slips_through", lambda x: x + (2 * x**3 - 3 * x**2).detach()),
    ],
)
def test_a_right_answer_of_another_kind_passes(id, answer):
    verdict = check(id, answer)
    assert verdict, str(verdict)


@pytest.mark.parametrize(
    ("id", "answer", "label"),
    [
        ("01.steps", {"large": 1.0, "small": -1e-9}, "A step is positive"),
        ("01.steps", {"large": -5.0, "small": 1e-8}, "A step is positive"),
        ("01.steps", {"large": math.inf, "small": 1e-8}, "A step is positive"),
        ("01.steps", {"large": 0.5, "small": 1e-8}, "The large step is too small"),
        ("01.steps", {"large": 0.5, "small": 1e-3}, "Neither step spoils it"),
        ("01.steps", {"large": 1.0, "small": 1e-3}, "Small, but still a step"),
        ("03.deaf", {"refused": [1.0, 2.0, 3.0], "deaf": [3.0, -4.0, 0.0]}, "no error"),
        ("03.deaf", {"refused": [1.0], "deaf": [1e-20, 1e-20, 0.0]}, None),
        ("03.deaf", {"refused": [1.0], "deaf": []}, "The deaf seed was refused"),
        ("04.slot", SharesItsSlot, "One slot for all leaves"),
        ("04.rolls_on", {"set_to_none": True, "settings": {"lr": 0.1, "weight_decay": 0.5}}, "None is skipped"),
        ("06.evaluate", always_in_training_again, "ends in training"),
        ("07.shared", lambda T, w: (h := -w, h + 1, h - 1), "saved nothing"),
        ("07.release", ForgetsByDeleting, None),
        ("08.counter", CountsForAll, "all memories"),
        ("08.counter", Alternates, "Two writes look like none"),
        ("08.two_writes", (add_zero_to_a_clone, write_through_data), "no write into h"),
        ("08.two_writes", (write_through_data, write_through_data), "no write into h"),
        ("08.two_writes", (raise_in_a_hook, write_through_data), "Refused for another reason"),
        ("08.two_writes", (walk_before, write_through_data), "Refused for another reason"),
        ("08.two_writes", (add_zero, write_h_through_data), "The saved output was overwritten"),
        ("08.two_writes", (add_zero, write_h_unrecorded), "x was not overwritten"),
        ("10.passes", passes_with(divisor=1e-6), "The 2 is missing"),
        ("10.passes", passes_with(relative=0.3), "The tolerance is too large"),
        ("10.passes", passes_with(absolute=1.0), "The tolerance is too large"),
        ("10.passes", passes_with(relative=1e-9), "Only an absolute tolerance"),
        ("10.passes", passes_with(up=1e-16, down=1e-16), "Right claims fail"),
        ("10.passes", passes_with(up=1e-12, down=1e-12), None),
        ("10.passes", passes_with(down=0.0), "The difference is one-sided"),
        ("10.passes", passes_with(up=0.0), "The difference is one-sided"),
        ("10.passes", passes_with(absolute=math.inf), "Every claim passes"),
        ("10.jacobian", one_sided, "one-sided"),
        ("10.slips_through", lambda x: x.detach(), "Noticed at 0 and at 1"),
        ("10.slips_through", lambda x: (3 * x).detach(), "Noticed at 0 and at 1"),
        ("10.slips_through", lambda x: x + (math.pi * x).cos().detach(), "It passes at 2 as well"),
    ],
)
def test_a_wrong_answer_is_rejected_and_recognized_where_it_can_be(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label in verdict.label if label else verdict.label is None
