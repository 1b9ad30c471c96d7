"""tenferro's own cases of behavior, by their upstream names, with its numbers."""

import gc
import math
import threading
import weakref

import numpy as np
import pytest

import autograd_core as ac
from autograd_core import eager
from autograd_core.eager import CompareDir, DotGeneralConfig
from tests.eager.harness import World, equal, refused
from tests.eager.left_out import METHODS, TESTS

# -- eager/tests.rs


def test_eager_backward_with_accepts_vector_cotangent_seed(world):
    x = world.var([2.0, 3.0])
    y, _ = world.square(x)
    assert len(y.backward_with(world.engine, world.const([1.0, 2.0]))) == 1
    equal(x.grad(), [4.0, 12.0])


def test_eager_backward_with_rejects_mismatched_seed_shape(world):
    x = world.var([2.0, 3.0])
    y, _ = world.square(x)
    with refused("ShapeMismatch", "backward: incompatible shapes: lhs=[2], rhs=[3]"):
        y.backward_with(world.engine, world.const([1.0, 2.0, 3.0]))
    assert x.grad() is None


def test_eager_runtime_vjp_returns_composable_tensor_without_touching_grad_slot(world):
    x = world.var([2.0, 3.0])
    y, _ = world.square(x)
    dx = world.rt.vjp(world.engine, y, x, world.const([1.0, 2.0]))
    assert dx.tracks_grad() and x.grad() is None
    equal(dx.value(), [4.0, 12.0])


def test_eager_runtime_vjp_of_several_inputs(world):
    x, y, seed = world.var([2.0, 3.0]), world.var([5.0, 7.0]), world.const([1.0, 2.0])
    z = world.run(lambda s: s.mul(x, y))
    equal(world.rt.vjp(world.engine, z, x, seed).value(), [5.0, 14.0])
    equal(world.rt.vjp(world.engine, z, y, seed).value(), [2.0, 6.0])


def test_eager_functional_ad_reports_inactive_inputs(world):
    x, seed = world.var([2.0, 3.0]), world.const([1.0, 1.0])
    inactive = world.run(lambda s: s.reshape(world.const([5.0, 6.0]), (2,)))
    y, _ = world.square(x)
    assert world.rt.vjp_optional(world.engine, y, inactive, seed) is None
    assert world.rt.jvp_optional(world.engine, y, inactive, seed) is None
    equal(world.rt.vjp_optional(world.engine, y, x, seed).value(), [4.0, 6.0])
    equal(world.rt.jvp_optional(world.engine, y, x, seed).value(), [4.0, 6.0])


def test_eager_runtime_jvp_returns_composable_semantic_trace(world):
    x = world.var([2.0, 3.0])
    y, _ = world.square(x)
    dy = world.rt.jvp(world.engine, y, x, world.const([1.0, 1.0]))
    assert dy.tracks_grad()
    equal(dy.value(), [4.0, 6.0])
    equal(world.grad(world.total(dy), x), [2.0, 2.0])


def test_eager_functional_grad_can_feed_jvp(world):
    x = world.var(3.0)
    y, _ = world.square(x)
    first = world.rt.grad(world.engine, y, x)
    assert (first.value(), world.rt.jvp(world.engine, first, x, world.const(1.0)).value()) == (6.0, 2.0)


def test_eager_jvp_of_functional_grad_matches_cubic_hvp(world):
    x = world.var(3.0)
    y = world.run(lambda s: s.mul(s.mul(x, x), x))
    first = world.rt.grad(world.engine, y, x)
    assert first.value() == 27.0
    assert world.rt.jvp(world.engine, first, x, world.const(1.0)).value() == 18.0
    assert world.grad(first, x) == 18.0


def test_eager_no_grad_scope_suppresses_operation_recording(world):
    x = world.var(2.0)
    with world.rt.session(world.engine) as s:
        with world.rt.no_grad():
            y = s.mul(x, x)
        z = s.mul(x, x)
    assert (y.tracks_grad(), z.tracks_grad()) == (False, True)


def test_eager_gradients_bundle_borrows_and_extracts_one_owner(world):
    x = world.var([2.0, 3.0])
    found = world.square(x)[1].backward(world.engine)
    equal(found.grad(x), [4.0, 6.0])
    equal(found.take_grad(x), [4.0, 6.0])
    assert found.grad(x) is None and found.take_grad(x) is None and found.is_empty()


def test_dropped_values_do_not_accumulate_in_the_runtime_registries(world):
    for _ in range(1000):
        world.var([1.0])
    gc.collect()
    assert len(world.rt._variables) < 64


def test_untracked_standard_op_results_do_not_enter_value_record_registry(world):
    c = world.const([[2.0]])
    before = len(world.rt._variables)
    out = world.run(lambda s: s.dot_general(c, c, DotGeneralConfig([1], [0])))
    assert not out.tracks_grad() and len(world.rt._variables) == before and out._tensor.grad_fn is None


# -- eager/tests/multi_input.rs


def test_backward_shares_one_vjp_across_leaves_and_separates_active_masks(world):
    x, y, unused = world.var([2.0, 3.0]), world.var([5.0, 7.0]), world.var([1.0, 1.0])
    loss = world.total(world.run(lambda s: s.mul(x, y)))
    assert len(loss.backward(world.engine)) == 2
    equal(x.grad(), [5.0, 7.0])
    equal(y.grad(), [2.0, 3.0])
    assert unused.grad() is None
    equal(world.grad(loss, x), [5.0, 7.0])
    loss.backward(world.engine)
    equal(x.grad(), [10.0, 14.0])
    equal(y.grad(), [4.0, 6.0])


# -- eager/tests/residuals.rs


@pytest.mark.parametrize("values", [[0.3, -0.4], [0.7, -0.2]])
@pytest.mark.parametrize("name", ["exp", "tanh"])
def test_exp_tanh_reuse_saved_outputs_with_dropped_handles_and_correct_higher_derivatives(world, name, values):
    x = world.var(values)
    y = world.run(lambda s: getattr(s, name)(x))
    saved = y._tensor.grad_fn.saved[0][0]
    assert saved is y._tensor._array  # what is kept is the output: nothing is computed again
    residual = weakref.ref(saved)
    loss = world.total(y)
    del y, saved
    assert residual() is not None
    first = world.rt.grad(world.engine, loss, x)
    second = world.grad(world.total(first), x)
    a = np.array(values)
    t = np.tanh(a)
    np.testing.assert_allclose(first.value(), np.exp(a) if name == "exp" else 1 - t**2, rtol=0, atol=1e-12)
    np.testing.assert_allclose(second, np.exp(a) if name == "exp" else -2 * t * (1 - t**2), rtol=0, atol=1e-11)
    del first, loss
    assert residual() is None


def test_cached_execution_rebinds_residuals_for_each_forward(world):
    for value in (0.2, 0.8):
        x = world.var([value])
        loss = world.run(lambda s, x: s.reduce_sum(s.exp(x), (0,)), x)
        np.testing.assert_allclose(world.grad(loss, x), [math.exp(value)], rtol=0, atol=1e-12)


# -- eager/tests/leaf_session.rs


def test_runtime_bound_eager_session_reuses_entry_and_rejects_foreign_tensors(world):
    foreign = World().var(3.0)
    with world.rt.session(world.engine) as s:
        with refused("ContextMismatch"):
            s.neg(foreign)
        s.neg(world.var(2.0))


def test_runtime_bound_eager_binary_ops_preserve_broadcast_and_vjp(world):
    x, c, seed = world.var([1.0, 2.0]), world.var(3.0), world.const([1.0, 1.0])
    total, product = world.run(lambda s: (s.add(x, c), s.mul(x, c)))
    equal(world.rt.vjp(world.engine, total, x, seed).value(), [1.0, 1.0])
    assert world.rt.vjp(world.engine, total, c, seed).value() == 2.0
    assert world.rt.vjp(world.engine, product, c, seed).value() == 3.0
    assert world.total(product).value() == 9.0


def test_runtime_bound_eager_convert_preserves_checked_and_lossy_paths(world):
    x = world.const([1.2, -2.8])
    with world.rt.session(world.engine) as s:
        with refused("InvalidArgument", "convert: invalid argument dtype: F64 to I32 may lose digits"):
            s.convert(x, ac.int32)
        assert s.cast(x, ac.int32).dtype is ac.int32
        assert s.convert(world.const(np.float32(1.5)), ac.float64).dtype is ac.float64


def test_runtime_bound_eager_transpose_and_slice_preserve_ad_and_ownership(world):
    x = world.var([[1.0, 3.0], [2.0, 4.0]])
    with world.rt.session(world.engine) as s:
        with refused("InvalidArgument", "transpose: duplicate axis axis 0"):
            s.transpose(x, (0, 0))
        copy = s.duplicate_value(x)
    copy[:] = 0.0  # ours, to write
    equal(x.value(), [[1.0, 3.0], [2.0, 4.0]])


def test_runtime_bound_captured_views_materialize_untracked_inputs_in_session(world):
    c = world.const([1.0, 2.0])
    untracked = world.run(lambda s: s.add(c, c))
    assert untracked._tensor.grad_fn is None
    with world.rt.session(world.engine) as s, world.rt.capture_trace():
        broadcast = s.broadcast_in_dim(untracked, (2, 2), (0,))
    equal(broadcast.value(), [[2.0, 2.0], [4.0, 4.0]])


def test_borrowed_eager_no_grad_guard_is_scoped_inside_backend_callback(world):
    x = world.var([2.0])

    def program(s):
        _guard = world.rt.no_grad()
        return s.mul(x, x)

    out = world.run(program)
    assert not out.tracks_grad() and world.run(lambda s: s.mul(x, x)).tracks_grad()
    equal(out.value(), [4.0])


def test_calling_thread_no_grad_governs_a_session_callback(world):
    x = world.var(2.0)
    with world.rt.no_grad():
        assert not world.run(lambda s: s.mul(x, x)).tracks_grad()


def test_calling_thread_capture_trace_governs_a_session_callback(world):
    c = world.const(3.0)
    with world.rt.capture_trace():
        y = world.run(lambda s: s.mul(c, c))
    assert world.grad(y, c) == 6.0


def test_gradient_slots_accumulate_on_borrowed_cpu_session(world):
    x, c = world.var([1.0, 2.0]), world.const([3.0, 4.0])
    loss = world.total(world.run(lambda s: s.mul(x, c)))
    for expected in ([3.0, 4.0], [6.0, 8.0]):
        loss.backward(world.engine)
        equal(x.grad(), expected)
    x.clear_grad()
    assert x.grad() is None
    loss.backward(world.engine)
    equal(x.grad(), [3.0, 4.0])


def test_borrowed_leaf_constructors_share_one_runtime_session(world):
    variable, constant = world.run(lambda s: (s.variable_from([2.0]), s.constant_from([3.0])))
    assert variable.tracks_grad() and not constant.tracks_grad()
    assert variable.same_context(constant) and variable.runtime() is world.rt


# -- integration/eager_tensor.rs


def test_eager_repeated_backward_accumulates_across_calls(world):
    x = world.var([1.0, 2.0, 3.0])
    for expected in ([2.0, 4.0, 6.0], [4.0, 8.0, 12.0]):
        world.square(x)[1].backward(world.engine)
        equal(x.grad(), expected)


def test_eager_clear_grad_resets_only_one_leaf(world):
    x, y = world.var([1.0, 2.0, 3.0]), world.var([4.0, 5.0, 6.0])
    world.total(world.run(lambda s: s.mul(x, y))).backward(world.engine)
    x.clear_grad()
    x.clear_grad()
    assert x.grad() is None
    equal(y.grad(), [1.0, 2.0, 3.0])
    world.square(x)[1].backward(world.engine)
    equal(x.grad(), [2.0, 4.0, 6.0])
    equal(y.grad(), [1.0, 2.0, 3.0])


def test_eager_context_clear_grads_resets_all_live_leaves(world):
    x, y = world.var([1.0, 2.0, 3.0]), world.var([4.0, 5.0, 6.0])
    loss = world.total(world.run(lambda s: s.mul(x, y)))
    loss.backward(world.engine)
    world.rt.clear_grads()
    world.rt.clear_grads()
    assert x.grad() is None and y.grad() is None
    loss.backward(world.engine)
    equal(x.grad(), [4.0, 5.0, 6.0])
    equal(y.grad(), [1.0, 2.0, 3.0])


def test_eager_unrelated_backward_keeps_existing_leaf_grad(world):
    x, y = world.var([1.0, 2.0, 3.0]), world.var([4.0, 5.0, 6.0])
    world.square(x)[1].backward(world.engine)
    world.square(y)[1].backward(world.engine)
    equal(x.grad(), [2.0, 4.0, 6.0])
    equal(y.grad(), [8.0, 10.0, 12.0])


def test_eager_tracks_grad_reports_leaf_state(world):
    plain, leaf = world.const([1.0]), world.var([4.0])
    assert (plain.tracks_grad(), leaf.tracks_grad(), leaf.detach(world.engine).tracks_grad()) == (False, True, False)


def test_eager_detach_cuts_one_gradient_path(world):
    x = world.var([1.0, 2.0, 3.0])
    detached = x.detach(world.engine)
    world.total(world.run(lambda s: s.mul(detached, x))).backward(world.engine)
    equal(x.grad(), [1.0, 2.0, 3.0])
    assert detached.grad() is None


def test_untracked_eager_intermediate_can_later_feed_tracked_ad(world):
    plain, x = world.const([1.0, 2.0, 3.0]), world.var([4.0, 5.0, 6.0])
    scale = world.run(lambda s: s.add(plain, plain))
    assert not scale.tracks_grad()
    world.total(world.run(lambda s: s.mul(x, scale))).backward(world.engine)
    equal(x.grad(), [2.0, 4.0, 6.0])


def test_untracked_leaf_functional_vjp_requires_explicit_capture(world):
    x, seed = world.const([1.0, 2.0]), world.const([1.0, 1.0])
    assert world.rt.vjp_optional(world.engine, world.square(x)[0], x, seed) is None
    with world.rt.capture_trace():
        y, loss = world.square(x)
    equal(world.rt.vjp(world.engine, y, x, seed).value(), [2.0, 4.0])
    assert len(loss.backward(world.engine)) == 0 and x.grad() is None


def test_eager_matmul_gradients_match_finite_difference(world):
    a, b = np.arange(1.0, 7.0).reshape(2, 3, order="F"), np.arange(7.0, 13.0).reshape(3, 2, order="F")
    x, y = world.var(a), world.var(b)
    loss = world.total(world.run(lambda s: s.dot_general(x, y, DotGeneralConfig([1], [0]))))
    for k, (leaf, value) in enumerate(((x, a), (y, b))):
        slopes = np.empty_like(value)
        for place in np.ndindex(value.shape):
            step = np.zeros_like(value)
            step[place] = 1e-6
            ends = [(value + sign * step if k == 0 else a) @ (value + sign * step if k else b) for sign in (1, -1)]
            slopes[place] = (ends[0].sum() - ends[1].sum()) / 2e-6
        np.testing.assert_allclose(world.grad(loss, leaf), slopes, rtol=0, atol=1e-4)


# -- context_and_promotion.rs


def test_context_id_is_unique(world):
    other = eager.EagerRuntime()
    assert other.id() != world.rt.id() and str(other.id()).startswith("ctx@")


def test_same_context_true_and_false(world):
    x = world.var(1.0)
    assert x.same_context(world.const(2.0)) and not x.same_context(World().var(1.0))


@pytest.mark.parametrize("name", ["add", "mul"])
@pytest.mark.parametrize("tracked", [False, True])
def test_cross_context_operands_are_rejected(world, name, tracked):
    other = World()
    x, y = (world.var(1.0), other.var(2.0)) if tracked else (world.const(1.0), other.const(2.0))
    with world.rt.session(world.engine) as s, refused("ContextMismatch", "different eager AD contexts"):
        getattr(s, name)(x, y)


def test_detach_into_different_context_leaves_the_original(world):
    other = World()
    x = world.var([1.0, 2.0])
    moved = x.detach_into(other.rt)
    assert moved.runtime() is other.rt and not moved.tracks_grad()
    equal(moved.value(), x.value())
    world.square(x)[1].backward(world.engine)
    equal(x.grad(), [2.0, 4.0])


def test_constant_from_can_cross_context(world):
    x = World().var([1.0])
    equal(world.const(x.value()).value(), [1.0])


def test_promote_i64_add_f64_eager(world):
    out = world.run(lambda s: s.add(world.const([1, 2]), world.const([0.5, 0.5])))
    assert out.dtype is ac.float64
    equal(out.value(), [1.5, 2.5])


@pytest.mark.parametrize("shapes", [((2,), (2,)), ((2,), ()), ((), (2,))])
def test_promote_f32_add_f64_eager_whatever_the_rank(world, shapes):
    x, y = world.var(np.ones(shapes[0], np.float32)), world.var(np.ones(shapes[1]))
    out = world.run(lambda s: s.add(x, y))
    assert out.dtype is ac.float64
    world.total(out).backward(world.engine)
    assert x.grad().dtype == np.float32 and y.grad().dtype == np.float64


def test_clamp_promotes_all_three_operands(world):
    out = world.run(lambda s: s.clamp(world.const(np.float32([2.0])), world.const(0), world.const(1.5)))
    assert out.dtype is ac.float64
    equal(out.value(), [1.5])


def test_mixed_concatenate_semantic_replay_promotes_inputs(world):
    x, y = world.var(np.float32([1.0])), world.var([2.0])
    out = world.run(lambda s: s.concatenate([x, y], 0))
    assert out.dtype is ac.float64
    world.total(out).backward(world.engine)
    assert (x.grad().dtype, y.grad().dtype) == (np.float32, np.float64)


# -- availability.rs


def test_a_scalar_with_seeds(world):
    x, two, zero = world.var(3.0), world.const(2.0), world.const(0.0)
    y, _ = world.square(x)
    assert world.rt.vjp(world.engine, y, x, two).value() == 12.0
    assert world.rt.jvp(world.engine, y, x, two).value() == 12.0
    assert y.backward_with(world.engine, zero)[x] == 0.0  # reached with zeros is not absent
    assert x.grad() == 0.0
    y.backward(world.engine)
    assert x.grad() == 6.0


# -- nn_composites.rs


@pytest.mark.parametrize("x", [-3.0, 0.0, 0.5, 40.0])
@pytest.mark.parametrize(
    "name, first, second",
    [
        ("sigmoid", lambda t, q: q * (1 - q), lambda t, q: q * (1 - q) * (1 - 2 * q)),
        ("softplus", lambda t, q: q, lambda t, q: q * (1 - q)),
        ("silu", lambda t, q: q * (1 + t * (1 - q)), lambda t, q: q * (1 - q) * (2 + t * (1 - 2 * q))),
    ],
)
def test_activations_have_their_closed_form_derivatives(world, name, first, second, x):
    q = 1 / (1 + math.exp(-x))
    v = world.var(x)
    y = world.run(lambda s: getattr(s, name)(v))
    g = world.rt.grad(world.engine, y, v)
    np.testing.assert_allclose(g.value(), first(x, q), rtol=1e-12, atol=1e-15)
    np.testing.assert_allclose(world.grad(g, v), second(x, q), rtol=1e-12, atol=1e-15)


def test_softmax_of_nothing_but_minus_infinity_is_zero_with_a_finite_gradient(world):
    x = world.var([[-math.inf, -math.inf], [0.0, 0.0]])
    y = world.run(lambda s: s.softmax(x, 1))
    equal(y.value(), [[0.0, 0.0], [0.5, 0.5]])
    assert np.isfinite(world.grad(world.total(y), x)).all()


def test_what_is_masked_out_gets_no_gradient_even_where_it_is_nan(world):
    x, mask = world.var([0.0, math.nan, 1.0]), world.const([True, False, True])
    for name in ("masked_softmax", "masked_log_softmax"):
        y = world.run(lambda s, name=name: getattr(s, name)(x, mask, 0))
        g = world.rt.vjp(world.engine, y, x, world.const([1.0, 5.0, 2.0])).value()
        assert g[1] == 0.0 and np.isfinite(g).all()


def test_softmax_and_layer_norm_agree_with_pytorch(world, rng):
    import torch

    a, w, b = rng.standard_normal((3, 4)), rng.standard_normal(4), rng.standard_normal(4)
    v = rng.standard_normal((3, 4))
    programs = {
        "softmax": (lambda s, x, w, b: s.softmax(x, 1), lambda x, w, b: torch.softmax(x, 1)),
        "log_softmax": (lambda s, x, w, b: s.log_softmax(x, 1), lambda x, w, b: torch.log_softmax(x, 1)),
        "layer_norm": (
            lambda s, x, w, b: s.layer_norm(x, 1, w, b),
            lambda x, w, b: torch.nn.functional.layer_norm(x, (4,), w, b),
        ),
        "rms_norm": (
            lambda s, x, w, b: s.rms_norm(x, 1, w),
            lambda x, w, b: torch.nn.functional.rms_norm(x, (4,), w, 1e-5),
        ),
    }
    for name, (ours, theirs) in programs.items():
        leaves = [world.var(t) for t in (a, w, b)]
        tensors = [torch.tensor(t, requires_grad=True) for t in (a, w, b)]
        world.run(ours, *leaves).backward_with(world.engine, world.const(v))
        theirs(*tensors).backward(torch.tensor(v))
        for leaf, tensor in zip(leaves, tensors):
            assert (leaf.grad() is None) == (tensor.grad is None), name
            if tensor.grad is not None:
                np.testing.assert_allclose(leaf.grad(), tensor.grad, rtol=1e-12, atol=1e-13, err_msg=name)


# -- extensions


def test_linear_algebra_has_the_derivatives_of_the_matrix_calculus(world):
    a = np.array([[4.0, 1.0], [1.0, 3.0]])
    x = world.var(a)
    inverse = np.linalg.inv(a)
    np.testing.assert_allclose(world.grad(world.run(lambda s: s.det(x)), x), 11.0 * inverse.T, atol=1e-12)
    np.testing.assert_allclose(world.grad(world.run(lambda s: s.slogdet(x)[1]), x), inverse.T, atol=1e-12)
    total = world.total(world.run(lambda s: s.solve(x, world.const([[1.0], [2.0]]))))
    np.testing.assert_allclose(
        world.grad(total, x), -inverse.T @ np.ones((2, 1)) @ (inverse @ [[1.0], [2.0]]).T, atol=1e-12
    )
    np.testing.assert_allclose(world.grad(world.total(world.run(lambda s: s.eigvalsh(x))), x), np.eye(2), atol=1e-12)


def test_dot_general_puts_the_batch_last(world, rng):
    a, b = rng.standard_normal((5, 2, 3)), rng.standard_normal((4, 5, 3))
    x, y = world.var(a), world.var(b)
    out = world.run(lambda s: s.dot_general(x, y, DotGeneralConfig([2], [2], [0], [1])))
    np.testing.assert_allclose(out.value(), np.einsum("nik,jnk->ijn", a, b), atol=1e-14)
    world.total(out).backward(world.engine)
    np.testing.assert_allclose(x.grad(), np.einsum("ijn,jnk->nik", np.ones((2, 4, 5)), b), atol=1e-14)


def test_gather_of_windows_is_a_loop_over_the_corners(world, rng):
    a = rng.standard_normal((4, 5))
    corners = np.array([[0, 1], [2, 3], [9, 9]])  # the last is moved inside
    config = eager.GatherConfig((1,), (0,), (0, 1), 1, (1, 2))
    x = world.var(a)
    out = world.run(lambda s: s.gather(x, world.const(corners), config))
    equal(out.value(), np.array([a[0, 1:3], a[2, 3:5], a[3, 3:5]]))
    world.total(out).backward(world.engine)
    expected = np.zeros_like(a)
    expected[0, 1:3] = expected[2, 3:5] = expected[3, 3:5] = 1.0
    equal(x.grad(), expected)


@pytest.mark.parametrize("subscripts, reference", [("i->iii", 3), ("ij->jii", 2), ("i,j->iij", 2)])
def test_einsum_embeds_diagonals_anywhere(world, rng, subscripts, reference):
    left, right = subscripts.split("->")
    operands = [rng.standard_normal((2, 3)[: len(term)] if term != "j" else (3,)) for term in left.split(",")]
    out = world.run(lambda s: s.einsum([world.const(a) for a in operands], subscripts)).value()
    sizes = {"i": 2, "j": 3}
    expected = np.zeros([sizes[c] for c in right])
    for place in np.ndindex(*expected.shape):
        at = {}
        if all(at.setdefault(c, k) == k for c, k in zip(right, place)):
            expected[place] = math.prod(a[tuple(at[c] for c in t)] for a, t in zip(operands, left.split(",")))
    np.testing.assert_allclose(out, expected)


def test_a_custom_function_is_an_operation(world):
    class Double(ac.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, g):
            return g * 2

    x = world.var([1.0, 2.0])
    y = world.run(lambda s: s.apply_standard_op(Double.apply, [x]))
    equal(world.grad(world.total(y), x), [2.0, 2.0])


# -- what has no derivative


@pytest.mark.parametrize(
    "program",
    [
        lambda s, x: s.sign(x),
        lambda s, x: s.rem(x, x),
        lambda s, x: s.cast(s.cast(x, int), float),
        lambda s, x: s.cast(s.compare(x, x, CompareDir.Ge), float),
    ],
    ids=["sign", "rem", "a cast to integers", "compare"],
)
def test_a_leaf_reached_only_without_a_derivative_is_absent(world, program):
    x = world.var([1.5, -2.0])
    y = world.run(program, x)
    loss = world.total(y)
    assert y.tracks_grad()
    assert len(loss.backward(world.engine)) == 0 and x.grad() is None
    assert world.rt.grad_optional(world.engine, loss, x) is None
    assert world.rt.jvp_optional(world.engine, y, x, world.const([1.0, 1.0])) is None
    with refused("InvalidArgument", "grad is inactive"):
        world.rt.grad(world.engine, loss, x)


# -- what is left out


@pytest.mark.parametrize("name", sorted(METHODS))
def test_what_is_left_out_is_not_there(name):
    assert METHODS[name]
    for owner in (eager.EagerSession, eager.EagerRuntime, eager.EagerTensor):
        assert not hasattr(owner, name)


def test_what_is_left_out_of_the_tests_has_a_reason():
    here = {name.removeprefix("test_") for name in globals()}
    assert all(TESTS.values()) and not here.intersection(TESTS)


def test_threads_may_share_a_runtime(world):
    x = world.var([1.0, 2.0])
    engines = [eager.CpuEngine.serial() for _ in range(4)]

    def work(engine):
        for _ in range(25):
            world.rt.with_eager_session(engine, lambda s: s.reduce_sum(s.mul(x, x), None)).backward(engine)

    threads = [threading.Thread(target=work, args=(engine,)) for engine in engines]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    equal(x.grad(), [200.0, 400.0])
