"""Chapter 01: carrying a derivative forward and back, by hand."""

import math

from ..exercise import Exercise, Mistake


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


def _at_three_points(vjp):
    points = ((1.5, 1.0), (1.0, 1.0), (1.0, -2.0))
    return {f"vjp({w}, {L_bar})": vjp(w, L_bar) for w, L_bar in points}


EXERCISES = [
    Exercise(
        id="01.carry",
        title="Another chain, both ways",
        reference=_cube_and_double,
        hints=(
            "Write the two local derivatives first: of the cube at w = 2, and of doubling.",
            "They are 3 * 2**2 and 2. Going forward you meet the cube first, going back you meet the doubling first.",
        ),
        mistakes=(
            Mistake(
                "Values instead of derivatives",
                "8 is the value of the cube. What travels is multiplied by the slope there, which is 12.",
                {"h_dot": 8.0},
            ),
            Mistake(
                "The directions are swapped",
                "h_bar is what one unit of h does to L. The cube lies on the other side of h and has no part in it.",
                {"h_bar": 12.0},
            ),
            Mistake("L_dot stops halfway", "The doubling still has to be carried through.", {"L_dot": 12.0}),
        ),
    ),
    Exercise(
        id="01.vjp",
        title="Write a VJP",
        reference=_vjp,
        hints=(
            "Three operations: square, sine, times three. The way back meets them in the opposite order.",
            "Start from L_bar, multiply by 3, then by cos(w**2), then by 2 * w.",
        ),
        mistakes=(
            Mistake(
                "The square was left out on the way back",
                "The cotangent has arrived at w**2, not yet at w; one more factor, 2w, takes it there.",
                {"vjp(1.5, 1.0)": 3 * math.cos(2.25)},
            ),
            Mistake(
                "The cosine looks at w",
                "The sine was taken of w**2, so its slope is the cosine of w**2.",
                {"vjp(1.5, 1.0)": 9 * math.cos(1.5)},
            ),
            Mistake(
                "L_bar is not used",
                "A VJP carries what it is given. It is 1 only when the walk starts at the loss itself.",
                {"vjp(1.0, -2.0)": 6 * math.cos(1.0)},
            ),
        ),
        rows=_at_three_points,
    ),
]
