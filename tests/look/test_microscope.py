"""The trace of a forward and a reverse pass: what it says, that PyTorch's is the same, that it changes nothing."""

import contextlib
import json
import sys

import numpy as np
import pytest

import autograd_core as ac
from autograd_book.look import microscope, note_modules
from autograd_book.look import trace as tracing

ENGINES = ["autograd_core", "torch"]


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
    forward = ["leaves", "compute", "compute", "forward"]
    assert kinds(trace) == [*forward, "seed", "arrive", "release", "arrive", "release", "accumulate"]
    assert [step["cotangent"] for step in trace["steps"] if "cotangent" in step] == [1.0, 3.0, 12.0, 12.0]
    nodes = named(trace)
    assert nodes["w"]["slots"] == [{"grad": None}]
    assert nodes["h"]["slots"] == nodes["L"]["slots"] == [None]
    assert [nodes[name]["values"] for name in "whL"] == [[2.0], [4.0], [12.0]]
    assert [(entry["name"], entry["value"]) for name in "hL" for entry in nodes[name]["saved"]] == [
        ("w", 2),
        ("other", 3),
    ]


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
    assert kinds(trace)[4:] == ["seed", "arrive", "arrive", "release", "arrive", "release", "accumulate"]
    assert [(step["before"], step["cotangent"], step["total"]) for step in only(trace, "arrive")] == [
        (None, 6.0, 6.0),
        (6.0, 6.0, 12.0),
        (None, 24.0, 24.0),
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
    assert kinds(m.trace)[3:8] == ["forward", "seed", "arrive", "release", "retain"]
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
    assert '"inf"' in json.dumps(microscope(big.sum() ** float("inf")).trace, allow_nan=False)


def test_nodes_name_the_line_that_made_them():
    assert named(chain()[-1].trace)["h"]["line"] == "h = w.square()"


def test_text_form_has_a_sentence_for_every_step():
    lines = repr(chain()[-1]).splitlines()
    assert len(lines) == 10
    assert lines[1].endswith("square computes h = 4. For the way back its node saves w = 2.")
    assert lines[3].endswith("w = 2, h = 4, L = 12.")
    assert lines[5].endswith("mul sends 1 · 3 = 3 back to h.")
    assert lines[-1].endswith("w.grad = 12.")


@pytest.mark.parametrize("engine", ENGINES)
def test_a_custom_function_sends_what_its_backward_returns(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")

    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, w):
            ctx.save_for_backward(w)
            return w * w

        @staticmethod
        def backward(ctx, g):
            (w,) = ctx.saved_tensors
            return g * 2 * w

    w = T.tensor(2.0, requires_grad=True)
    L = 3 * Square.apply(w)
    trace = microscope(L).trace
    assert [node["op"] for node in trace["nodes"]] == [None, "Square", "mul"]
    assert [step["cotangent"] for step in only(trace, "arrive")] == [3.0, 12.0]
    assert [step["grad"] for step in only(trace, "accumulate")] == [12.0]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_custom_function_may_take_numbers_and_constants_and_have_an_output_that_nobody_uses(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")

    class Both(T.autograd.Function):
        @staticmethod
        def forward(ctx, factor, x, constant, y):
            ctx.save_for_backward(x, y)
            return factor * x * y, x + y

        @staticmethod
        def backward(ctx, g, h):
            x, y = ctx.saved_tensors
            return None, 3 * g * y + h, None, 3 * g * x + h

    x, y = (T.tensor(value, requires_grad=True) for value in (2.0, 5.0))
    product, _total = Both.apply(3, x, T.tensor(1.0), y)
    trace = microscope(product).trace
    assert [(step["node"], step["cotangent"]) for step in only(trace, "arrive")] == [(0, 15.0), (1, 6.0)]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_reentrant_checkpoint_is_refused_since_its_backward_stores(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    x = T.tensor(1.0, requires_grad=True)
    y = T.utils.checkpoint.checkpoint(lambda x: x.sin().exp(), x, use_reentrant=True)
    with pytest.raises(ValueError, match=r"a reentrant checkpoint.*use_reentrant=False"):
        microscope(2 * y)
    assert x.grad is None
    again = T.utils.checkpoint.checkpoint(lambda x: x.sin().exp(), x, use_reentrant=False)
    assert len(only(microscope(2 * again).trace, "arrive")) == 3


def test_what_has_no_name_is_not_given_one():
    m = microscope((ac.tensor(2.0, requires_grad=True) * 3).exp())
    assert m.captions[3] == "Forward is done."  # the tensor of the leaf is gone
    results = [ac.tensor(2.0, requires_grad=True) * 3]
    results[0].retain_grad()
    said = repr(microscope(2 * results[0]))
    assert "the result of mul (1) is not a leaf, but retain_grad() made a slot for it: .grad = 2." in said
    assert "kept in .grad alone" in said


def test_results_without_a_name_are_told_apart():
    x = ac.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    h[1:].mul_(ac.tensor([2.0, 2.0]))
    said = microscope(h.sum()).captions
    assert "copy_slices sends [1, 0, 0] back to the result of mul (1)." in said
    assert "copy_slices sends [1, 1] back to the result of mul (2)." in said
    assert "mul (2) sends [1, 1] · [2, 2] = [2, 2] back to the result of slice." in said


def test_what_is_no_tensor_is_named():
    w = ac.tensor(2.0, requires_grad=True)
    for given in (3.0, None, np.ones(2)):
        with pytest.raises(TypeError, match=rf"microscope\(\) is about a tensor .* not {type(given).__name__}"):
            microscope(given)
    with pytest.raises(TypeError, match=r"names\['k'\] is of type builtins\.int; a tensor .* autograd_core"):
        microscope(w * 2, {"k": 3})
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    with pytest.raises(TypeError, match=r"names\['k'\] is of type torch\.Tensor"):
        microscope(w * 2, {"k": torch.tensor(1.0)})


def test_complex_and_sparse_tensors_are_refused_by_name():
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    c = torch.tensor([1 + 2j], requires_grad=True)
    with pytest.raises(TypeError, match=r"met one of torch\.complex64.*compute with real and imaginary parts"):
        microscope(c.abs().sum())
    embedding = torch.nn.Embedding(4, 2, sparse=True)
    with pytest.raises(TypeError, match=r"torch\.sparse_coo and shape \[4, 2\]: use sparse=False"):
        microscope(embedding(torch.tensor([1])).sum())


@pytest.mark.parametrize("engine", ENGINES)
def test_hooks_do_not_run_and_the_steps_say_where_they_wait(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    calls = []
    w = T.tensor(2.0, requires_grad=True)
    h = w * 3
    h.register_hook(lambda g: calls.append(g) or g * 100)
    w.register_hook(calls.append)
    w.register_post_accumulate_grad_hook(calls.append)
    L = h * 2
    m = microscope(L)
    assert calls == []
    assert [node["hooks"] for node in m.trace["nodes"]] == [2, 1, 0]
    at_h, at_w = (text for text in m.captions if "wait" in text)
    assert "back to h. A hook waits there. It does not run here; in backward() it may replace" in at_h
    assert "back to w. 2 hooks wait there." in at_w


def test_hooks_inside_of_a_box_are_told_at_the_box():
    x = ac.tensor(2.0, requires_grad=True)
    y = x**3
    (slope,) = ac.autograd.grad(y, x, create_graph=True)
    slope.register_hook(lambda g: None)
    slope.grad_fn.register_prehook(lambda g: None)
    m = microscope(slope * y)
    assert [node["hooks"] for node in m.folded["nodes"]] == [0, 0, 2, 0]
    assert [text for text in m.captions if "2 hooks wait there" in text and "back to slope" in text]
    assert m.open("grad()").trace["nodes"][-1]["hooks"] == 2


def test_a_value_that_a_hook_packed_is_called_so():
    w = ac.tensor(2.0, requires_grad=True)
    with ac.autograd.graph.saved_tensors_hooks(lambda tensor: tensor.clone(), lambda tensor: tensor):
        h = w.square()
    trace = microscope(h).trace
    assert [entry["value"] for entry in named(trace)["h"]["saved"]] == ["packed"]
    assert [(step["formula"], step["cotangent"]) for step in only(trace, "arrive")] == [(None, 4.0)]


def test_a_write_through_a_view_lets_go_of_the_part_it_wrote():
    x = ac.tensor([1.0, 2.0, 3.0], requires_grad=True)
    h = x * 1
    h[1:].mul_(10)
    text = repr(microscope(h.sum(), names={"x": x, "h": h}))
    assert "It lets go of where = the view" in text
    assert "x.grad = [1, 10, 10]" in text


# -- the arithmetic of a cotangent


@pytest.mark.parametrize(
    "compute, sent",
    [
        (lambda w: w * 3, "1 · 3"),
        (lambda w: w / 4, "1 / 4"),
        (lambda w: -w, "-1"),
        (lambda w: 1 - w, "-1"),
        (lambda w: w.square(), "1 · 2w"),
        (lambda w: w**3, "1 · 3w²"),
        (lambda w: w.sin(), "1 · cos w"),
        (lambda w: w.exp(), "1 · result"),
        (lambda w: w * ac.tensor(-3.0), "1 · (-3)"),
        (lambda w: w + 1, "1"),
        (lambda w: w.erf(), None),
    ],
)
def test_what_a_node_sends_is_written_out_where_the_rule_is_short(compute, sent):
    w = ac.tensor(2.0, requires_grad=True)
    result = compute(w)
    assert only(microscope(result).trace, "arrive")[-1]["formula"] == sent


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "exponent, sent",
    [(30, "1 · 30w^29"), (3.25, "1 · 3.25 · w^2.25"), (4, "1 · 4w³"), (3, "1 · 3w²"), (-1, "1 · (-1) · w^-2")],
)
def test_a_power_is_written_out(engine, exponent, sent):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    w = T.tensor(1.1, requires_grad=True)
    assert only(microscope(w**exponent).trace, "arrive")[0]["formula"] == sent


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize(
    "compute, sent",
    [
        (lambda T, v, w: T.add(v, w, alpha=2), [1.0, 2.0]),
        (lambda T, v, w: T.sub(v, w, alpha=2), [1.0, -2.0]),
        (lambda T, v, w: T.div(v, w, rounding_mode="floor"), [0.0, 0.0]),
    ],
)
def test_a_rule_that_a_parameter_of_the_op_changes_is_not_written_out(engine, compute, sent):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    v, w = (T.tensor(value, requires_grad=True) for value in (7.0, 2.0))
    arrivals = only(microscope(compute(T, v, w)).trace, "arrive")
    assert [step["cotangent"] for step in arrivals] == sent
    assert [step["formula"] for step in arrivals] in ([None, None], ["1", None])


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("dim, shape", [(None, ()), (0, (2,)), (1, (3,))])
def test_a_mean_is_divided_by_the_number_of_its_elements(engine, dim, shape):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    x = T.ones((3, 2), requires_grad=True)
    (step,) = only(microscope(x.mean(dim) if dim is not None else x.mean(), seed=np.ones(shape)).trace, "arrive")
    assert step["formula"].endswith(f"/ {6 // np.prod(shape, dtype=int)}")


def test_a_broadcast_input_receives_a_sum():
    w = ac.tensor(2.0, requires_grad=True)
    x = ac.tensor([1.0, 2.0])
    trace = microscope((w * x).sum()).trace
    assert [(step["formula"], step["cotangent"]) for step in only(trace, "arrive")] == [
        (None, [1.0, 1.0]),
        ("Σ [1, 1] · x", 3.0),
    ]


# -- stale values and versions


def overwritten(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    L = h * w
    with T.no_grad():
        w.mul_(2)
    return microscope(L)


def test_a_stale_value_is_shown_and_the_pass_ends_before_it_begins():
    m = overwritten(ac)
    assert kinds(m.trace)[-2:] == ["forward", "refuse"]
    assert named(m.trace)["w"]["values"] == [None]  # the 2 is gone, and the 4 took no part
    (entry,) = named(m.trace)["h"]["saved"]
    assert (entry["name"], entry["version"], entry["now"]) == ("w", 0, 1)
    assert "at version 0, but it is at version 1" in m.captions[-1]


def test_pytorch_refuses_when_it_comes_to_the_stale_value():
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    w = torch.tensor(2.0, requires_grad=True)
    v = torch.tensor(5.0, requires_grad=True)
    h = w.square()
    L = h + 3 * v
    with torch.no_grad():
        w.mul_(2)
    trace = microscope(L).trace
    assert kinds(trace)[-1] == "refuse"
    assert [entry["name"] for entry in named(trace)["h"]["saved"] if entry["version"] != entry["now"]] == ["w"]
    assert [step["grad"] for step in only(trace, "accumulate")] == [3.0]  # stored before the pass gave up


def test_a_version_is_told_once_something_was_written():
    w = ac.tensor(2.0, requires_grad=True)
    with ac.no_grad():
        w.mul_(2)
    assert "saves w = 4 (version 1)" in repr(microscope(w.square()))
    assert "version" not in repr(chain()[-1])


# -- traces of PyTorch graphs


def seed_example(T):
    w = T.tensor(2.0, requires_grad=True)
    return microscope(T.stack([w.square(), 3 * w]), seed=[1.0, 2.0])


def chain_of(T):
    w = T.tensor(2.0, requires_grad=True)
    h = w.square()
    L = 3 * h
    h.retain_grad()
    return microscope(L)


def two_uses(T):
    w = T.tensor(3.0, requires_grad=True)
    w.square().backward()
    a = w * 2
    L = a * a + w
    return microscope(L)


def small_mlp(T):
    rng = np.random.default_rng(seed=11)
    x, W1, b1, W2 = (
        T.tensor(rng.normal(size=shape).tolist(), requires_grad=k > 0, dtype=T.float64)
        for k, shape in enumerate([(3, 2), (2, 2), (2,), (2, 1)])
    )
    hidden = (x @ W1 + b1).tanh()
    loss = (hidden @ W2).sum()
    return microscope(loss)


def rounded(value):
    if isinstance(value, dict):
        return {key: rounded(part) for key, part in value.items()}
    if isinstance(value, list):
        return [rounded(part) for part in value]
    return round(value, 9) if isinstance(value, float) else value


@pytest.mark.parametrize("build", [chain_of, seed_example, two_uses, small_mlp])
def test_a_pytorch_graph_gives_the_same_trace(build):
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    ours, theirs = build(ac).trace, build(torch).trace
    called = {"square": "pow"}  # PyTorch squares by its power
    assert [called.get(node["op"], node["op"]) for node in ours["nodes"]] == [node["op"] for node in theirs["nodes"]]
    for key in ("names", "shapes", "slots"):
        assert [node[key] for node in ours["nodes"]] == [node[key] for node in theirs["nodes"]]
    assert ours["edges"] == theirs["edges"]
    assert rounded([step | {"formula": None} for step in ours["steps"]]) == rounded(
        [step | {"formula": None} for step in theirs["steps"]]
    )


def test_a_pytorch_trace_agrees_with_hooks_on_a_real_backward_and_changes_nothing():
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    calls = []
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    w.grad = torch.tensor([5.0, 5.0])
    h = w * w
    h.retain_grad()
    L = (h.sin() + h).sum()
    h.grad_fn.register_prehook(lambda grads: calls.append(grads[0].tolist()))
    trace = microscope(L).trace
    assert calls == [] and h.grad is None and w.grad.tolist() == [5.0, 5.0]
    L.backward()
    totals = [step["total"] for step in only(trace, "arrive") if step["node"] == named_index(trace, "h")]
    assert totals[-1] == calls[0]
    assert only(trace, "accumulate")[0]["grad"] == w.grad.tolist()
    assert only(trace, "retain")[0]["grad"] == h.grad.tolist()


def named_index(trace, name):
    return next(i for i, node in enumerate(trace["nodes"]) if name in node["names"])


def test_pytorch_errors_are_those_of_backward():
    torch = pytest.importorskip("torch", reason="traces of PyTorch graphs need PyTorch")
    w = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="scalar outputs"):
        microscope(w * 2)
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        microscope(w * 2, seed=[1.0])
    with pytest.raises(RuntimeError, match="does not require grad"):
        microscope(torch.tensor(1.0))
    L = w.square().sum()
    L.backward()
    with pytest.raises(RuntimeError, match="second time"):
        microscope(L)


# -- folding


def test_what_a_reverse_pass_recorded_is_one_box_that_opens():
    x = ac.tensor(2.0, requires_grad=True)
    y = x**3
    (slope,) = ac.autograd.grad(y, x, create_graph=True)
    m = microscope(slope * y)
    assert [node["op"] for node in m.folded["nodes"]] == [None, "pow", "grad()", "mul"]
    assert m.folded["steps"][-1] == m.trace["steps"][-1]
    inside = m.open("grad()")
    assert [node["op"] for node in inside.trace["nodes"]] == [None, "pow", "mul", "mul"]
    assert inside.trace["nodes"][0]["names"] == ["x"]
    (entry,) = only(inside.trace, "enter")
    assert (entry["op"], entry["cotangent"]) == ("mul (2)", 8.0)
    (sent,) = (step for step in only(m.folded, "arrive") if m.folded["edges"][step["edge"]]["to"] == 2)
    assert sent["cotangent"] == only(inside.trace, "arrive")[-1]["cotangent"] == 96.0
    with pytest.raises(KeyError, match=r"grad\(\)"):
        m.open("backward()")


def two_layers(T):
    model = T.nn.Sequential(T.nn.Sequential(T.nn.Linear(2, 2), T.nn.Tanh()), T.nn.Linear(2, 1))
    with note_modules(model):
        loss = model(T.ones(3, 2)).sum()
    return model, loss


@pytest.mark.parametrize("engine", ENGINES)
def test_what_a_module_recorded_is_one_box(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")
    model, loss = two_layers(T)
    m = microscope(loss, dict(model.named_parameters()))
    box = next(node for node in m.folded["nodes"] if node["op"] == "0: Sequential")
    assert sorted(box["slots_inside"]) == ["0.0.bias", "0.0.weight"]
    assert box["inside"]["nodes"][-1]["op"] == "tanh"
    assert all(parameter.grad is None for parameter in model.parameters())


def test_modules_are_noted_only_while_that_lasts():
    model, _ = two_layers(ac)
    loss = model(ac.ones(3, 2)).sum()
    assert all(node["place"] == [] for node in microscope(loss).trace["nodes"])
    with pytest.raises(TypeError, match=r"nn\.Module, not function"), note_modules(two_layers):
        pass


def test_what_the_model_was_given_belongs_to_no_module():
    given = ac.ones(1, 2, requires_grad=True) * 2
    model = ac.nn.Sequential(ac.nn.Tanh())
    with note_modules(model):
        loss = model(given).sum()
    assert {node["op"]: node["place"] for node in microscope(loss).trace["nodes"] if node["op"]} == {
        "mul": [],
        "tanh": ["0: Tanh"],
        "sum": [],
    }


def test_a_module_called_twice_is_two_boxes():
    class Twice(ac.nn.Module):
        def __init__(self):
            super().__init__()
            self.cell = ac.nn.Sequential(ac.nn.Linear(2, 2), ac.nn.Tanh())

        def forward(self, x):
            return self.cell(self.cell(x))

    model = Twice()
    with note_modules(model):
        loss = model(ac.ones(1, 2)).sum()
    ops = [node["op"] for node in microscope(loss).folded["nodes"] if node["op"]]
    assert ops == ["cell: Sequential", "cell: Sequential, call 2", "sum"]


@pytest.mark.parametrize("engine", ENGINES)
def test_a_call_that_raised_takes_in_no_later_node(engine):
    T = pytest.importorskip(engine, reason="traces of PyTorch graphs need PyTorch")

    class Broken(T.nn.Module):
        def forward(self, x):
            raise ArithmeticError

    class Careful(T.nn.Module):
        def __init__(self):
            super().__init__()
            self.broken, self.act = Broken(), T.nn.Tanh()

        def forward(self, x):
            with contextlib.suppress(ArithmeticError):
                self.broken(x)
            return self.act(x)

    x = T.ones(2, requires_grad=True)
    model = Careful()
    with note_modules(model):
        loss = model(x).sum()
    assert [node["place"] for node in microscope(loss).trace["nodes"]] == [[], ["act: Tanh"], []]
    assert "forward" not in vars(model) and "forward" not in vars(model.act)


def test_boxes_of_one_label_are_numbered_and_all_open():
    model = ac.nn.Sequential(ac.nn.Sequential(ac.nn.Linear(2, 2), ac.nn.Tanh()), ac.nn.Linear(2, 2))
    loss = ac.ones(1, 2)
    for _ in range(2):
        with note_modules(model):
            loss = model(loss)
    m = microscope(loss.sum())
    assert [node["op"] for node in m.folded["nodes"] if "inside" in node] == [
        "0: Sequential",
        "0: Sequential, number 2",
    ]
    first, second = m.open("0: Sequential"), m.open("0: Sequential, number 2")
    assert only(first.trace, "enter") != only(second.trace, "enter")


def long_chain(length):
    x = ac.tensor(0.5, requires_grad=True)
    y = x
    for _ in range(length):
        y = y.sin()
    return microscope(y)


def test_a_long_chain_is_folded_by_runs_and_keeps_its_gradient():
    m = long_chain(2000)
    assert len(m.trace["nodes"]) == 2001
    assert len(m.folded["nodes"]) <= 24
    first = m.open(next(node["op"] for node in m.folded["nodes"] if "inside" in node))
    assert len(first.trace["nodes"]) > 100 and len(first.folded["nodes"]) <= 24
    assert only(first.trace, "accumulate") == only(m.trace, "accumulate")
    html = m._repr_html_()
    assert "too much to draw here" in html
    assert len(html) < 1_000_000


def leaves(number):
    return [ac.tensor(float(k), requires_grad=True) for k in range(number)]


def stacked(weights):
    return microscope(ac.stack(weights).sum())


def used_thrice(weights):
    total = ac.tensor(0.0)
    for weight in weights * 3:
        total = total + weight
    return microscope(total)


def results_stacked(weights):
    return microscope(ac.stack([weight * 2 for weight in weights]).sum())


def ops_by_depth(m):
    """The ops in the trace, in those of its boxes, in those of the boxes in these and so on."""
    found = [sum(node.get("ops", 1) for node in m.trace["nodes"] if node["op"] is not None)]
    assert len(m.folded["nodes"]) <= 24 or found == [0]
    inner = [ops_by_depth(m.open(node["op"])) for node in m.folded["nodes"] if "inside" in node]
    deepest = max(inner, key=len, default=[])
    assert all(part[0] < found[0] for part in inner)
    return found + deepest


@pytest.mark.parametrize("build, depth", [(stacked, 2), (used_thrice, 2), (results_stacked, 3)])
def test_many_leaves_are_one_box_and_no_box_holds_itself(build, depth):
    m = build(leaves(40))
    assert len(ops_by_depth(m)) == depth
    assert m._repr_html_().count("<details") < 24


def test_the_box_of_leaves_says_what_each_receives():
    weights = leaves(24)
    m = stacked(weights)
    assert [node["op"] for node in m.folded["nodes"]] == ["24 leaves", "stack", "sum"]
    assert "stack sends 1 back to b." in m.captions
    assert m.captions[-1] == "Nothing more goes to 24 leaves. Inside, 24 slots received their sums."
    inside = m.open("24 leaves")
    assert [step["grad"] for step in only(inside.trace, "accumulate")] == [1.0] * 24
    assert "Open 24 leaves</summary>" in m._repr_html_()
    names = [node["names"][0] for node in stacked(leaves(30)).trace["nodes"]]
    assert names[24:28] == ["y", "z", "a1", "b1"]


def test_an_op_of_many_leaves_alone_is_not_drawn_with_all_of_them():
    m = microscope(ac.stack(leaves(40)), seed=np.ones(40))
    assert [node["op"] for node in m.folded["nodes"]] == ["40 leaves", "stack"]
    assert "too much to draw" in microscope(ac.stack(leaves(400)).sum())._repr_html_()


def test_one_saved_value_is_one_value():
    class Negated(ac.nn.Module):
        def forward(self, x):
            return -x.tanh()

    model = ac.nn.Sequential(Negated())
    with note_modules(model):
        y = model(ac.ones(2, requires_grad=True))
    m = microscope(y.sum())
    assert "Its 2 ops save 1 value." in m.captions[1]
    assert "saved 1 value<" in m._repr_html_()


def test_a_graph_too_large_says_so(monkeypatch):
    monkeypatch.setattr(tracing, "MOST_NODES", 50)
    with pytest.raises(ValueError, match="has 61 nodes, and the microscope takes up to 50"):
        long_chain(60)


# -- the widget


def test_the_widget_shares_its_step_with_python():
    pytest.importorskip("anywidget", reason="the widget form needs anywidget")
    widget = chain()[-1].widget()
    seen = []
    widget.observe(lambda change: seen.append(change["new"]), "step")
    assert widget.step == 3
    widget.step = 7
    assert seen == [7]
    with pytest.raises(Exception, match="between 0 and 9, not 10"):
        widget.step = 10
    assert "ac-stepper" in widget.html and "function render" in widget._esm


def test_without_anywidget_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "anywidget", None)
    monkeypatch.delitem(sys.modules, "autograd_book.look.stepper_widget", raising=False)
    with pytest.raises(ImportError, match="pip install anywidget"):
        chain()[-1].widget()
