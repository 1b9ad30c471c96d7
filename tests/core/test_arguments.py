"""The arguments of ops: numbers in every guise, the names PyTorch has for parameters, and its older orders."""

import ast
import collections
import functools
import inspect
import re
from pathlib import Path

import numpy as np
import pytest
import torch

import autograd_core as ac

INTEGERS = {
    "sum": lambda T, e, k: e.sum(k),
    "mean of several": lambda T, e, k: e.mean((k,)),
    "softmax": lambda T, e, k: e.softmax(k),
    "argmax": lambda T, e, k: e.argmax(k),
    "median": lambda T, e, k: e.median(k)[0],
    "sort": lambda T, e, k: e.sort(k)[0],
    "cumsum": lambda T, e, k: e.cumsum(k),
    "squeeze": lambda T, e, k: e[None].squeeze(k - 1),
    "unsqueeze": lambda T, e, k: e.unsqueeze(k),
    "transpose": lambda T, e, k: e.transpose(0, k),
    "permute": lambda T, e, k: e.permute(k, 0),
    "flip": lambda T, e, k: e.flip(k),
    "roll": lambda T, e, k: e.roll(k, k),
    "view": lambda T, e, k: e.view(3 * k, 3),
    "expand": lambda T, e, k: e[:1].expand(k + 1, 3),
    "repeat": lambda T, e, k: e.repeat(k, k),
    "tile": lambda T, e, k: e.tile((k, k)),
    "chunk": lambda T, e, k: e.chunk(k)[0],
    "tensor_split": lambda T, e, k: e.tensor_split(k)[0],
    "hsplit": lambda T, e, k: e.hsplit(k)[0],
    "narrow": lambda T, e, k: e.narrow(k, k, k),
    "select": lambda T, e, k: e.select(k, k),
    "brackets": lambda T, e, k: e[k:, k],
    "gather": lambda T, e, k: e.gather(k, T.tensor([[0]])),
    "index_select": lambda T, e, k: e.index_select(k, T.tensor([0])),
    "repeat_interleave": lambda T, e, k: e.repeat_interleave(k, dim=k),
    "diagonal": lambda T, e, k: e.diagonal(k),
    "tril": lambda T, e, k: e.tril(k),
    "topk": lambda T, e, k: e.topk(k)[0],
    "cat": lambda T, e, k: T.cat([e, e], k),
    "stack": lambda T, e, k: T.stack([e, e], k),
    "zeros": lambda T, e, k: T.zeros(k, k),
    "new_zeros": lambda T, e, k: e.new_zeros((k, 2)),
    "eye": lambda T, e, k: T.eye(k),
    "arange": lambda T, e, k: T.arange(k),
    "matrix_power": lambda T, e, k: T.linalg.matrix_power(e, k),
    "norm": lambda T, e, k: T.linalg.norm(e, dim=k),
    "conv1d": lambda T, e, k: T.nn.functional.conv1d(e[None], e[None], stride=k, padding=k),
    "avg_pool1d": lambda T, e, k: T.nn.functional.avg_pool1d(e[None], k, k),
    "interpolate": lambda T, e, k: T.nn.functional.interpolate(e[None], size=k),
}


@pytest.mark.parametrize("make", [np.int64, np.int32, lambda k: k], ids=["int64", "int32", "tensor"])
@pytest.mark.parametrize("call", INTEGERS)
def test_an_integer_may_be_a_numpy_integer_or_a_0_d_tensor(T, call, make):
    e = T.arange(9.0).reshape(3, 3)
    k = T.tensor(1) if make not in (np.int64, np.int32) else make(1)
    assert T.equal(INTEGERS[call](T, e, k), INTEGERS[call](T, e, 1))


def test_a_split_size_may_be_a_0_d_tensor(T):
    assert [len(part) for part in T.arange(3.0).split(T.tensor(2))] == [2, 1]


def test_a_fraction_is_no_axis(T):
    for call in (lambda x: x.sum(1.0), lambda x: x.transpose(0, 1.5), lambda x: x.unsqueeze(T.tensor(1.0))):
        with pytest.raises(TypeError):
            call(T.ones(2, 2))


NUMBERS = {
    "add": lambda T, x, n: T.add(x, x, alpha=n),
    "sub": lambda T, x, n: T.sub(x, x * 3, alpha=n),
    "rsub": lambda T, x, n: T.rsub(x, x, alpha=n),
    "addcmul": lambda T, x, n: T.addcmul(x, x, x, value=n),
    "addcdiv": lambda T, x, n: T.addcdiv(x, x, x + 3, value=n),
    "addmv": lambda T, x, n: T.addmv(x, T.eye(3), x, alpha=n, beta=n),
    "leaky_relu": lambda T, x, n: T.nn.functional.leaky_relu(x, n),
    "threshold": lambda T, x, n: T.nn.functional.threshold(x, n, n),
    "elu": lambda T, x, n: T.nn.functional.elu(x, n),
    "scatter": lambda T, x, n: x.scatter(0, T.tensor([0]), n),
    "masked_fill": lambda T, x, n: x.masked_fill(x > 1, n),
}


@pytest.mark.parametrize("call", NUMBERS)
def test_a_number_may_be_a_0_d_tensor(T, call):
    results = []
    for n in (2.0, T.tensor(2.0), np.float64(2.0)):
        x = T.tensor([-1.0, 1.0, 3.0], requires_grad=True)
        y = NUMBERS[call](T, x, n)
        y.sum().backward()
        results.append((y.tolist(), x.grad.tolist()))
    assert results[0] == results[1] == results[2]


def test_a_number_in_a_vector_is_refused(T):
    with pytest.raises(TypeError, match="argument 'alpha' must be Number, not Tensor"):
        T.add(T.ones(1), T.ones(1), alpha=T.tensor([2.0]))


def test_a_scale_fits_the_result(T):
    i, b = T.tensor([1]), T.tensor([True])
    for call in (T.add, T.sub, T.rsub, lambda x, y, alpha: T.tensor([1]).add_(y, alpha=alpha)):
        with pytest.raises(
            RuntimeError, match="For integral input tensors, argument alpha must not be a floating point"
        ):
            call(i, i, alpha=1.5)
    with pytest.raises(RuntimeError, match="Boolean alpha only supported for Boolean results"):
        T.add(i, i, alpha=True)
    assert T.add(b, b, alpha=2).dtype == T.bool and T.add(i, 2, alpha=3).item() == 7


OLD_ORDERS = {
    "add_": lambda T, x: x.add_(2, x.clone()),
    "add": lambda T, x: T.add(x, 2, x),
    "sub": lambda T, x: x.sub(2, x),
    "addcmul_": lambda T, x: x.addcmul_(2, x.clone(), x.clone()),
    "addcdiv_": lambda T, x: x.addcdiv_(-0.5, x.clone(), x + 1),
    "addmm_": lambda T, x: x.expand(3, 3).clone().addmm_(1, -2, T.ones(3, 3), T.eye(3)),
    "addmv_": lambda T, x: x.addmv_(2, T.eye(3), T.ones(3)),
    "addcmul": lambda T, x: T.addcmul(x, 2, x, x + 1),
    "addcmul, method": lambda T, x: x.addcmul(2, x, x + 1),
    "addcmul, out": lambda T, x: T.addcmul(x, 2, x, x + 1, out=T.zeros(3)),
    "addcdiv": lambda T, x: T.addcdiv(x, 0.5, x, x + 1),
    "addmm": lambda T, x: T.addmm(2, x, 3, T.ones(3, 3), T.eye(3)),
    "addmm, beta": lambda T, x: T.addmm(2, x, T.ones(3, 3), T.eye(3)),
    "addmm, method": lambda T, x: x.addmm(2, 3, T.ones(3, 3), T.eye(3)),
    "addmv": lambda T, x: T.addmv(2, x, 3, T.eye(3), x),
    "addr": lambda T, x: T.addr(2, T.eye(3), 3, x, x),
    "addr, method": lambda T, x: T.eye(3).addr(2, x, x),
    "addbmm": lambda T, x: T.addbmm(2, T.eye(3), 3, T.ones(2, 3, 3), T.ones(2, 3, 3)),
    "baddbmm": lambda T, x: T.baddbmm(2, T.ones(2, 3, 3), 3, T.ones(2, 3, 3), T.ones(2, 3, 3)),
}


@pytest.mark.parametrize("call", OLD_ORDERS)
@pytest.mark.filterwarnings("ignore:This overload")
def test_a_number_may_still_come_first(call):
    theirs, ours = (OLD_ORDERS[call](T, T.tensor([1.0, 2.0, 3.0])) for T in (torch, ac))
    assert ours.tolist() == theirs.tolist()


def test_a_number_that_comes_first_is_warned_of():
    with pytest.warns(UserWarning, match=r"This overload of add_ is deprecated: alpha .* then alpha=2") as caught:
        ac.ones(1).add_(2, ac.ones(1))
    assert caught[0].filename == __file__
    with pytest.raises(TypeError, match="alpha by name"):
        ac.add(ac.ones(1), ac.ones(1), 2)


def test_a_number_that_comes_first_stands_in_its_place(T):
    x = T.ones(2)
    for call in (
        lambda: T.addcmul(2, x, x, x),
        lambda: T.addcmul(x, x, 2, x),
        lambda: T.addcmul(x, 2, x, x, value=3),
        lambda: T.addr(x, x, 2, x),
    ):
        with pytest.raises(TypeError):
            call()


# -- operands that may be numbers, and those that may not


def outcome(call):
    """What a call returns, as text, or the type of its error."""
    try:
        return repr(call()).replace("autograd_core", "torch")
    except (RuntimeError, TypeError, ValueError, NotImplementedError) as error:
        return type(error)


EXPONENTS = (-3, -1, 0, 2, 127, 200, 300, True, False)


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("way", ["operator", "in place", "base", "out"])
def test_powers_of_integers_are_those_of_torch(dtype, way):
    def power(T, exponent):
        x = T.tensor([1, 1, 0], dtype=getattr(T, dtype))
        if way == "in place":
            return x.pow_(exponent)
        if way == "out":
            return T.pow(x, exponent, out=T.zeros(3))
        return x**exponent if way == "operator" else exponent**x

    for exponent in EXPONENTS:
        theirs, ours = (outcome(functools.partial(power, T, exponent)) for T in (torch, ac))
        assert ours == theirs, exponent


@pytest.mark.parametrize("base", ["uint8", "int8", "int32", "int64", "bool"])
@pytest.mark.parametrize("exponent", ["uint8", "int8", "int32", "int64", "bool"])
def test_integer_tensors_to_the_power_of_integer_tensors_are_those_of_torch(base, exponent):
    theirs, ours = (
        outcome(
            lambda T=T: (
                T.tensor([0, 1, 2, 3], dtype=getattr(T, base)) ** T.tensor([1, -2, -1, 3]).to(getattr(T, exponent))
            )
        )
        for T in (torch, ac)
    )
    assert ours == theirs


UNHELD = {
    "clamp_min": lambda T, x: T.clamp_min(x, 300),
    "clamp_max": lambda T, x: T.clamp_max(x, 300),
    "clamp_max_": lambda T, x: x.clamp_max_(300),
    "scatter": lambda T, x: x.scatter(0, T.tensor([0]), 300),
    "pad": lambda T, x: T.nn.functional.pad(x, (1, 1), value=300),
    "add, alpha": lambda T, x: T.add(x, x, alpha=300),
    "pow": lambda T, x: x**300,
}


@pytest.mark.parametrize("call", UNHELD)
def test_a_number_that_the_dtype_does_not_hold_is_refused(T, call):
    with pytest.raises(RuntimeError, match="without overflow"):
        UNHELD[call](T, T.tensor([1, 2], dtype=T.uint8))


@pytest.mark.parametrize("name", ["max", "min"])
def test_an_extreme_along_an_axis_and_that_of_two_are_told_apart(T, name):
    x, two = T.tensor([[1.0, 5.0], [7.0, 3.0]]), T.full((2, 2), 4.0)
    extreme = getattr(T, name)
    assert T.equal(extreme(x, two), extreme(x, other=two)) and T.equal(getattr(x, name)(two), extreme(x, two))
    assert T.equal(extreme(x, T.tensor(4.0)), extreme(x, two))
    assert T.equal(extreme(x, dim=T.tensor(1)).indices, extreme(x, 1).indices)
    assert extreme(x, T.tensor(1), True).values.shape == (2, 1)
    for call in (
        lambda: extreme(x, dim=two),
        lambda: extreme(x, two, True),
        lambda: extreme(x, other=4.0),
        lambda: extreme(x, 1.5),
        lambda: extreme(x, keepdim=True),
        lambda: getattr(x, name)(dim=two),
    ):
        with pytest.raises(TypeError):
            call()


# -- names of parameters

# What PyTorch's stubs name and this package does not take: another dtype of a product, a memory of PyTorch's own, and
# names that are no keywords in PyTorch either.
APART = {
    *("out_dtype", "implicit", "mode", "cls", "args", "storage", "names", "input2", "input3"),
}
STUBS = Path(torch.__file__).parent / "_C"


def overloads(body) -> dict[str, set[str]]:
    """The names that the overloads of each function give their parameters."""
    found: dict[str, set[str]] = {}
    for node in body:
        if isinstance(node, ast.FunctionDef):
            args = node.args
            names = {a.arg for a in [*args.posonlyargs, *args.args, *args.kwonlyargs]}
            found.setdefault(node.name, set()).update(names - {"self"})
    return found


def functions() -> dict[str, set[str]]:
    return overloads(ast.parse((STUBS / "_VariableFunctions.pyi").read_text()).body)


def methods() -> dict[str, set[str]]:
    body = ast.parse((STUBS / "__init__.pyi").read_text()).body
    return overloads(next(n for n in body if isinstance(n, ast.ClassDef) and n.name == "TensorBase").body)


def taken(function) -> set[str]:
    """The names by which a function of ours takes arguments."""
    names = set(inspect.signature(function).parameters) | set(getattr(function, "other_names", ()))
    return names | {"self", "from_"} if "from" in names else names


@pytest.mark.parametrize(("space", "theirs"), [(ac, functions()), (ac.Tensor, methods())], ids=["functions", "methods"])
def test_parameters_answer_to_the_names_that_torch_has_for_them(space, theirs):
    differ = {}
    for name, names in theirs.items():
        function = getattr(space, name, None)
        if name[0] == "_" or not inspect.isroutine(function):
            continue
        ours = taken(function)
        unknown = names - ours - APART - {"out", "input"} - ({"other", "src"} if name == "copy_" else set())
        unknown -= {"size", "other"} if name == "new" else set()
        if unknown:
            differ[name] = sorted(unknown)
    assert differ == {}


def test_other_names_mean_the_same(T):
    x = T.arange(6.0).reshape(2, 3)
    assert T.equal(x.swapaxes(axis0=0, axis1=1), x.mT) and T.equal(T.pow(x, exponent=2), x.pow(exponent=2))
    assert len(x.split(split_size=1)) == 2 and T.vdot(T.ones(2), other=T.ones(2)).item() == 2.0
    assert T.det(input=T.eye(2)).item() == 1.0 and len(T.tensor_split(x, sections=2)) == 2
    assert x.clone().uniform_(**{"from": 2.0}, to=2.0).tolist() == [[2.0] * 3] * 2
    assert T.zeros(size=(2, 3)).shape == T.ones(size=[2, 3]).shape == x.new_zeros(size=(2, 3)).shape == (2, 3)
    assert T.rand(size=(2,)).shape == T.randint(high=3, size=(2,)).shape == (2,)


ONE_BY_ONE = {
    "broadcast_to": lambda x, *to: x[:1].broadcast_to(*to or ((2, 3),)),
    "count_nonzero": lambda x, *to: x.count_nonzero(*to or ((0, 1),)),
    "squeeze": lambda x, *to: x[None, :, None].squeeze(*to or ((0, 2),)),
    "squeeze_": lambda x, *to: x[None, :, None].squeeze_(*to or ((0, 2),)),
    "hsplit": lambda x, *to: x.hsplit(*to or ((1, 2),))[1],
    "vsplit": lambda x, *to: x.vsplit(*to or ((1, 1),))[2],
    "dsplit": lambda x, *to: x[None].dsplit(*to or ((1, 2),))[1],
    "sum_to_size": lambda x, *to: x.sum_to_size(*to or ((1, 3),)),
    "tile": lambda x, *to: x.tile(*to or ((2, 1),)),
    "flip": lambda x, *to: x.flip(*to or ((0, 1),)),
    "permute": lambda x, *to: x.permute(*to or ((1, 0),)),
}
SPREAD = {
    **dict.fromkeys(("count_nonzero", "flip"), (0, 1)),
    **dict.fromkeys(("squeeze", "squeeze_"), (0, 2)),
    **dict.fromkeys(("hsplit", "dsplit"), (1, 2)),
    **{"vsplit": (1, 1), "broadcast_to": (2, 3), "sum_to_size": (1, 3), "tile": (2, 1), "permute": (1, 0)},
}


@pytest.mark.parametrize("name", ONE_BY_ONE)
def test_methods_take_numbers_one_by_one(T, name):
    x = T.arange(6.0).reshape(2, 3)
    assert T.equal(ONE_BY_ONE[name](x, *SPREAD[name]), ONE_BY_ONE[name](x))


BY_KEYWORD = {
    "clone": lambda T, x: x.clone(T.contiguous_format),
    "gelu": lambda T, x: T.nn.functional.gelu(x, "tanh"),
    "argsort": lambda T, x: x.argsort(0, False, True),
    "sort": lambda T, x: x.sort(0, False, True),
    "resize_as_": lambda T, x: x.resize_as_(x, T.contiguous_format),
    "attention": lambda T, x: T.nn.functional.scaled_dot_product_attention(x, x, x, None, 0.0, False, 2.0),
    "new_tensor": lambda T, x: x.new_tensor([1.0], layout=T.strided),
    "both corrections": lambda T, x: x.std(0, False, correction=2),
    "dual": lambda T, x: T.autograd.forward_ad.make_dual(x, x, 0),
    "custom_fwd": lambda T, x: T.amp.custom_fwd(abs),
    "to_empty": lambda T, x: T.nn.Linear(1, 1).to_empty(),
    "bound": lambda T, x: T.distributions.constraints.greater_than(0.0, 1.0),
    "no bound": lambda T, x: T.distributions.constraints.interval(),
}


@pytest.mark.parametrize("call", BY_KEYWORD)
def test_what_is_taken_by_keyword_only_or_not_at_all_is_refused(T, call):
    with pytest.raises(TypeError):
        BY_KEYWORD[call](T, T.ones(2, 2))


FLAGS = {
    "sum": lambda x: x.sum(0, 1),
    "mean": lambda x: x.mean(0, keepdim=1),
    "all": lambda x: x.all(0, 1),
    "amax": lambda x: x.amax(0, 1),
    "max": lambda x: x.max(0, 1),
    "median": lambda x: x.median(0, 1),
    "argmax": lambda x: x.argmax(0, 1),
    "sort": lambda x: x.sort(0, 1),
    "topk": lambda x: x.topk(1, 0, 1),
    "logsumexp": lambda x: x.logsumexp(0, 1),
    "copy_": lambda x: x.copy_(x, 1),
    "a word": lambda x: x.sum(0, "yes"),
    "of numpy": lambda x: x.sum(0, np.bool_(True)),
}


@pytest.mark.parametrize("call", FLAGS)
def test_a_flag_is_a_bool(T, call):
    with pytest.raises(TypeError, match=r"must be bool|invalid combination"):
        FLAGS[call](T.ones(2, 2))


def test_what_was_taken_by_position_still_is(T):
    x, target = T.tensor([[1.0, 2.0], [0.5, 3.0]]), T.tensor([1, 0])
    F = T.nn.functional
    with pytest.warns(UserWarning, match="reduction='sum'"):
        old = F.mse_loss(x, x * 2, False)
    assert T.equal(old, F.mse_loss(x, x * 2, None, None, "sum"))
    smoothed = F.cross_entropy(x, target, None, None, -100, None, "sum", 0.1)
    assert T.equal(smoothed, F.cross_entropy(x, target, reduction="sum", label_smoothing=0.1))
    assert T.equal(smoothed, T.nn.CrossEntropyLoss(None, None, -100, None, "sum", 0.1)(x, target))
    weight = T.tensor([2.0, 0.5])
    assert T.nn.BCEWithLogitsLoss(None, None, None, "none", weight).pos_weight is weight
    assert T.nn.SmoothL1Loss(None, None, "sum", 0.5).beta == 0.5 and T.nn.KLDivLoss(None, None, "sum", True).log_target
    assert T.equal(F.softmax(x, 0, 3, T.float64), x.softmax(0, T.float64))
    with pytest.raises(TypeError):
        F.mse_loss(x, x, None, None, "sum", reduction="mean")
    with pytest.warns(FutureWarning, match="grad_tensors"):
        T.autograd.backward(T.ones(2, requires_grad=True) * 2, grad_variables=T.ones(2))
    with pytest.warns(FutureWarning, match="Positional args are being deprecated"):
        assert list(T.nn.Linear(1, 1).state_dict(None, "a.")) == ["a.weight", "a.bias"]
    with pytest.warns(FutureWarning, match="min_val"):
        assert T.nn.Hardtanh(min_value=-2.0).min_val == -2.0
    with pytest.raises(AssertionError):
        T.nn.Hardtanh(1.0, 1.0)


def test_gradients_may_be_stored_for_the_tensors_of_a_dict(T):
    layer = T.nn.Linear(2, 1)
    loss = layer(T.ones(2)).sum()
    T.autograd.backward(loss, inputs={"weight": layer.weight})
    assert layer.weight.grad.tolist() == [[1.0, 1.0]] and layer.bias.grad is None
    with pytest.raises(TypeError, match="must be a dict"):
        T.autograd.backward(loss, inputs=collections.UserDict(a=layer.weight))


def test_random_numbers_in_the_likeness_of_a_tensor(T):
    x = T.zeros(2, 3).T
    assert T.randint_like(x, 5, 6).tolist() == [[5.0, 5.0]] * 3 and T.randint_like(x, 1).stride() == x.stride()
    assert T.zeros_like(x).stride() == (1, 3) and T.zeros_like(x, memory_format=T.contiguous_format).stride() == (2, 1)
    mean = T.tensor([1.0, 2.0], requires_grad=True)
    drawn = T.normal(mean, 0.0)
    assert drawn.tolist() == [1.0, 2.0] and drawn.requires_grad
    assert T.normal(3.0, 0.0, (2,)).tolist() == [3.0, 3.0]
    with pytest.raises(RuntimeError, match="normal expects all elements of std >= 0"):
        T.normal(T.zeros(2), T.tensor([1.0, -1.0]))
    assert T.bernoulli(T.zeros(3), 1.0).tolist() == [1.0] * 3 and T.scalar_tensor(2).dtype == T.float32
    assert T.bernoulli(T.ones(2, requires_grad=True)).requires_grad


def test_a_layout_that_is_not_here_is_refused():
    for make in (lambda: ac.zeros(2, layout="sparse"), lambda: ac.zeros_like(ac.ones(1), layout="sparse")):
        with pytest.raises(NotImplementedError, match="strided"):
            make()
    with pytest.raises(RuntimeError, match="pin_memory=True requires a CUDA"):
        ac.zeros(2, pin_memory=True)


def test_a_border_that_is_copied_takes_no_other_value_than_zero(T):
    x = T.arange(6.0).reshape(1, 2, 3)
    for mode in ("reflect", "replicate", "circular"):
        assert T.nn.functional.pad(x, (1, 1), mode=mode, value=0).shape == (1, 2, 5)
        with pytest.raises(RuntimeError, match="doesn't take in value argument"):
            T.nn.functional.pad(x, (1, 1), mode=mode, value=1)


def test_a_missing_name_of_a_device_is_known_to_be_torch_s():
    for space, name in ((ac.cuda, "Stream"), (ac.backends, "openmp"), (ac.accelerator, "Event")):
        assert not hasattr(space, name)
    with pytest.raises(AttributeError, match="PyTorch has it"):
        _ = ac.cuda.Stream


KEYWORDS = {
    "cross_entropy": lambda T, x: T.nn.functional.cross_entropy(target=T.tensor([0, 1]), input=x),
    "kl_div": lambda T, x: T.nn.functional.kl_div(target=x, input=x, reduction="sum"),
    "glu": lambda T, x: T.nn.functional.glu(dim=1, input=x),
    "grid_sample": lambda T, x: T.nn.functional.grid_sample(
        grid=x.reshape(1, 2, 2, 2), input=x.reshape(1, 1, 2, 4), align_corners=True
    ),
    "normalize": lambda T, x: T.nn.functional.normalize(input=x),
    "cosine_similarity": lambda T, x: T.nn.functional.cosine_similarity(x2=x + 1, x1=x),
    "mean": lambda T, x: T.mean(dim=1, input=x),
    "var": lambda T, x: T.var(input=x),
    "dist": lambda T, x: T.dist(input=x, other=x * 2),
}


@pytest.mark.parametrize("call", KEYWORDS.values(), ids=KEYWORDS)
@pytest.mark.parametrize("dtype", ["float16", "float32"])
def test_operands_may_come_by_their_names(call, dtype):
    theirs, ours = (call(T, T.arange(8).reshape(2, 4).to(getattr(T, dtype)) / 8) for T in (torch, ac))
    assert ours.dtype is getattr(ac, dtype)
    np.testing.assert_allclose(ours.numpy(), theirs.numpy(), rtol=2e-3)


def test_every_function_of_a_first_operand_takes_it_by_its_name():
    """Decorators must not hide it: a call with the name of the first parameter gets beyond the binding of arguments."""
    hidden = []
    for space in (ac, ac.nn.functional, ac.linalg, ac.special, ac.masked):
        for name in dir(space):
            function = getattr(space, name)
            if not inspect.isfunction(function) or name.startswith(("set_", "use_")):  # a switch would be turned
                continue
            parameters = inspect.signature(function).parameters
            first = next(iter(parameters.values()), None)
            if first is None or first.kind not in (first.POSITIONAL_OR_KEYWORD, first.POSITIONAL_ONLY):
                continue
            try:
                function(**{first.name: object()})
            except TypeError as error:
                asked = {*re.findall(r"'(\w+)'", str(error).partition("missing")[2])}
                if first.name in asked or asked - parameters.keys() or "unexpected keyword" in str(error):
                    hidden.append(f"{space.__name__}.{name}: {error}")
            except Exception:
                continue
    assert hidden == []


NO_INTEGERS = {
    "sum": lambda T, x, n: x.sum(n),
    "sum of several": lambda T, x, n: x.sum((n,)),
    "softmax": lambda T, x, n: x.softmax(n),
    "transpose": lambda T, x, n: x.transpose(0, n),
    "unsqueeze": lambda T, x, n: x.unsqueeze(n),
    "argmax": lambda T, x, n: x.argmax(n),
    "cumsum": lambda T, x, n: x.cumsum(n),
    "cat": lambda T, x, n: T.cat([x], n),
    "view": lambda T, x, n: x.view(n, 6),
    "zeros": lambda T, x, n: T.zeros(n, 2),
    "repeat": lambda T, x, n: x.repeat(n, 1),
    "unflatten": lambda T, x, n: x.unflatten(1, (n, 3)),
    "select": lambda T, x, n: x.select(0, n),
    "narrow": lambda T, x, n: x.narrow(0, n, 1),
    "length": lambda T, x, n: x.narrow(0, 0, n),
    "tril": lambda T, x, n: x.tril(n),
    "triu": lambda T, x, n: x.triu(n),
    "rot90": lambda T, x, n: x.rot90(n),
    "kthvalue": lambda T, x, n: x.kthvalue(n),
    "repeat_interleave": lambda T, x, n: x.repeat_interleave(n),
    "linspace": lambda T, x, n: T.linspace(0.0, 1.0, n),
    "randint": lambda T, x, n: T.randint(n, (2,)),
    "one_hot": lambda T, x, n: T.nn.functional.one_hot(T.tensor([0]), n),
    "layer_norm": lambda T, x, n: T.nn.functional.layer_norm(x[:, :1], (n,)),
    "pad": lambda T, x, n: T.nn.functional.pad(x, (n, 0)),
}


@pytest.mark.parametrize("call", NO_INTEGERS)
@pytest.mark.parametrize("number", [1.0, True, "1", None], ids=repr)
def test_what_is_no_integer_is_refused(T, call, number):
    if number is None and call in ("sum", "argmax", "one_hot", "repeat_interleave", "softmax"):
        return  # a form of its own
    with pytest.raises(TypeError):
        NO_INTEGERS[call](T, T.arange(6.0).reshape(2, 3), number)


def test_a_shape_and_flags_of_functions_of_networks_are_checked(T):
    F, x = T.nn.functional, T.ones(2, 3)
    for call in (
        lambda: F.layer_norm(x, 3),
        lambda: F.dropout(x, 0.5, 1),
        lambda: F.scaled_dot_product_attention(x, x, x, None, 0.0, 1),
    ):
        with pytest.raises(TypeError):
            call()
