"""Samples of `ops.special.entropies`."""

import numpy as np

from tests.ops.calls import INSIDE, LINE, NAN, POSITIVE, at_kinks, two, words
from tests.ops.harness import Sample

UNIT = np.array([0.1, 0.35, 0.5, 0.9])


def special(name, x, **options):
    """`T.special.name(x)`."""
    return Sample(f"special.{name}", lambda T, x: getattr(T.special, name)(x), (np.asarray(x),), **options)


SAMPLES = [
    special("entr", POSITIVE),
    Sample("special.entr at 0 and below", lambda T, x: T.special.entr(x), (np.array([0.0, -1.0, NAN]),), grad=False),
    *two("xlogy", LINE, POSITIVE.ravel()[:4]),
    at_kinks("xlogy at 0", lambda T, x, y: T.xlogy(x, y), np.array([0.0, 0.0, 1.0]), np.array([2.0, NAN, NAN])),
    Sample("xlogy with numbers", lambda T, x: T.xlogy(2.0, x) + T.xlogy(x, 0.5), (POSITIVE,)),
    Sample("special.xlog1py", lambda T, x, y: T.special.xlog1py(x, y), (LINE, INSIDE.ravel())),
    at_kinks(
        "special.xlog1py at 0", lambda T, x, y: T.special.xlog1py(x, y), np.array([0.0, 0.0]), np.array([-0.5, NAN])
    ),
    Sample("logit", lambda T, x: T.logit(x), (UNIT,)),
    at_kinks("logit with eps", lambda T, x: T.logit(x, 0.25), np.array([-1.0, 0.2, 0.25, 0.5, 0.75, 0.8])),
    *[
        Sample(
            f"{n} float32",
            lambda T, x, n=n: getattr(T.special, n)(x),
            (np.array([0.15, 0.4, 0.7], np.float32),),
            smooth=False,
        )
        for n in words("entr logit")
    ],
]
