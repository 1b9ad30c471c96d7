"""Exercises of chapter 10: gradcheck."""

from ..check.exercise import Mutant, from_chapter


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


def _checks(T):
    def passes(f, df, x):
        class Claimed(T.autograd.Function):  # type: ignore[name-defined]
            @staticmethod
            def forward(ctx, x):
                ctx.save_for_backward(x)
                return f(x)

            @staticmethod
            def backward(ctx, g):
                return g * df(*ctx.saved_tensors)

        x = T.tensor(x, dtype=T.float64, requires_grad=True)
        return T.autograd.gradcheck(Claimed.apply, (x,), raise_exception=False)

    return passes


def _cube(x):
    return x * x * x


def _claims(passes, T, rng):
    near, far = round(rng.uniform(1.2, 1.9), 2), round(rng.uniform(900.0, 1100.0), 1)
    return {
        f"x**3, claimed 3x**2, at {near}": passes(_cube, lambda x: 3 * x * x, near),
        f"x**3, claimed 3x**2, at {far}": passes(_cube, lambda x: 3 * x * x, far),
        f"x**3, claimed x**2, at {near}": passes(_cube, lambda x: x * x, near),
        f"x**3, claimed 6x**2, at {near}": passes(_cube, lambda x: 6 * x * x, near),
        f"x**3, claimed -3x**2, at {near}": passes(_cube, lambda x: -3 * x * x, near),
        f"x**3, claimed 3.001x**2, at {near}": passes(_cube, lambda x: 3.001 * x * x, near),
        f"x**3, claimed 3.01x**2, at {near}": passes(_cube, lambda x: 3.01 * x * x, near),
        "x**3, claimed x**2, at 0": passes(_cube, lambda x: x * x, 0.0),
        "x**3, claimed x**2 + 0.001, at 0": passes(_cube, lambda x: x * x + 1e-3, 0.0),
        "abs(x), claimed 0, at 0": passes(abs, lambda x: 0 * x, 0.0),
    }


def _central(f, x, eps=1e-6):
    return (f(x + eps) - f(x - eps)) / (2 * eps)


def _compares(f, df, x, slope=_central, relative=1e-3):
    return abs(df(x) - slope(f, x)) <= 1e-5 + relative * abs(slope(f, x))


def _numeric_jacobian(T):
    def numeric_jacobian(f, x):
        x = T.tensor(x, dtype=T.float64, requires_grad=True)
        return [T.autograd.grad(y, x, retain_graph=True)[0] for y in f(x)]

    return numeric_jacobian


def _two_to_three(x):
    return [x[0] * x[1], x[0] * x[0] * x[0], 5 * x[1]]


def _at_a_drawn_point(numeric_jacobian, T, rng):
    x = rng.uniform(1.2, 2.8, 2).round(2).tolist()
    given = list(x)
    return {f"Jacobian at {x}": numeric_jacobian(_two_to_three, given), "x afterwards": given}


def _columns(f, x, moved, divisor=2e-6):
    return [
        [(up - down) / divisor for up, down in zip(f(moved(x, j, 1e-6)), f(moved(x, j, -1e-6)), strict=True)]
        for j in range(len(x))
    ]


def _one_moved(x, j, eps):
    return [xi + eps * (i == j) for i, xi in enumerate(x)]


def _moved_up_only(x, j, eps):
    return _one_moved(x, j, max(eps, 0.0))


def _all_moved(x, j, eps):
    return [xi + eps for xi in x]


def _transposed(columns):
    return [list(row) for row in zip(*columns, strict=True)]


def _by_differences(rng):
    def numeric_jacobian(f, x):
        return _transposed(_columns(f, x, _one_moved))

    return _at_a_drawn_point(numeric_jacobian, None, rng)


def _in_jax(jax, rng):
    def numeric_jacobian(f, x):
        return list(jax.jacobian(lambda x: jax.numpy.stack(f(x)))(jax.numpy.array(x)))

    return _at_a_drawn_point(numeric_jacobian, jax, rng)


def _moved_for_good(f, x):
    rows = _transposed(_columns(f, x, _one_moved))
    for j in range(len(x)):
        x[j] += 1e-6
        x[j] -= 2e-6
    return rows


def _at_three_points(planted, T, rng):
    def passes(at):
        x = T.tensor(at, dtype=T.float64, requires_grad=True)
        return T.autograd.gradcheck(planted, (x,), raise_exception=False)

    return {f"gradcheck at {at:g}": passes(at) for at in (0.0, 1.0, 2.0)}


EXERCISES = [
    from_chapter(
        id="10.one_sided",
        kind="worked",
        minutes=4,
        reference=_one_sided,
        mutants=(
            Mutant(
                "This is the error of the central difference",
                "There the term 3x eps appears with both signs and cancels. From one side it stays, and it is "
                "the larger part.",
                rows={"answer": 0.01},
            ),
            Mutant("The last term is missing", "eps**2 is small but not zero.", rows={"answer": 0.45}),
            Mutant(
                "That is the quotient",
                "The question is by how much it exceeds the derivative, which is 8.75.",
                rows={"answer": 9.21},
            ),
        ),
    ),
    from_chapter(
        id="10.pass_or_fail",
        kind="worked",
        minutes=4,
        reference=_pass_or_fail,
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
    from_chapter(
        id="10.passes",
        kind="faded",
        minutes=6,
        reference=_checks,
        mutants=(
            Mutant(
                "The 2 is missing",
                "From x - eps to x + eps the distance is 2 * eps. Without the 2 every slope looks twice as steep.",
                lambda f, df, x: _compares(f, df, x, lambda f, x: 2 * _central(f, x)),
            ),
            Mutant(
                "Too small is not noticed",
                "Without abs() only claims that are too large fail; one with the wrong sign passes.",
                lambda f, df, x: df(x) - _central(f, x) <= 1e-5 + 1e-3 * abs(_central(f, x)),
            ),
            Mutant(
                "The sign is not compared",
                "Take abs() of the difference, not of the two derivatives: a sign error is a common one.",
                lambda f, df, x: abs(abs(df(x)) - abs(_central(f, x))) <= 1e-5 + 1e-3 * abs(_central(f, x)),
            ),
            Mutant(
                "Only an absolute tolerance",
                "Where the slope is in the millions, rounding alone is larger than 1e-5. A relative part is needed, "
                "of a thousandth.",
                lambda f, df, x: _compares(f, df, x, relative=0.0),
            ),
            Mutant(
                "Right claims fail",
                "A numeric derivative is never exact. Compare with a tolerance, and take a step of 1e-6: a far smaller "
                "one leaves nothing but rounding.",
                lambda f, df, x: df(x) == (_central(f, x) if x else 0.0),
            ),
            Mutant(
                "The tolerance is too large",
                "A claim that is off by a third of a percent passes. Allow 1e-5 and a thousandth of the slope.",
                lambda f, df, x: _compares(f, df, x, relative=0.3),
            ),
            Mutant(
                "Every claim passes",
                "A check that refuses nothing checks nothing. Compare what is claimed with the central difference.",
                lambda f, df, x: True,
            ),
            Mutant(
                "The difference is one-sided",
                "At a kink it sees one of two slopes, and its error shrinks like eps. Move x down as well.",
                lambda f, df, x: _compares(f, df, x, lambda f, x: (f(x + 1e-6) - f(x)) / 1e-6),
            ),
        ),
        rows=_claims,
        differences=lambda rng: _claims(_compares, None, rng),
    ),
    from_chapter(
        id="10.jacobian",
        kind="blank",
        minutes=8,
        reference=_numeric_jacobian,
        mutants=(
            Mutant(
                "The transpose",
                "Moving one input gives a column. A row belongs to an output.",
                lambda f, x: _columns(f, x, _one_moved),
            ),
            Mutant(
                "The 2 is missing",
                "The two points are 2 * eps apart.",
                lambda f, x: _transposed(_columns(f, x, _one_moved, divisor=1e-6)),
            ),
            Mutant(
                "All inputs moved at once",
                "Then each column is the sum of all of them. Move one input, and leave the others.",
                lambda f, x: _transposed(_columns(f, x, _all_moved)),
            ),
            Mutant(
                "A one-sided difference",
                "Its error shrinks like eps, that of the central difference like eps squared. Move x down as well.",
                lambda f, x: _transposed(_columns(f, x, _moved_up_only, divisor=1e-6)),
            ),
            Mutant(
                "x was left moved",
                "The caller's list was changed on the way and not put back. Work on a copy.",
                _moved_for_good,
            ),
        ),
        rows=_at_a_drawn_point,
        tolerance=1e-7,
        jax=_in_jax,
        differences=_by_differences,
    ),
    from_chapter(
        id="10.slips_through",
        kind="break",
        minutes=6,
        mutants=(
            Mutant(
                "Noticed at 1",
                "It passes at 0, where what is missing of the slope is 0. At 1 something is missing.",
                lambda x: x * x.detach(),
            ),
            Mutant(
                "Noticed at 0 and at 1",
                "A fault hides where what is missing of the slope is 0. That the term is 0 there, as x * (x - 1) is, "
                "does not help: it passes through 0 with a slope. Its square only touches 0.",
                lambda x: x + (x * (x - 1)).detach(),
            ),
            Mutant(
                "It passes at 2 as well",
                "Nothing of the slope is missing there. Something has to be: at 2, though not at 0 and 1.",
                lambda x: x * x + x,
            ),
        ),
        rows=_at_three_points,
    ),
]
