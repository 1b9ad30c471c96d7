"""Chapter 12: second derivatives, and what is a constant to them."""

import numpy as np

from ..check.exercise import Mutant, from_chapter


def _slots(T):
    def fresh():
        x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
        (first,) = T.autograd.grad(x**4, x, create_graph=True)
        return x, first

    x, first = fresh()
    (second,) = T.autograd.grad(first, x)
    return {"a": first + second, "b": second, "c": x.grad}


FUNCTIONS = {
    "x³y": (2, lambda w: w[0] ** 3 * w[1]),
    "x² + y³": (2, lambda w: w[0] ** 2 + w[1] ** 3),
    "xyz": (3, lambda w: w[0] * w[1] * w[2]),
}


def _at_drawn_points(product, rng):
    """The rows of ``product(f, w, v)``, which returns Hv and what is then in the slot of w."""
    rows = {}
    for name, (n, f) in FUNCTIONS.items():
        w, v = rng.uniform(1.2, 2.5, n).round(2).tolist(), rng.uniform(3.0, 6.0, n).round(2).tolist()
        rows[f"{name} at {w}, times {v}"], rows[f"{name}: w.grad"] = product(f, w, v)
    return rows


def _products(hvp, T, rng):
    def product(f, w, v):
        w = T.tensor(w, dtype=T.float64, requires_grad=True)
        return hvp(T, f, w, T.tensor(v, dtype=T.float64)), w.grad

    return _at_drawn_points(product, rng)


def _products_in_jax(jax, rng):
    def product(f, w, v):
        return jax.jvp(jax.grad(f), (jax.numpy.array(w),), (jax.numpy.array(v),))[1], None

    return _at_drawn_points(product, rng)


def _products_by_differences(rng):
    def product(f, w, v, h=1e-4):
        def along_v(e):
            return f(w + h * (e + v)) - f(w + h * (e - v))

        w, v = np.array(w), np.array(v)
        return [(along_v(e) - along_v(-e)) / (4 * h * h) for e in np.eye(len(w))], None

    return _at_drawn_points(product, rng)


def _on_two_batches(with_gradient, rng):
    """The rows of ``with_gradient(weights, batch)``, which returns the penalty and its gradient for the weights."""
    rows = {}
    for n in rng.choice(range(2, 5), 2, replace=False):
        weights, batch = rng.uniform(2.0, 4.0, 2).round(2), rng.uniform(0.8, 2.0, (n, 2)).round(2)
        name = f"penalty of {batch.tolist()}, w = {weights.tolist()}"
        rows[name], rows[f"gradient for w, {n} rows"] = with_gradient(weights, batch)
    return rows


def _penalized(penalty, T, rng):
    def with_gradient(weights, batch):
        w = T.tensor(weights.tolist(), dtype=T.float64, requires_grad=True)
        x = T.tensor(batch.tolist(), dtype=T.float64)
        result = penalty(T, lambda x: (w * x.square()).sum(1) / 2, x)
        return result, T.autograd.grad(result, w)[0] if result.requires_grad else None

    return _on_two_batches(with_gradient, rng)


def _penalized_in_jax(jax, rng):
    def with_gradient(weights, batch):
        def penalty(w):
            slopes = jax.vmap(jax.grad(lambda row: (w * row * row).sum() / 2))(jax.numpy.array(batch))
            return ((jax.numpy.linalg.norm(slopes, axis=1) - 1) ** 2).mean()

        return jax.value_and_grad(penalty)(jax.numpy.array(weights))

    return _on_two_batches(with_gradient, rng)


def _penalized_by_differences(rng):
    def with_gradient(weights, batch):
        def penalty(w, h=1e-3):  # a model of the second degree, for which a difference is exact
            slopes = [(w * ((batch + h * e) ** 2 - (batch - h * e) ** 2)).sum(1) / 2 / (2 * h) for e in np.eye(2)]
            return ((np.linalg.norm(slopes, axis=0) - 1) ** 2).mean()

        return penalty(weights), [(penalty(weights + e) - penalty(weights - e)) / 2e-5 for e in 1e-5 * np.eye(2)]

    return _on_two_batches(with_gradient, rng)


def _checked(make, T, rng):
    x = T.tensor(0.7, dtype=T.float64, requires_grad=True)
    function = make(T)
    return {
        "gradcheck": T.autograd.gradcheck(function, (x,), raise_exception=False),
        "gradgradcheck": T.autograd.gradgradcheck(function, (x,), raise_exception=False),
    }


EXERCISES = [
    from_chapter(
        id="12.slots",
        kind="worked",
        minutes=4,
        reference=_slots,
        mutants=(
            Mutant(
                "backward does not overwrite",
                "The 48 of the second call is added to the 32 that lies in the slot.",
                rows={"a": 48.0},
            ),
            Mutant(
                "The slot was emptied", "In b the 32 is taken out of the slot before the 48 arrives.", rows={"b": 80.0}
            ),
            Mutant("grad stores nothing", "It returns what it finds, and the slot stays empty.", rows={"c": 48.0}),
        ),
    ),
    from_chapter(
        id="12.hvp",
        kind="faded",
        minutes=5,
        mutants=(
            Mutant(
                "The seed is missing",
                "These are the sums of the rows of H, its product with a vector of ones. Use v as the seed.",
                instead={"grad_outputs=v": "grad_outputs=T.ones_like(v)"},
            ),
            Mutant(
                "Times v, entry by entry",
                "The sums of the rows of H, times v, are not Hv: v has to be the seed of the second pass.",
                instead={"grad_outputs=v": "grad_outputs=T.ones_like(v)", "return product": "return product * v"},
            ),
            Mutant(
                "The gradient has no history",
                "The second call has nothing to walk back through: the first was not recorded. It needs "
                "create_graph=True.",
                instead={"create_graph=True": "create_graph=False"},
            ),
            Mutant(
                "A vector without a seed",
                "g has several entries, and nobody said how to weigh them. The weights are v.",
                instead={", grad_outputs=v": ""},
            ),
            Mutant(
                "The slot was filled",
                "backward adds each product to w.grad. Call grad, which returns it and stores nothing.",
                instead={
                    "(product,) = T.autograd.grad(g, w, grad_outputs=v)": "g.backward(v)",
                    "return product": "return w.grad",
                },
            ),
        ),
        rows=_products,
        jax=_products_in_jax,
        differences=_products_by_differences,
    ),
    from_chapter(
        id="12.penalty",
        kind="blank",
        minutes=8,
        mutants=(
            Mutant(
                "Not recorded",
                "The penalty has its value and no history. create_graph=True records the inner gradient.",
                instead={"create_graph=True": "create_graph=False"},
            ),
            Mutant(
                "One norm for the batch",
                "The norm was taken over all rows together. Each row has a norm of its own: dim=1.",
                instead={"norm(dim=1)": "norm()"},
            ),
            Mutant(
                "A sum, not a mean",
                "The penalties of the rows are right. Take their mean.",
                instead={".mean()": ".sum()"},
            ),
            Mutant(
                "The slopes of a mean",
                "The mean of the numbers divides each row's gradient by the number of rows. In their sum each counts "
                "in full.",
                instead={"model(x).sum()": "model(x).mean()"},
            ),
            Mutant(
                "x is no leaf of this graph",
                "x came as data, and nothing records what is done with it. It must require a gradient before the "
                "model sees it.",
                instead={"x.detach().requires_grad_()": "x"},
            ),
        ),
        rows=_penalized,
        jax=_penalized_in_jax,
        differences=_penalized_by_differences,
    ),
    from_chapter(
        id="12.fool",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "Nothing is hidden",
                "Both checks pass: backward computes from saved tensors, or the second derivative is zero anyway.",
                rows={"gradcheck": True, "gradgradcheck": True},
            ),
            Mutant(
                "The first derivative is wrong too",
                "Then gradcheck notices. Hide it, but keep it right.",
                rows={"gradcheck": False},
            ),
            Mutant(
                "The class, and not its apply",
                "Calling the class makes an object of it and computes nothing. Return its apply.",
                instead={"Sine.apply": "Sine"},
            ),
        ),
        rows=_checked,
    ),
]
