"""Mixed precision on a machine without a GPU: disabled with a warning, refused where it would do something."""

import warnings

import pytest
import torch

import autograd_core as ac


@pytest.mark.filterwarnings("ignore:.*torch.cuda.amp.*:FutureWarning")
def test_on_a_gpu_that_is_not_there_nothing_changes(T):
    with pytest.warns(UserWarning, match="Disabling"), T.autocast("cuda", dtype=T.float16):
        assert (T.ones(2, 2) @ T.ones(2, 2)).dtype == T.float32
    with pytest.warns(UserWarning, match="Disabling"), T.cuda.amp.autocast():
        pass
    with pytest.warns(UserWarning, match="Disabling"):
        assert not T.cuda.amp.GradScaler().is_enabled()
    with T.amp.autocast(device_type="cuda", enabled=False):
        pass


def test_a_disabled_scaler_leaves_a_training_loop_as_it_is(T):
    w = T.nn.Parameter(T.tensor([1.0, 2.0]))
    optimizer = T.optim.SGD([w], lr=0.5)
    with pytest.warns(UserWarning, match="Disabling"):
        scaler = T.amp.GradScaler("cuda", init_scale=4.0)
    loss = (w * w).sum()
    assert scaler.scale(loss) is loss
    loss.backward()
    scaler.unscale_(optimizer)
    scaler.step(optimizer)
    scaler.update()
    assert w.tolist() == [0.0, 0.0] and scaler.get_scale() == 1.0
    scaler.load_state_dict(scaler.state_dict())
    assert scaler.state_dict() == {}


def test_marks_for_functions_leave_them_alone(T):
    class Double(T.autograd.Function):
        @staticmethod
        @T.amp.custom_fwd(device_type="cuda")
        def forward(ctx, x):
            return 2 * x

        @staticmethod
        @T.amp.custom_bwd(device_type="cuda")
        def backward(ctx, g):
            return 2 * g

    x = T.ones(1, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        Double.apply(x).backward()
    assert x.grad.item() == 2.0


def test_what_would_change_results_is_refused():
    with pytest.raises(NotImplementedError, match="ops compute in the dtype of their operands"):
        ac.autocast("cpu")
    with pytest.raises(NotImplementedError, match="multiply the loss"):
        ac.amp.GradScaler("cpu")
    assert ac.autocast("cpu", enabled=False)(abs)(-1) == 1
    for T in (ac, torch):
        with pytest.raises(RuntimeError, match="device type at start of device string: gpu"):
            T.amp.is_autocast_available("gpu")
