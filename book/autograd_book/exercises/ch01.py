"""Chapter 01: carrying a derivative forward and back, by hand."""

import math

from ..check.exercise import Mutant, from_chapter, of_dictionary


def _cube_and_double(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w**3
    h.retain_grad()
    (2 * h).backward()
    (h_dot,) = T.autograd.grad(w**3, w)
    return {"h_dot": h_dot, "L_dot": 2 * h_dot, "h_bar": h.grad, "w_bar": w.grad}


def _vjp(T):
    def vjp(w, L_bar):
        w = T.tensor(w, dtype=T.float64, requires_grad=True)
        (w_bar,) = T.autograd.grad(3 * T.sin(w**2), w, T.tensor(L_bar, dtype=T.float64))
        return w_bar

    return vjp


def _points(rng):
    return [(round(rng.uniform(0.5, 2.0), 2), round(rng.uniform(1.5, 3.0), 2)) for _ in range(3)]


def _at_points(vjp, T, rng):
    return {f"vjp({w}, {L_bar})": vjp(w, L_bar) for w, L_bar in _points(rng)}


def _by_differences(rng):
    def slope(w, h=1e-5):
        return 3 * (math.sin((w + h) ** 2) - math.sin((w - h) ** 2)) / (2 * h)

    return {f"vjp({w}, {L_bar})": L_bar * slope(w) for w, L_bar in _points(rng)}


def _in_jax(jax, rng):
    def vjp(w, L_bar):
        return jax.vjp(lambda w: 3 * jax.numpy.sin(w**2), w)[1](L_bar)[0]

    return _at_points(vjp, jax, rng)


def _reciprocal(T):
    def jvp(w, w_dot):
        w = T.tensor(w, dtype=T.float64, requires_grad=True)
        L = 2 / w**3
        (slope,) = T.autograd.grad(L, w)
        return L, slope * w_dot

    return jvp


def _with_tangents(jvp, T, rng):
    rows = {}
    for w, w_dot in ((round(rng.uniform(0.5, 0.9), 2), round(rng.uniform(1.5, 3.0), 2)) for _ in range(3)):
        rows[f"jvp({w}, {w_dot}): L"], rows[f"jvp({w}, {w_dot}): L_dot"] = jvp(w, w_dot)
    return rows


@of_dictionary("large", "small")
def _quotients(answer, T, rng):
    large, small = answer["large"], answer["small"]
    w, exact = T.tensor(2.0), T.tensor(2.0, dtype=T.float64)
    error = (3 * (exact + large) ** 2 - 12) / large - 12 if 0 < abs(large) < math.inf else 0.0
    return {
        "both steps are positive and finite": 0 < large < math.inf and 0 < small < math.inf,
        "large: the quotient, in float64, is off by 3 or more": bool(abs(error) >= 3),
        "small: in float32, w + d is another number than w": bool(w + small != w),
    }


EXERCISES = [
    from_chapter(
        id="01.carry",
        kind="worked",
        minutes=4,
        reference=_cube_and_double,
        mutants=(
            Mutant(
                "Values instead of derivatives",
                "8 is the value of the cube. What travels is multiplied by the slope there, which is 12.",
                rows={"h_dot": 8.0},
            ),
            Mutant(
                "The directions are swapped",
                "h_bar is what one unit of h does to L. The cube lies on the other side of h and has no part in it.",
                rows={"h_bar": 12.0},
            ),
            Mutant("L_dot stops halfway", "The doubling still has to be carried through.", rows={"L_dot": 12.0}),
        ),
    ),
    from_chapter(
        id="01.vjp",
        kind="blank",
        minutes=8,
        reference=_vjp,
        mutants=(
            Mutant(
                "The square was left out on the way back",
                "The cotangent has arrived at w**2, not yet at w; one more factor, 2w, takes it there.",
                lambda w, L_bar: 3 * L_bar * math.cos(w**2),
            ),
            Mutant(
                "The cosine looks at w",
                "The sine was taken of w**2, so its slope is the cosine of w**2.",
                lambda w, L_bar: 2 * w * 3 * L_bar * math.cos(w),
            ),
            Mutant(
                "L_bar is not used",
                "A VJP carries what it is given. It is 1 only when the walk starts at the loss itself.",
                lambda w, L_bar: 2 * w * 3 * math.cos(w**2),
            ),
        ),
        rows=_at_points,
        jax=_in_jax,
        differences=_by_differences,
    ),
    from_chapter(
        id="01.jvp",
        kind="faded",
        minutes=5,
        reference=_reciprocal,
        mutants=(
            Mutant(
                "The sign was lost",
                "2 / h falls when h grows, so its slope is negative.",
                lambda w, w_dot: (2 / w**3, 2 / w**6 * 3 * w**2 * w_dot),
            ),
            Mutant(
                "The operation was applied to the tangent",
                "It looks symmetric, but a tangent is not cubed: it is multiplied by the slope of the cube.",
                lambda w, w_dot: (2 / w**3, 2 / w_dot**3),
            ),
            Mutant(
                "The last factor alone",
                "-2 / h**2 says what h does to L. What arrives there is h_dot, with the factor of the cube in it.",
                lambda w, w_dot: (2 / w**3, -2 / w**6 * w_dot),
            ),
            Mutant(
                "The slope was taken at w",
                "The division meets h, not w. Each operation has its slope at its own operand.",
                lambda w, w_dot: (2 / w**3, -2 / w**2 * 3 * w**2 * w_dot),
            ),
            Mutant(
                "w_dot is not used",
                "This is the derivative. A JVP carries the tangent that it is given, and 1 is only one of them.",
                lambda w, w_dot: (2 / w**3, -2 / w**6 * 3 * w**2),
            ),
        ),
        rows=_with_tangents,
    ),
    from_chapter(
        id="01.steps",
        kind="break",
        minutes=4,
        mutants=(
            Mutant(
                "A step is positive",
                "With d = 0 there is no quotient to be wrong, a negative step goes back, and an infinite one arrives "
                "nowhere. Give two positive numbers.",
                {"large": 1.0, "small": 0.0},
            ),
            Mutant(
                "Small, but still a step",
                "float32 has numbers that are closer to 2 than that, so w + d is another number than w, and L moves.",
                {"large": 1.0, "small": 1e-6},
            ),
            Mutant(
                "The large step is too small",
                "The quotient is off by 3d, and that has to be 3 or more. The 12d by which L moves is no error.",
                {"large": 0.25, "small": 1e-8},
            ),
            Mutant(
                "Neither step spoils it",
                "The truncation error 3d grows with the step, and rounding swallows the small ones alone. Are the two "
                "exchanged?",
                {"large": 1e-8, "small": 1.0},
            ),
        ),
        rows=_quotients,
    ),
]
