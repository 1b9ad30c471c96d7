"""What an op saves decides which second backward raises and which write is caught: so it is what PyTorch saves."""

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.ops.harness import as_array, leaves, samples

# Here the two save different things, and why.
DIFFERENT_OPS = {
    "NllLossBackward": "PyTorch also keeps the total weight",
    "BinaryCrossEntropyBackward": "PyTorch keeps the weight broadcast",
    "NativeLayerNormBackward": "PyTorch keeps the reciprocal deviation and the bias",
    "NativeGroupNormBackward": "PyTorch keeps the reciprocal deviation",
    "NativeBatchNormBackward": "PyTorch keeps the reciprocal deviation and the running statistics",
    "LogSigmoidBackward": "PyTorch on some processors keeps exp(-|x|)",
    "LinalgDetBackward": "PyTorch also keeps the LU decomposition",
    "LinalgSlogdetBackward": "PyTorch also keeps the LU decomposition",
    "LinalgSolveExBackward": "PyTorch also keeps the LU decomposition",
    "LinalgSvdBackward": "the signs of the vectors are the choice of LAPACK",
    "LinalgEighBackward": "the signs of the vectors are the choice of LAPACK",
    "CholeskySolveBackward": "PyTorch also keeps the right-hand side, which no gradient needs",
    "TriangularSolveBackward": "PyTorch also keeps the right-hand side, which no gradient needs",
}
DIFFERENT_SAMPLES = {
    "float base, int exponent": "PyTorch keeps the result, which the gradient of the base does not need",
    "cross_entropy probabilities mean": "PyTorch divides by a number inside",
    "cross_entropy probabilities weight mean": "PyTorch divides by a number inside",
    "dropout all": "PyTorch multiplies by a mask, not by a number",
    **{
        f"{name} in place": "PyTorch keeps the result, since its input is gone"
        for name in ("leaky_relu", "F.elu", "F.selu", "F.celu", "F.rrelu")
    },
}


def same_op(sample):
    """The nodes of the first output in the two libraries, or None where that is not one op with one name in both."""
    ours, theirs = (sample.function(T)(*leaves(T, sample.inputs))[0] for T in (ac, torch))
    if not getattr(ours, "requires_grad", False) or ours.is_leaf:
        return None
    names = [node.name().rstrip("0123456789") for node in (ours.grad_fn, theirs.grad_fn)]
    return (ours.grad_fn, theirs.grad_fn) if names[0] == names[1] and names[0] not in DIFFERENT_OPS else None


def saved_by_torch(node) -> list:
    values = [getattr(node, name) for name in dir(node) if name.startswith("_saved_")]
    flat = [v for value in values for v in (value if isinstance(value, tuple) else (value,))]
    return [as_array(v) for v in flat if isinstance(v, torch.Tensor)]


def saved_by_us(node) -> list:
    # A number operand of mul and div is a tensor to PyTorch, and saved as one.
    numbers = (int, float) if node.op.name in ("mul", "div") else ()
    return [np.asarray(v) for v, *_ in node.saved if isinstance(v, (np.ndarray, *numbers))]


def comparable(values: list) -> list:
    return sorted((v.shape, str((v.astype(float).round(9) + 0.0).ravel().tolist())) for v in values)


@pytest.mark.parametrize(
    "sample", [s for s in samples() if s.grad and s.name not in DIFFERENT_SAMPLES], ids=lambda s: s.name
)
def test_an_op_saves_what_torch_saves(sample):
    nodes = same_op(sample)
    if nodes is not None:
        ours, theirs = nodes
        assert comparable(saved_by_us(ours)) == comparable(saved_by_torch(theirs)), (
            f"{ours.name()} saves {ours.plan.saved_names}"
        )
