"""The questions: what is drawn, what is asked, and what follows from it with an engine."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from autograd_book.check.exercise import Mutant, Rows
from autograd_book.compare import engines
from autograd_book.compare.values import agree

Drawn = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A task with numbers to be drawn.

    Parameters:
        id: `bank.name`; no chapter has that number.
        title: the heading of the question.
        minutes: that a student needs.
        numbers: called as `numbers(rng)`; returns the numbers of one variant.
        text: called with them; returns the task as Markdown.
        answer: called as `answer(T, drawn)` with an engine; returns the right rows.
        mutants: called with the numbers; returns wrong answers to recognize.
    """

    id: str
    title: str
    minutes: int
    numbers: Callable[[np.random.Generator], Drawn]
    text: Callable[[Drawn], str]
    answer: Callable[[Any, Drawn], Rows]
    mutants: Callable[[Drawn], tuple[Mutant, ...]]

    def draw(self, rng: np.random.Generator) -> Drawn:
        """The numbers of one variant: drawn again until no wrong answer is the right one or another wrong one."""
        while not self._tells_apart(drawn := self.numbers(rng)):
            pass
        return drawn

    def _tells_apart(self, drawn: Drawn) -> bool:
        right = self.answer(engines.load("autograd_core"), drawn)
        answers = [right, *({**right, **(mutant.rows or {})} for mutant in self.mutants(drawn))]
        return not any(agree([*a.values()], [*b.values()], atol=1e-6, rtol=1e-6) for a, b in combinations(answers, 2))


def _code(*lines: str) -> str:
    return "\n".join(["```python", *lines, "```"])


def _chain(T: Any, d: Drawn) -> Rows:
    w = T.tensor(float(d["w"]), requires_grad=True)
    h = w.square()
    h.retain_grad()
    L = d["k"] * h
    L.backward()
    return {"L": L.item(), "h.grad": h.grad.item(), "w.grad": w.grad.item()}


def _seed(T: Any, d: Drawn) -> Rows:
    w = T.tensor(float(d["w"]), requires_grad=True)
    y = T.stack([w.square(), d["k"] * w])
    y.backward(T.tensor([float(v) for v in d["v"]]))
    return {"w.grad": w.grad.item()}


def _ledger(T: Any, d: Drawn) -> Rows:
    w = T.tensor(float(d["w"]), requires_grad=True)
    entries = {}
    for mark, between in zip("abc", d["between"], strict=True):
        if between == "w.grad = None":
            w.grad = None
        elif between and w.grad is not None:
            w.grad.zero_()
        (d["k"] * w.square()).backward()
        entries[mark] = w.grad.item()
    return entries


def _parts(T: Any, d: Drawn) -> Rows:
    w = T.tensor(2.0, requires_grad=True)
    first, second = (T.tensor([float(x) for x in part]) for part in (d["first"], d["second"]))
    batch = T.cat([first, second])
    (w.square() * batch).mean().backward()
    whole = w.grad.item()
    w.grad = None
    (((w.square() * first).mean() + (w.square() * second).mean()) / 2).backward()
    return {"of the whole batch": whole, "of the mean of means": w.grad.item()}


def _detached(T: Any, d: Drawn) -> Rows:
    w = T.tensor(float(d["w"]), requires_grad=True)
    factors = [w.square(), d["k"] * w]
    factors[d["detached"]] = factors[d["detached"]].detach()
    L = factors[0] * factors[1]
    L.backward()
    return {"L": L.item(), "w.grad": w.grad.item()}


def _difference(T: Any, d: Drawn) -> Rows:
    x, step = float(d["x"]), d["step"]
    point = T.tensor(x, dtype=T.float64, requires_grad=True)
    (point**3).backward()
    forward = ((x + step) ** 3 - x**3) / step
    central = ((x + step) ** 3 - (x - step) ** 3) / (2 * step)
    return {"exact": point.grad.item(), "forward": forward, "central": central}


def _second(T: Any, d: Drawn) -> Rows:
    x = T.tensor(float(d["x"]), requires_grad=True)
    y = d["k"] * x**3
    (first,) = T.autograd.grad(y, x, create_graph=True)
    (second,) = T.autograd.grad(first, x)
    return {"first": first.item(), "second": second.item()}


def _integers(rng: np.random.Generator, count: int, least: int = 2, most: int = 9) -> list[int]:
    """Numbers that differ from each other."""
    return rng.choice(np.arange(least, most + 1), count, replace=False).tolist()


QUESTIONS = (
    Question(
        "bank.chain",
        "A chain",
        4,
        lambda rng: dict(zip(("w", "k"), _integers(rng, 2), strict=True)),
        lambda d: (
            "What do `L`, `h.grad` and `w.grad` hold at the end?\n\n"
            + _code(
                f"w = T.tensor({d['w']}.0, requires_grad=True)",
                "h = w.square()",
                "h.retain_grad()",
                f"L = {d['k']} * h",
                "L.backward()",
            )
        ),
        _chain,
        lambda d: (
            Mutant("Nothing is kept in between", "retain_grad() asks for it.", rows={"h.grad": None}),
            Mutant("The chain ends at h", "Multiply by the derivative of the square.", rows={"w.grad": float(d["k"])}),
            Mutant("The factor is lost", "What arrives at h is not 1.", rows={"w.grad": 2.0 * d["w"]}),
        ),
    ),
    Question(
        "bank.seed",
        "A seed",
        4,
        lambda rng: dict(zip(("w", "k"), _integers(rng, 2), strict=True)) | {"v": _integers(rng, 2, 2, 6)},
        lambda d: (
            "What does `w.grad` hold at the end?\n\n"
            + _code(
                f"w = T.tensor({d['w']}.0, requires_grad=True)",
                f"y = T.stack([w.square(), {d['k']} * w])",
                f"y.backward(T.tensor([{d['v'][0]}.0, {d['v'][1]}.0]))",
            )
        ),
        _seed,
        lambda d: (
            Mutant("A seed of ones", "The seed weighs the outputs.", rows={"w.grad": float(2 * d["w"] + d["k"])}),
            Mutant("The first output alone", "Both outputs reach w.", rows={"w.grad": float(2 * d["w"] * d["v"][0])}),
            Mutant("The last output alone", "Both outputs reach w.", rows={"w.grad": float(d["k"] * d["v"][1])}),
        ),
    ),
    Question(
        "bank.ledger",
        "A ledger",
        5,
        lambda rng: (
            dict(zip(("w", "k"), _integers(rng, 2), strict=True))
            | {"between": ["", *rng.permutation(["", rng.choice(["w.grad.zero_()", "w.grad = None"])]).tolist()]}
        ),
        lambda d: (
            "What does `w.grad` hold at each mark? It is empty at the start.\n\n"
            + _code(
                f"w = T.tensor({d['w']}.0, requires_grad=True)",
                *(
                    line
                    for mark, between in zip("abc", d["between"], strict=True)
                    for line in ([between] if between else []) + [f"({d['k']} * w.square()).backward()    # {mark}"]
                ),
            )
        ),
        _ledger,
        lambda d: (
            Mutant(
                "backward() overwrites",
                "It adds to what lies in the slot.",
                rows=dict.fromkeys("abc", 2.0 * d["w"] * d["k"]),
            ),
            Mutant(
                "Nothing clears",
                "zero_() and None both do.",
                rows={mark: 2.0 * d["w"] * d["k"] * n for n, mark in enumerate("abc", 1)},
            ),
            Mutant("The slot is empty", "A walk has filled it.", rows={"c": None}),
        ),
    ),
    Question(
        "bank.parts",
        "Two parts of a batch",
        6,
        lambda rng: (lambda x: {"first": x[:2], "second": x[2:]})(_integers(rng, 5, 1, 20)),
        lambda d: (
            f"At $w = 2$ the loss of an example $x$ is $w^2 x$, so its gradient is $4x$. The batch comes in two parts,"
            f" {d['first']} and {d['second']}. What is the gradient of the mean over the whole batch, and what is the"
            " gradient of the mean of the two parts' means?"
        ),
        _parts,
        lambda d: (
            Mutant(
                "A mean of means is a mean",
                "Each part counts by its share of the batch.",
                rows={
                    "of the whole batch": 2.0 * (float(np.mean(d["first"])) + float(np.mean(d["second"]))),
                },
            ),
            Mutant(
                "A sum, not a mean",
                "Divide by the number of examples.",
                rows={"of the whole batch": 4.0 * sum(d["first"] + d["second"])},
            ),
            Mutant(
                "The means were added",
                "A mean of two is half of their sum.",
                rows={"of the mean of means": 4.0 * (float(np.mean(d["first"])) + float(np.mean(d["second"])))},
            ),
        ),
    ),
    Question(
        "bank.detached",
        "One factor detached",
        5,
        lambda rng: dict(zip(("w", "k"), _integers(rng, 2, 2, 6), strict=True)) | {"detached": int(rng.integers(2))},
        lambda d: (
            "What do `L` and `w.grad` hold at the end?\n\n"
            + _code(
                f"w = T.tensor({d['w']}.0, requires_grad=True)",
                "a = w.square()" + (".detach()" if d["detached"] == 0 else ""),
                f"b = ({d['k']} * w)" + (".detach()" if d["detached"] == 1 else ""),
                "L = a * b",
                "L.backward()",
            )
        ),
        _detached,
        lambda d: (
            Mutant(
                "detach changes nothing", "Through it no gradient flows.", rows={"w.grad": 3.0 * d["k"] * d["w"] ** 2}
            ),
            Mutant(
                "The other factor is cut",
                "The factor that is detached is a constant; the other one is not.",
                rows={"w.grad": float((2 if d["detached"] == 0 else 1) * d["k"] * d["w"] ** 2)},
            ),
            Mutant("detach gives zero", "It keeps the value and drops the graph.", rows={"L": 0.0}),
        ),
    ),
    Question(
        "bank.difference",
        "Three derivatives",
        6,
        lambda rng: {"x": _integers(rng, 1)[0], "step": float(rng.choice([0.1, 0.2, 0.5]))},
        lambda d: (
            f"For $f(x) = x^3$ at $x = {d['x']}$ and a step of {d['step']}: the exact derivative, the forward"
            " difference, and the central difference."
        ),
        _difference,
        lambda d: (
            Mutant(
                "The central difference is exact",
                "It still differs, by the square of the step.",
                rows={"central": 3.0 * d["x"] ** 2},
            ),
            Mutant(
                "The step, not two of them",
                "The two points of a central difference are two steps apart.",
                rows={"central": 2 * (3.0 * d["x"] ** 2 + d["step"] ** 2)},
            ),
            Mutant(
                "The forward difference is exact",
                "It differs, by a multiple of the step.",
                rows={"forward": 3.0 * d["x"] ** 2},
            ),
        ),
    ),
    Question(
        "bank.second",
        "The derivative of the derivative",
        4,
        lambda rng: dict(zip(("x", "k"), _integers(rng, 2), strict=True)),
        lambda d: f"For $y = {d['k']} x^3$ at $x = {d['x']}$: the first and the second derivative.",
        _second,
        lambda d: (
            Mutant("The first once more", "Differentiate the derivative.", rows={"second": 3.0 * d["k"] * d["x"] ** 2}),
            Mutant("The square of the first", "It is no square.", rows={"second": (3.0 * d["k"] * d["x"] ** 2) ** 2}),
            Mutant("A constant", "The second derivative of a cube still has x.", rows={"second": 6.0 * d["k"]}),
        ),
    ),
)
