"""Chapter 00: a warm-up, and a first experiment."""

from ..check.exercise import Exercise, Mutant


def _warm_up(T):
    w = T.tensor(5.0, requires_grad=True)
    L = 3 * w.square()
    L.backward()
    return {"L": L, "w.grad": w.grad}


def _of(power, walk=lambda L, w: L.backward()):
    def experiment(T):
        w = T.tensor(2.0, requires_grad=True)
        L = w**power
        walk(L, w)
        return {"L": L, "w.grad": w.grad, "w": w}

    return experiment


def _and_step(L, w):
    L.backward()
    w.data -= w.grad


EXERCISES = [
    Exercise(
        id="00.warm_up",
        title="The other number",
        kind="worked",
        minutes=4,
        reference=_warm_up,
        hints=(
            "L is 3 times the square of w. Its derivative is 3 times the derivative of the square.",
            "The derivative of w squared is 2w. At w = 5 that is 10.",
        ),
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
    Exercise(
        id="00.experiment",
        title="Your own experiment",
        kind="faded",
        minutes=5,
        reference=lambda T: _of(3),
        hints=(
            "The function at the top of the chapter does all of it for another L. Which line has to change?",
            "Only the line that computes L: L = w**3. The rest stays, and so does the dictionary.",
        ),
        mutants=(
            Mutant(
                "Nobody walked back",
                "w.grad is None until L.backward() has run.",
                _of(3, walk=lambda L, w: None),
            ),
            Mutant(
                "A square is not a cube",
                "This is the table of w**2. The function asked for is w**3, whose derivative is 3w**2.",
                _of(2),
            ),
            Mutant(
                "backward() is not a step",
                "You changed w. backward() computes the derivative and leaves w alone, and so does this exercise.",
                _of(3, _and_step),
            ),
        ),
        rows=lambda experiment, T, rng: experiment(T),
    ),
]
