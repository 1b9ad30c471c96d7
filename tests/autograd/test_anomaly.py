"""Anomaly mode: which line of the forward is at fault when a backward raises or gives NaN."""

import warnings

import numpy as np
import pytest

import autograd_core as ac

pytestmark = pytest.mark.filterwarnings("ignore:Anomaly Detection has been enabled", "ignore:Error detected in")


@pytest.fixture(autouse=True)
def silent_numpy():
    with np.errstate(all="ignore"):
        yield


def nan_loss(T):
    w = T.zeros(2, requires_grad=True)
    return w, (w.sqrt() * 0).sum()  # the NaN


def test_a_nan_is_an_error_and_stores_nothing(T):
    with T.autograd.detect_anomaly():
        w, loss = nan_loss(T)
        with pytest.raises(RuntimeError, match="Function 'SqrtBackward0' returned nan values in its 0th output"):
            loss.backward()
    assert w.grad is None


def test_the_error_has_the_line_of_the_forward():
    with ac.autograd.detect_anomaly():
        _, loss = nan_loss(ac)
        with pytest.raises(RuntimeError, match="# the NaN"):
            loss.backward()


def test_without_check_nan_only_exceptions_count(T):
    with T.autograd.detect_anomaly(check_nan=False):
        w, loss = nan_loss(T)
        loss.backward()
    assert w.grad.isnan().all()


def test_a_nan_in_a_second_derivative(T):
    x = T.tensor([0.0], requires_grad=True)
    (g,) = T.autograd.grad((x**1.5).sum(), x, create_graph=True)
    with T.autograd.detect_anomaly(), pytest.raises(RuntimeError, match="returned nan values"):
        ((g * 0).sqrt() * 0).sum().backward()


def test_an_exception_keeps_its_type_and_is_told_where_the_node_was_recorded():
    class Broken(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            raise ValueError("broken")

    y = Broken.apply(ac.ones(2, requires_grad=True))  # the call
    with ac.autograd.detect_anomaly(), pytest.raises(ValueError, match="broken") as error:
        y.sum().backward()
    (note,) = error.value.__notes__
    assert "BrokenBackward" in note and "# the call" in note


def test_switching(T):
    def state():
        return T.is_anomaly_enabled(), T.is_anomaly_check_nan_enabled()

    assert not T.is_anomaly_enabled()
    with T.autograd.set_detect_anomaly(True):
        assert state() == (True, True)
        with T.autograd.detect_anomaly(check_nan=False):
            assert state() == (True, False)
        with T.autograd.set_detect_anomaly(False):
            assert not T.is_anomaly_enabled()
        assert state() == (True, True)
    assert not T.is_anomaly_enabled()
    T.autograd.set_detect_anomaly(True)
    assert T.is_anomaly_enabled()
    T.autograd.set_detect_anomaly(False)
    assert not T.is_anomaly_enabled()


def test_it_warns_that_it_is_slow(T):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        T.autograd.detect_anomaly()
    assert [str(w.message).split(".")[0] for w in caught] == ["Anomaly Detection has been enabled"]
    assert caught[0].filename == __file__
