"""Exercises of chapter 10: gradcheck."""

from ..exercise import Exercise, Mutant


def _one_sided(T):
    x = T.tensor(1.5, dtype=T.float64, requires_grad=True)

    def f(x):
        return x * x * x + 2 * x

    eps = 0.1
    (derivative,) = T.autograd.grad(f(x), x)
    return (f(x.detach() + eps) - f(x.detach())) / eps - derivative


def _pass_or_fail(T):
    def passes(function, at):
        x = T.tensor(at, dtype=T.float64, requires_grad=True)
        return T.autograd.gradcheck(function, (x,), raise_exception=False)

    return {
        "x.relu() at 0": passes(lambda x: x.relu(), 0.0),
        "x.abs() at 0": passes(lambda x: x.abs(), 0.0),
        "x.round() at 0.2": passes(lambda x: x.round(), 0.2),
        "x * x.detach() at 1": passes(lambda x: x * x.detach(), 1.0),
        "x * x.detach() at 0": passes(lambda x: x * x.detach(), 0.0),
    }


EXERCISES = [
    Exercise(
        id="10.one_sided",
        title="The one-sided difference",
        kind="worked",
        minutes=4,
        reference=_one_sided,
        hints=(
            "Expand (x + eps)**3 and cancel x**3. The part 2x contributes no error.",
            "What remains is 3x**2 + 3x eps + eps**2. The derivative of the cube is the first term.",
        ),
        mutants=(
            Mutant(
                "This is the error of the central difference",
                "There the term 3x eps appears with both signs and cancels. From one side it stays, and it is "
                "the larger part.",
                rows={"answer": 0.01},
            ),
            Mutant("The last term is missing", "eps**2 is small but not zero.", rows={"answer": 0.45}),
        ),
    ),
    Exercise(
        id="10.pass_or_fail",
        title="Pass or fail",
        kind="worked",
        minutes=4,
        reference=_pass_or_fail,
        hints=(
            "For each one write down two numbers: the mean slope from just left of the point to just right of "
            "it, and what autograd computes.",
            "round is flat on both sides of 0.2, and autograd says 0. For x * x.detach() the quotient is 2x "
            "and autograd gives x; at which x are these equal?",
        ),
        mutants=(
            Mutant(
                "gradcheck fails at every kink",
                "It compares two numbers. For abs at 0 both are 0: the slopes -1 and 1 have the mean 0, and 0 "
                "is the convention.",
                rows={"x.abs() at 0": False},
            ),
            Mutant(
                "A wrong rule fails everywhere",
                "At 0 the wrong derivative x and the right one 2x agree. A check holds only at the points that "
                "were checked.",
                rows={"x * x.detach() at 0": False},
            ),
            Mutant(
                "A zero gradient fails",
                "round is flat almost everywhere. A zero gradient is the right one, however useless for training.",
                rows={"x.round() at 0.2": False},
            ),
        ),
    ),
]
