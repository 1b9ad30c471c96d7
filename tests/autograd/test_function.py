"""Custom functions: what the forward and backward by hand may do, and what is refused, as in PyTorch."""

import gc
import weakref

import pytest

import autograd_core as ac

RELEASED = "backward through the graph a second time"
STALE = "modified by an inplace operation"


@pytest.fixture
def x(T):
    return T.tensor([1.0, 2.0, 3.0], dtype=T.float64, requires_grad=True)


def function(T, forward, backward=lambda ctx, *gs: gs[0], name="Hand"):
    """A Function made of two plain functions."""
    body = {"forward": staticmethod(forward), "backward": staticmethod(backward)}
    return type(name, (T.autograd.Function,), body)


def cube(T):
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        return 3 * x * x * g

    return function(T, forward, backward, "Cube")


# -- one node


def test_a_call_is_one_node_named_after_the_class(T, x):
    y = cube(T).apply(x)
    assert y.grad_fn.name() == type(y.grad_fn).__name__ == "CubeBackward"
    assert [type(node).__name__ for node, _ in y.grad_fn.next_functions] == ["AccumulateGrad"]
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 12.0, 27.0]


def test_modes_and_needs_input_grad(T, x):
    seen = []

    def forward(ctx, a, k, b):
        seen.append((ctx.needs_input_grad, T.is_grad_enabled()))
        return a * k + b

    def backward(ctx, g):
        seen.append((ctx.needs_input_grad, T.is_grad_enabled()))
        return g * 3, None, None

    y = function(T, forward, backward).apply(x, 3, T.ones(3, dtype=T.float64))
    y.sum().backward(retain_graph=True)
    T.autograd.grad(y.sum(), x, create_graph=True)
    needs = (True, False, False)
    assert seen == [(needs, False), (needs, False), (needs, True)]


@pytest.mark.parametrize("order", [1, 2, 3])
def test_a_recorded_backward_has_derivatives_of_any_order(T, x, order):
    y = cube(T).apply(x).sum()
    for _ in range(order):
        (y,) = T.autograd.grad(y.sum(), x, create_graph=True)
    wanted = {1: [3.0, 12.0, 27.0], 2: [6.0, 12.0, 18.0], 3: [6.0, 6.0, 6.0]}[order]
    assert y.tolist() == wanted


def test_gradcheck_and_gradgradcheck(T, x):
    assert T.autograd.gradcheck(cube(T).apply, (x,)) and T.autograd.gradgradcheck(cube(T).apply, (x,))


def test_setup_context_gets_all_arguments_and_the_result(T, x):
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(x, factor=2):
            return x * factor

        @staticmethod
        def setup_context(ctx, inputs, output):
            _, ctx.factor = inputs
            ctx.save_for_backward(output)

        @staticmethod
        def vjp(ctx, g):
            assert ctx.saved_tensors[0].grad_fn.name() == "ScaleBackward"
            return g * ctx.factor, None

    Scale.apply(x).sum().backward()
    Scale.apply(x, factor=5).sum().backward()
    assert x.grad.tolist() == [7.0, 7.0, 7.0]


def test_nothing_is_recorded_under_no_grad_or_for_constants(T, x):
    Cube = cube(T)
    with T.no_grad():
        assert Cube.apply(x).grad_fn is None
    assert Cube.apply(x.detach()).grad_fn is None
    assert function(T, lambda ctx, values: values[0] * 2).apply([x]).grad_fn is None  # a list is not searched


# -- saved tensors


def test_saved_tensors_are_the_inputs_themselves_and_outputs_with_their_node(T, x):
    seen = []

    def forward(ctx, a):
        y, middle = a * 2, a + 1
        ctx.save_for_backward(a, None, y, middle)
        return y

    def backward(ctx, g):
        a, none, y, middle = ctx.saved_tensors
        seen.extend([a is h, none, y.grad_fn.name(), middle.requires_grad, middle.tolist()])
        return g

    h = x * 1
    function(T, forward, backward).apply(h).sum().backward()
    assert seen == [True, None, "HandBackward", False, [2.0, 3.0, 4.0]]


def test_released_saved_tensors_say_so(T, x):
    y = cube(T).apply(x)
    assert y.grad_fn.saved_tensors[0] is x
    y.sum().backward()
    with pytest.raises(RuntimeError, match=RELEASED):
        _ = y.grad_fn.saved_tensors
    with pytest.raises(RuntimeError, match=RELEASED):
        y.backward(T.ones_like(y))


@pytest.mark.parametrize("which", ["input", "output", "other"])
def test_a_write_to_a_saved_tensor_is_noticed(T, x, which):
    kept = {}

    def forward(ctx, a):
        kept.update(input=a, output=a * 2, other=a + 1)
        ctx.save_for_backward(kept[which])
        return kept["output"]

    y = function(T, forward, lambda ctx, g: g * ctx.saved_tensors[0]).apply(x * 1)
    with T.no_grad():
        kept[which].add_(1)
    with pytest.raises(RuntimeError, match=STALE):
        y.sum().backward()


def test_an_attribute_of_ctx_is_a_constant_to_the_second_derivative(T, x):
    def forward(ctx, a):
        ctx.a = a * 1
        return a**2

    (g,) = T.autograd.grad(function(T, forward, lambda ctx, g: 2 * ctx.a * g).apply(x).sum(), x, create_graph=True)
    assert not g.requires_grad


def test_only_tensors_are_saved(T, x):
    def forward(ctx, a):
        ctx.save_for_backward(a, 3)
        return a * 3

    with pytest.raises(TypeError, match="save_for_backward can only save variables"):
        function(T, forward).apply(x)


def test_an_inference_tensor_is_not_saved(T, x):
    with T.inference_mode():
        constant = T.ones(3, dtype=T.float64)

    def forward(ctx, a, b):
        ctx.save_for_backward(b)
        return a * b

    with pytest.raises(RuntimeError, match="Inference tensors cannot be saved for backward"):
        function(T, forward).apply(x, constant)


@pytest.mark.parametrize("stashed", [False, True])
def test_a_saved_output_dies_with_the_graph_and_a_stashed_one_with_the_collector(T, stashed):
    x, contexts = T.ones(2, requires_grad=True), []

    def forward(ctx, a):
        contexts.append(weakref.ref(ctx))
        y = a * 2
        if stashed:
            ctx.y = y
        else:
            ctx.save_for_backward(y)
        return y

    gc.disable()
    try:
        y = function(T, forward).apply(x)
        del y
        assert (contexts[0]() is not None) == stashed
    finally:
        gc.enable()
    if T is ac:  # PyTorch's C++ references to ctx are hidden from the collector
        gc.collect()
        assert contexts[0]() is None


def test_graphs_die_without_the_cycle_collector():
    def forward(ctx, a):
        y = a * a
        ctx.mark_non_differentiable(z := a * 1)
        ctx.save_for_backward(a, y, z)
        return y, z

    def backward(ctx, g, _):
        a, y, _ = ctx.saved_tensors
        return g * (a + y / a)

    Pair = function(ac, forward, backward)
    x, contexts = ac.ones(2, requires_grad=True), []
    gc.collect()
    gc.disable()
    try:
        h = x * 1
        y = doubling(ac).apply(h[:1])
        y, _ = Pair.apply(h)
        contexts.append(weakref.ref(y.grad_fn.ctx))
        (g,) = ac.autograd.grad(y.sum(), x, create_graph=True)
        assert g.tolist() == [8.0, 2.0]
        contexts.append(weakref.ref(g.grad_fn))
        g.sum().backward()
        del h, y, _, g
        assert [c() for c in contexts] == [None, None]
    finally:
        gc.enable()


def test_saved_tensors_go_through_the_hooks(T, x):
    packed = []

    def pack(tensor):
        packed.append(tensor.tolist())
        return len(packed) - 1

    with T.autograd.graph.saved_tensors_hooks(pack, lambda k: T.tensor(packed[k], dtype=T.float64) * 2):
        y = cube(T).apply(x)
    (g,) = T.autograd.grad(y.sum(), x, create_graph=True)
    assert packed[0] == [1.0, 2.0, 3.0] and g.tolist() == [12.0, 48.0, 108.0]
    assert T.autograd.grad(g.sum(), x)[0].tolist() == [12.0, 24.0, 36.0]


def test_a_packed_value_comes_back_with_the_history_it_had(T, x):
    seen = []

    def forward(ctx, a):
        y = a * 2
        ctx.save_for_backward(a, y, a + 1)
        return y

    def backward(ctx, g):
        seen.extend(t.grad_fn and t.grad_fn.name() for t in ctx.saved_tensors)
        return g

    with T.autograd.graph.saved_tensors_hooks(lambda t: t.detach(), lambda t: t):
        y = function(T, forward, backward).apply(x * 1)
    y.sum().backward()
    assert seen == ["MulBackward0", "HandBackward", None]


# -- what a forward may return


def test_numbers_none_and_integers_pass_through(T, x):
    seen = []

    def backward(ctx, *gs):
        seen.extend(None if g is None else g.tolist() for g in gs)
        return gs[0]

    y, none, word, order = function(T, lambda ctx, a: (a * 2, None, "word", a.argsort()), backward).apply(x)
    y.sum().backward()
    assert (none, word, order.requires_grad) == (None, "word", False)
    assert seen == [[1.0] * 3, None, None, [0] * 3]
    assert function(T, lambda ctx, a: "word").apply(x) == "word"


def test_a_tuple_of_one_stays_a_tuple(T, x):
    (y,) = function(T, lambda ctx, a: (a * 2,)).apply(x)
    assert y.grad_fn.name() == "HandBackward"


@pytest.mark.parametrize("materialize", [True, False])
def test_an_output_without_a_gradient_gives_zeros_or_none(T, x, materialize):
    seen = []

    def forward(ctx, a):
        ctx.set_materialize_grads(materialize)
        return a * 2, a * 3

    def backward(ctx, g, h):
        seen.append(g if g is None else g.tolist())
        return h

    y = function(T, forward, backward).apply(x)
    assert [t.output_nr for t in y] == [0, 1]
    y[1].sum().backward()
    assert seen == [[0.0] * 3 if materialize else None] and x.grad.tolist() == [1.0] * 3


@pytest.mark.parametrize("materialize", [True, False])
def test_a_backward_is_called_where_no_gradient_arrives(T, x, materialize):
    seen = []

    def forward(ctx, x):
        ctx.set_materialize_grads(materialize)
        return x * 2

    def backward(ctx, g):
        seen.append(g)
        return g

    blocked = function(T, lambda ctx, x: x * 2, lambda ctx, g: None).apply
    blocked(3 * function(T, forward, backward).apply(x)).sum().backward()
    if materialize:
        assert seen[0].tolist() == x.grad.tolist() == [0.0, 0.0, 0.0]
    else:
        assert seen == [None] and x.grad is None


def test_a_non_differentiable_output(T, x):
    def forward(ctx, a):
        b = a * 3
        ctx.mark_non_differentiable(b)
        return a * 2, b

    y, z = function(T, forward, lambda ctx, g, h: g + h).apply(x)
    assert not z.requires_grad
    y.sum().backward()
    assert x.grad.tolist() == [1.0] * 3


def returned(ctx, a):
    return a


def part(ctx, a):
    return a[:3]


def part_of_a_result(ctx, a):
    return (a * 2)[:3]


@pytest.mark.parametrize("forward", [returned, part, part_of_a_result])
def test_a_view_from_a_forward_refuses_recorded_writes(T, x, forward):
    h = x * 1
    y = function(T, forward, lambda ctx, g: g * 5).apply(h)
    assert y is not h and (y.data_ptr() == h.data_ptr()) == (forward is not part_of_a_result)
    with pytest.raises(RuntimeError, match="view was created inside a custom Function"):
        y.mul_(2)
    y.sum().backward()
    assert x.grad.tolist() == [5.0] * 3


def test_a_view_from_a_forward_is_lost_when_its_base_is_written(T, x):
    h = x * 1
    y = function(T, part).apply(h)
    h.mul_(2)
    with pytest.raises(RuntimeError, match="its base or another view of its base has been modified inplace"):
        _ = y.grad_fn


def test_an_input_returned_without_recording(T, x):
    Same = function(T, returned)
    with T.no_grad():
        y = Same.apply(x)
    assert y is not x and not y.requires_grad and y.data_ptr() == x.data_ptr()


# -- writes in the forward


def doubling(T):
    def forward(ctx, a):
        ctx.mark_dirty(a)
        return a.mul_(2)

    return function(T, forward, lambda ctx, g: 2 * g)


def test_a_dirty_input_comes_back_itself_with_a_new_version(T, x):
    h = x * 1
    h.retain_grad()
    y = doubling(T).apply(h)
    assert y is h and h._version == 2 and h.grad_fn.name() == "HandBackward"
    h.sum().backward()
    assert x.grad.tolist() == [2.0] * 3 and h.grad.tolist() == [1.0] * 3


def test_a_write_through_a_view_goes_into_the_history_of_the_base(T, x):
    h = x * 1
    v = h[:2]
    assert doubling(T).apply(v) is v
    (h * h).sum().backward()
    assert x.grad.tolist() == [8.0, 16.0, 6.0]


def test_a_constant_gains_a_history(T, x):
    def forward(ctx, a, b):
        ctx.mark_dirty(a)
        return a.add_(b)

    total = T.zeros(3, dtype=T.float64)
    function(T, forward, lambda ctx, g: (None, g)).apply(total, x)
    total.sum().backward()
    assert x.grad.tolist() == [1.0] * 3


def test_writes_that_are_refused(T, x):
    Double = doubling(T)
    for target in (x, x[:2]):
        with pytest.raises(RuntimeError, match=r"leaf Variable that requires grad .* in-place operation"):
            Double.apply(target)

    def lost(ctx, a):
        ctx.mark_dirty(a)
        return a * 2

    def two(ctx, a):
        ctx.mark_dirty(a)
        return a.mul_(2), a * 1

    with pytest.raises(RuntimeError, match=r"marked as dirty during the forward method .* not returned as output"):
        function(T, lost).apply(x * 1)
    with pytest.raises(RuntimeError, match="cannot return more than one Tensor"):
        function(T, two).apply((x * 1)[:2])
    with pytest.raises(RuntimeError, match="mark_dirty can only accept variables"):
        function(T, lambda ctx, a: ctx.mark_dirty(3)).apply(x)


def test_a_dirty_tensor_that_is_no_input_is_warned_about(T, x):
    def forward(ctx, a):
        y = a * 2
        ctx.mark_dirty(y)
        return y

    with pytest.warns(UserWarning, match="received a tensor that was not an input"):
        function(T, forward).apply(x)


# -- what a backward may return


@pytest.mark.parametrize(
    ("result", "wanted"),
    [
        (lambda g: g.expand(2, 3), [2.0] * 3),
        (lambda g: g.float(), [1.0] * 3),
        (lambda g: (g, None, None), [1.0] * 3),
        (lambda g: None, None),
    ],
    ids=["summed", "converted", "surplus None", "None"],
)
def test_gradients_that_fit(T, x, result, wanted):
    function(T, lambda ctx, a: a * 1, lambda ctx, g: result(g)).apply(x).sum().backward()
    assert (None if x.grad is None else x.grad.tolist()) == wanted


@pytest.mark.parametrize(
    ("result", "message"),
    [
        (lambda g: g, r"returned an incorrect number of gradients \(expected 2, got 1\)"),
        (lambda g: (g, None, g), r"returned an incorrect number of gradients \(expected 2, got 3\)"),
        (lambda g: (g, g), "gradient different than None at position 2, .* was not a Variable"),
        (lambda g: (g[:2], None), r"invalid gradient at index 0 - got \[2\] but expected shape compatible with \[3\]"),
        (lambda g: (g.sum(), None), r"invalid gradient at index 0 - got \[\] but expected shape compatible with \[3\]"),
        (lambda g: (3.0, None), r"expected Variable .*or None \(got float\)"),
    ],
)
def test_gradients_that_do_not_fit(T, x, result, message):
    y = function(T, lambda ctx, a, k: a * k, lambda ctx, g: result(g)).apply(x, 3)
    with pytest.raises(RuntimeError, match=message):
        y.sum().backward()
    assert x.grad is None


def test_a_gradient_for_a_constant_is_dropped(T, x):
    function(T, lambda ctx, a, b: a * b, lambda ctx, g: (g, g)).apply(x, T.ones(3, dtype=T.float64)).sum().backward()
    assert x.grad.tolist() == [1.0] * 3


def test_stored_gradients_share_no_memory_with_what_the_backward_returned(T, x):
    y = T.ones(3, dtype=T.float64, requires_grad=True)
    seed = T.ones(3, dtype=T.float64)
    function(T, lambda ctx, a, b: a + b, lambda ctx, g: (g, g)).apply(x, y).backward(seed)
    assert len({x.grad.data_ptr(), y.grad.data_ptr(), seed.data_ptr()}) == 3


# -- definitions that are wrong


def test_missing_and_doubled_methods(T, x):
    Function = T.autograd.Function
    with pytest.raises(NotImplementedError, match="must implement the forward function"):
        type("Empty", (Function,), {}).apply(x)
    half = {"forward": staticmethod(lambda ctx, a: a * 2)}
    with pytest.raises(NotImplementedError, match="must implement either the backward or vjp method"):
        type("Half", (Function,), half).apply(x).sum().backward()
    rule = staticmethod(lambda ctx, g: g)
    with pytest.raises(RuntimeError, match="Implementing both 'backward' and 'vjp'"):
        type("Both", (Function,), {**half, "backward": rule, "vjp": rule}).apply(x).sum().backward()
    with pytest.raises(NotImplementedError, match="must implement the jvp function"):
        Function.jvp(None)


@pytest.mark.filterwarnings("ignore:.*should not be instantiated")
def test_an_instance_cannot_be_called(T, x):
    with pytest.raises(RuntimeError, match="autograd function with non-static forward method"):
        cube(T)()(x)


def test_once_differentiable(T, x):
    class Square(T.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.save_for_backward(a)
            return a * a

        @staticmethod
        @T.autograd.function.once_differentiable
        def backward(ctx, g):
            assert not T.is_grad_enabled()
            return 2 * ctx.saved_tensors[0] * g

    seed = T.ones(3, dtype=T.float64, requires_grad=True)
    (g,) = T.autograd.grad(Square.apply(x), x, seed, create_graph=True)
    assert g.tolist() == [2.0, 4.0, 6.0]
    with pytest.raises(RuntimeError, match="differentiate twice a function that was marked with @once_differentiable"):
        g.sum().backward()


# -- in the engine


def test_hooks_targets_and_a_shared_input(T, x):
    h = x * 1
    y = cube(T).apply(h) + cube(T).apply(h)
    y.register_hook(lambda g: g * 2)
    assert T.autograd.grad(y.sum(), h)[0].tolist() == [12.0, 48.0, 108.0]


def test_observers_see_one_op():
    x, seen = ac.ones(2, requires_grad=True), []

    class Watch(ac.core.modes.ModeSwitch):
        def _changes(self, outside):
            return {"observers": (lambda what, inputs, outputs: seen.append((what, len(outputs))),)}

    x = ac.ones(2, requires_grad=True)
    with Watch():
        function(ac, lambda ctx, a: (a * 2, a.exp())).apply(x)
    assert seen == [("Hand", 2)]


def test_a_write_after_the_call_names_both_lines():
    x = ac.ones(2, requires_grad=True)
    h = x * 1
    y = cube(ac).apply(h)  # the save
    h.mul_(2)  # the write
    with pytest.raises(RuntimeError) as error:
        y.sum().backward()
    assert all(text in str(error.value) for text in ("CubeBackward", "# the save", "# the write", "saved_tensors[0]"))


# -- forward mode


def pushed(T, function, *args):
    """Value and tangent of a function of a dual at 3 in direction 2, and other arguments."""
    fw = T.autograd.forward_ad
    with fw.dual_level():
        dual = fw.make_dual(T.tensor([3.0]), T.tensor([2.0]))
        primal, tangent = fw.unpack_dual(function(dual, *args))
        return primal.tolist(), None if tangent is None else tangent.tolist()


def test_forward_mode_calls_the_jvp(T):
    class Scale(T.autograd.Function):
        @staticmethod
        def forward(ctx, a, b, k):
            ctx.save_for_forward(a, b)
            ctx.k = k
            return a * b * k

        @staticmethod
        def jvp(ctx, da, db, dk):
            a, b = ctx.saved_tensors
            assert dk is None
            return 100 * ctx.k * (da * b + a * db)  # not what the ops of the forward would give

    assert pushed(T, Scale.apply, T.tensor([5.0]), 2) == ([30.0], [2000.0])


def test_a_dirty_input_gets_the_tangent_of_the_jvp(T):
    class Double(T.autograd.Function):
        @staticmethod
        def forward(ctx, a):
            ctx.mark_dirty(a)
            return a.mul_(2)

        @staticmethod
        def jvp(ctx, da):
            return da.mul_(7)

    def program(d):
        y = d * 1
        part = y[:1]
        assert Double.apply(y) is y
        return part

    assert pushed(T, program) == ([6.0], [14.0])


def test_a_jvp_that_is_missing_or_does_not_fit(T):
    def of(jvp):
        methods = {"forward": staticmethod(lambda ctx, a: a * 2)}
        return type("Mine", (T.autograd.Function,), {**methods, **({"jvp": staticmethod(jvp)} if jvp else {})}).apply

    with pytest.raises(NotImplementedError, match="must implement the jvp function"):
        pushed(T, of(None))
    for wrong in (lambda ctx, da: (da, da), lambda ctx, da: 1.0, lambda ctx, da: da.sum()):
        with pytest.raises((RuntimeError, TypeError)):
            pushed(T, of(wrong))
