"""Where this package differs from PyTorch on purpose: each item of the README's list, on both engines."""

import copy
import pickle
import re
import threading
from contextlib import nullcontext
from pathlib import Path

import numpy as np
import pytest
import torch

import autograd_core as ac

README = Path(__file__).parents[1] / "README.md"


def listed():
    """The items of the list, each on one line."""
    section = README.read_text("utf-8").partition("## Differences from PyTorch\n")[2].partition("\n## ")[0]
    return [" ".join(item.split()) for item in re.split(r"^- ", section, flags=re.MULTILINE)[1:]]


def test_a_dtype_may_be_a_numpy_type():
    assert ac.zeros(2, dtype=np.float32).dtype is ac.float32
    with pytest.raises(TypeError):
        torch.zeros(2, dtype=np.float32)


def test_errstate_stops_at_the_first_nan():
    with np.errstate(invalid="raise"):
        with pytest.raises(FloatingPointError):
            ac.tensor(-1.0).log()
        assert torch.tensor(-1.0).log().isnan()


@pytest.mark.parametrize("T, stored", [(ac, False), (torch, True)])
def test_a_pass_that_meets_an_overwritten_value_stores_nothing(T, stored):
    x, y = (T.tensor([2.0], requires_grad=True) for _ in range(2))
    a = x * 1
    loss = (a * a).sum() + (y * 3).sum()
    with T.no_grad():
        a.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        loss.backward()
    assert (y.grad is not None) == stored
    assert x.grad is None


@pytest.mark.parametrize("T, written", [(ac, 1.0), (torch, 2.0)])
def test_a_refused_write_changes_nothing(T, written):
    with T.inference_mode():
        x = T.tensor([1.0])
    with pytest.raises(RuntimeError, match=r"[Ii]nplace update to inference tensor"):
        x.add_(T.ones(1))
    assert x.item() == written


@pytest.mark.parametrize("T", [ac, torch])
def test_running_statistics_are_written(T):
    mean, var = T.zeros(2), T.ones(2)
    x = T.tensor([[1.0, 2.0], [3.0, 5.0]], requires_grad=True)
    out = T.nn.functional.batch_norm(x, mean, var, training=False)
    T.nn.functional.batch_norm(x.detach(), mean, var, training=True)
    if T is torch:
        out.sum().backward()
        assert x.grad[0, 0].item() != pytest.approx(1.0, abs=1e-4)  # the slope at the old statistics
    else:
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            out.sum().backward()


def test_an_array_beside_a_tensor_is_an_operand():
    both = np.ones(2) * ac.tensor([1.0, 2.0]), ac.tensor([1.0, 2.0]) * np.ones(2)
    assert all(isinstance(product, ac.Tensor) for product in both)
    with pytest.raises(TypeError):
        torch.add(torch.ones(2), np.ones(2))
    assert ac.add(ac.ones(2), np.ones(2)).tolist() == [2.0, 2.0]


@pytest.mark.parametrize("T, gradient", [(ac, 4.0), (torch, 10.0)])
def test_a_saved_leaf_is_the_value_it_had(T, gradient):
    x = T.tensor([2.0], requires_grad=True)
    y = x * x
    x.data = T.tensor([5.0])
    y.backward()
    assert x.grad.item() == gradient


@pytest.mark.parametrize("T", [ac, torch])
def test_a_recorded_fill_of_an_expanded_tensor(T):
    tracked = T.zeros(1, requires_grad=True) * 1
    x = tracked.expand(3)
    with pytest.raises(RuntimeError, match="more than one element"):
        x.fill_(2.0)
        assert T is torch
        x.sum().backward()
    assert x.tolist() == [0.0 if T is ac else 2.0] * 3


def test_a_tangent_has_the_dtype_of_its_primal():
    def dual(T):
        with T.autograd.forward_ad.dual_level():
            made = T.autograd.forward_ad.make_dual(T.ones(1), T.ones(1, dtype=T.float64))
            return T.autograd.forward_ad.unpack_dual(made * 2).tangent

    with pytest.raises((RuntimeError, TypeError), match=r"dtype|float64"):
        dual(ac)
    assert dual(torch) is not None


def test_second_derivatives_are_those_of_the_symmetric_part():
    a = np.array([[2.0, 0.5], [0.5, 1.0]])

    def hessian(T, outer, inner):
        def f(x):
            return T.linalg.cholesky(x)[1, 0]

        return outer(inner(f))(T.tensor(a)).numpy()

    ours = [hessian(ac, outer, ac.func.jacrev) for outer in (ac.func.jacrev, ac.func.jacfwd)]
    theirs = [hessian(torch, outer, torch.func.jacrev) for outer in (torch.func.jacrev, torch.func.jacfwd)]
    np.testing.assert_allclose(*ours, atol=1e-12)
    assert np.abs(theirs[0] - theirs[1]).max() > 1e-3


def test_what_is_saved_is_a_pickle_only_where_it_is_no_plain_data(tmp_path):
    ac.save({"w": ac.ones(2, requires_grad=True)}, tmp_path / "w.npz")
    assert not ac.load(tmp_path / "w.npz")["w"].requires_grad
    assert np.load(tmp_path / "w.npz", allow_pickle=False).files
    ac.save(ac.nn.Tanh(), tmp_path / "net.pt")
    with pytest.raises(pickle.UnpicklingError, match="weights_only=False"):
        ac.load(tmp_path / "net.pt")
    assert isinstance(ac.load(tmp_path / "net.pt", weights_only=False), ac.nn.Tanh)
    torch.save(torch.ones(2), tmp_path / "theirs.pt")
    with pytest.raises((ValueError, RuntimeError, pickle.UnpicklingError)):
        ac.load(tmp_path / "theirs.pt", weights_only=False)


def test_bytes_are_exact_means():
    image = np.random.default_rng(0).integers(0, 255, (1, 1, 5, 7)).astype(np.uint8)

    def larger(T):
        return T.nn.functional.interpolate(T.tensor(image), size=(9, 12), mode="bilinear").numpy().astype(int)

    assert np.abs(larger(ac) - larger(torch)).max() == 1


def test_vectorize_changes_nothing():
    def rows(vectorize):
        return ac.autograd.functional.jacobian(ac.sin, ac.ones(2), vectorize=vectorize).tolist()

    assert rows(True) == rows(False)


def test_manual_seed_is_numpys():
    ac.manual_seed(0)
    ours = ac.rand(3, dtype=ac.float64).tolist()
    torch.manual_seed(0)
    assert ours != torch.rand(3, dtype=torch.float64).tolist()


def test_half_precision_is_rounded_once():
    def mean_of_losses(T):
        logits = T.zeros(70_000, 2, dtype=T.float16)
        return T.nn.functional.kl_div(logits, logits + 1, reduction="batchmean", log_target=True).item()

    def slope_at_bound(T):
        x = T.tensor(0.1, dtype=T.float16, requires_grad=True)
        x.clamp(0.1, 1).backward()
        return x.grad.item()

    assert np.isfinite(mean_of_losses(ac))
    assert not np.isfinite(mean_of_losses(torch))
    assert (slope_at_bound(ac), slope_at_bound(torch)) == (0.0, 1.0)


@pytest.mark.parametrize("T, kept", [(ac, True), (torch, False)])
def test_a_nan_stays_one(T, kept):
    x = T.tensor(float("nan"), requires_grad=True)
    x.abs().backward()
    assert np.isnan(x.grad.item()) == kept
    assert np.isnan(T.sign(x.detach()).item()) == kept


@pytest.mark.parametrize("T, limit", [(ac, True), (torch, False)])
def test_second_derivatives_are_limits(T, limit):
    def second(f, at):
        x = T.tensor(at, dtype=T.float64, requires_grad=True)
        (g,) = T.autograd.grad(f(x), x, create_graph=True)
        return T.autograd.grad(g, x)[0].item()

    assert (second(T.sinc, 0.0) == pytest.approx(-(np.pi**2) / 3)) == limit
    assert (second(lambda x: T.logaddexp(x, x.detach() * 0), -2000.0) == 0.0) == limit


@pytest.mark.parametrize("T, kept", [(ac, True), (torch, False)])
def test_a_copied_parameter_keeps_its_attributes(T, kept):
    p = T.nn.Parameter(T.ones(1))
    p.no_decay = True
    assert hasattr(copy.deepcopy(p), "no_decay") == kept
    if T is ac:
        with pytest.raises(TypeError, match="__torch_function__"):
            type("Loud", (T.Tensor,), {"__torch_function__": None})
    else:
        type("Loud", (T.Tensor,), {"__torch_function__": classmethod(lambda cls, *args: None)})


@pytest.mark.parametrize("T", [ac, torch])
def test_a_view_from_before_another_shape_raises(T):
    base = T.ones(2, 3, requires_grad=True) * 1
    view = base[0]
    base.t_()
    if T is ac:
        with pytest.raises(RuntimeError, match="given another shape in place"):
            view.grad_fn  # noqa: B018
    else:
        assert view.grad_fn is not None


def test_passes_nest_in_new_threads_and_are_not_batched():
    x = ac.ones(2, requires_grad=True)
    with pytest.raises(NotImplementedError, match="is_grads_batched"):
        ac.autograd.grad(x * 2, x, ac.ones(3, 2), is_grads_batched=True)
    threads = set()

    def again(depth):
        threads.add(threading.get_ident())
        if depth:
            with ac.enable_grad():
                y = ac.ones(1, requires_grad=True) * 1
                y.register_hook(lambda g: again(depth - 1))
                y.sum().backward()

    again(300)
    assert len(threads) > 1


@pytest.mark.parametrize("T", [ac, torch])
def test_transforms_take_old_functions(T):
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    with nullcontext() if T is ac else pytest.raises(RuntimeError, match="setup_context"):
        T.func.grad(lambda x: Double.apply(x).sum())(T.ones(2))


def test_vmap_calls_the_function_for_each_element():
    def decided(x):
        return x if x > 0 else -x

    assert ac.vmap(decided)(ac.tensor([-1.0, 2.0])).tolist() == [1.0, 2.0]
    with pytest.raises(RuntimeError, match="data-dependent"):
        torch.vmap(decided)(torch.tensor([-1.0, 2.0]))


@pytest.mark.parametrize("T, taken", [(ac, False), (torch, True)])
def test_packed_lengths_and_kernels_are_checked_at_once(T, taken):
    with nullcontext() if taken else pytest.raises(RuntimeError, match="beyond"):
        T.nn.utils.rnn.pack_padded_sequence(T.ones(3, 1, 1), [9])
    attention = T.nn.attention
    with (
        nullcontext() if taken else pytest.raises(RuntimeError, match="No viable backend"),
        attention.sdpa_kernel(attention.SDPBackend.CUDNN_ATTENTION),
    ):
        pass


def test_one_tensor_is_shared_and_one_thread_caches():
    whole = ac.zeros(2)
    part = whole[:1]
    whole.share_memory_().fill_(1)
    assert part.item() == 0.0 and whole.is_shared()
    layer = ac.nn.utils.parametrize.register_parametrization(ac.nn.Linear(1, 1), "weight", ac.nn.Tanh())
    seen = []
    with ac.nn.utils.parametrize.cached():
        thread = threading.Thread(target=lambda: seen.append(layer.weight is layer.weight))
        thread.start()
        thread.join()
        assert layer.weight is layer.weight and seen == [False]


def test_some_records_of_a_training_are_not_written(tmp_path):
    with ac.utils.tensorboard.SummaryWriter(tmp_path) as writer, pytest.raises(NotImplementedError):
        writer.add_embedding(ac.ones(2, 2))


@pytest.mark.parametrize("T, at_once", [(ac, True), (torch, False)])
def test_bad_print_options_are_refused(T, at_once):
    with pytest.raises((TypeError, ValueError)) if at_once else nullcontext():
        T.set_printoptions(precision="four")
    T.set_printoptions(profile="default")


@pytest.mark.parametrize("T, changed", [(ac, False), (torch, True)])
def test_a_failed_load_changes_nothing(T, changed):
    layer = T.nn.Linear(2, 1)
    weight = layer.weight.tolist()
    with pytest.raises(RuntimeError, match="size mismatch"):
        layer.load_state_dict({"weight": T.full((1, 2), 7.0), "bias": T.ones(3)})
    assert (layer.weight.tolist() != weight) == changed
    if T is ac:
        layer.load_state_dict({"weight": np.ones((1, 2)), "bias": torch.ones(1)})
        assert layer.bias.item() == 1.0
        for _ in layer.children():
            layer.register_module("child", ac.nn.Tanh())


def test_optimizers_take_capturable_and_differentiable_steps():
    p = ac.ones(1, requires_grad=True)
    q = p.clone()
    optimizer = ac.optim.Adam([q], lr=0.1, differentiable=True)
    for _ in range(2):
        q.grad = p * 2
        optimizer.step()
    q.sum().backward()
    assert p.grad is not None
    ac.optim.Adam([ac.ones(1, requires_grad=True)], capturable=True).step()


def test_compilers_and_loaders_say_what_they_do():
    def double(x):
        return 2 * x

    with pytest.warns(UserWarning):
        assert ac.compile(double) is double
    with pytest.warns(UserWarning):
        assert ac.jit.script(double) is double
    with pytest.warns(UserWarning):
        assert ac.jit.trace(double, ac.ones(1)) is double
    with pytest.raises((RuntimeError, NotImplementedError)):
        ac.autocast("cpu").__enter__()
    data = ac.utils.data.TensorDataset(ac.arange(4))
    assert len(list(ac.utils.data.DataLoader(data, batch_size=2, num_workers=2))) == 2


HELD = {
    "Real dtypes and the CPU only.": test_a_dtype_may_be_a_numpy_type,
    '`np.errstate(invalid="raise")` works': test_errstate_stops_at_the_first_nan,
    "A backward pass that would meet": test_a_pass_that_meets_an_overwritten_value_stores_nothing,
    "An in-place write that is refused": test_a_refused_write_changes_nothing,
    "When batch norm updates": test_running_statistics_are_written,
    "A NumPy array beside a tensor": test_an_array_beside_a_tensor_is_an_operand,
    "A saved leaf is the value it had.": test_a_saved_leaf_is_the_value_it_had,
    "A recorded `fill_` of an expanded tensor": test_a_recorded_fill_of_an_expanded_tensor,
    "A tangent has the dtype": test_a_tangent_has_the_dtype_of_its_primal,
    "A second derivative through a matrix": test_second_derivatives_are_those_of_the_symmetric_part,
    "float16 is computed in float32": test_half_precision_is_rounded_once,
    "A NaN stays one": test_a_nan_stays_one,
    "Second derivatives of `sinc`": test_second_derivatives_are_limits,
    "`copy.deepcopy` of a `Parameter`": test_a_copied_parameter_keeps_its_attributes,
    "A view that was made before": test_a_view_from_before_another_shape_raises,
    "Passes that nest deeper": test_passes_nest_in_new_threads_and_are_not_batched,
    "The transforms of `func`": test_transforms_take_old_functions,
    "A `load_state_dict` that fails": test_a_failed_load_changes_nothing,
    "`capturable=True`": test_optimizers_take_capturable_and_differentiable_steps,
    "`compile`, `jit.script` and `jit.trace`": test_compilers_and_loaders_say_what_they_do,
    "`save` and `load` write and read": test_what_is_saved_is_a_pickle_only_where_it_is_no_plain_data,
    "`vmap` calls the function": test_vmap_calls_the_function_for_each_element,
    "A packed sequence has no length": test_packed_lengths_and_kernels_are_checked_at_once,
    "`share_memory_` moves one tensor": test_one_tensor_is_shared_and_one_thread_caches,
    "`SummaryWriter` has no graphs": test_some_records_of_a_training_are_not_written,
    "`set_printoptions` refuses": test_bad_print_options_are_refused,
    "`interpolate` of bytes": test_bytes_are_exact_means,
    "`vectorize=True`": test_vectorize_changes_nothing,
    "`manual_seed` repeats": test_manual_seed_is_numpys,
}


def test_every_difference_that_the_readme_lists_is_held():
    unheld = [item for item in listed() if not any(item.startswith(begin) for begin in HELD)]
    gone = [begin for begin in HELD if not any(item.startswith(begin) for item in listed())]
    assert (unheld, gone) == ([], [])
