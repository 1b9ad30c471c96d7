"""The function written for an op does what the general road does, and reads as code about that op."""

import inspect
import traceback

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.core.graph import node_of
from autograd_core.core.modes import ModeSwitch
from autograd_core.core.primitive import registry
from autograd_core.core.source import is_written
from autograd_core.core.table import general
from tests.ops.harness import leaves, samples

SAMPLES = samples()


class GeneralRoad(ModeSwitch):
    """Somebody looks on, so that no call is plain."""

    def _changes(self, outside):
        return {"observers": (lambda *_: None,)}


def all_params(node):
    """The parameters of an op as its rules see them."""
    return {name: (node.params or {}).get(name, default) for name, default in node.op.params.items()}


def recorded(sample):
    """What the outputs of a sample are, and what their nodes hold on to."""
    found = []
    for out in sample.function(ac)(*leaves(ac, sample.inputs)):
        if not isinstance(out, ac.Tensor):
            continue
        node = node_of(out._edge)
        saved = [] if node is None else list(zip(node.plan.saved_names, node.saved))
        arrays = {name: value for name, (value, *_) in saved if isinstance(value, np.ndarray)}
        ages = [(name, cell.count - count, owner is None) for name, (_, cell, count, owner) in saved]
        edges = [] if node is None else [type(edge).__name__ for edge in node.edges]
        known = []
        if node is not None:
            known = [node.name(), node.shape, node.dtype, repr(all_params(node)), repr(node.extra or {})]
        found.append((out._array, out._is_view(), known, ages, edges, arrays))
    return found


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.name)
def test_both_roads_lead_to_the_same(sample):
    plain = recorded(sample)
    with GeneralRoad():
        general_road = recorded(sample)
    for (value, *facts, saved), (value_, *facts_, saved_) in zip(plain, general_road, strict=True):
        np.testing.assert_array_equal(value, value_)
        assert (value.dtype, facts) == (value_.dtype, facts_)
        for name in saved:
            np.testing.assert_array_equal(saved[name], saved_[name])


def test_every_row_with_inputs_and_one_output_has_a_text():
    without = {name for name, row in registry.items() if not hasattr(row.function, "source")}
    assert without == {name for name, row in registry.items() if not is_written(row)}
    assert all(len(registry[name].outputs) > 1 or registry[name].many for name in without)


def test_the_text_speaks_of_the_op():
    assert registry["where"].function.source.startswith("def where(condition, input, other, *, out=None):\n")
    assert "mask" not in ac.exp.source and "y_edge" not in ac.exp.source
    assert "make_view(out, input, primitive" in registry["transpose"].function.source
    assert "make_view" not in ac.mul.source


def test_inspect_and_tracebacks_show_the_text():
    x = ac.ones(3)
    ac.mul(x, x)
    assert inspect.getsource(ac.mul) == ac.mul.source
    with pytest.raises(RuntimeError, match="must match the size of tensor") as caught:
        ac.mul(x, ac.ones(2))
    frame = traceback.extract_tb(caught.value.__traceback__)[-1]
    assert (frame.name, frame.line) == ("mul", "raise explained(primitive, (x, y), error) from None")


def test_the_first_call_already_knows_the_line_of_the_user():
    op = general("fresh", np.positive, "x", lambda g: g)
    node = op(ac.ones(1).requires_grad_()).grad_fn
    assert node.position.startswith(__file__)


@pytest.mark.parametrize("name", ["saved", "forward", "isinstance", "x_edge", "input", "plan_of_both"])
def test_a_name_of_the_text_is_refused_for_a_parameter(name):
    forward = eval(f"lambda x, {name}: x")
    with pytest.raises(TypeError, match=rf"clashing: \['{name}'\] mean two things in the text of the op"):
        general("clashing", forward, "x", lambda g: g)


@pytest.mark.parametrize("default", [float("inf"), (1, float("-inf")), (np.float32,), 1e-5, None, "text"])
def test_any_default_can_be_written(default):
    op = general("with_default", lambda x, limit=default: (x, x)[limit is default], "x", lambda g: g)
    assert op(ac.ones(1)).item() == 1.0


def test_a_default_that_is_no_literal_stays_itself():
    marker = object()
    op = general("marked", lambda x, tag=marker: x if tag is marker else -x, "x", lambda g: g)
    x = ac.ones(1)
    assert op(x).item() == 1.0 and op(x, tag=None).item() == -1.0
