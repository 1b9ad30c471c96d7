"""The graph as a user holds it: nodes and their hooks, edges in place of tensors, hooks on several tensors."""

import gc
import weakref

import pytest

import autograd_core as ac


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0], requires_grad=True)


def leaf_node(tensor):
    """The AccumulateGrad of a leaf; the graph that leads there keeps it alive in PyTorch."""
    way = (tensor * 1).grad_fn
    return way, way.next_functions[0][0]


# -- nodes


def test_nodes_and_leaves_are_instances_of_node(T, x):
    node = (x * 2).grad_fn
    assert isinstance(node, T.autograd.graph.Node) and isinstance(node.next_functions[0][0], T.autograd.graph.Node)
    assert not isinstance(x, T.autograd.graph.Node)
    assert issubclass(type(node), T.autograd.graph.Node)


def test_metadata_is_a_dict_that_goes_with_the_node(T, x):
    y = x * 2
    assert y.grad_fn.metadata == {}
    y.grad_fn.metadata["name"] = "double"
    z = y.exp()
    assert z.grad_fn.next_functions[0][0].metadata == {"name": "double"}
    assert z.grad_fn.metadata == {}
    way, node = leaf_node(x)
    node.metadata["name"] = "leaf"
    assert way.next_functions[0][0].metadata == {"name": "leaf"}


def test_a_node_hook_sees_what_arrives_and_what_goes_on(T, x):
    seen = []
    y = x * 3
    y.grad_fn.register_hook(
        lambda gi, go: seen.append([[None if g is None else g.tolist() for g in gs] for gs in (gi, go)])
    )
    (y * y).sum().backward()
    assert seen == [[[[18.0, 36.0], None], [[6.0, 12.0]]]]


def test_a_node_of_several_outputs_shows_none_where_nothing_arrived(T, x):
    seen = []
    a, _ = x.unbind()
    a.grad_fn.register_prehook(lambda go: seen.append([None if g is None else g.item() for g in go]))
    (a * 2).backward()
    assert seen == [[2.0, None]]


def test_order_tensor_hook_retained_prehook_rules_posthook(T, x):
    seen = []
    y = x * 3
    y.retain_grad()
    y.grad_fn.register_hook(lambda gi, go: seen.append(("post", go[0].tolist())))
    y.grad_fn.register_prehook(lambda go: seen.append(("pre", go[0].tolist())) or (go[0] * 10,))
    y.register_hook(lambda g: seen.append(("tensor", g.tolist())) or g * 2)
    y.sum().backward()
    assert seen == [("tensor", [1.0, 1.0]), ("pre", [2.0, 2.0]), ("post", [20.0, 20.0])]
    assert y.grad.tolist() == [2.0, 2.0] and x.grad.tolist() == [60.0, 60.0]


def test_a_posthook_replaces_what_goes_on(T, x):
    y = x * 3
    y.grad_fn.register_hook(lambda gi, go: (gi[0] * 100, None))
    y.sum().backward()
    assert x.grad.tolist() == [300.0, 300.0]


def test_a_prehook_may_stop_the_gradient(T, x):
    y = x * 3
    y.grad_fn.register_prehook(lambda go: (None,))
    (y.sum() + x.sum()).backward()
    assert x.grad.tolist() == [1.0, 1.0]


def test_node_hooks_see_only_the_passes_that_run_the_node(T, x):
    seen = []
    y = x * 3
    y.grad_fn.register_hook(lambda gi, go: seen.append("hook"))
    T.autograd.grad(y.sum(), y, retain_graph=True)
    assert seen == []
    T.autograd.grad(y.sum(), x)
    assert seen == ["hook"]


@pytest.mark.parametrize(
    ("returned", "error", "words"),
    [
        (lambda g: g, TypeError, "expected tuple, but hook returned 'Tensor'"),
        (lambda g: 5, TypeError, "expected tuple, but hook returned 'int'"),
        (lambda g: (g,), RuntimeError, "returned an incorrect number of values \\(got 1, but expected 2\\)"),
        (lambda g: (g.sum(), None), RuntimeError, "shape|size"),
    ],
    ids=["bare", "number", "short", "shape"],
)
def test_what_a_node_hook_returns_must_fit(T, x, returned, error, words):
    y = x * 3
    y.grad_fn.register_hook(lambda gi, go: returned(gi[0]))
    with pytest.raises(error, match=words):
        y.sum().backward()
    assert x.grad is None


def test_node_hooks_are_recorded_with_create_graph(T):
    x = T.tensor(2.0, requires_grad=True)
    y = x * x
    y.grad_fn.register_prehook(lambda go: (go[0] * x,))
    (g,) = T.autograd.grad(y, x, create_graph=True)
    assert g.item() == 8.0 and T.autograd.grad(g, x)[0].item() == 8.0


def test_hooks_of_a_leaf_as_a_node(T, x):
    seen = []
    way, node = leaf_node(x)
    node.register_prehook(lambda go: seen.append(("pre", go[0].tolist(), x.grad is None)) or (go[0] * 5,))
    node.register_hook(lambda gi, go: seen.append(("post", gi, go[0].tolist(), x.grad.tolist())))
    x.register_hook(lambda g: seen.append(("tensor", g.tolist())) or g * 2)
    (x * 3).sum().backward()
    assert seen == [("tensor", [3.0, 3.0]), ("pre", [6.0, 6.0], True), ("post", (), [30.0, 30.0], [30.0, 30.0])]
    del way


def test_removing_a_node_hook(T, x):
    seen = []
    y = x * 3
    handle = y.grad_fn.register_hook(lambda gi, go: seen.append("a") or handle.remove())
    with y.grad_fn.register_prehook(lambda go: seen.append("b")):
        y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert seen == ["b", "a"]


# -- tensor hooks


def test_a_hook_that_removes_a_later_one_leaves_this_round_as_it_is(T, x):
    seen = []

    def first(g):
        seen.append("first")
        second.remove()

    x.register_hook(first)
    second = x.register_hook(lambda g: seen.append("second"))
    for _ in range(2):
        (x * 2).sum().backward()
    assert seen == ["first", "second", "first"]


def test_a_hook_registered_by_a_hook_waits_for_the_next_pass(T, x):
    seen = []
    outer = x.register_hook(lambda g: x.register_hook(lambda g: seen.append("new")) and seen.append("outer"))
    (x * 2).sum().backward()
    outer.remove()
    (x * 2).sum().backward()
    assert seen == ["outer", "new"]


def test_after_a_write_hooks_see_the_old_value_and_retain_the_new(T, x):
    seen = []
    h = x * 1
    h.retain_grad()
    h.register_hook(lambda g: seen.append(("old", g.tolist())))
    h.mul_(3.0)
    h.register_hook(lambda g: seen.append(("new", g.tolist())))
    assert h.retains_grad
    h.sum().backward()
    assert seen == [("new", [1.0, 1.0]), ("old", [3.0, 3.0])]
    assert h.grad.tolist() == [1.0, 1.0] and x.grad.tolist() == [3.0, 3.0]


def test_hooks_of_a_view_stay_with_the_old_view(T, x):
    seen = []
    h = x * 1
    v = h[:1]
    v.retain_grad()
    v.register_hook(lambda g: seen.append("old"))
    v.mul_(3.0)
    assert v.retains_grad
    h.sum().backward()
    assert seen == [] and x.grad.tolist() == [3.0, 1.0] and v.grad is None


@pytest.mark.parametrize("write", ["view", "base", "sibling"])
def test_a_view_retains_the_gradient_of_its_new_value(T, x, write):
    h = x * 1
    v, sibling = h[:1], h[:1]
    v.retain_grad()
    {"view": v, "base": h, "sibling": sibling}[write].mul_(3.0)
    (v * 5).sum().backward()
    assert v.grad.tolist() == [5.0] and x.grad.tolist() == [15.0, 0.0]


def test_a_base_written_through_a_view_retains(T, x):
    h = x * 1
    h.retain_grad()
    h[:1].mul_(3.0)
    h.sum().backward()
    assert h.grad.tolist() == [1.0, 1.0] and x.grad.tolist() == [3.0, 1.0]


# -- after accumulation


def test_a_post_accumulate_hook_gets_the_tensor_with_its_new_gradient(T, x):
    seen = []
    x.register_hook(lambda g: seen.append("hook"))
    handle = x.register_post_accumulate_grad_hook(lambda t: seen.append((t is x, t.grad.tolist())))
    (x * 2).sum().backward()
    (x * 2).sum().backward(inputs=[x])
    handle.remove()
    (x * 2).sum().backward()
    assert seen == ["hook", (True, [2.0, 2.0]), "hook", (True, [4.0, 4.0]), "hook"]


def test_grad_calls_no_post_accumulate_hook(T, x):
    x.register_post_accumulate_grad_hook(lambda t: 1 / 0)
    assert T.autograd.grad((x * 2).sum(), x)[0].tolist() == [2.0, 2.0]


def test_a_step_inside_backward_frees_each_gradient_at_once(T, x):
    def step(p):
        with T.no_grad():
            p -= 0.5 * p.grad
        p.grad = None

    x.register_post_accumulate_grad_hook(step)
    for _ in range(2):
        (x * x).sum().backward()
    assert x.tolist() == [0.0, 0.0] and x.grad is None


def test_where_a_post_accumulate_hook_cannot_be(T, x):
    with pytest.raises(RuntimeError, match="post accumulate grad hooks cannot be registered on non-leaf tensors"):
        (x * 2).register_post_accumulate_grad_hook(print)
    with pytest.raises(RuntimeError, match="cannot register a hook on a tensor that doesn't require gradient"):
        T.ones(2).register_post_accumulate_grad_hook(print)
    x.register_post_accumulate_grad_hook(lambda t: 5)
    with pytest.raises(TypeError, match="hook returned 'int'"):
        x.sum().backward()


# -- edges


def test_an_edge_stands_for_its_tensor_as_input(T, x):
    edge_of = T.autograd.graph.get_gradient_edge
    y = x * 3
    edge, z = edge_of(y), (y * y).sum()
    del y
    assert [g.tolist() for g in T.autograd.grad(z, [edge, edge_of(x)], retain_graph=True)] == [
        [6.0, 12.0],
        [18.0, 36.0],
    ]
    z.backward(inputs=[edge_of(x)])
    assert x.grad.tolist() == [18.0, 36.0]


def test_an_edge_stands_for_its_tensor_as_output(T, x):
    edge_of = T.autograd.graph.get_gradient_edge
    y = x * 3
    T.autograd.backward(edge_of(y), T.ones(2))
    T.autograd.backward([edge_of((x * 2).sum())])
    assert x.grad.tolist() == [5.0, 5.0]
    with pytest.raises(RuntimeError, match="Mismatch in shape"):
        T.autograd.backward(edge_of(x * 3), T.ones(3))
    with pytest.raises(RuntimeError, match="only for scalar outputs"):
        T.autograd.backward(edge_of(x * 3))


def test_an_edge_of_one_of_several_outputs(T, x):
    edge_of = T.autograd.graph.get_gradient_edge
    a, b = (x * 1).unbind()
    edge = edge_of(b)
    assert edge.node is a.grad_fn and edge.output_nr == 1
    assert [g.item() for g in T.autograd.grad(a * 2 + b * 5, [edge, edge_of(a)])] == [5.0, 2.0]


def test_an_edge_stays_with_the_value_before_a_write(T, x):
    y = x * 1
    edge = T.autograd.graph.get_gradient_edge(y)
    y.mul_(3.0)
    assert T.autograd.grad(y.sum(), edge)[0].tolist() == [3.0, 3.0]


def test_an_unused_edge(T, x):
    edge_of = T.autograd.graph.get_gradient_edge
    with pytest.raises(RuntimeError, match="appears to not have been used"):
        T.autograd.grad(x.sum(), edge_of(x * 2))
    assert T.autograd.grad(x.sum(), edge_of(x * 2), allow_unused=True) == (None,)


def test_a_constant_has_no_edge(T):
    with pytest.raises(RuntimeError, match="not possible to get the gradient edge"):
        T.autograd.graph.get_gradient_edge(T.ones(2))


# -- hooks on several tensors


def listed(gs):
    return [None if g is None else g.tolist() for g in gs]


def test_a_hook_on_all_runs_once_a_pass_when_the_last_gradient_is_there(T, x):
    seen = []
    y, w = x * 2, T.tensor([5.0, 6.0], requires_grad=True)
    handle = T.autograd.graph.register_multi_grad_hook((x, y, w), lambda gs: seen.append(listed(gs)))
    z = y * w
    z.sum().backward(retain_graph=True)
    y.sum().backward(retain_graph=True)  # w is not reached
    handle.remove()
    z.sum().backward()
    assert seen == [
        [[10.0, 12.0], [5.0, 6.0], [2.0, 4.0]],
        [[2.0, 2.0], [1.0, 1.0], None],
    ]


def test_a_hook_on_any_runs_once_a_pass_on_the_first(T, x):
    seen = []
    y, z = x * 2, x * 3
    with T.autograd.graph.register_multi_grad_hook((y, z), lambda g: seen.append(g.tolist()), mode="any"):
        (y + 7 * z).sum().backward(retain_graph=True)
        y.sum().backward()
    assert seen == [[7.0, 7.0], [1.0, 1.0]]


def test_a_hook_on_several_counts_each_pass_for_itself(T, x):
    seen = []
    y, z = x * 2, x * 3
    other = y.sum()

    def inner(g):
        other.backward(retain_graph=True)

    z.register_hook(inner)
    T.autograd.graph.register_multi_grad_hook((y, z), lambda gs: seen.append(listed(gs)))
    (y * 5 + z).sum().backward()
    assert seen == [[[1.0, 1.0], None], [[5.0, 5.0], [1.0, 1.0]]]


def test_a_hook_on_several_knows_what_grad_is_going_to_reach(T, x):
    seen = []
    a, b = x * 1, x * 1
    y, z = a * 2, b * 3
    T.autograd.graph.register_multi_grad_hook((y, z), lambda gs: seen.append(listed(gs)))
    T.autograd.grad((y * z).sum(), a)
    assert seen == [[[3.0, 6.0], None]]


def test_a_hook_on_several_knows_two_modes(T, x):
    with pytest.raises(ValueError, match="one of \\('all', 'any'\\)"):
        T.autograd.graph.register_multi_grad_hook((x,), print, mode="some")


# -- versions


def test_increment_version_makes_a_hidden_write_seen(T, x):
    h = x * 1
    y = (h * h).sum()
    h.data.mul_(2.0)
    T.autograd.graph.increment_version(h)
    assert h._version == 1
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        y.backward()
    T.autograd.graph.increment_version([h, x])
    assert (h._version, x._version) == (2, 1)


# -- lifetime


def test_hooks_and_edges_keep_no_cycle():
    gc.collect()
    gc.disable()
    try:

        def program():
            x = ac.tensor([1.0, 2.0], requires_grad=True)
            y = x * x
            y.register_hook(lambda g: g * 2)
            y.grad_fn.register_hook(lambda gi, go: None)
            y.grad_fn.register_prehook(lambda go: None)
            y.grad_fn.metadata["note"] = "one"
            y.retain_grad()
            ac.autograd.graph.register_multi_grad_hook((x, y), lambda gs: None)
            with ac.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
                loss = (y.exp() * y).sum()
            edge = ac.autograd.graph.get_gradient_edge(y)
            ac.autograd.grad(loss, edge, retain_graph=True)
            loss.backward()
            return [weakref.ref(o) for o in (x, y, y.grad_fn, loss, loss.grad_fn)]

        assert [r() for r in program()] == [None] * 5
    finally:
        gc.enable()


# -- backward to tensors in the middle


def test_the_node_of_an_input_of_backward_runs(T, x):
    seen = []
    h = x.exp()
    h.grad_fn.register_prehook(lambda gs: seen.append(("before", gs[0].tolist())))
    h.grad_fn.register_hook(lambda sent, gs: seen.append(("after", sent)))
    x.register_hook(lambda g: seen.append("leaf"))
    (h * 2).sum().backward(inputs=[h])
    assert seen == [("before", [2.0, 2.0]), ("after", (None,))]
    assert h.retains_grad and h.grad.tolist() == [2.0, 2.0] and x.grad is None
    with pytest.raises(RuntimeError, match="backward through the graph a second time"):
        h.sum().backward()


def test_grad_ends_before_the_node_of_its_input(T, x):
    seen = []
    h = x.exp()
    h.grad_fn.register_prehook(lambda gs: seen.append(gs))
    T.autograd.grad((h * 2).sum(), h)
    assert seen == [] and not h.retains_grad
    h.sum().backward()
    assert len(seen) == 1


def test_an_edge_that_nothing_reaches_is_not_materialized(T, x):
    edge = T.autograd.graph.get_gradient_edge(x)
    y = T.ones(2, requires_grad=True)
    assert T.autograd.grad(y.sum(), edge, allow_unused=True) == (None,)
    with pytest.raises(RuntimeError, match="materialize_grads cannot be used when the given input is a GradientEdge"):
        T.autograd.grad(y.sum(), edge, allow_unused=True, materialize_grads=True)
