"""Broadcasting, dtypes and NumPy."""

import numpy as np

from tests.corpus.corpus import case, dtype_name, outcome, snapshot


@case("must")
def case_broadcast_operand_keeps_its_shape(T):
    """Gradient of a broadcast operand has the broadcast shape instead of the operand's shape.

    Backward of broadcasting is a sum over the expanded axes, then a reshape to the original.
    """
    shapes = [((5, 2, 1), (5, 1, 3)), ((4, 1), (1, 4)), ((1,), (2, 3)), ((), (2, 2)), ((2, 3), (3,))]
    out = {}
    for sa, sb in shapes:
        a, b = (
            T.ones(*sa, dtype=T.float64, requires_grad=True)
            if sa
            else T.tensor(1.0, dtype=T.float64, requires_grad=True),
            T.ones(*sb, dtype=T.float64, requires_grad=True),
        )
        (a * b).sum().backward()
        out[str((sa, sb))] = [
            list(a.grad.shape),
            snapshot(a.grad.reshape(-1)[0]),
            list(b.grad.shape),
            snapshot(b.grad.reshape(-1)[0]),
        ]
    return out


@case("must")
def case_centering_has_zero_gradient(T):
    """x - x.mean() with an all-ones seed gives gradient zero, which looks wrong but is right.

    The mean receives minus the sum of all upstream gradients.
    """
    x = T.tensor([1.0, 2.0, 3.0, 4.0], dtype=T.float64, requires_grad=True)
    y = x - x.mean()
    y.backward(T.ones(4, dtype=T.float64), retain_graph=True)
    a = snapshot(x.grad)
    x.grad = None
    y.backward(T.tensor([1.0, 0.0, 0.0, 0.0], dtype=T.float64))
    return {"ones": a, "first_row_of_jacobian": x.grad}


@case("must")
def case_empty_tensors(T):
    """Empty tensors: gradients must keep the right (possibly zero-size) shapes.

    Reductions over nothing are zero, and an operand broadcast against an empty tensor gets zeros.
    """
    b = T.ones(4, dtype=T.float64, requires_grad=True)
    (T.zeros(4, 0, dtype=T.float64) + b.unsqueeze(1)).sum().backward()
    e = T.zeros(2, 0, dtype=T.float64, requires_grad=True)
    e.cumsum(1).sum().backward()
    m = T.zeros(0, dtype=T.float64, requires_grad=True)
    return {
        "b.grad": b.grad,
        "e.grad_shape": list(e.grad.shape),
        "mean": m.mean(),
        "sum": m.sum(),
        "max": outcome(lambda: m.max(), "dim"),
    }


@case("must")
def case_mixed_float_dtypes(T):
    """Mixing float32 and float64: each leaf's gradient must come back in the leaf's own dtype.

    NumPy promotion makes float32 gradients silently become float64.
    """
    a = T.tensor([1.0, 2.0], dtype=T.float32, requires_grad=True)
    b = T.tensor([3.0, 4.0], dtype=T.float64, requires_grad=True)
    y = a * b
    y.sum().backward()
    c = T.tensor([1.0], dtype=T.float32, requires_grad=True)
    (c * 2.5 + 1).sum().backward()
    return {
        "out": dtype_name(y),
        "a.grad": [dtype_name(a.grad), snapshot(a.grad)],
        "b.grad": dtype_name(b.grad),
        "python_scalar_keeps_float32": [dtype_name(c * 2.5), dtype_name(c.grad)],
    }


@case("should")
def case_seed_of_another_dtype_or_shape(T):
    """backward() seeded with a gradient of another dtype or shape.

    Shape mismatch is an error; a dtype mismatch is cast to the output's dtype.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = x * x
    r = outcome(lambda: y.backward(T.ones(2, dtype=T.float32), retain_graph=True))
    s = outcome(lambda: y.backward(T.ones(1, 2, dtype=T.float64), retain_graph=True), "mismatch in shape")
    return {"float32_seed": r, "x.grad": [dtype_name(x.grad), snapshot(x.grad)], "shape_(1,2)": s}


@case("must")
def case_inplace_keeps_dtype_and_shape(T):
    """In-place ops cannot change dtype or shape of the destination.

    float += works into float32, int += float is refused.
    """
    f = T.ones(2, dtype=T.float32)
    f += T.ones(2, dtype=T.float64)
    i = T.ones(2, dtype=T.int64)
    return {
        "float32": [dtype_name(f), snapshot(f)],
        "int_plus_float": outcome(lambda: i.add_(0.5), "can't be cast"),
        "int_div": dtype_name(i / 2),
        "int_sum": dtype_name(i.sum()),
        "bool_sum": dtype_name((i > 0).sum()),
    }


@case("must")
def case_numpy_scalar_on_the_left(T):
    """np.float64 on the left of a tensor: the result must be a tensor that requires grad.

    NumPy scalars try to take over the operation; __array_priority__ / __array_ufunc__ = None is needed.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    outs = [
        np.float64(2.0) * x,
        x * np.float64(2.0),
        np.float64(1.0) + x,
        np.float64(1.0) - x,
        np.float64(1.0) / x,
        np.float32(2.0) * x,
    ]
    sum(o.sum() for o in outs).backward()
    return {
        "types": [type(o).__name__ == type(x).__name__ for o in outs],
        "requires_grad": [o.requires_grad for o in outs],
        "x.grad": x.grad,
    }


@case("info")
def case_numpy_array_as_operand(T):
    """ndarray (+,*) Tensor and Tensor (+,*) ndarray: must not silently become an array of objects.

    torch raises TypeError when the array is on the left; an engine may instead return a tensor - but never an
    object array.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    return {
        "left": outcome(lambda: np.ones(2) * x, "unsupported operand"),
        "right": outcome(lambda: x * np.ones(2), "requires grad"),
    }


@case("must")
def case_reflected_operators_and_sum(T):
    """Reflected operators and Python's sum(): 0 + t, 2 - t, 2 / t, 2 ** t.

    sum() starts with the integer 0, so __radd__ must exist; order matters for - / **.
    """
    x = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    y = sum([x, x * x]) + (2 - x) + (2 / x) + (2**x) + (3 - (-x)) + abs(x)
    y.sum().backward()
    return {"y": y, "x.grad": x.grad}


@case("should")
def case_mse_loss_of_two_dtypes(T):
    """mse_loss of float64 prediction and float32 target.

    The gradient comes back in the prediction's dtype.
    """
    F = T.nn.functional
    p = T.tensor([1.0, 2.0], dtype=T.float64, requires_grad=True)
    t = T.tensor([0.0, 0.0], dtype=T.float32)
    loss = ((p - t) ** 2).mean()
    loss.backward()
    return {
        "loss": [dtype_name(loss), snapshot(loss)],
        "p.grad": [dtype_name(p.grad), snapshot(p.grad)],
        "same_dtype_mse": F.mse_loss(p, t.to(T.float64)),
    }


@case("must")
def case_matmul_shapes(T):
    """matmul gradients for 1-D, 2-D, batched and batch-broadcast operands.

    Each 1-D promotion must be undone and each broadcast batch axis summed.
    """
    out = {}
    for sa, sb in [
        ((3,), (3,)),
        ((2, 3), (3,)),
        ((3,), (3, 2)),
        ((2, 3), (3, 2)),
        ((4, 2, 3), (3, 2)),
        ((3,), (4, 3, 2)),
        ((4, 2, 3), (3,)),
        ((5, 1, 2, 3), (4, 3, 2)),
    ]:
        a, b = [T.arange(1, 1 + int(np.prod(s)), dtype=T.float64).view(*s).requires_grad_(True) for s in (sa, sb)]
        y = a @ b
        (y * T.arange(1, 1 + y.numel(), dtype=T.float64).view(y.shape)).sum().backward()
        out[str((sa, sb))] = [
            list(y.shape),
            list(a.grad.shape),
            snapshot(a.grad.sum()),
            list(b.grad.shape),
            snapshot(b.grad.sum()),
        ]
    return out


@case("info")
def case_complex_gradients(T):
    """Complex gradients come out conjugated compared with the textbook derivative.

    PyTorch returns dL/d(conj z) so that z - lr*grad descends; JAX returns dL/dz. Only relevant if the engine has
    complex dtypes.
    """
    z = T.tensor([3 + 4j], dtype=T.complex128, requires_grad=True)
    g1 = T.autograd.grad(z.abs().sum(), z)[0]
    g2 = T.autograd.grad((z * z).real.sum(), z)[0]
    return {"abs": [snapshot(g1.real), snapshot(g1.imag)], "real(z*z)": [snapshot(g2.real), snapshot(g2.imag)]}
