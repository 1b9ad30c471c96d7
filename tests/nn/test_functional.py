"""nn.functional where samples do not reach: refusals, conventions, randomness, running statistics."""

import warnings

import numpy as np
import pytest
import torch

import autograd_core as ac

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])


def refused(call, T, *words):
    """The exception type of a call, whose message must hold the words."""
    try:
        call(T)
    except Exception as error:
        if T is ac:
            assert all(word in str(error) for word in words), str(error)
        return type(error).__name__
    raise AssertionError("nothing was raised")


def z(T, *shape):
    return T.zeros(*shape, requires_grad=True)


REFUSALS = {
    "batch size": (lambda T: T.nn.functional.cross_entropy(z(T, 3, 2), T.tensor([0, 1])), "(3)", "(2)"),
    "class out of bounds": (lambda T: T.nn.functional.cross_entropy(z(T, 3, 2), T.tensor([0, 1, 5])), "Target 5"),
    "class below zero": (lambda T: T.nn.functional.nll_loss(z(T, 1, 2), T.tensor([-1])), "Target -1"),
    "target shape": (
        lambda T: T.nn.functional.nll_loss(z(T, 2, 3, 4), T.zeros(2, 5, dtype=T.int64)),
        "[2, 4]",
        "[2, 5]",
    ),
    "target dtype": (lambda T: T.nn.functional.cross_entropy(z(T, 3, 2), T.tensor([0.0, 1.0, 0.0])), "dtype"),
    "probabilities dtype": (
        lambda T: T.nn.functional.cross_entropy(z(T, 3, 2), T.zeros(3, 2, dtype=T.int64)),
        "floating",
    ),
    "class weights": (
        lambda T: T.nn.functional.nll_loss(z(T, 1, 2), T.tensor([0]), weight=T.ones(3)),
        "all 2 classes",
        "[3]",
    ),
    "weight with history": (
        lambda T: T.nn.functional.nll_loss(z(T, 1, 2), T.tensor([0]), weight=z(T, 2)),
        "weight",
        "detach",
    ),
    "reduction": (lambda T: T.nn.functional.mse_loss(z(T, 2), T.ones(2), reduction="avg"), "avg", "mean"),
    "mse shapes": (lambda T: T.nn.functional.mse_loss(z(T, 2), T.ones(3)), "[2]", "[3]"),
    "bce shapes": (lambda T: T.nn.functional.binary_cross_entropy_with_logits(z(T, 3, 2), T.zeros(2)), "Target size"),
    "bce range": (
        lambda T: T.nn.functional.binary_cross_entropy(z(T, 2) + 2, T.zeros(2)),
        "between 0 and 1",
        "with_logits",
    ),
    "pos_weight with history": (
        lambda T: T.nn.functional.binary_cross_entropy_with_logits(z(T, 2), T.zeros(2), pos_weight=z(T, 2)),
        "pos_weight",
    ),
    "layer_norm shape": (lambda T: T.nn.functional.layer_norm(z(T, 3, 2), (3,)), "[3]", "[3, 2]"),
    "layer_norm weight": (lambda T: T.nn.functional.layer_norm(z(T, 3, 2), (2,), T.ones(3)), "weight"),
    "batch_norm one value": (lambda T: T.nn.functional.batch_norm(z(T, 1, 2), None, None, training=True), "[1, 2]"),
    "batch_norm sizes": (
        lambda T: T.nn.functional.batch_norm(z(T, 4, 3), T.zeros(2), T.ones(2)),
        "running_mean",
        "3",
        "2",
    ),
    "batch_norm statistics": (lambda T: T.nn.functional.batch_norm(z(T, 4, 3), None, None), "training=False"),
    "batch_norm mean with history": (
        lambda T: T.nn.functional.batch_norm(z(T, 4, 3), z(T, 3), T.ones(3)),
        "running_mean",
    ),
    "embedding range": (
        lambda T: T.nn.functional.embedding(T.tensor([0, 9]), z(T, 3, 2)),
        "index out of range",
        "9",
        "3",
    ),
    "embedding below zero": (lambda T: T.nn.functional.embedding(T.tensor([-1]), z(T, 3, 2)), "-1"),
    "embedding dtype": (lambda T: T.nn.functional.embedding(T.tensor([0.0]), z(T, 3, 2)), "float32", "long()"),
    "embedding padding": (lambda T: T.nn.functional.embedding(T.tensor([0]), z(T, 3, 2), padding_idx=7), "7", "3"),
    "one_hot classes": (lambda T: T.nn.functional.one_hot(T.tensor([0, 1]), 1), "num_classes"),
    "one_hot below zero": (lambda T: T.nn.functional.one_hot(T.tensor([0, -1])), "non-negative"),
    "one_hot dtype": (lambda T: T.nn.functional.one_hot(T.tensor([0.0])), "int64"),
    "one_hot empty": (lambda T: T.nn.functional.one_hot(T.tensor([], dtype=T.int64)), "num_classes"),
    "dropout p": (lambda T: T.nn.functional.dropout(z(T, 2), 1.5), "1.5"),
    "dropout dtype": (lambda T: T.nn.functional.dropout(T.ones(3, dtype=T.int64), 0.5), "int64"),
    "label_smoothing": (
        lambda T: T.nn.functional.cross_entropy(z(T, 1, 2), T.tensor([0]), label_smoothing=2.0),
        "label_smoothing",
    ),
    "BatchNorm1d axes": (lambda T: T.nn.BatchNorm1d(2)(T.ones(2)), "1D"),
}


@pytest.mark.filterwarnings("ignore:Using a target size")
@pytest.mark.parametrize("name", REFUSALS)
def test_refusals_have_the_type_of_torch_and_name_the_values(name):
    call, *words = REFUSALS[name]
    assert refused(call, ac, *words) == refused(call, torch)


@LIBRARIES
def test_unequal_sizes_of_mse_warn_and_broadcast(T):
    with pytest.warns(UserWarning, match="different to the input size"):
        loss = T.nn.functional.mse_loss(T.zeros(3, 1), T.ones(3))
    assert loss.item() == 1.0


@LIBRARIES
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
def test_when_every_target_is_ignored(T, reduction):
    scores = T.zeros(2, 3, dtype=T.float64, requires_grad=True)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        loss = T.nn.functional.cross_entropy(scores, T.tensor([-100, -100]), reduction=reduction)
        loss.sum().backward()
    assert not scores.grad.any()
    assert np.isnan(loss.item()) if reduction == "mean" else not loss.any()


@LIBRARIES
def test_an_ignored_row_may_hold_infinities(T):
    logp = T.tensor([[-1.0, -2.0], [-float("inf"), -float("inf")]], requires_grad=True)
    loss = T.nn.functional.nll_loss(logp, T.tensor([0, -100]))
    loss.backward()
    assert loss.item() == 1.0 and logp.grad.tolist() == [[-1.0, 0.0], [0.0, 0.0]]


@LIBRARIES
def test_certain_probabilities_have_bounded_losses_and_gradients(T):
    p = T.tensor([0.0, 1.0], dtype=T.float64, requires_grad=True)
    loss = T.nn.functional.binary_cross_entropy(p, T.tensor([1.0, 0.0], dtype=T.float64), reduction="sum")
    loss.backward()
    assert loss.item() == 200.0
    np.testing.assert_allclose(p.grad.numpy(), [-1e12, 1e12], rtol=1e-8)


@pytest.mark.parametrize("weight", [None, [0.5, 2.0, 1.5]])
def test_second_derivative_of_binary_cross_entropy(weight):
    p, t = (ac.tensor(v, dtype=ac.float64, requires_grad=True) for v in ([0.2, 0.5, 0.9], [0.1, 0.7, 0.6]))
    weight = None if weight is None else ac.tensor(weight, dtype=ac.float64)
    assert ac.autograd.gradgradcheck(lambda p, t: ac.nn.functional.binary_cross_entropy(p, t, weight), (p, t))


@pytest.mark.parametrize("training", [True, False])
def test_third_derivatives_of_normalization(training):
    print("seed 4")
    random = np.random.default_rng(4)
    x, w = (ac.tensor(random.normal(size=s), requires_grad=True) for s in ((4, 2), (2,)))
    mean, var = ac.tensor([0.1, 0.2], dtype=ac.float64), ac.tensor([1.5, 2.0], dtype=ac.float64)

    def first(x, w):
        statistics = (None, None) if training else (mean, var)
        y = ac.nn.functional.batch_norm(x, *statistics, w, training=training)
        return ac.autograd.grad((y * y * y).sum(), (x, w), create_graph=True)

    assert ac.autograd.gradgradcheck(first, (x, w))


def test_dropout_scales_what_it_keeps_and_multiplies_gradients_by_its_mask():
    print("seed 5")
    ac.manual_seed(5)
    x = ac.ones(2000, dtype=ac.float64, requires_grad=True)
    y = ac.nn.functional.dropout(x, 0.25)
    y.sum().backward()
    values = y.detach().numpy()
    assert set(np.unique(values)) == {0.0, 1 / 0.75} and abs((values == 0).mean() - 0.25) < 0.05
    np.testing.assert_array_equal(x.grad.numpy(), values)
    ac.manual_seed(5)
    np.testing.assert_array_equal(ac.nn.functional.dropout(x, 0.25).detach().numpy(), values)


@LIBRARIES
def test_dropout_of_nothing_is_the_input_itself(T):
    x = T.ones(3)
    assert T.nn.functional.dropout(x, 0.0) is x and T.nn.functional.dropout(x, 0.9, training=False) is x
    assert T.nn.Dropout(0.9).eval()(x) is x


@LIBRARIES
@pytest.mark.parametrize("momentum", [0.3, None])
def test_running_statistics(T, momentum):
    norm = T.nn.BatchNorm1d(2, momentum=momentum).double()
    for scale in (1.0, 3.0):
        with T.no_grad():
            norm(scale * T.tensor([[0.0, 1.0], [2.0, 5.0]], dtype=T.float64))
    expected = {
        0.3: ([1.11, 3.33], [0.49 + 0.21 * 2 + 0.3 * 18, 0.49 + 0.21 * 8 + 0.3 * 72]),
        None: ([2.0, 6.0], [10.0, 40.0]),
    }
    np.testing.assert_allclose(norm.running_mean.numpy(), expected[momentum][0])
    np.testing.assert_allclose(norm.running_var.numpy(), expected[momentum][1])
    assert norm.num_batches_tracked.item() == 2
    norm.eval()
    before = norm.running_mean.tolist()
    norm(T.ones(3, 2, dtype=T.float64))
    assert norm.running_mean.tolist() == before


@LIBRARIES
def test_batch_norm_without_statistics_uses_the_batch_in_evaluation_too(T):
    norm = T.nn.BatchNorm1d(1, track_running_stats=False, affine=False).eval()
    np.testing.assert_allclose(norm(T.tensor([[0.0], [2.0]])).numpy(), [[-1.0], [1.0]], rtol=1e-4)
    assert not list(norm.buffers()) and not norm.state_dict()


def test_two_training_batches_before_backward_are_fine_but_a_late_change_of_used_statistics_is_caught():
    norm = ac.nn.BatchNorm1d(1)
    x = ac.tensor([[0.0], [2.0]], requires_grad=True)
    (norm(x) + norm(x)).sum().backward()
    norm.eval()
    y = norm(x)
    norm.train()
    norm(x)
    with pytest.raises(RuntimeError, match=r"modified by an inplace operation.*batch_norm"):
        y.sum().backward()


@LIBRARIES
def test_an_in_place_activation_is_one_node(T):
    x = T.tensor([-1.0, 2.0], requires_grad=True)
    h = x * 2
    y = T.nn.functional.relu(h, inplace=True)
    assert y is h and y.grad_fn.name() == "ReluBackward0" and y._version == 1
    y.sum().backward()
    assert x.grad.tolist() == [0.0, 2.0]


NODES = [
    lambda F, x, i: F.mse_loss(x, x.detach() + 1),
    lambda F, x, i: F.nll_loss(x, i),
    lambda F, x, i: F.cross_entropy(x, i),
    lambda F, x, i: F.binary_cross_entropy_with_logits(x, x.detach()),
    lambda F, x, i: F.binary_cross_entropy(x.sigmoid(), x.detach().sigmoid()),
    lambda F, x, i: F.layer_norm(x, (2,)),
    lambda F, x, i: F.batch_norm(x, None, None, training=True),
    lambda F, x, i: F.embedding(i, x),
    lambda F, x, i: F.dropout(x, 0.5),
    lambda F, x, i: F.l1_loss(x, x.detach() + 1),
]


def chain(fn):
    """Names of the nodes along the first inputs, up to where no gradient flows."""
    names = []
    while fn is not None:
        names.append(fn.name().rsplit("::", 1)[-1])
        fn = fn.next_functions[0][0] if fn.next_functions else None
    return names


@pytest.mark.parametrize("f", NODES)
def test_graphs_have_the_nodes_of_torch(f):
    graphs = []
    for T in (ac, torch):
        x = T.tensor([[0.1, 0.2], [0.3, 0.5]], requires_grad=True)
        y = f(T.nn.functional, x, T.tensor([0, 1]))
        names = chain(y.grad_fn)
        graphs.append(
            names[:1] if "Embedding" in names[0] else names
        )  # our first input of it is the index, which leads nowhere
    assert graphs[0] == graphs[1]


@pytest.mark.parametrize("name", ["softmax", "log_softmax"])
@pytest.mark.parametrize("shape", [(), (3,), (2, 3), (2, 3, 4), (2, 3, 4, 2)])
def test_softmax_without_an_axis_chooses_one_and_warns(name, shape, rng):
    x = rng.normal(size=shape)
    results = []
    for T in (torch, ac):
        with pytest.warns(UserWarning, match=f"Implicit dimension choice for {name} has been deprecated") as caught:
            results.append(getattr(T.nn.functional, name)(T.tensor(x)))
        assert caught[0].filename == __file__
    np.testing.assert_allclose(results[1].numpy(), results[0].numpy())


# -- samples, and names that write into their input


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_a_hard_sample_is_one_hot_and_has_the_gradient_of_the_soft_one(T):
    print("seed 2")
    grads = []
    for hard in (False, True):
        T.manual_seed(2)
        logits = T.zeros(50, 4, requires_grad=True)
        sample = T.nn.functional.gumbel_softmax(logits, tau=0.5, hard=hard)
        assert T.allclose(sample.sum(-1), T.ones(50)) and sample.min().item() >= 0
        (sample * T.arange(4.0)).sum().backward()
        grads.append(logits.grad)
    assert set(sample.detach().round().flatten().tolist()) == {0.0, 1.0} and T.allclose(*grads)
    T.manual_seed(3)
    chosen = T.nn.functional.gumbel_softmax(T.tensor([[1.0, 3.0]]).log().expand(4000, 2), hard=True, dim=1)
    assert chosen[:, 1].mean().item() == pytest.approx(0.75, abs=0.03)


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
@pytest.mark.parametrize(
    "name, args",
    [
        ("relu_", ()),
        ("leaky_relu_", (0.1,)),
        ("hardtanh_", (-0.5, 0.5)),
        ("threshold_", (0.2, 9.0)),
        ("rrelu_", (0.1, 0.3)),
        ("elu_", (0.7,)),
        ("selu_", ()),
        ("celu_", (0.7,)),
    ],
)
def test_a_name_with_an_underscore_writes_into_its_input(T, name, args):
    F, x = T.nn.functional, T.tensor([-2.0, 0.3, 3.0], requires_grad=True)
    y = x * 1
    out = getattr(F, name)(y, *args)
    assert out is y and T.allclose(y, getattr(F, name[:-1])(x, *args))
    y.sum().backward()
    assert x.grad.shape == (3,)


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_words_of_refusals_that_people_search_for(T):
    F = T.nn.functional
    for call, error, words in (
        (lambda: F.binary_cross_entropy(T.rand(25), T.rand(25, 1)), ValueError, r"Using a target size \("),
        (lambda: F.nll_loss(T.ones(4, 3), T.zeros(4, 2, dtype=T.int64)), RuntimeError, "1D target tensor expected"),
        (lambda: F.fold(T.ones(1, 6, 10), (4, 5), (2, 3)), RuntimeError, "calculated number of sliding blocks"),
        (lambda: F.fold(T.ones(1, 12, 12), (4, 5), 2, dilation=8), RuntimeError, "array of sliding blocks as"),
        (lambda: F.unfold(T.ones(1, 2, 2, 2), (2, 3)), RuntimeError, "components must be at least one"),
        (
            lambda: T.nn.FractionalMaxPool2d(2, output_ratio=[0.5, 0.5, 0.6])(T.ones(1, 1, 8, 8)),
            ValueError,
            "requires output_ratio to either be a single Int or tuple of Ints.",
        ),
    ):
        with pytest.raises(error, match=words):
            call()


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_cross_entropy_with_probabilities_of_no_class(T):
    for shape in ((5, 0), (0, 3)):
        with np.errstate(invalid="ignore"):
            assert T.nn.functional.cross_entropy(T.ones(*shape), T.ones(*shape)).isnan().item()


@pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
def test_padding_may_not_remove_more_than_there_is(T):
    x = T.arange(4.0).reshape(1, 1, 4)
    for mode in ("constant", "reflect", "replicate", "circular"):
        with pytest.raises(RuntimeError):
            T.nn.functional.pad(x, (-3, -2), mode=mode)
    for mode in ("reflect", "replicate"):
        with pytest.raises(RuntimeError, match="too small"):
            T.nn.functional.pad(x, (-2, -2), mode=mode)
    assert T.nn.functional.pad(x, (-2, -2), mode="circular").shape == (1, 1, 0)
    for mode in ("reflect", "replicate"):
        assert T.nn.functional.pad(x.expand(1, 1, 3, 4), (-2, -2, 0, 0), mode=mode).shape == (1, 1, 3, 0)
