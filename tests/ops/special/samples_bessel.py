"""Samples of `ops.special.bessel`."""

import numpy as np

from tests.ops.calls import LINE, at_kinks, one, words
from tests.ops.harness import Sample


def special(name, x, **options):
    """`T.special.name(x)`."""
    return Sample(f"special.{name}", lambda T, x: getattr(T.special, name)(x), (np.asarray(x),), **options)


SAMPLES = [
    *one("i0", LINE),
    *(special(n, LINE) for n in words("i0e i1 i1e")),
    *(
        at_kinks(f"special.{n} at 0", lambda T, x, n=n: getattr(T.special, n)(x), np.zeros(1))
        for n in words("i0e i1 i1e")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("airy_ai bessel_j0 bessel_j1 bessel_y0 bessel_y1")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("modified_bessel_i0 modified_bessel_i1 modified_bessel_k0 modified_bessel_k1")
    ),
    *(
        special(n, [0.2, 0.7, 1.0, 1.5, 3.0], grad=False)
        for n in words("scaled_modified_bessel_k0 scaled_modified_bessel_k1 spherical_bessel_j0")
    ),
    *[
        Sample(
            f"{n} float32",
            lambda T, x, n=n: getattr(T.special, n)(x),
            (np.array([0.15, 0.4, 0.7], np.float32),),
            smooth=False,
        )
        for n in words("i0 i0e i1 i1e")
    ],
]
