"""Chapter 03: the seed says which derivative of a vector is meant."""

from ..exercise import Exercise, Mutant


def _four_seeds(T):
    w = T.tensor(2.0, requires_grad=True)
    y = T.stack((w.square(), 3 * w, w**3))

    def derivative(output, seed=None):
        return T.autograd.grad(output, w, seed, retain_graph=True)[0]

    return {
        "sum": derivative(y.sum()),
        "mean": derivative(y.mean()),
        "seed (0, 0, 1)": derivative(y, T.tensor([0.0, 0.0, 1.0])),
        "seed (1, -1, 0)": derivative(y, T.tensor([1.0, -1.0, 0.0])),
        "w.grad": w.grad,
    }


def _jacobian(T):
    def jacobian(T, f, x):
        y = f(x)
        seeds = [[float(i == j) for j in range(len(y))] for i in range(len(y))]
        return T.stack([T.autograd.grad(y, x, T.tensor(seed), retain_graph=True)[0] for seed in seeds])

    return jacobian


def _on_two_functions(jacobian, T, rng):
    x = T.tensor([2.0, 3.0], requires_grad=True)
    return {
        "(x0 x1, 3 x0, x1^2)": jacobian(T, lambda x: T.stack((x[0] * x[1], 3 * x[0], x[1] ** 2)), x),
        "x.grad": x.grad,
    }


EXERCISES = [
    Exercise(
        id="03.seeds",
        title="Three outputs, four seeds",
        kind="worked",
        minutes=4,
        reference=_four_seeds,
        hints=(
            "Write down the derivatives of w**2, 3w and w**3 at w = 2. Every answer weighs these three numbers.",
            "They are 4, 3 and 12. A sum weighs each by 1, a mean by 1/3, and autograd.grad stores nothing.",
        ),
        mutants=(
            Mutant(
                "The mean was taken for the sum",
                "A mean over three outputs weighs each derivative by 1/3. The step would be three times too long.",
                rows={"mean": 19.0},
            ),
            Mutant(
                "A value instead of a derivative",
                "The seed picks the third output; its value is 8, its derivative 3w**2 = 12.",
                rows={"seed (0, 0, 1)": 8.0},
            ),
            Mutant(
                "The sign in the seed was lost",
                "A seed may be negative: it is a weight, and (1, -1, 0) asks for a difference.",
                rows={"seed (1, -1, 0)": 7.0},
            ),
            Mutant("None is not zero", "autograd.grad returns and stores nothing.", rows={"w.grad": 0.0}),
        ),
    ),
    Exercise(
        id="03.jacobian",
        title="A Jacobian, one seed at a time",
        kind="blank",
        minutes=8,
        reference=_jacobian,
        hints=(
            "One call of autograd.grad gives one row. Which seed picks the first output alone?",
            "Loop over the rows of the identity matrix as seeds, pass retain_graph=True, and stack what comes back.",
        ),
        mutants=(
            Mutant(
                "All rows in one",
                "A seed of ones adds the rows of the Jacobian. To see them apart, ask with one unit seed at a time.",
                rows={"(x0 x1, 3 x0, x1^2)": [6.0, 8.0]},
            ),
            Mutant(
                "The transpose",
                "A row belongs to an output, a column to an input: three outputs and two inputs make (3, 2).",
                rows={"(x0 x1, 3 x0, x1^2)": [[3.0, 3.0, 0.0], [2.0, 0.0, 6.0]]},
            ),
            Mutant(
                "Running sums",
                "backward() adds to x.grad, so each row contains the rows before it. autograd.grad starts afresh.",
                rows={"(x0 x1, 3 x0, x1^2)": [[3.0, 2.0], [6.0, 2.0], [6.0, 8.0]]},
            ),
        ),
        rows=_on_two_functions,
    ),
]
