"""Samples of `ops.windows.borders`."""

import numpy as np

from tests.ops.harness import Sample

A = np.arange(6.0).reshape(2, 3) - 2.5
B = np.arange(24.0).reshape(2, 3, 4) / 7
SCALAR = np.array(1.5)


def _pads():
    for mode in ("reflect", "replicate", "circular"):
        yield f"pad {mode}", lambda T, x, mode=mode: T.nn.functional.pad(x, (2, 1), mode=mode), A
        yield f"pad {mode} 2-D", lambda T, x, mode=mode: T.nn.functional.pad(x, (1, 3, 2, 0), mode=mode), B
    yield "pad", lambda T, x: T.nn.functional.pad(x, (1, 2)), A
    yield "pad value", lambda T, x: T.nn.functional.pad(x, (1, 0, 0, 2), value=-3.0), A
    yield "pad negative", lambda T, x: T.nn.functional.pad(x, (-1, 2, 1, -1)), A
    yield "pad away", lambda T, x: T.nn.functional.pad(x, (-2, -1)), A
    yield "pad reflect negative", lambda T, x: T.nn.functional.pad(x, (-1, 1), mode="reflect"), A
    yield "pad scalar", lambda T, x: T.nn.functional.pad(x, ()), SCALAR


SAMPLES = [Sample(name, f, (x,)) for name, f, x in _pads()]
