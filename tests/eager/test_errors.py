"""Every error that a user of the explicit runtime meets: its kind, its text, what is asked first, and that it changes
nothing."""

import numpy as np
import pytest

import autograd_core as ac
from autograd_core import eager
from autograd_core.eager import CompareDir, DotGeneralConfig, GatherConfig, PadConfig, ScatterConfig, SliceConfig
from tests.eager.harness import World, equal, refused

# -- kinds


def test_every_error_is_an_eager_error_with_a_kind():
    errors = [e for name in dir(eager) if isinstance(e := getattr(eager, name), type) and issubclass(e, Exception)]
    assert len(errors) > 12
    for error in errors:
        assert issubclass(error, eager.EagerError) and issubclass(error, RuntimeError)
        assert error.kind == ("InvalidArgument" if error is eager.InactiveInput else error.__name__)


@pytest.mark.parametrize(
    "error",
    [eager.ShapeMismatch, eager.RankMismatch, eager.AxisOutOfBounds, eager.DTypeMismatch, eager.InvalidArgument],
)
def test_the_kinds_of_validation_are_one_family(error):
    assert issubclass(error, eager.Validation)


# -- texts of the passes


@pytest.mark.parametrize("shape", [(1000,), (1,), (1, 1), (0,)])
def test_a_gradient_of_what_is_no_scalar(world, shape):
    x = world.var(np.ones(shape))
    y = world.run(lambda s: s.sin(x))
    with refused("NonScalarGrad") as info:
        y.backward(world.engine)
    assert str(info.value) == f"grad requires a scalar output, got shape {list(shape)}"
    assert info.value.shape == shape
    with refused("NonScalarGrad", "grad requires a scalar output"):
        world.rt.grad(world.engine, y, x)
    with refused("NonScalarGrad", "grad requires a scalar output"):
        world.rt.grad_optional(world.engine, y, x)


def test_tensors_of_two_runtimes(world):
    other = World()
    x, y = world.var(1.0), other.var(2.0)
    with world.rt.session(world.engine) as s, refused("ContextMismatch") as info:
        s.add(x, y)
    assert str(info.value) == (
        f"tensors belong to different eager AD contexts ({world.rt.id()} vs {other.rt.id()}); detach into the target "
        "context before combining them"
    )
    assert (info.value.lhs, info.value.rhs) == (world.rt.id(), other.rt.id())


@pytest.mark.parametrize("transform", ["grad", "vjp", "jvp"])
def test_an_inactive_input(world, transform):
    x, unused = world.var(2.0), world.var(1.0)
    y, _ = world.square(x)
    seed = () if transform == "grad" else (world.const(1.0),)
    with refused("InvalidArgument") as info:
        getattr(world.rt, transform)(world.engine, y, unused, *seed)
    assert isinstance(info.value, eager.InactiveInput) and info.value.argument == "wrt"
    assert str(info.value).startswith(f"{transform} (GraphBuild): invalid argument wrt: {transform} is inactive for ")
    assert str(info.value).endswith(f"; use {transform}_optional to observe the inactive state")
    assert getattr(world.rt, f"{transform}_optional")(world.engine, y, unused, *seed) is None


def test_an_intermediate_and_an_untracked_output_are_inactive(world):
    x = world.var(2.0)
    y, _ = world.square(x)
    z = world.run(lambda s: s.sin(y))
    with refused("InvalidArgument", "grad is inactive"):
        world.rt.grad(world.engine, z, y)
    with world.rt.no_grad():
        silent, _ = world.square(x)
    with refused("InvalidArgument", "grad is inactive"):
        world.rt.grad(world.engine, silent, x)


def test_a_constant_that_fed_no_recorded_operation_is_inactive(world):
    x, c, one = world.var(2.0), world.const(3.0), world.const(1.0)
    y, _ = world.square(x)
    for output in (y, c):
        assert world.rt.grad_optional(world.engine, output, c) is None
        assert world.rt.vjp_optional(world.engine, output, c, one) is None
        assert world.rt.jvp_optional(world.engine, output, c, one) is None
    assert world.rt.jvp_optional(world.engine, c, x, one) is None


@pytest.mark.parametrize("call", ["backward", "vjp", "jvp"])
def test_a_seed_of_another_type_or_shape(world, call):
    x = world.var([2.0, 3.0])
    y, _ = world.square(x)

    def seeded(seed):
        if call == "backward":
            return y.backward_with(world.engine, seed)
        return getattr(world.rt, call)(world.engine, y, x, seed)

    with refused("DTypeMismatch", f"{call}: dtype mismatch: expected F64, actual F32"):
        seeded(world.const(np.ones(3, np.float32)))  # the type is asked before the shape
    for shape in [(3,), (1,), (), (2, 1)]:  # nothing broadcasts
        with refused("ShapeMismatch", f"{call}: incompatible shapes: lhs=[2], rhs={list(shape)}"):
            seeded(world.const(np.ones(shape)))
    with refused("InvalidArgument", f"{call}: invalid argument: NoneType is no EagerTensor"):
        seeded(None)
    with refused("ContextMismatch"):
        seeded(World().const(np.ones(3, np.float32)))
    assert x.grad() is None


def test_an_op_without_a_derivative(world):
    x = world.var(1.0)
    y = world.run(lambda s: s.apply_standard_op(ac.igamma, [x, world.const(1.0)]))
    with refused("UnsupportedAdRule", "unsupported grad AD rule"):
        world.rt.grad(world.engine, y, x)
    with refused("UnsupportedAdRule", "unsupported backward AD rule"):
        y.backward(world.engine)
    assert x.grad() is None


def test_a_rule_that_refuses(world):
    x = world.var(np.eye(3)[:, :2])
    q = world.run(lambda s: s.apply_standard_op(ac.linalg.qr, [x], mode="complete")[0])
    with refused("AdRuleSource", "backward AD rule failed: The QR decomposition is not differentiable"):
        world.total(q).backward(world.engine)
    assert x.grad() is None


# -- texts of operations

X = np.ones((2, 3))
DOT = DotGeneralConfig
REFUSALS = [
    (lambda s, x, c: s.add(x, c([1.0, 2.0])), "ShapeMismatch", "add: incompatible shapes: lhs=[2, 3], rhs=[2]"),
    (lambda s, x, c: s.pow(x, c([1.0, 2.0])), "ShapeMismatch", "pow: incompatible shapes: lhs=[2, 3], rhs=[2]"),
    (lambda s, x, c: s.matmul(x, x), "ShapeMismatch", "matmul: incompatible shapes: lhs=[2, 3], rhs=[2, 3]"),
    (lambda s, x, c: s.matmul(x, c([1.0])), "RankMismatch", "matmul: rank mismatch: expected 2, actual 1"),
    (lambda s, x, c: s.reduce_sum(x, (2,)), "AxisOutOfBounds", "reduce_sum: axis 2 out of bounds for rank 2"),
    (lambda s, x, c: s.reduce_sum(x, (-1,)), "AxisOutOfBounds", "reduce_sum: axis -1 out of bounds for rank 2"),
    (lambda s, x, c: s.reduce_max(x, (0, 0)), "InvalidArgument", "reduce_max: duplicate axis axis 0"),
    (lambda s, x, c: s.reduce_prod(x, (0, 0)), "InvalidArgument", "reduce_prod: duplicate axis axis 0"),
    (lambda s, x, c: s.reverse(x, (0, 0)), "InvalidArgument", "reverse: duplicate axis axis 0"),
    (lambda s, x, c: s.transpose(x, (0,)), "RankMismatch", "transpose: rank mismatch: expected 2, actual 1"),
    (lambda s, x, c: s.reshape(x, (5,)), "ShapeMismatch", "reshape: reshape element-count mismatch: from 6 to 5"),
    (lambda s, x, c: s.slice(x, SliceConfig([0], [1], [1])), "RankMismatch", "slice: rank mismatch: expected 2"),
    (lambda s, x, c: s.slice(x, SliceConfig([0, 0], [9, 1], [1, 1])), "InvalidArgument", "0..9 by 1 is no part of an"),
    (lambda s, x, c: s.pad(x, PadConfig([0], [0], [0])), "RankMismatch", "pad: rank mismatch: expected 2, actual 1"),
    (lambda s, x, c: s.pad(x, PadConfig([0, 0], [0, 0], [0, -1])), "InvalidArgument", "interior_padding: [0, -1]"),
    (lambda s, x, c: s.broadcast_in_dim(x, (2, 4), (0, 1)), "ShapeMismatch", "lhs=[2, 3], rhs=[2, 4] at axis 1"),
    (lambda s, x, c: s.concatenate([], 0), "InvalidArgument", "concatenate: invalid argument inputs"),
    (lambda s, x, c: s.concatenate([x, c([1.0])], 0), "RankMismatch", "concatenate: rank mismatch"),
    (lambda s, x, c: s.concatenate([x, c([[1.0]])], 0), "ShapeMismatch", "incompatible shapes: lhs=[2, 3], rhs=[1, 1]"),
    (lambda s, x, c: s.stack([], 0), "InvalidArgument", "stack: invalid argument inputs"),
    (lambda s, x, c: s.stack([x, c([1.0])], -1), "ShapeMismatch", "stack: shape mismatch: expected=[2, 3], actual=[1]"),
    (lambda s, x, c: s.stack([c([1.0])], 2), "AxisOutOfBounds", "stack: axis 2 out of bounds for rank 2"),
    (lambda s, x, c: s.index_select(x, 2, [0]), "AxisOutOfBounds", "index_select: axis 2 out of bounds for rank 2"),
    (
        lambda s, x, c: s.index_select(x, 0, [2]),
        "InvalidArgument",
        "index_select: invalid argument positions: position 2",
    ),
    (lambda s, x, c: s.take_axis(x, -1, [0]), "AxisOutOfBounds", "take_axis: axis -1"),
    (lambda s, x, c: s.dynamic_slice(x, c([0]), [1, 1]), "ShapeMismatch", "shape mismatch: expected=[2], actual=[1]"),
    (lambda s, x, c: s.dynamic_slice(x, c([0.0, 0.0]), [1, 1]), "DTypeMismatch", "expected I64, actual float64"),
    (lambda s, x, c: s.dynamic_slice(x, c([0, 0]), [9, 1]), "InvalidArgument", "[9, 1] do not fit into shape [2, 3]"),
    (
        lambda s, x, c: s.gather(x, c([[0, 0]]), GatherConfig((), (0, 1), (0,), 1, (1, 1))),
        "ShapeMismatch",
        "gather: shape mismatch: expected=[1], actual=[2] at axis 1",
    ),
    (
        lambda s, x, c: s.scatter(x, c([[9]]), c([[1.0] * 3]), ScatterConfig((1,), (0,), (0,), 1)),
        "InvalidArgument",
        "scatter: invalid argument indices: out of bounds for axis 0 of length 2",
    ),
    (
        lambda s, x, c: s.dot_general(x, x, DOT([2], [0])),
        "AxisOutOfBounds",
        "dot_general: axis 2 out of bounds for rank 2",
    ),
    (lambda s, x, c: s.dot_general(x, x, DOT([1], [0])), "ShapeMismatch", "contracted dimensions differ: lhs axis 1"),
    (
        lambda s, x, c: s.dot_general(x, x, DOT([0, 1], [0])),
        "ShapeMismatch",
        "contracted dimensions differ: lhs [0, 1]",
    ),
    (lambda s, x, c: s.dot_general(x, x, DOT([0], [0], [0], [0])), "InvalidArgument", "duplicate lhs axis 0"),
    (
        lambda s, x, c: s.dot_general_with_conj(x, x, DOT([3], [0]), True, False),
        "AxisOutOfBounds",
        "dot_general_with_conj: axis 3 out of bounds for rank 2",
    ),
    (lambda s, x, c: s.compare(x, x, "gt"), "InvalidArgument", "compare: invalid argument direction: 'gt' is no"),
    (lambda s, x, c: s.scale_real(c([1]), float("nan")), "InvalidArgument", "scale_real: invalid argument factor: nan"),
    (lambda s, x, c: s.convert(x, ac.int32), "InvalidArgument", "convert: invalid argument dtype: F64 to I32 may lose"),
    (lambda s, x, c: s.convert(x, ac.float32), "InvalidArgument", "F64 to F32 may lose digits; use cast"),
    (lambda s, x, c: s.where_select(x, x, x), "InvalidArgument", "where_select: where expected condition to be a bool"),
    (lambda s, x, c: s.softmax(x, 2), "AxisOutOfBounds", "softmax: axis 2 out of bounds for rank 2"),
    (lambda s, x, c: s.sigmoid(c([1])), "DTypeMismatch", "sigmoid: dtype mismatch: expected a float, actual int64"),
    (lambda s, x, c: s.masked_softmax(x, x, 0), "DTypeMismatch", "expected Bool, actual float64"),
    (
        lambda s, x, c: s.layer_norm(x, 1, c([1.0])),
        "ShapeMismatch",
        "layer_norm: shape mismatch: expected=[3], actual=[1]",
    ),
    (lambda s, x, c: s.einsum([x, x], "ij,jk"), "EinsumError", "write the result explicitly, behind ->"),
    (lambda s, x, c: s.einsum([], "->"), "EinsumError", "einsum: no operands"),
    (lambda s, x, c: s.einsum([x], "ijk->i"), "EinsumError", "does not match the number of dimensions (2)"),
    (lambda s, x, c: s.tensordot(x, x, 3), "InvalidArgument", "tensordot: invalid argument axes"),
    (lambda s, x, c: s.inv(c([[0.0]])), "NumericalFailure", "inv: "),
    (lambda s, x, c: s.cholesky(c([[-1.0]])), "NumericalFailure", "cholesky: "),
    (lambda s, x, c: s.det(x), "InvalidArgument", "det: "),
    (lambda s, x, c: s.reduce_max(c(np.zeros((0, 2))), (0,)), "InvalidArgument", "reduce_max: "),
    (
        lambda s, x, c: s.mul(x, 2.0),
        "InvalidArgument",
        "float is no EagerTensor; bring it in with rt.constant_from(...)",
    ),
    (lambda s, x, c: s.mul(ac.ones(2), x), "InvalidArgument", "mul: invalid argument: Tensor is no EagerTensor"),
    (
        lambda s, x, c: s.variable_from([1, 2]),
        "Unsupported",
        "variable_from (Execution) is unsupported: a variable of I64",
    ),
    (lambda s, x, c: s.constant_from(1j), "Unsupported", "constant_from (Execution) is unsupported: complex numbers"),
    (lambda s, x, c: s.constant_from(["a"]), "InvalidArgument", "constant_from: invalid argument data: no numbers"),
    (lambda s, x, c: s.constant_from(x), "InvalidArgument", "an EagerTensor is in a runtime already; see detach_into"),
    (lambda s, x, c: s.constant_from([[1], [2, 3]]), "InvalidArgument", "constant_from: invalid argument data"),
    (lambda s, x, c: s.constant_from(ac.ones(1, requires_grad=True)), "InvalidArgument", "Tensor that requires grad"),
    # what Rust's types refuse when they are compiled
    (lambda s, x, c: s.reduce_sum(x, 0), "InvalidArgument", "invalid argument axes: 0 is no sequence of integers"),
    (
        lambda s, x, c: s.reduce_sum(x, (0.5,)),
        "InvalidArgument",
        "reduce_sum: invalid argument axes: 0.5 is no integer",
    ),
    (lambda s, x, c: s.softmax(x, None), "InvalidArgument", "softmax: invalid argument axis: None is no integer"),
    (lambda s, x, c: s.stack([x], 0.0), "InvalidArgument", "stack: invalid argument axis: 0.0 is no integer"),
    (lambda s, x, c: s.transpose(x, None), "InvalidArgument", "None is no sequence of integers"),
    (lambda s, x, c: s.reshape(x, (6.0,)), "InvalidArgument", "reshape: invalid argument shape: 6.0 is no integer"),
    (lambda s, x, c: s.tril(x, "1"), "InvalidArgument", "tril: invalid argument k: '1' is no integer"),
    (lambda s, x, c: s.index_select(x, 0, [0.5]), "InvalidArgument", "positions: 0.5 is no integer"),
    (lambda s, x, c: s.slice(x, None), "InvalidArgument", "slice: invalid argument config: None is no SliceConfig"),
    (lambda s, x, c: s.slice_axis(x, 0, slice(0, 1)), "InvalidArgument", "positions: slice(0, 1, None) is no range"),
    (lambda s, x, c: s.pad(x, SliceConfig([0], [1], [1])), "InvalidArgument", "is no PadConfig"),
    (lambda s, x, c: s.gather(x, c([[0]]), None), "InvalidArgument", "gather: invalid argument config: None is no"),
    (
        lambda s, x, c: s.scatter(x, c([[0]]), x, None),
        "InvalidArgument",
        "scatter: invalid argument config: None is no",
    ),
    (lambda s, x, c: s.dot_general(x, x, None), "InvalidArgument", "None is no DotGeneralConfig"),
    (lambda s, x, c: s.tensordot(x, x, ([0],)), "InvalidArgument", "is neither a number nor two sequences of axes"),
    (lambda s, x, c: s.einsum(x, "ij->i"), "InvalidArgument", "einsum: invalid argument inputs"),
    (lambda s, x, c: s.einsum([x], 5), "InvalidArgument", "einsum: invalid argument subscripts: 5 is no str"),
    (lambda s, x, c: s.cast(x, "foo"), "InvalidArgument", "cast: invalid argument dtype: 'foo' is not a dtype"),
    # dimension numbers of XLA that contradict each other
    (
        lambda s, x, c: s.gather(x, c([[0]]), GatherConfig((), (0, 1), (0,), 1, (2, 1))),
        "InvalidArgument",
        "gather: invalid argument collapsed_slice_dims: windows of [2, 1] are not 1 long in [0, 1]",
    ),
    (
        lambda s, x, c: s.gather(x, c([[0]]), GatherConfig((), (0, 1), (0,), 3, (1, 1))),
        "AxisOutOfBounds",
        "gather: axis 3 out of bounds for rank 3",
    ),
    # values never change, and an op of another kind is told so
    (lambda s, x, c: s.apply_standard_op(lambda t: t.mul_(2.0), [c([1.0])]), "InvalidArgument", "is read-only"),
    (lambda s, x, c: s.apply_standard_op(lambda t: 3, [x]), "InvalidArgument", "op, whose result: 3 is no Tensor"),
]


@pytest.mark.parametrize("call, kind, text", REFUSALS, ids=[f"{k}-{kind}" for k, (_, kind, _) in enumerate(REFUSALS)])
def test_a_refused_operation_says_why_and_breaks_nothing(world, call, kind, text):
    x = world.var(X)
    with world.rt.session(world.engine) as s:
        with refused(kind, text):
            call(s, x, world.const)
        y = s.reduce_sum(x, None)  # neither session nor engine is broken
    y.backward(world.engine)
    equal(x.grad(), X)


def test_an_array_of_another_length_than_its_shape():
    with refused("ShapeMismatch", "from_vec_col_major: shape product 6 does not match data length 5"):
        eager.from_vec_col_major([2, 3], [1.0] * 5)
    with refused("ShapeMismatch", "from_vec_col_major: shape product 2 does not match data length 2"):
        eager.from_vec_col_major([-1, -2], [1.0] * 2)
    with refused("InvalidArgument", "from_vec_col_major: invalid argument shape: 2.0 is no integer"):
        eager.from_vec_col_major([2.0], [1.0] * 2)


def test_detaching_into_what_is_no_runtime(world):
    with refused("InvalidArgument", "detach_into: invalid argument runtime: CpuEngine(threads=1) is no EagerRuntime"):
        world.const(1.0).detach_into(world.engine)


# -- what is asked first


def test_the_scalar_is_asked_for_before_whether_anything_was_recorded(world):
    c = world.const([1.0, 2.0])
    with refused("NonScalarGrad"):
        c.backward(world.engine)
    with world.rt.no_grad():
        y, _ = world.square(world.var([1.0, 2.0]))
    with refused("NonScalarGrad"):
        y.backward(world.engine)
    with refused("NonScalarGrad"):
        world.rt.grad(world.engine, y, World().var(1.0))  # before the foreign runtime, too


def test_the_runtime_is_asked_for_before_shapes(world):
    foreign, x = World().const([1.0, 2.0, 3.0]), world.var([1.0, 2.0])
    index = World().const([[9.0]])
    with world.rt.session(world.engine) as s:
        for call in (
            lambda: s.add(x, foreign),
            lambda: s.matmul(x, foreign),
            lambda: s.dot_general(x, foreign, DotGeneralConfig([7], [7])),
            lambda: s.concatenate([x, foreign], 5),
            lambda: s.stack([x, foreign], 5),
            lambda: s.reshape(foreign, (9,)),
            lambda: s.embed_diag(foreign, 5, 5),
            lambda: s.tril(foreign, 0),
            lambda: s.scale_real(foreign, 2.0),
            lambda: s.compare(x, foreign, CompareDir.Eq),
            lambda: s.where_select(foreign, x, x),
            lambda: s.reduce_sum(foreign, (9,)),
            lambda: s.gather(x, index, GatherConfig((), (0,), (0,), 1, (1,))),
            lambda: s.dynamic_slice(x, index, [9]),
            lambda: s.scatter(x, index, foreign, ScatterConfig((), (0,), (0,), 1)),
            lambda: s.take_along_axis(x, index, 9),
            lambda: s.einsum([x, foreign], "nonsense"),
            lambda: s.solve(x, foreign),
            lambda: s.softmax(foreign, 9),
            lambda: s.layer_norm(x, 9, foreign),
        ):
            with refused("ContextMismatch"):
                call()


@pytest.mark.parametrize("place", range(3))
def test_vjp_looks_at_output_then_wrt_then_cotangent(world, place):
    x = world.var([1.0, 2.0])
    y, _ = world.square(x)
    others = [World() for _ in range(3)]
    arguments = [y, x, world.const([1.0, 1.0])]
    arguments[place:] = [w.const([1.0, 1.0]) for w in others[place:]]
    for transform in ("vjp_optional", "jvp_optional"):
        with refused("ContextMismatch") as info:
            getattr(world.rt, transform)(world.engine, *arguments)
        assert (info.value.lhs, info.value.rhs) == (world.rt.id(), others[place].rt.id())


def test_backward_with_names_the_runtime_of_the_output_first(world):
    other = World()
    y, _ = world.square(world.var([1.0]))
    with refused("ContextMismatch") as info:
        y.backward_with(world.engine, other.const([1.0]))
    assert (info.value.lhs, info.value.rhs) == (world.rt.id(), other.rt.id())


def test_a_closed_session_is_refused_before_everything(world):
    s = world.rt.session(world.engine)
    s.close()
    s.close()
    foreign = World().const([1.0])
    for call in (
        lambda: s.add(foreign, foreign),
        lambda: s.constant_from(1.0),
        lambda: s.variable_from(1.0),
        lambda: s.concatenate([], 0),
        lambda: s.einsum([], "->"),
        lambda: s.det(foreign),
        lambda: s.duplicate_value(foreign),
        lambda: s.apply_standard_op(ac.sin, []),
    ):
        with refused("RuntimeState", "the session is closed; open one with rt.session(engine)"):
            call()


def test_a_session_cannot_be_carried_out_of_its_callback(world):
    escaped = world.run(lambda s: s)
    with refused("RuntimeState", "the session is closed"):
        escaped.sin(world.var(1.0))


def test_what_a_callback_raises_comes_back_unchanged(world):
    class Mine(Exception):
        pass

    mine = Mine()

    def callback(s):
        raise mine

    with pytest.raises(Mine) as info:
        world.rt.with_eager_session(world.engine, callback)
    assert info.value is mine
    assert world.run(lambda s: s.sin(world.const(0.0))).value() == 0.0  # and its engine is free, and whole


# -- errors leave every slot untouched


def test_an_error_leaves_every_slot_as_it_was(world):
    x = world.var([2.0, 3.0])
    y, loss = world.square(x)
    loss.backward(world.engine)
    before = x.grad()
    for call in (
        lambda: y.backward(world.engine),
        lambda: y.backward_with(world.engine, world.const([1.0])),
        lambda: y.backward_with(world.engine, World().const([1.0, 1.0])),
        lambda: world.rt.grad(world.engine, loss, y),
        lambda: loss.backward("engine"),
    ):
        with pytest.raises(eager.EagerError):
            call()
        assert x.grad() is before


def test_a_pass_that_breaks_half_way_leaves_every_slot_as_it_was(world):
    class Breaks(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x.clone()

        @staticmethod
        def backward(ctx, g):
            raise MemoryError("no memory left")

    x, y = world.var(1.0), world.var(2.0)
    loss = world.run(lambda s: s.mul(s.apply_standard_op(Breaks.apply, [x]), y))
    with pytest.raises(MemoryError):
        loss.backward(world.engine)
    assert x.grad() is None and y.grad() is None


# -- there are no operators


def test_a_tensor_has_no_operators(world):
    x = world.var([1.0, 2.0])
    for call in (
        lambda: x + x,
        lambda: x * 2.0,
        lambda: 2.0 * x,
        lambda: -x,
        lambda: np.ones(2) * x,
        lambda: np.sin(x),
        lambda: x @ x,
        lambda: x[0],
    ):
        with pytest.raises(TypeError):
            call()
    assert not any(hasattr(x, name) for name in ("sin", "sum", "mul", "add_", "retain_grad", "requires_grad"))
