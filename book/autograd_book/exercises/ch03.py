"""Chapter 03: the seed says which derivative of a vector is meant."""

from functools import partial
from itertools import accumulate

import numpy as np

from ..check.exercise import Mutant, from_chapter, of_dictionary

FUNCTIONS = {  # of a vector: its length, and the function on arrays of any library
    "(x0 x1, 3 x0, x1^2)": (2, lambda T, x: T.stack((x[0] * x[1], 3 * x[0], x[1] ** 2))),
    "(x0 x1 x2, x0 / x2)": (3, lambda T, x: T.stack((x[0] * x[1] * x[2], x[0] / x[2]))),
}


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


def _at_points(jacobian, rng):
    """The rows of a function that returns the matrix, and what lies in the slot of x afterwards."""
    rows = {}
    for name, (n, f) in FUNCTIONS.items():
        x = rng.uniform(1.5, 3.0, n).round(2).tolist()
        rows[f"{name} at {x}"], rows[f"{name}: x.grad"] = jacobian(f, x)
    return rows


def _on_two_functions(jacobian, T, rng):
    def with_slot(f, numbers):
        x = T.tensor(numbers, dtype=T.float64, requires_grad=True)
        return jacobian(T, partial(f, T), x), x.grad

    return _at_points(with_slot, rng)


def _jacobian_in_jax(jax, rng):
    return _at_points(lambda f, x: (jax.jacobian(partial(f, jax.numpy))(jax.numpy.array(x)), None), rng)


def _jacobian_by_differences(rng):
    def columns(f, x):
        return [(f(np, x + d) - f(np, x - d)) / 2e-5 for d in 1e-5 * np.eye(len(x))]

    return _at_points(lambda f, x: (np.stack(columns(f, x), axis=1), None), rng)


def _all_in_one(T, f, x):
    y = f(x)
    return T.autograd.grad(y, x, T.ones_like(y))[0]


def _stored(T, f, x):
    y, rows = f(x), []
    for seed in T.eye(len(y)):
        x.grad = None
        y.backward(seed, retain_graph=True)
        rows.append(x.grad)
    return T.stack(rows)


def _mean_over_sentences(losses, lengths):
    ends = accumulate(lengths)
    return sum(losses[end - n : end].mean() for n, end in zip(lengths, ends, strict=True)) / len(lengths)


def _sentence_seed(T, lengths):
    losses = T.zeros(sum(lengths), requires_grad=True)
    return T.autograd.grad(_mean_over_sentences(losses, lengths), losses)[0]


def _for_drawn_lengths(seed, T, rng):
    drawn = [rng.choice(range(1, 6), rng.integers(2, 5), replace=False).tolist() for _ in range(2)]
    return {f"lengths {lengths}": seed(T, lengths) for lengths in drawn}


def _seed_in_jax(jax, rng):
    def seed(jnp, lengths):
        return jax.grad(_mean_over_sentences)(jnp.zeros(sum(lengths)), lengths)

    return _for_drawn_lengths(seed, jax.numpy, rng)


def _seed_by_differences(rng):
    def seed(_, lengths):  # the mean is linear, so a step may be as long as it likes
        return [_mean_over_sentences(token, lengths) for token in np.eye(sum(lengths))]

    return _for_drawn_lengths(seed, None, rng)


def _token_weights(weight):
    def seed(T, lengths):
        return T.tensor([weight(n, lengths) for n in lengths for _ in range(n)])

    return seed


@of_dictionary("refused", "deaf")
def _asked_with(answer, T, rng):
    def derivative(seed, scale=1.0):
        w = T.tensor(2.0, dtype=T.float64, requires_grad=True)
        y = T.stack((w.square(), 3 * w, w**3))
        try:
            return T.autograd.grad(y, w, T.tensor(seed, dtype=T.float64) / scale)[0]
        except RuntimeError as error:
            return type(error).__name__

    refused, largest = derivative(answer["refused"]), max(map(abs, answer["deaf"]), default=0.0)
    return {
        "refused": refused if isinstance(refused, str) else "no error",
        "deaf, scaled so that the largest weight is 1": derivative(answer["deaf"], largest or 1.0),
        "deaf has a weight that is not 0": largest > 0,
    }


EXERCISES = [
    from_chapter(
        id="03.seeds",
        kind="worked",
        minutes=4,
        reference=_four_seeds,
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
    from_chapter(
        id="03.jacobian",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "All rows in one",
                "A seed of ones adds the rows of the Jacobian. To see them apart, ask with one unit seed at a time.",
                _all_in_one,
            ),
            Mutant(
                "The transpose",
                "A row belongs to an output, a column to an input: three outputs and two inputs make (3, 2).",
                instead={"T.eye(len(y))])": "T.eye(len(y))]).T"},
            ),
            Mutant(
                "Running sums",
                "backward() adds to x.grad, so each row contains the rows before it. autograd.grad starts afresh.",
                instead={"T.eye(len(y))])": "T.eye(len(y))]).cumsum(0)"},
            ),
            Mutant(
                "The slot of x was used",
                "The matrix is right. But backward() stores what arrives, and x.grad was to stay as it is: "
                "autograd.grad returns the row and stores nothing.",
                _stored,
            ),
        ),
        rows=_on_two_functions,
        jax=_jacobian_in_jax,
        differences=_jacobian_by_differences,
    ),
    from_chapter(
        id="03.sentences",
        kind="faded",
        minutes=5,
        reference=lambda T: _sentence_seed,
        mutants=(
            Mutant(
                "This is the mean over tokens",
                "It gives a long sentence more weight than a short one. The mean over sentences does not.",
                _token_weights(lambda n, lengths: 1 / sum(lengths)),
            ),
            Mutant(
                "A sum of means",
                "Each sentence has the weight 1 here. A mean over sentences divides by their number too.",
                _token_weights(lambda n, lengths: 1 / n),
            ),
            Mutant(
                "Each token has the share of its sentence",
                "The tokens of a sentence share its weight, so it is divided by their number.",
                _token_weights(lambda n, lengths: 1 / len(lengths)),
            ),
            Mutant(
                "Long sentences count more",
                "n / total is the share of a sentence in the mean over tokens. Here all sentences count the same.",
                _token_weights(lambda n, lengths: n / sum(lengths)),
            ),
        ),
        rows=_for_drawn_lengths,
        jax=_seed_in_jax,
        differences=_seed_by_differences,
    ),
    from_chapter(
        id="03.deaf",
        kind="break",
        minutes=4,
        mutants=(
            Mutant(
                "Wrong weights are no error",
                "Three numbers for three outputs are always accepted. No engine can know which weights you meant.",
                {"refused": [0.0, 0.0, 0.0], "deaf": [3.0, -4.0, 0.0]},
            ),
            Mutant(
                "The weights cancel, the derivatives do not",
                "That the weights add up to 0 is not enough: each is multiplied by a derivative of its own.",
                {"refused": [1.0, 2.0], "deaf": [1.0, -1.0, 0.0]},
            ),
            Mutant(
                "The values cancel",
                "4, 6 and 8 are the values of the outputs. The walk back weighs their derivatives 4, 3 and 12.",
                {"refused": [1.0, 2.0], "deaf": [3.0, -2.0, 0.0]},
            ),
            Mutant(
                "Nothing was asked",
                "A seed of zeros gives 0 for every function. A deaf one has weights and still hears nothing.",
                rows={
                    "deaf, scaled so that the largest weight is 1": 0.0,
                    "deaf has a weight that is not 0": False,
                },
            ),
            Mutant(
                "The deaf seed was refused",
                "A deaf seed has the right shape: one weight for each of the three outputs.",
                {"refused": [1.0, 2.0], "deaf": [3.0, -4.0]},
            ),
        ),
        rows=_asked_with,
    ),
]
