"""Chapter 01: carrying a derivative forward and back, by hand."""

import math

from ..exercise import Exercise, Mutant


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


EXERCISES = [
    Exercise(
        id="01.carry",
        title="Another chain, both ways",
        kind="worked",
        minutes=4,
        reference=_cube_and_double,
        hints=(
            "Write the two local derivatives first: of the cube at w = 2, and of doubling.",
            "They are 3 * 2**2 and 2. Going forward you meet the cube first, going back you meet the doubling first.",
        ),
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
    Exercise(
        id="01.vjp",
        title="Write a VJP",
        kind="blank",
        minutes=8,
        reference=_vjp,
        hints=(
            "Three operations: square, sine, times three. The way back meets them in the opposite order.",
            "Start from L_bar, multiply by 3, then by cos(w**2), then by 2 * w.",
        ),
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
]
