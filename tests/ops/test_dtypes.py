"""Result dtypes and defaults are PyTorch's: of every sample in every dtype, of every signature."""

import inspect
import re
import warnings

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.ops.harness import leaves, samples

SAMPLES = [sample for sample in samples() if sample.torch_f is None]
FLOATS = (np.float16, np.float32, np.float64)


def variants(sample):
    """The inputs of a sample in each dtype; then all but one, which has another, in float32."""
    numbers = [i for i, a in enumerate(sample.inputs) if a.dtype.kind in "fiu"]
    chosen = [dict.fromkeys(numbers, kind) for kind in (*FLOATS, np.int64, np.bool_)]
    single = {i: np.float32 for i in numbers if sample.inputs[i].dtype.kind == "f"}
    if len(numbers) > 1:
        chosen += [{**single, i: kind} for i in numbers for kind in (*FLOATS, np.int64)]
    for kinds in chosen:
        with np.errstate(all="ignore"):
            arrays = [a.astype(kinds[i]) if i in kinds else a for i, a in enumerate(sample.inputs)]
        yield arrays


def kinds_of(T, sample, arrays):
    """The dtypes of the results, by name; None where the library refuses. NumPy refuses nothing in our place."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            results = sample.function(T)(*leaves(T, arrays, requires_grad=False))
    except (RuntimeError, TypeError, ValueError, IndexError) as error:
        given = [a.dtype.name for a in arrays]
        assert T is torch or not re.search("numpy|ufunc|not inexact", f"{type(error).__module__} {error}"), given
        return None
    return [str(r.dtype).rpartition(".")[2] for r in results if hasattr(r, "dtype")]


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_what_both_accept_has_one_dtype(sample):
    """PyTorch refuses some of these calls; autograd_core, where it accepts them, widens to float64 only for float64."""
    singles = [a.astype(np.float32) if a.dtype.kind == "f" else a for a in sample.inputs]
    widens = "float64" in (kinds_of(ac, sample, singles) or ())
    for arrays in variants(sample):
        given = [a.dtype.name for a in arrays]
        ours = kinds_of(ac, sample, arrays)
        assert widens or "float64" in given or "float64" not in (ours or ()), given
        theirs = kinds_of(torch, sample, arrays) if ours else None
        if theirs and sample.name != "hinge_embedding_loss kink":  # PyTorch cuts the margin of integers off
            assert ours == theirs, given


LOSS = {
    "binary_cross_entropy_with_logits": r"result type Float can't be cast to the desired output type Long",
    "binary_cross_entropy": "Found dtype Long but expected Float",
}


@pytest.mark.parametrize("name", LOSS)
def test_a_loss_of_probabilities_takes_no_integers(T, name):
    x, labels = T.tensor([0.5, 0.25]), T.tensor([1, 0])
    with pytest.raises(RuntimeError, match=LOSS[name]):
        getattr(T.nn.functional, name)(x, labels)


@pytest.mark.parametrize("kind", ["int64", "float64"])
def test_statistics_of_another_dtype_are_refused(T, kind):
    mean, var = (f(2, dtype=getattr(T, kind)) for f in (T.zeros, T.ones))
    with pytest.raises(RuntimeError, match="mixed dtype"):
        T.nn.functional.batch_norm(T.ones(2, 2), mean, var)
    half = T.ones(2, 2, dtype=T.float16)
    assert T.nn.functional.batch_norm(half, mean.to(T.float32), var.to(T.float32)).dtype is T.float16


NOT_FOR_INTEGERS = {
    "layer_norm": lambda T, x: T.nn.functional.layer_norm(x, (2,)),
    "rms_norm": lambda T, x: T.nn.functional.rms_norm(x, (2,)),
    "group_norm": lambda T, x: T.nn.functional.group_norm(x, 1),
    "batch_norm": lambda T, x: T.nn.functional.batch_norm(x, None, None, training=True),
    "instance_norm": lambda T, x: T.nn.functional.instance_norm(x[None]),
    "frac": lambda T, x: T.frac(x),
}


@pytest.mark.parametrize("kind", ["int64", "bool"])
@pytest.mark.parametrize("name", NOT_FOR_INTEGERS)
def test_what_is_for_floats_refuses_integers_by_name(T, name, kind):
    with pytest.raises(NotImplementedError, match='"' + ("" if T is torch else name)):
        NOT_FOR_INTEGERS[name](T, T.ones(2, 2, dtype=getattr(T, kind)))


@pytest.mark.parametrize("name", ["round", "floor", "ceil", "trunc"])
def test_bools_are_not_rounded(T, name):
    with pytest.raises(NotImplementedError, match=f'"{name}.*not implemented for'):
        getattr(T, name)(T.ones(2, dtype=T.bool))


def test_the_sign_of_a_bool_is_itself(T):
    x = T.tensor([True, False])
    assert T.sign(x).tolist() == [True, False] and T.sign(x).dtype is T.bool and x.sgn_().tolist() == [True, False]


SPACES = {"": "", "nn.functional": "", "linalg": "linalg_", "special": "special_"}


def spaces():
    for path, prefix in SPACES.items():
        ours, theirs = ac, torch
        for part in filter(None, path.split(".")):
            ours, theirs = getattr(ours, part), getattr(theirs, part)
        for name in sorted(set(dir(ours)) & set(dir(theirs))):
            mine, other = getattr(ours, name), getattr(theirs, name)
            if not name.startswith("_") and callable(mine) and not isinstance(mine, type):
                yield f"{path}.{name}".strip("."), mine, other, f"aten::{prefix}{name}"


def defaults(function) -> dict:
    parameters = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


def torch_defaults(function, schema: str) -> dict[str, list]:
    """Those of a Python function, or else those that the overloads of the op have in PyTorch's schemas."""
    try:
        return {name: [value] for name, value in defaults(function).items()}
    except (TypeError, ValueError):
        found: dict[str, list] = {}
        for overload in torch._C._jit_get_schemas_for_operator(schema):
            for argument in overload.arguments if "out" not in overload.overload_name else ():
                if argument.has_default_value():
                    found.setdefault(argument.name, []).append(argument.default_value)
        return found


def alike(ours, theirs) -> bool:
    """None stands for "not given", as an empty list does in a schema, and a number for one on each axis."""
    if isinstance(theirs, (list, tuple)):
        values = list(ours) if isinstance(ours, (list, tuple)) else [] if ours is None else [ours] * len(theirs)
        return values == list(theirs)
    return ours == theirs or theirs is None or ours is None


def test_every_default_is_that_of_torch():
    compared = 0
    for path, mine, other, schema in spaces():
        wanted = torch_defaults(other, schema)
        for name, value in defaults(mine).items():
            if name in wanted:
                compared += 1
                assert any(alike(value, theirs) for theirs in wanted[name]), f"{path}({name}={value}): {wanted[name]}"
    assert compared > 600


RANGES = {
    "linspace": [(5, -5, 20), (-3, 4, 7), (0.5, 7.7, 7), (2, 2, 1), (0, 9, 0), (-7.9, 3.2, 33)],
    "arange": [(0, 5, 1.5), (-3.5, 3.5, 1.2), (5, -5, -1.5), (-0.5, 3)],
}


@pytest.mark.parametrize("kind", ["int64", "int32", "int8"])
@pytest.mark.parametrize(("name", "arguments"), [(name, a) for name, calls in RANGES.items() for a in calls])
def test_a_range_of_integers_is_cut_off_as_in_torch(name, arguments, kind):
    ours, theirs = (getattr(T, name)(*arguments, dtype=getattr(T, kind)).tolist() for T in (ac, torch))
    assert ours == theirs


def test_integers_to_negative_integer_powers_are_cut_off(T):
    base, exponent = T.tensor([2, 1, -1, -1, 0, 3]), T.tensor([-1, -2, -3, -2, -1, 2])
    assert (base**exponent).tolist() == [0, 1, -1, 1, 0, 9]
    assert (2**exponent).tolist() == [0, 0, 0, 0, 0, 4]
    with pytest.raises(RuntimeError, match="Integers to negative integer powers are not allowed"):
        base**-1


@pytest.mark.parametrize("mode", ["nearest", "nearest-exact", "bilinear", "bicubic"])
def test_bytes_are_interpolated_as_in_torch(mode):
    x = np.random.default_rng(0).integers(0, 256, (2, 3, 9, 11)).astype(np.uint8)
    for size in ((5, 7), (20, 23)):
        ours, theirs = (
            T.nn.functional.interpolate(T.from_numpy(x), size, mode=mode).numpy().astype(int) for T in (ac, torch)
        )
        assert abs(ours - theirs).max() <= (
            mode in ("bilinear", "bicubic")
        )  # PyTorch's weights are fixed-point numbers
        assert (ours == theirs).mean() > 0.95


def test_numbers_that_half_precision_does_not_hold_are_chosen_as_infinities(T):
    mask, half = T.tensor([True, False]), T.ones(2, dtype=T.float16)
    assert T.where(mask, half, -1e6).tolist() == [1.0, float("-inf")]
    assert T.where(mask, 10**6, half).tolist() == [float("inf"), 1.0]
    for x, number in ((T.ones(2), 1e300), (T.ones(2, dtype=T.int32), 2**40)):
        with pytest.raises(RuntimeError, match="without overflow"):
            T.where(mask, x, number)


def test_alpha_of_integers_is_an_integer(T):
    integers, bools = T.ones(2, dtype=T.int64), T.tensor([True, True])
    for call in (lambda: integers.add(1, alpha=2.5), lambda: integers.sub(integers, alpha=0.5)):
        with pytest.raises(RuntimeError, match="argument alpha must not be a floating point number"):
            call()
    assert integers.add(1.0, alpha=2.5).tolist() == [3.5, 3.5]
    assert T.add(bools, bools, alpha=True).dtype is bools.dtype


@pytest.mark.parametrize("compare", ["eq", "ne", "lt", "le", "gt", "ge"])
def test_half_precision_is_compared_with_a_number_as_half_has_it(compare):
    for number in (0.1, 0.2, 1 / 3):
        theirs, ours = (getattr(T.tensor([0.1, 0.2, 1 / 3], dtype=T.float16), compare)(number) for T in (torch, ac))
        assert ours.tolist() == theirs.tolist()
