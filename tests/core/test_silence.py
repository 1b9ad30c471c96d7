"""NumPy's warnings of infinities and NaNs never reach a user, and what a user sets about them stays."""

import importlib
import pkgutil
import threading
import warnings

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.core import silence

inf = float("inf")

PROGRAMS = {
    "log of 0": lambda x: ac.log(x),
    "by 0": lambda x: 1 / x,
    "0 by 0": lambda x: x / x,
    "overflow of a product": lambda x: (x + 1e30) * 1e30,
    "overflow of an exponential": lambda x: ac.exp(x + 1000),
    "overflow of a conversion": lambda x: (x.double() + 1e300).float(),
    "overflow in half": lambda x: x.half() + 1e6,
    "a composite": lambda x: ac.special.xlog1py(x - 1, x - 1),
    "a sum": lambda x: ac.stack([x + 3e38, x + 3e38]).sum(),
    "inf - inf": lambda x: ac.cumsum(ac.stack([x + inf, x - inf]), 0),
    "a matrix product": lambda x: (ac.eye(2) * (x + 1e30)) @ (ac.eye(2) * (x + 1e30)),
    "a variance": lambda x: ac.stack([x + 3e38, x - 3e38]).var(),
    "several outputs": lambda x: ac.frexp(x + inf).mantissa,
    "a loss": lambda x: ac.nn.functional.binary_cross_entropy(x, x),
    "a norm at 0": lambda x: ac.stack([x, x]).norm(0.5),
    "a quotient rounded": lambda x: ac.div(x, 0.0, rounding_mode="floor"),
    "in place": lambda x: (x + 1).mul_(0).div_(0),
    "a scan": lambda x: ac.cumprod(ac.stack([x + 1e30, x + 1e30]), 0),
    "a hypotenuse": lambda x: ac.hypot(x, x),
    "a power": lambda x: x**-1.5,
    "bounds": lambda x: ac.logit(x),
    "a cube": lambda x: ac.nn.functional.gelu(x + 1e30, approximate="tanh"),
    "standardizing": lambda x: ac.nn.functional.layer_norm(ac.stack([x + inf, x]), (2,)),
    "a value to fill with": lambda x: x.clone().fill_(x.double() + 1e300),
    "a linear map in half": lambda x: ac.nn.functional.linear((x + 6e4).half()[None], ac.full((2, 1), 6e4).half()),
    "a number chosen beside half": lambda x: ac.where(x == 0, -1e6, x.half()),
    "losses": lambda x: ac.nn.functional.huber_loss(x + 3e38, ac.tensor(-3e38)),
}


@pytest.mark.parametrize("graph", [False, True], ids=["", "recorded"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_no_warning_of_numpy_comes_through(name, graph):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        warnings.simplefilter("error", RuntimeWarning)
        x = ac.zeros((), requires_grad=True)
        y = PROGRAMS[name](x).sum()
        (g,) = ac.autograd.grad(y, x, create_graph=True)
        if g.requires_grad:
            g.backward()
        PROGRAMS[name](x).sum().backward(create_graph=graph)


def test_what_overflows_on_its_way_into_out_is_infinite_in_silence():
    out = ac.zeros(1)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert ac.add(ac.ones(1, dtype=ac.float64), 1e300, out=out).tolist() == [inf] == out.tolist()


def test_a_user_s_own_arithmetic_warns_as_before():
    with pytest.warns(RuntimeWarning, match="divide by zero"):
        np.log(np.zeros(1))


def test_a_user_s_own_settings_stay():
    before = np.geterr()
    x = ac.zeros(2, requires_grad=True)
    x.sigmoid().log().sum().backward()
    with np.errstate(over="raise", divide="ignore"):
        inside = np.geterr()
        x.sigmoid().log().sum().backward()
        assert np.geterr() == inside
        with pytest.raises(FloatingPointError):
            ac.special.entr(x + 3e38)
        assert np.geterr() == inside
    assert np.geterr() == before


def test_hooks_and_functions_of_a_user_s_keep_their_warnings():
    class Log(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            seen.append(np.geterr())
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            seen.append(np.geterr())
            return g

    seen: list[dict] = []
    x = ac.zeros(2, requires_grad=True)
    y = Log.apply(x)
    for tensor in (x, y):
        tensor.register_hook(lambda g: seen.append(np.geterr()))
    y.grad_fn.register_prehook(lambda gs: seen.append(np.geterr()))
    y.grad_fn.register_hook(lambda gs, outs: seen.append(np.geterr()))
    x.register_post_accumulate_grad_hook(lambda x: seen.append(np.geterr()))
    with ac.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: seen.append(np.geterr()) or t):
        (y.sin() / 0).sum().backward()
    assert len(seen) >= 8 and all(state == np.geterr() for state in seen)


def test_other_threads_are_silent_too():
    caught = []

    def run():
        with warnings.catch_warnings(record=True) as found:
            warnings.simplefilter("always")
            x = ac.zeros(2, requires_grad=True)
            (x.log() / x.sigmoid().sub(0.5)).sum().backward()
        caught.append(found)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert caught == [[]]


def test_functions_without_a_name_see_their_whole_module():
    for module in pkgutil.walk_packages(ac.ops.__path__, ac.ops.__name__ + "."):
        importlib.import_module(module.name)
    assert silence._incomplete == []
