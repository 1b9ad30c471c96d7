"""Samples of `nn.functional.ctc`."""

import numpy as np

from tests.ops.harness import Sample

rng = np.random.default_rng(21)
LOG_PROBS = np.log(rng.dirichlet(np.ones(5), (6, 3)))
WORDS = np.array([[1, 2], [3, 3], [4, 0]])


def ctc(lengths, sizes, *, targets=WORDS, **options):
    def f(T, x):
        return T.nn.functional.ctc_loss(x, T.from_numpy(targets), T.tensor(lengths), T.tensor(sizes), **options)

    return f


SAMPLES = [
    # the gradient of ctc_loss is that by the scores, so a log_softmax is part of a sample with differences
    Sample("ctc_loss", lambda T, x: ctc([6, 5, 4], [2, 2, 1])(T, x.log_softmax(2)), (LOG_PROBS + 1.0,), second=False),
    Sample(
        "ctc_loss impossible", ctc([6, 2, 1], [2, 2, 1], reduction="none"), (LOG_PROBS,), second=False, smooth=False
    ),
    Sample(
        "ctc_loss zero_infinity",
        ctc([6, 2, 0], [2, 2, 1], zero_infinity=True),
        (LOG_PROBS,),
        second=False,
        smooth=False,
    ),
    Sample(
        "ctc_loss no time, no target",
        ctc([0, 6, 6], [0, 0, 1], blank=2, targets=WORDS[2, :1]),
        (LOG_PROBS,),
        second=False,
        smooth=False,
    ),
]
