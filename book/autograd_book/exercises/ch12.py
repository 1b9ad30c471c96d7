"""Chapter 12: second derivatives, and what is a constant to them."""

import numpy as np

from ..check.exercise import Exercise, Mutant


def _slots(T):
    def fresh():
        x = T.tensor(2.0, dtype=T.float64, requires_grad=True)
        (first,) = T.autograd.grad(x**4, x, create_graph=True)
        return x, first

    x, first = fresh()
    (second,) = T.autograd.grad(first, x)
    return {"a": first + second, "b": second, "c": x.grad}


def _hvp(T):
    def hvp(T, f, w, v):
        (g,) = T.autograd.grad(f(w), w, create_graph=True)
        (product,) = T.autograd.grad(g, w, v)
        return product

    return hvp


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


def _hvp_with(seed, after=lambda product, v: product, create_graph=True):
    def hvp(T, f, w, v):
        (g,) = T.autograd.grad(f(w), w, create_graph=create_graph)
        return after(T.autograd.grad(g, w, seed(v))[0], v)

    return hvp


def _hvp_in_the_slot(T, f, w, v):
    (g,) = T.autograd.grad(f(w), w, create_graph=True)
    g.backward(v)
    return w.grad


def _penalty(T):
    def penalty(T, model, x):
        x = x.detach().requires_grad_()
        (slopes,) = T.autograd.grad(model(x).sum(), x, create_graph=True)
        return (slopes.norm(dim=1) - 1).square().mean()

    return penalty


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


def _penalty_with(
    create_graph=True,
    norm=lambda slopes: slopes.norm(dim=1),
    reduce=lambda penalties: penalties.mean(),
    total=lambda numbers: numbers.sum(),
    leaf=lambda x: x.detach().requires_grad_(),
):
    """A right penalty, from which the wrong ones differ in one part."""

    def penalty(T, model, x):
        x = leaf(x)
        (slopes,) = T.autograd.grad(total(model(x)), x, create_graph=create_graph)
        return reduce((norm(slopes) - 1).square())

    return penalty


def _fool(T):
    def make(T):
        class Sine(T.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx, x):
                ctx.slope = x.cos()
                return x.sin()

            @staticmethod
            def backward(ctx, g):
                return g * ctx.slope

        return Sine.apply

    return make


def _class_itself(T):
    return _fool(T)(T).__self__


def _checked(make, T, rng):
    x = T.tensor(0.7, dtype=T.float64, requires_grad=True)
    function = make(T)
    return {
        "gradcheck": T.autograd.gradcheck(function, (x,), raise_exception=False),
        "gradgradcheck": T.autograd.gradgradcheck(function, (x,), raise_exception=False),
    }


EXERCISES = [
    Exercise(
        id="12.slots",
        title="What lies in the slot",
        kind="worked",
        minutes=4,
        reference=_slots,
        hints=(
            "What are the two derivatives of x**4 at 2? Which of them is added to which?",
            "32 and 48. In b the slot is empty when the second one arrives. In c nothing is stored.",
        ),
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
    Exercise(
        id="12.hvp",
        title="Hessian times vector",
        kind="faded",
        minutes=5,
        reference=_hvp,
        hints=(
            "The second call is a vector–Jacobian product. What is the vector, and what has to be true of g?",
            "create_graph=True in the first call; w and grad_outputs=v in the second.",
        ),
        mutants=(
            Mutant(
                "The seed is missing",
                "These are the sums of the rows of H, its product with a vector of ones. Use v as the seed.",
                _hvp_with(lambda v: v * 0 + 1),
            ),
            Mutant(
                "Times v, entry by entry",
                "The sums of the rows of H, times v, are not Hv: v has to be the seed of the second pass.",
                _hvp_with(lambda v: v * 0 + 1, lambda product, v: product * v),
            ),
            Mutant(
                "The gradient has no history",
                "The second call has nothing to walk back through: the first was not recorded. It needs "
                "create_graph=True.",
                _hvp_with(lambda v: v, create_graph=False),
            ),
            Mutant(
                "A vector without a seed",
                "g has several entries, and nobody said how to weigh them. The weights are v.",
                _hvp_with(lambda v: None),
            ),
            Mutant(
                "The slot was filled",
                "backward adds each product to w.grad. Call grad, which returns it and stores nothing.",
                _hvp_in_the_slot,
            ),
        ),
        rows=_products,
        jax=_products_in_jax,
        differences=_products_by_differences,
    ),
    Exercise(
        id="12.penalty",
        title="A penalty for a batch",
        kind="blank",
        minutes=8,
        reference=_penalty,
        hints=(
            "x may not require a gradient yet. And what is the gradient of the sum of the n numbers, if each depends "
            "on one row?",
            "x = x.detach().requires_grad_(), then one call of grad on model(x).sum(), recorded. The norm is taken "
            "along dim=1.",
        ),
        mutants=(
            Mutant(
                "Not recorded",
                "The penalty has its value and no history. create_graph=True records the inner gradient.",
                _penalty_with(create_graph=False),
            ),
            Mutant(
                "One norm for the batch",
                "The norm was taken over all rows together. Each row has a norm of its own: dim=1.",
                _penalty_with(norm=lambda slopes: slopes.norm()),
            ),
            Mutant(
                "A sum, not a mean",
                "The penalties of the rows are right. Take their mean.",
                _penalty_with(reduce=lambda penalties: penalties.sum()),
            ),
            Mutant(
                "The slopes of a mean",
                "The mean of the numbers divides each row's gradient by the number of rows. In their sum each counts "
                "in full.",
                _penalty_with(total=lambda numbers: numbers.mean()),
            ),
            Mutant(
                "x is no leaf of this graph",
                "x came as data, and nothing records what is done with it. It must require a gradient before the "
                "model sees it.",
                _penalty_with(leaf=lambda x: x),
            ),
        ),
        rows=_penalized,
        jax=_penalized_in_jax,
        differences=_penalized_by_differences,
    ),
    Exercise(
        id="12.fool",
        title="Fool gradcheck",
        kind="break",
        minutes=6,
        reference=_fool,
        hints=(
            "The first derivative has to be right. Where do you put it, so that nobody can see how it depends on the "
            "input?",
            "Compute it in forward and leave it on ctx, or detach it in backward. Any function will do whose second "
            "derivative is not zero.",
        ),
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
                _class_itself,
            ),
        ),
        rows=_checked,
    ),
]
