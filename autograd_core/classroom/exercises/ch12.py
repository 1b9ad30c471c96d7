"""Chapter 12: second derivatives, and what is a constant to them."""

from ..exercise import Exercise, Mutant


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


def _unrecorded_hvp(T, f, w, v):
    (g,) = T.autograd.grad(f(w), w)
    return T.autograd.grad(g, w, v)[0]


def _unseeded_hvp(T, f, w, v):
    (g,) = T.autograd.grad(f(w), w, create_graph=True)
    return T.autograd.grad(g, w)[0]


def _products(hvp, T, rng):
    w = T.tensor([2.0, 1.0], dtype=T.float64, requires_grad=True)
    v = T.tensor([1.0, 10.0], dtype=T.float64)
    return {
        "x³y": hvp(T, lambda w: w[0] ** 3 * w[1], w, v),
        "x² + y³": hvp(T, lambda w: w[0] ** 2 + w[1] ** 3, w, v),
        "w.grad": w.grad,
    }


def _penalty(T):
    def penalty(T, model, x):
        x = x.detach().requires_grad_()
        (slopes,) = T.autograd.grad(model(x).sum(), x, create_graph=True)
        return (slopes.norm(dim=1) - 1).square().mean()

    return penalty


def _penalized(penalty, T, rng):
    w = T.tensor([3.0, 4.0], dtype=T.float64, requires_grad=True)
    x = T.tensor([[1.0, 0.0], [0.0, 2.0]], dtype=T.float64)
    result = penalty(T, lambda x: (w * x.square()).sum(1) / 2, x)
    return {
        "penalty": result,
        "gradient for w": T.autograd.grad(result, w)[0] if result.requires_grad else None,
    }


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
                "These are the sums of the rows of H, a product with (1, 1). Use v as the seed.",
                rows={"x³y": [24.0, 12.0]},
            ),
            Mutant(
                "Times v, entry by entry",
                "H(1, 1) times v is not Hv: v has to be the seed of the second pass.",
                rows={"x³y": [24.0, 120.0]},
            ),
            Mutant(
                "The gradient has no history",
                "The second call has nothing to walk back through: the first was not recorded. It needs "
                "create_graph=True.",
                answer=_unrecorded_hvp,
            ),
            Mutant(
                "A vector without a seed",
                "g has two entries, and nobody said how to weigh them. The weights are v.",
                answer=_unseeded_hvp,
            ),
            Mutant(
                "The slot was filled",
                "backward adds each product to w.grad. Call grad, which returns it and stores nothing.",
                rows={"w.grad": [134.0, 72.0]},
            ),
        ),
        rows=_products,
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
                rows={"gradient for w": None},
            ),
            Mutant(
                "One norm for the batch",
                "The norm was taken over all rows together. Each row has a norm of its own: dim=1.",
                rows={"penalty": (73.0**0.5 - 1) ** 2},
            ),
            Mutant(
                "A sum, not a mean",
                "The penalties of the rows are right. Take their mean.",
                rows={"penalty": 2.0**2 + 7.0**2},
            ),
        ),
        rows=_penalized,
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
                answer=_class_itself,
            ),
        ),
        rows=_checked,
    ),
]
