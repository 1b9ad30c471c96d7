"""Chapter 00: a warm-up, and a first experiment."""

from ..check.exercise import Mutant, from_chapter


def _warm_up(T):
    w = T.tensor(5.0, requires_grad=True)
    L = 3 * w.square()
    L.backward()
    return {"L": L, "w.grad": w.grad}


EXERCISES = [
    from_chapter(
        id="00.warm_up",
        kind="worked",
        minutes=4,
        reference=_warm_up,
        mutants=(
            Mutant(
                "The derivative is not the value",
                "At w = 2 they happen to be equal, because there w squared and 2w are both 4. At w = 5 they are not.",
                rows={"w.grad": 75.0},
            ),
            Mutant(
                "Multiplied by w once more",
                "The change of L per change of w is 3 * 2w, which has w in it once.",
                rows={"w.grad": 150.0},
            ),
            Mutant(
                "The 3 was dropped",
                "2w is the derivative of the square alone; the factor 3 multiplies it.",
                rows={"w.grad": 10.0},
            ),
        ),
    ),
    from_chapter(
        id="00.experiment",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "Nobody walked back",
                "w.grad is None until L.backward() has run.",
                instead={"L.backward()": "pass"},
            ),
            Mutant(
                "A square is not a cube",
                "This is the table of w**2. The function asked for is w**3, whose derivative is 3w**2.",
                instead={"w**3": "w**2"},
            ),
            Mutant(
                "backward() is not a step",
                "You changed w. backward() computes the derivative and leaves w alone, and so does this exercise.",
                instead={"L.backward()": "L.backward()\n    w.data -= w.grad"},
            ),
        ),
        rows=lambda experiment, T, rng: experiment(T),
    ),
]
