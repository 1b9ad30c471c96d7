"""Chapter 00: one warm-up."""

from ..exercise import Exercise, Mistake


def _warm_up(T):
    w = T.tensor(5.0, requires_grad=True)
    L = 3 * w.square()
    L.backward()
    return {"L": L, "w.grad": w.grad}


EXERCISES = [
    Exercise(
        id="00.warm_up",
        title="The other number",
        reference=_warm_up,
        hints=(
            "L is 3 times the square of w. Its derivative is 3 times the derivative of the square.",
            "The derivative of w squared is 2w. At w = 5 that is 10.",
        ),
        mistakes=(
            Mistake(
                "The derivative is not the value",
                "At w = 2 they happen to be equal, because there w squared and 2w are both 4. At w = 5 they are not.",
                {"w.grad": 75.0},
            ),
            Mistake(
                "The 3 was dropped",
                "2w is the derivative of the square alone; the factor 3 multiplies it.",
                {"w.grad": 10.0},
            ),
        ),
    )
]
