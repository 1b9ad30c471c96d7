"""The trace of a reverse pass: what it says, and that recording it changes nothing."""

import json

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.viz import microscope


def kinds(trace):
    return [step["kind"] for step in trace["steps"]]


def only(trace, kind):
    return [step for step in trace["steps"] if step["kind"] == kind]


def named(trace):
    return {name: node for node in trace["nodes"] for name in node["names"] if name}


def chain():
    w = ac.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    return w, h, L, microscope(L)


def test_the_chain_carries_1_3_12_and_stores_only_at_the_leaf():
    trace = chain()[-1].trace
    assert kinds(trace) == ["forward", "seed", "arrive", "release", "arrive", "release", "accumulate"]
    assert [step["cotangent"] for step in trace["steps"] if "cotangent" in step] == [1.0, 3.0, 12.0, 12.0]
    nodes = named(trace)
    assert nodes["w"]["slots"] == [{"grad": None}]
    assert nodes["h"]["slots"] == nodes["L"]["slots"] == [None]
    assert [nodes[name]["values"] for name in "whL"] == [[2.0], [4.0], [12.0]]
    assert nodes["h"]["saved"] == [["w", 2.0]]
    assert nodes["L"]["saved"] == [["other", 3.0]]


def test_the_trace_agrees_with_backward():
    rng = np.random.default_rng(seed=7)
    x = ac.tensor(rng.normal(size=3), requires_grad=True)
    y = ac.tensor(rng.normal(size=(2, 1)), requires_grad=True)
    loss = ((x * y).sin() + x).sum()
    stored = {step["node"]: step["grad"] for step in only(microscope(loss).trace, "accumulate")}
    numbers = {name: i for i, node in enumerate(microscope(loss).trace["nodes"]) for name in node["names"]}
    loss.backward()
    assert stored == {numbers["x"]: x.grad.tolist(), numbers["y"]: y.grad.tolist()}


def test_recording_leaves_gradients_and_the_graph_alone():
    w, h, L, _ = chain()
    h.retain_grad()
    w.grad = ac.tensor(5.0)
    microscope(L)
    microscope(L)._repr_html_()
    assert w.grad.item() == 5.0
    assert h.grad is None
    assert L.grad_fn.saved is not None
    L.backward()
    assert w.grad.item() == 17.0
    assert h.grad.item() == 3.0


def test_recording_does_not_share_memory_with_later_gradients():
    w, _, L, m = chain()
    before = json.dumps(m.trace)
    L.backward()
    w.grad.numpy()[...] = 100
    assert json.dumps(m.trace) == before


def test_what_arrives_is_added_to_what_the_slot_holds():
    w = ac.tensor(2.0, requires_grad=True)
    w.square().backward()
    m = microscope(w.square())
    (step,) = only(m.trace, "accumulate")
    assert (step["old"], step["cotangent"], step["grad"]) == (4.0, 4.0, 8.0)
    assert m.trace["nodes"][0]["slots"] == [{"grad": 4.0}]
    assert "w.grad = 4 + 4 = 8" in m.captions[-1]
    assert w.grad.item() == 4.0


def test_a_diamond_sums_its_arrivals_before_it_goes_on():
    x = ac.tensor(3.0, requires_grad=True)
    a = x * 2
    L = a * a
    trace = microscope(L).trace
    assert kinds(trace) == ["forward", "seed", "arrive", "arrive", "release", "arrive", "release", "accumulate"]
    assert [(step["cotangent"], step["total"], step["first"]) for step in only(trace, "arrive")] == [
        (6.0, 6.0, True),
        (6.0, 12.0, False),
        (24.0, 24.0, True),
    ]
    both = [edge for edge in trace["edges"] if edge["to"] == 2]
    assert [(edge["from"], edge["input"]) for edge in both] == [(1, 0), (1, 1)]
    assert [step["edge"] for step in only(trace, "arrive")[:2]] == [trace["edges"].index(edge) for edge in both]


def test_a_leaf_used_twice_is_stored_once():
    x = ac.tensor(3.0, requires_grad=True)
    trace = microscope(x.square() + x).trace
    (step,) = only(trace, "accumulate")
    assert step["grad"] == 7.0
    assert len([s for s in only(trace, "arrive") if s["node"] == step["node"]]) == 2


def test_a_retained_tensor_has_a_slot_that_fills_as_the_cotangent_passes():
    _, h, L, _ = chain()
    h.retain_grad()
    m = microscope(L)
    assert kinds(m.trace)[:5] == ["forward", "seed", "arrive", "release", "retain"]
    (step,) = only(m.trace, "retain")
    assert step["grad"] == 3.0
    assert named(m.trace)["h"]["slots"] == [{"grad": None}]


def test_a_seed_weighs_the_outputs():
    w = ac.tensor(2.0, requires_grad=True)
    y = ac.stack((w.square(), 3 * w))
    trace = microscope(y, seed=[1.0, 2.0]).trace
    assert only(trace, "seed")[0]["cotangent"] == [1.0, 2.0]
    assert only(trace, "accumulate")[0]["grad"] == 10.0
    assert microscope(y, seed=ac.tensor([1.0, 1.0])).trace["steps"][-1]["grad"] == 7.0


def test_a_missing_or_misshapen_seed_is_refused():
    w = ac.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="scalar outputs"):
        microscope(w * 2)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        microscope(w * 2, seed=[1.0])


def test_nothing_to_look_at_is_an_error_with_a_remedy():
    with pytest.raises(RuntimeError, match="does not require grad"):
        microscope(ac.tensor(1.0))


def test_a_released_graph_is_refused_as_backward_refuses_it():
    _, _, L, _ = chain()
    L.backward()
    with pytest.raises(RuntimeError, match="second time"):
        microscope(L)


def test_a_leaf_alone_receives_its_seed():
    w = ac.tensor(2.0, requires_grad=True)
    trace = microscope(w).trace
    assert kinds(trace) == ["forward", "seed", "accumulate"]
    assert trace["edges"] == []


def test_outputs_of_one_node_are_told_apart():
    x = ac.tensor([1.0, 5.0, 2.0], requires_grad=True)
    values = x.sort()[0]
    trace = microscope((values * ac.tensor([1.0, 2.0, 3.0])).sum()).trace
    node = named(trace)["values"]
    assert node["op"] == "sort"
    assert len(node["names"]) == 2
    assert only(trace, "accumulate")[0]["grad"] == [1.0, 3.0, 2.0]


def test_names_come_from_the_caller_unless_given_and_letters_serve_the_rest():
    w = ac.tensor(2.0, requires_grad=True)
    loss = w * ac.tensor(4.0, requires_grad=True)
    assert [node["names"][0] for node in microscope(loss).trace["nodes"]] == ["w", "a", "loss"]
    given = microscope(loss, {"weight": w}).trace
    assert [node["names"][0] for node in given["nodes"]] == ["weight", "a", "loss"]


def test_a_value_that_nobody_kept_is_not_invented():
    w = ac.tensor(2.0, requires_grad=True)
    trace = microscope((w + 1) * 3).trace
    assert trace["nodes"][1]["values"] == [None]


def test_the_trace_is_json_whatever_the_numbers():
    x = ac.tensor([0.0, 1.0], requires_grad=True)
    big = ac.ones(64, 10, requires_grad=True)
    with np.errstate(divide="ignore"):
        loss = x.log().sum() + big.sum()
    text = json.dumps(microscope(loss).trace, allow_nan=False)
    assert "shape (64, 10)" in text
    assert '"inf"' in text


def test_nodes_name_the_line_that_made_them():
    assert named(chain()[-1].trace)["h"]["line"] == "h = w.square()"


def test_text_form_has_a_sentence_for_every_step():
    lines = repr(chain()[-1]).splitlines()
    assert len(lines) == 7
    assert lines[0].endswith("w = 2, h = 4, L = 12.")
    assert lines[2].endswith("mul sends 3 back to h.")
    assert lines[-1].endswith("w.grad = 12.")


def test_a_custom_function_sends_what_its_backward_returns():
    class Square(ac.autograd.Function):
        @staticmethod
        def forward(ctx, w):
            ctx.save_for_backward(w)
            return w * w

        @staticmethod
        def backward(ctx, g):
            (w,) = ctx.saved_tensors
            return g * 2 * w

    w = ac.tensor(2.0, requires_grad=True)
    L = 3 * Square.apply(w)
    trace = microscope(L).trace
    assert [node["op"] for node in trace["nodes"]] == [None, "Square", "mul"]
    assert [step["cotangent"] for step in only(trace, "arrive")] == [3.0, 12.0]
    assert [step["grad"] for step in only(trace, "accumulate")] == [12.0]


def test_a_value_that_a_hook_packed_is_called_so():
    w = ac.tensor(2.0, requires_grad=True)
    with ac.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.clone(), lambda tensor: tensor):
        h = w.square()
    trace = microscope(h).trace
    assert named(trace)["h"]["saved"] == [["w", "packed"]]
    assert [step["cotangent"] for step in only(trace, "arrive")] == [4.0]


def test_a_write_through_a_view_lets_go_of_the_part_it_wrote():
    x = ac.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    h[1:].mul_(10)
    text = repr(microscope(h.sum(), names={"x": x, "h": h}))
    assert "It lets go of where = the part that was written" in text
    assert "x.grad = [1, 10, 10]" in text
