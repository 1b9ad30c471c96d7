"""Chapters 01 to 10: right answers that are written in another way, and wrong ones that are none of the mutants."""

import pytest

from autograd_core.classroom import check


@pytest.fixture(autouse=True)
def ungraded(monkeypatch):
    monkeypatch.delenv("AUTOGRAD_CORE_GRADING", raising=False)


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


def write_through_data(T, x, h):
    x.data.add_(1)


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


def difference_without_the_2(f, df, x, eps=1e-6):
    numeric = (f(x + eps) - f(x - eps)) / eps
    return abs(numeric - df(x)) <= 1e-5 + 1e-3 * abs(numeric)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("01.jvp", lambda w, w_dot: (2 / w**3, -6 / w**4 * w_dot)),
        ("01.steps", {"large": 5, "small": 1e-7}),
        ("03.sentences", lambda T, lengths: [1 / len(lengths) / n for n in lengths for _ in range(n)]),
        ("03.deaf", {"refused": [1.0], "deaf": [0, 4, -1]}),
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
        ("03.deaf", {"refused": [1.0, 2.0, 3.0], "deaf": [3.0, -4.0, 0.0]}, "no error"),
        ("06.evaluate", always_in_training_again, "ends in training"),
        ("07.shared", lambda T, w: (h := -w, h + 1, h - 1), "saved nothing"),
        ("07.release", ForgetsByDeleting, None),
        ("08.counter", CountsForAll, "all memories"),
        ("08.two_writes", (add_zero_to_a_clone, write_through_data), "no write into h"),
        ("10.passes", difference_without_the_2, "The 2 is missing"),
        ("10.jacobian", one_sided, "one-sided"),
        ("10.slips_through", lambda x: x.detach(), "zero value"),
    ],
)
def test_a_wrong_answer_is_rejected_and_recognized_where_it_can_be(id, answer, label):
    verdict = check(id, answer)
    assert not verdict
    assert label is None or label in str(verdict)
