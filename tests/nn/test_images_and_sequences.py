"""Normalization, resampling, embedding, attention and dropout where samples do not reach.

Refusals, conventions, randomness, and what is written in place.
"""

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def resized(T, *shape, **options):
    return T.nn.functional.interpolate(T.zeros(*shape), **options)


def sampled(T, shape, grid, **options):
    return T.nn.functional.grid_sample(T.zeros(*shape), T.zeros(*grid), align_corners=False, **options)


def attended(T, *shapes, **options):
    return T.nn.functional.scaled_dot_product_attention(*[T.zeros(*shape) for shape in shapes], **options)


def bagged(T, index, *args, **options):
    return T.nn.functional.embedding_bag(T.tensor(index), T.zeros(4, 2), *args, **options)


def headed(T, query=(3, 1, 4), memory=(3, 1, 4), width=4, heads=2, packed=True, biases=(None, None), **options):
    weight = T.zeros(12, 4) if packed else None
    key = T.zeros(*memory)
    return T.nn.functional.multi_head_attention_forward(
        *(T.zeros(*query), key, key, width, heads, weight, None, *biases, False, 0.0, T.zeros(4, 4), None), **options
    )


# name -> the call in a library, and words of the message
REFUSALS = {
    "no size": (lambda T: resized(T, 1, 1, 4), "size or scale_factor"),
    "size and factor": (lambda T: resized(T, 1, 1, 4, size=2, scale_factor=2.0), "only one of"),
    "number of sizes": (lambda T: resized(T, 1, 1, 4, 4, size=(2,)), "[1, 1, 4, 4]", "(2,)"),
    "number of factors": (lambda T: resized(T, 1, 1, 4, scale_factor=(2.0, 2.0)), "scale_factor"),
    "size no int": (lambda T: resized(T, 1, 1, 4, size=(2.5,)), "2.5"),
    "mode and axes": (lambda T: resized(T, 1, 1, 4, size=2, mode="bilinear"), "3D", "bilinear", "4D"),
    "mode": (lambda T: resized(T, 1, 1, 4, size=2, mode="sharp"), "sharp"),
    "axes": (lambda T: resized(T, 4, 4, size=()), "2D"),
    "corners of nearest": (lambda T: resized(T, 1, 1, 4, size=2, align_corners=True), "align_corners", "nearest"),
    "recomputed size": (lambda T: resized(T, 1, 1, 4, size=2, recompute_scale_factor=True), "recompute_scale_factor"),
    "antialias": (lambda T: resized(T, 1, 1, 4, size=2, mode="linear", antialias=True), "antialias", "linear"),
    "nothing left": (lambda T: resized(T, 1, 1, 4, scale_factor=0.1), "greater than 0", "[1, 1, 4]"),
    "grid mode": (lambda T: sampled(T, (1, 1, 2, 2), (1, 2, 2, 2), mode="sharp"), "sharp"),
    "grid padding": (lambda T: sampled(T, (1, 1, 2, 2), (1, 2, 2, 2), padding_mode="wrap"), "wrap"),
    "grid axes": (lambda T: sampled(T, (1, 1, 2, 2), (1, 2, 2, 2, 3)), "[1, 1, 2, 2]", "[1, 2, 2, 2, 3]"),
    "grid coordinates": (lambda T: sampled(T, (1, 1, 2, 2), (1, 2, 2, 3)), "last dimension"),
    "grid batch": (lambda T: sampled(T, (1, 1, 2, 2), (2, 2, 2, 2)), "batch size"),
    "grid of nothing": (lambda T: sampled(T, (1, 1, 0, 2), (1, 2, 2, 2)), "non-empty"),
    "grid cubic": (lambda T: sampled(T, (1, 1, 2, 2, 2), (1, 2, 2, 2, 3), mode="bicubic"), "4D"),
    "affine matrix": (
        lambda T: T.nn.functional.affine_grid(T.zeros(1, 3, 3), (1, 1, 2, 2), align_corners=False),
        "Nx2x3",
        "[1, 3, 3]",
    ),
    "affine size": (
        lambda T: T.nn.functional.affine_grid(T.zeros(1, 2, 3), (1, 2, 2), align_corners=False),
        "4D and 5D",
    ),
    "affine dtype": (
        lambda T: T.nn.functional.affine_grid(T.zeros(1, 2, 3, dtype=T.int64), (1, 1, 2, 2), align_corners=False),
        "floating",
    ),
    "pixels": (lambda T: T.pixel_shuffle(T.zeros(3, 2, 2), 2), "3", "4"),
    "pixels together": (lambda T: T.pixel_unshuffle(T.zeros(1, 3, 2), 2), "height", "3"),
    "pixels of a matrix": (lambda T: T.pixel_shuffle(T.zeros(2, 2), 2), "3 dimensions"),
    "channels": (lambda T: T.channel_shuffle(T.zeros(1, 3, 2), 2), "2 groups", "3 channels"),
    "groups": (lambda T: T.nn.functional.group_norm(T.zeros(2, 3), 2), "num_groups=2", "[2, 3]"),
    "group of one": (lambda T: T.nn.functional.group_norm(T.zeros(1, 1), 1), "[1, 1]"),
    "instance of one": (lambda T: T.nn.functional.instance_norm(T.zeros(2, 3, 1)), "[2, 3, 1]"),
    "rms shape": (lambda T: T.nn.functional.rms_norm(T.zeros(2, 3), (2,)), "[2]", "[2, 3]"),
    "response": (lambda T: T.nn.functional.local_response_norm(T.zeros(2, 3), 2), "2 dimensions"),
    "mask and causal": (lambda T: attended(T, (2, 3), (2, 3), (2, 3), (2, 2), is_causal=True), "is_causal"),
    "attention axes": (lambda T: attended(T, (3,), (2, 3), (2, 3)), "2 dimensional"),
    "attention widths": (lambda T: attended(T, (2, 3), (2, 4), (2, 3)), "2x3", "4x2"),
    "attention heads": (
        lambda T: attended(T, (1, 3, 2, 2), (1, 2, 2, 2), (1, 2, 2, 2), enable_gqa=True),
        "heads",
    ),
    "bag axes": (lambda T: bagged(T, [[[0]]]), "dimension 3"),
    "bag offsets": (lambda T: bagged(T, [0, 1]), "offsets"),
    "bag rows and offsets": (lambda T: bagged(T, [[0, 1]], T.tensor([0])), "offsets"),
    "bag start": (lambda T: bagged(T, [0, 1], T.tensor([1])), "offsets[0]", "1"),
    "bag end": (lambda T: bagged(T, [0, 1], T.tensor([0, 3])), "offsets[-1]", "3"),
    "bag mode": (lambda T: bagged(T, [[0, 1]], mode="median"), "median"),
    "bag weights": (lambda T: bagged(T, [[0, 1]], per_sample_weights=T.ones(1, 2)), "sum", "mean"),
    "bag weights shape": (lambda T: bagged(T, [[0, 1]], per_sample_weights=T.ones(2), mode="sum"), "[2]", "[1, 2]"),
    "bag frequency": (lambda T: bagged(T, [[0, 1]], mode="max", scale_grad_by_freq=True), "frequency"),
    "heads": (lambda T: headed(T, heads=3), "4", "3"),
    "heads width": (lambda T: headed(T, width=5), "5", "4"),
    "heads axes": (lambda T: headed(T, memory=(3, 4)), "2-D"),
    "heads weight": (lambda T: headed(T, packed=False), "in_proj_weight"),
    "heads mask": (lambda T: headed(T, attn_mask=T.zeros(2, 2)), "(2, 2)", "(3, 3)"),
    "heads mask dtype": (lambda T: headed(T, attn_mask=T.zeros(3, 3, dtype=T.int64)), "attn_mask"),
    "heads padding": (lambda T: headed(T, key_padding_mask=T.zeros(1, 2)), "(1, 2)", "(1, 3)"),
    "heads causal": (lambda T: headed(T, is_causal=True), "attn_mask"),
    "dropout1d axes": (lambda T: T.nn.functional.dropout1d(T.zeros(2)), "1D"),
    "dropout2d p": (lambda T: T.nn.functional.dropout2d(T.zeros(1, 1, 1, 1), -0.1), "-0.1"),
    "feature axes": (lambda T: T.nn.functional.feature_alpha_dropout(T.zeros(2), training=True), "2 dimensions"),
}


def error_of(call, T) -> Exception:
    """What a call raises."""
    try:
        call(T)
    except Exception as error:
        return error
    raise AssertionError(f"nothing was raised with {T.__name__}")


@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, *words = REFUSALS[name]
    ours, theirs = (error_of(call, T) for T in (ac, torch))
    assert type(ours) is type(theirs), f"{ours!r}, torch has {theirs!r}"
    assert all(word in str(ours) for word in words), str(ours)


@LIBRARIES
def test_resizing_to_the_same_size_copies(T):
    x = T.ones(1, 1, 2)
    T.nn.functional.interpolate(x, size=2).zero_()
    assert x.sum().item() == 2


@LIBRARIES
def test_places_without_a_convention_warn(T):
    with pytest.warns(UserWarning, match="align_corners"):
        grid = T.nn.functional.affine_grid(T.zeros(1, 2, 3), (1, 1, 2, 2))
    with pytest.warns(UserWarning, match="align_corners"):
        T.nn.functional.grid_sample(T.zeros(1, 1, 2, 2), grid)


@LIBRARIES
def test_the_upsample_functions_warn_that_they_are_old(T):
    for name in ("upsample", "upsample_nearest", "upsample_bilinear"):
        with pytest.warns(UserWarning, match=name):
            getattr(T.nn.functional, name)(T.zeros(1, 1, 2, 2), 3)


@pytest.mark.filterwarnings("ignore:invalid value")
def test_an_infinity_does_not_reach_pixels_that_are_not_its_neighbors():
    image = ac.zeros(1, 1, 1, 8)
    image[..., 0] = np.inf
    out = ac.nn.functional.interpolate(image, size=(1, 16), mode="bilinear")
    assert not out[..., 3:].isnan().any()
    x = ac.zeros(1, 1, 8, requires_grad=True)
    seed = ac.zeros(1, 1, 3)
    seed[..., 0] = np.inf
    ac.nn.functional.interpolate(x, size=3).backward(seed)
    assert x.grad[..., 1:].abs().sum().item() == 0


@LIBRARIES
def test_a_norm_limit_is_written_into_the_table_before_the_lookup(T):
    table = T.tensor([[3.0, 4.0], [0.3, 0.4], [6.0, 8.0]], requires_grad=True)
    version = table._version
    rows = T.nn.functional.embedding(T.tensor([0, 1, 0]), table, max_norm=1.0)
    assert table._version > version and table.is_leaf
    expected = np.array([[0.6, 0.8], [0.3, 0.4], [6.0, 8.0]])
    np.testing.assert_allclose(table.detach().numpy(), expected, rtol=1e-6)
    np.testing.assert_allclose(rows.detach().numpy(), expected[[0, 1, 0]], rtol=1e-6)
    rows.sum().backward()
    assert table.grad.tolist() == [[2.0, 2.0], [1.0, 1.0], [0.0, 0.0]]


def test_second_derivative_of_a_lookup_by_frequency():
    table = ac.rand(4, 2, dtype=ac.float64).requires_grad_()
    index = ac.tensor([1, 1, 3, 1])
    assert ac.autograd.gradgradcheck(
        lambda w: ac.nn.functional.embedding(index, w, padding_idx=3, scale_grad_by_freq=False).square(), [table]
    )
    rows = ac.nn.functional.embedding(index, table, scale_grad_by_freq=True)
    weights = ac.ones(4, 2, dtype=ac.float64, requires_grad=True)
    (grad,) = ac.autograd.grad(rows, table, weights, create_graph=True)
    assert grad.tolist() == [[0, 0], [1, 1], [0, 0], [1, 1]]
    (back,) = ac.autograd.grad(grad, weights, ac.ones(4, 2, dtype=ac.float64))
    np.testing.assert_allclose(back.numpy()[:, 0], [1 / 3, 1 / 3, 1, 1 / 3])


@pytest.mark.parametrize("mode", ["sum", "mean", "max"])
def test_second_derivatives_of_bags(mode):
    ac.manual_seed(4)
    table = ac.rand(5, 2, dtype=ac.float64).requires_grad_()
    index, offsets = ac.tensor([1, 1, 0, 3, 4]), ac.tensor([0, 2, 2])
    weights = {"per_sample_weights": ac.rand(5, dtype=ac.float64).requires_grad_()} if mode == "sum" else {}

    def f(table, *shares):
        named = {"per_sample_weights": shares[0]} if shares else {}
        return ac.nn.functional.embedding_bag(index, table, offsets, mode=mode, **named).square()

    assert ac.autograd.gradcheck(f, [table, *weights.values()])
    assert ac.autograd.gradgradcheck(f, [table, *weights.values()])


def test_second_derivatives_where_the_kernels_of_torch_have_none():
    ac.manual_seed(5)
    q = ac.rand(1, 4, 3, 2, dtype=ac.float64).requires_grad_()
    k, v = (ac.rand(1, 2, 5, 2, dtype=ac.float64).requires_grad_() for _ in range(2))
    attention = ac.nn.functional.scaled_dot_product_attention
    assert ac.autograd.gradgradcheck(lambda q, k, v: attention(q, k, v, enable_gqa=True), [q, k, v])


@pytest.mark.parametrize("name", ["dropout1d", "dropout2d", "dropout3d", "feature_alpha_dropout"])
def test_channels_are_dropped_whole(name):
    ac.manual_seed(0)
    axes = {"dropout1d": 1, "dropout3d": 3}.get(name, 2)
    x = ac.ones(5, 6, *[4] * axes, requires_grad=True)
    out = getattr(ac.nn.functional, name)(x, 0.4, training=True)
    flat = out.detach().numpy().reshape(30, -1)
    assert (flat == flat[:, :1]).all() and 2 <= len(np.unique(flat[:, 0])) <= 2
    out.sum().backward()
    assert ((x.grad.numpy().reshape(30, -1) != 0) == (flat == flat.max())).all()


def test_channels_of_a_single_entry_are_its_first_axis():
    ac.manual_seed(1)
    out = ac.nn.functional.dropout1d(ac.ones(20, 3)).numpy()
    assert (out == out[:, :1]).all() and set(out[:, 0]) == {0.0, 2.0}


@pytest.mark.parametrize("name", ["dropout2d", "dropout3d"])
def test_channel_dropout_of_another_rank_warns(name):
    with pytest.warns(UserWarning, match="2-D"):
        getattr(ac.nn.functional, name)(ac.ones(2, 3))


def test_alpha_dropout_keeps_the_mean_and_the_variance():
    ac.manual_seed(2)
    x = ac.randn(200_000)
    out = ac.nn.functional.alpha_dropout(x, 0.3, training=True)
    assert abs(out.mean().item()) < 0.02 and abs(out.var().item() - 1) < 0.02
    assert ac.nn.functional.alpha_dropout(x) is x  # not training unless told so


@LIBRARIES
@pytest.mark.parametrize("name", ["dropout", "alpha_dropout", "dropout2d", "feature_alpha_dropout"])
def test_dropout_in_place_writes_into_its_input(T, name):
    T.manual_seed(0)
    x = T.ones(8, 8, 4, 4)
    out = getattr(T.nn.functional, name)(x, 0.5, True, inplace=True)
    assert out is x and x._version > 0 and len(set(x.flatten().tolist())) == 2


def test_attention_drops_weights():
    ac.manual_seed(3)
    value = ac.ones(1, 50, 1)
    out = ac.nn.functional.scaled_dot_product_attention(ac.zeros(1, 40, 2), ac.zeros(1, 50, 2), value, dropout_p=0.5)
    assert 0.8 < out.mean().item() < 1.2 and len(set(out.flatten().tolist())) > 5


@pytest.mark.parametrize("padding", ["zeros", "border", "reflection"])
def test_a_place_that_is_no_number_shows_nothing(T, padding):
    image, nan, inf = T.zeros(1, 1, 3, 3), float("nan"), float("inf")
    grid = T.tensor([[[[nan, 0.0], [0.0, inf]]]], requires_grad=True)
    seen = T.nn.functional.grid_sample(image, grid, mode="nearest", padding_mode=padding, align_corners=False)
    seen.sum().backward()
    assert seen.tolist() == [[[[0.0, 0.0]]]]
    assert grid.grad.tolist() == [[[[0.0, 0.0], [0.0, 0.0]]]]


# -- nothing, and more than there can be


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("images, channels, places", [(0, 3, (2, 2)), (2, 3, (2, 0)), (2, 0, (2, 2))], ids=str)
def test_grids_of_nothing_are_sampled(T, mode, images, channels, places):
    x = T.ones(images, channels, 3, 3, requires_grad=True)
    grid = T.zeros(images, *places, 2, requires_grad=True)
    y = T.nn.functional.grid_sample(x, grid, mode=mode, align_corners=False)
    y.sum().backward()
    assert y.shape == (images, channels, *places) and x.grad.shape == x.shape and grid.grad.shape == grid.shape
    assert not x.grad.any() and not grid.grad.any()


def test_volumes_are_sampled_at_no_places(T):
    x, grid = T.ones(2, 3, 2, 2, 2), T.zeros(2, 1, 0, 4, 3)
    assert T.nn.functional.grid_sample(x, grid, align_corners=True).shape == (2, 3, 1, 0, 4)


GRIDS = {
    "batch": ((2, 1, 2, 2), (1, 1, 1, 3), "expected grid and input to have same batch size"),
    "a place of another rank": ((1, 2, 2), (1, 1, 1, 2), "expected grid to have size 1 in last dimension"),
    "a grid of another rank": ((1, 1, 2, 2), (1, 1, 1, 1, 3), "expected grid to have size 2 in last dimension"),
    "no pixels": ((1, 1, 0, 2), (1, 1, 1, 2), "expected input to have non-empty spatial dimensions"),
    "ranks": ((1, 1, 2, 2, 2), (1, 1, 1, 3), "input and grid with same number of dimensions"),
}


@pytest.mark.parametrize("what", GRIDS)
def test_a_grid_that_does_not_fit_is_named_in_the_order_of_pytorch(T, what):
    shape, places, words = GRIDS[what]
    with pytest.raises(RuntimeError, match=words):
        T.nn.functional.grid_sample(T.ones(shape), T.ones(places), align_corners=False)


def test_a_map_onto_one_pixel_warns_where_corners_are_aligned(T, recwarn):
    theta = T.ones(1, 2, 3)
    T.nn.functional.affine_grid(theta, (1, 1, 2, 1), align_corners=False)
    T.nn.functional.affine_grid(theta, (1, 1, 2, 2), align_corners=True)
    assert not recwarn.list
    with pytest.warns(UserWarning, match="See the documentation of affine_grid for details"):
        T.nn.functional.affine_grid(theta, (1, 1, 2, 1), align_corners=True)


@pytest.mark.parametrize("mode", ["bilinear", "nearest", "bicubic"])
@pytest.mark.parametrize("factor", [1e20, -1e20, float("inf"), float("nan")])
def test_a_size_that_no_int_holds_raises(T, mode, factor):
    with pytest.raises(RuntimeError, match="value cannot be converted to type int64_t without overflow"):
        T.nn.functional.interpolate(T.ones(1, 1, 4, 4), scale_factor=factor, mode=mode)


def test_a_size_that_no_memory_holds_raises(T):
    with pytest.raises(RuntimeError, match="Storage size calculation overflowed"):
        T.nn.functional.interpolate(T.ones(1, 1, 4, 4), size=(10**12, 10**12))
