"""Layer by layer: a layer of PyTorch gives its state to ours, and both compute the same, forward and backward.

The state goes over as it is, and back; outputs, gradients and buffers agree in float32 to 1e-5 of the largest entry, in
training and after `eval()`. Names and printed forms are PyTorch's.
"""

import numpy as np
import pytest
import torch

import autograd_core as ac
from tests.nn.test_loss_modules import LOSSES

LIBRARIES = pytest.mark.parametrize("T", [ac, torch], ids=["autograd_core", "torch"])
TOLERANCE = 1e-5


class Integers:
    """An input of integers below `high`."""

    def __init__(self, high, *shape):
        self.high, self.shape = high, shape


class Given:
    """An input with these values, through which no gradient is asked for."""

    def __init__(self, *values):
        self.values = np.array(values)


# name -> a function that makes the layer from a library's nn, and the inputs: shapes, or one of the above
LAYERS = {
    "Identity": (lambda nn: nn.Identity(), [(2, 3)]),
    "Linear": (lambda nn: nn.Linear(3, 4), [(2, 5, 3)]),
    "Linear, no bias": (lambda nn: nn.Linear(3, 4, bias=False), [(3,)]),
    "Bilinear": (lambda nn: nn.Bilinear(3, 4, 2), [(5, 3), (5, 4)]),
    "Embedding": (lambda nn: nn.Embedding(7, 3, padding_idx=-1), [Integers(7, 4, 5)]),
    "Embedding, by frequency": (lambda nn: nn.Embedding(3, 2, scale_grad_by_freq=True), [Integers(3, 9)]),
    "Embedding, max_norm": (lambda nn: nn.Embedding(5, 3, max_norm=1.0), [Integers(5, 3)]),
    "EmbeddingBag, mean": (lambda nn: nn.EmbeddingBag(7, 3), [Integers(7, 4, 5)]),
    "EmbeddingBag, sum": (
        lambda nn: nn.EmbeddingBag(7, 3, mode="sum", padding_idx=2),
        [Integers(7, 6), Given(0, 2)],
    ),
    "EmbeddingBag, max": (
        lambda nn: nn.EmbeddingBag(7, 3, mode="max", include_last_offset=True),
        [Integers(7, 6), Given(0, 2, 6)],
    ),
    # convolutions
    "Conv1d": (lambda nn: nn.Conv1d(4, 6, 3, stride=2, padding=1, dilation=2, groups=2), [(2, 4, 11)]),
    "Conv1d, same": (lambda nn: nn.Conv1d(2, 3, 4, padding="same"), [(2, 7)]),
    "Conv1d, same, reflect": (lambda nn: nn.Conv1d(2, 3, 4, padding="same", padding_mode="reflect"), [(3, 2, 7)]),
    "Conv2d": (lambda nn: nn.Conv2d(3, 4, (3, 2), padding=(1, 0), bias=False), [(2, 3, 6, 5)]),
    "Conv2d, circular": (lambda nn: nn.Conv2d(1, 2, 3, padding=(2, 1), padding_mode="circular"), [(2, 1, 4, 5)]),
    "Conv2d, valid, replicate": (
        lambda nn: nn.Conv2d(1, 2, 3, padding="valid", padding_mode="replicate"),
        [(2, 1, 4, 5)],
    ),
    "Conv3d": (lambda nn: nn.Conv3d(2, 3, 2, stride=(1, 2, 1)), [(2, 2, 3, 4, 3)]),
    "ConvTranspose1d": (
        lambda nn: nn.ConvTranspose1d(4, 6, 3, stride=2, padding=1, output_padding=1, groups=2, dilation=2),
        [(2, 4, 5)],
    ),
    "ConvTranspose2d": (lambda nn: nn.ConvTranspose2d(2, 3, 3, stride=(2, 1)), [(2, 2, 4, 3)]),
    "ConvTranspose3d": (lambda nn: nn.ConvTranspose3d(1, 2, 2, bias=False), [(1, 1, 2, 3, 2)]),
    # pooling
    "MaxPool1d": (lambda nn: nn.MaxPool1d(3, stride=2, padding=1, ceil_mode=True), [(2, 3, 8)]),
    "MaxPool2d": (lambda nn: nn.MaxPool2d((2, 3), dilation=(1, 2), return_indices=True), [(2, 3, 7, 8)]),
    "MaxPool3d": (lambda nn: nn.MaxPool3d(2), [(2, 3, 4, 4, 4)]),
    "AvgPool1d": (lambda nn: nn.AvgPool1d(3, stride=2, padding=1, count_include_pad=False), [(2, 3, 8)]),
    "AvgPool2d": (lambda nn: nn.AvgPool2d(2, divisor_override=3), [(2, 3, 5, 4)]),
    "AvgPool3d": (lambda nn: nn.AvgPool3d((2, 1, 2), ceil_mode=True), [(1, 2, 3, 3, 4)]),
    "AdaptiveAvgPool1d": (lambda nn: nn.AdaptiveAvgPool1d(3), [(2, 3, 8)]),
    "AdaptiveAvgPool2d": (lambda nn: nn.AdaptiveAvgPool2d((None, 3)), [(2, 3, 5, 7)]),
    "AdaptiveAvgPool3d": (lambda nn: nn.AdaptiveAvgPool3d(2), [(2, 1, 3, 4, 5)]),
    "AdaptiveMaxPool1d": (lambda nn: nn.AdaptiveMaxPool1d(3, return_indices=True), [(2, 3, 8)]),
    "AdaptiveMaxPool2d": (lambda nn: nn.AdaptiveMaxPool2d((None, 3)), [(2, 3, 5, 7)]),
    "AdaptiveMaxPool3d": (lambda nn: nn.AdaptiveMaxPool3d(2), [(2, 1, 3, 4, 5)]),
    "LPPool1d": (lambda nn: nn.LPPool1d(2, 3, stride=2), [(2, 3, 8)]),
    "LPPool2d": (lambda nn: nn.LPPool2d(2, 2), [(2, 3, 4, 4)]),
    "LPPool3d": (lambda nn: nn.LPPool3d(2, 2), [(2, 1, 4, 4, 4)]),
    "MaxUnpool1d": (lambda nn: nn.MaxUnpool1d(2), [(1, 1, 2), Given([[0, 3]])]),
    "MaxUnpool2d": (lambda nn: nn.MaxUnpool2d(2, stride=(2, 2)), [(1, 1, 1, 2), Given([[[0, 7]]])]),
    "MaxUnpool3d": (lambda nn: nn.MaxUnpool3d(2), [(1, 1, 1, 1, 1), Given([[[[5]]]])]),
    # padding
    "ConstantPad1d": (lambda nn: nn.ConstantPad1d((1, 2), 3.5), [(2, 3)]),
    "ConstantPad2d": (lambda nn: nn.ConstantPad2d(1, -1.0), [(2, 3, 3)]),
    "ConstantPad3d": (lambda nn: nn.ConstantPad3d((1, 0, 2, 0, 0, 1), 0.5), [(2, 2, 2, 3)]),
    "ZeroPad1d": (lambda nn: nn.ZeroPad1d(2), [(2, 3)]),
    "ZeroPad2d": (lambda nn: nn.ZeroPad2d((1, -1, 0, 2)), [(2, 3, 3)]),
    "ZeroPad3d": (lambda nn: nn.ZeroPad3d(1), [(2, 2, 2, 2)]),
    "ReflectionPad1d": (lambda nn: nn.ReflectionPad1d((2, 1)), [(2, 4)]),
    "ReflectionPad2d": (lambda nn: nn.ReflectionPad2d(1), [(2, 3, 4)]),
    "ReflectionPad3d": (lambda nn: nn.ReflectionPad3d(1), [(1, 2, 3, 2)]),
    "ReplicationPad1d": (lambda nn: nn.ReplicationPad1d((2, 1)), [(2, 4)]),
    "ReplicationPad2d": (lambda nn: nn.ReplicationPad2d(1), [(2, 3, 4)]),
    "ReplicationPad3d": (lambda nn: nn.ReplicationPad3d(1), [(1, 2, 3, 2)]),
    "CircularPad1d": (lambda nn: nn.CircularPad1d((2, 1)), [(2, 4)]),
    "CircularPad2d": (lambda nn: nn.CircularPad2d(1), [(2, 3, 4)]),
    "CircularPad3d": (lambda nn: nn.CircularPad3d(1), [(1, 2, 3, 2)]),
    # normalization
    "BatchNorm1d": (lambda nn: nn.BatchNorm1d(3), [(4, 3)]),
    "BatchNorm1d, plain average": (lambda nn: nn.BatchNorm1d(3, momentum=None, affine=False), [(4, 3, 5)]),
    "BatchNorm1d, no memory": (lambda nn: nn.BatchNorm1d(3, track_running_stats=False, bias=False), [(4, 3)]),
    "BatchNorm2d": (lambda nn: nn.BatchNorm2d(3, eps=1e-3, momentum=0.3), [(4, 3, 2, 2)]),
    "BatchNorm3d": (lambda nn: nn.BatchNorm3d(2), [(2, 2, 2, 3, 2)]),
    "LayerNorm": (lambda nn: nn.LayerNorm((3, 4)), [(2, 3, 4)]),
    "LayerNorm, no bias": (lambda nn: nn.LayerNorm(4, bias=False), [(2, 3, 4)]),
    "RMSNorm": (lambda nn: nn.RMSNorm(4), [(2, 3, 4)]),
    "GroupNorm": (lambda nn: nn.GroupNorm(2, 4), [(2, 4, 3)]),
    "GroupNorm, no bias": (lambda nn: nn.GroupNorm(2, 4, bias=False), [(2, 4, 3)]),
    "InstanceNorm1d": (lambda nn: nn.InstanceNorm1d(3), [(3, 5)]),
    "InstanceNorm2d": (lambda nn: nn.InstanceNorm2d(3, affine=True, track_running_stats=True), [(2, 3, 4, 4)]),
    "InstanceNorm3d": (lambda nn: nn.InstanceNorm3d(2, affine=True, bias=False), [(2, 2, 2, 3, 2)]),
    "LocalResponseNorm": (lambda nn: nn.LocalResponseNorm(2, alpha=0.1), [(2, 4, 3)]),
    # dropout that drops nothing; what it drops is tested below
    "Dropout": (lambda nn: nn.Dropout(0.0), [(2, 3)]),
    "Dropout1d": (lambda nn: nn.Dropout1d(0.0), [(2, 3, 4)]),
    "Dropout2d": (lambda nn: nn.Dropout2d(0.0, inplace=True), [(2, 3, 4, 4)]),
    "Dropout3d": (lambda nn: nn.Dropout3d(1.0), [(2, 3, 2, 2, 2)]),
    "AlphaDropout": (lambda nn: nn.AlphaDropout(1.0), [(2, 3)]),
    "FeatureAlphaDropout": (lambda nn: nn.FeatureAlphaDropout(0.0), [(2, 3, 4)]),
    # activations
    "Threshold": (lambda nn: nn.Threshold(0.1, 20.0), [(3, 4)]),
    "ReLU": (lambda nn: nn.ReLU(), [(3, 4)]),
    "RReLU": (lambda nn: nn.RReLU(0.25, 0.25), [(3, 4)]),
    "Hardtanh": (lambda nn: nn.Hardtanh(-0.5, 2.0), [(3, 4)]),
    "ReLU6": (lambda nn: nn.ReLU6(), [(3, 4)]),
    "Sigmoid": (lambda nn: nn.Sigmoid(), [(3, 4)]),
    "Hardsigmoid": (lambda nn: nn.Hardsigmoid(), [(3, 4)]),
    "Tanh": (lambda nn: nn.Tanh(), [(3, 4)]),
    "SiLU": (lambda nn: nn.SiLU(), [(3, 4)]),
    "Mish": (lambda nn: nn.Mish(), [(3, 4)]),
    "Hardswish": (lambda nn: nn.Hardswish(), [(3, 4)]),
    "ELU": (lambda nn: nn.ELU(0.7), [(3, 4)]),
    "CELU": (lambda nn: nn.CELU(0.7), [(3, 4)]),
    "SELU": (lambda nn: nn.SELU(), [(3, 4)]),
    "GLU": (lambda nn: nn.GLU(1), [(3, 4)]),
    "GELU": (lambda nn: nn.GELU(), [(3, 4)]),
    "GELU, tanh": (lambda nn: nn.GELU(approximate="tanh"), [(3, 4)]),
    "Hardshrink": (lambda nn: nn.Hardshrink(0.3), [(3, 4)]),
    "LeakyReLU": (lambda nn: nn.LeakyReLU(0.2), [(3, 4)]),
    "LogSigmoid": (lambda nn: nn.LogSigmoid(), [(3, 4)]),
    "Softplus": (lambda nn: nn.Softplus(beta=2.0, threshold=1.0), [(3, 4)]),
    "Softshrink": (lambda nn: nn.Softshrink(0.3), [(3, 4)]),
    "PReLU": (lambda nn: nn.PReLU(), [(3, 4)]),
    "PReLU, by channel": (lambda nn: nn.PReLU(4, init=0.1), [(3, 4)]),
    "Softsign": (lambda nn: nn.Softsign(), [(3, 4)]),
    "Tanhshrink": (lambda nn: nn.Tanhshrink(), [(3, 4)]),
    "Softmin": (lambda nn: nn.Softmin(dim=1), [(3, 4)]),
    "Softmax": (lambda nn: nn.Softmax(dim=0), [(3, 4)]),
    "Softmax2d": (lambda nn: nn.Softmax2d(), [(2, 3, 2, 2)]),
    "LogSoftmax": (lambda nn: nn.LogSoftmax(dim=-1), [(3, 4)]),
    # rearranging and distances
    "Flatten": (lambda nn: nn.Flatten(), [(2, 3, 4)]),
    "Unflatten": (lambda nn: nn.Unflatten(1, (2, -1)), [(3, 4)]),
    "Unfold": (lambda nn: nn.Unfold(2, padding=1), [(1, 2, 3, 4)]),
    "Fold": (lambda nn: nn.Fold((3, 4), 2), [(1, 8, 6)]),
    "PixelShuffle": (lambda nn: nn.PixelShuffle(2), [(1, 4, 2, 3)]),
    "PixelUnshuffle": (lambda nn: nn.PixelUnshuffle(2), [(1, 1, 4, 6)]),
    "ChannelShuffle": (lambda nn: nn.ChannelShuffle(2), [(1, 4, 2, 2)]),
    "Upsample": (lambda nn: nn.Upsample(scale_factor=2), [(1, 2, 3)]),
    "Upsample, bilinear": (lambda nn: nn.Upsample(size=(4, 5), mode="bilinear", align_corners=False), [(1, 2, 3, 3)]),
    "UpsamplingNearest2d": (lambda nn: nn.UpsamplingNearest2d(scale_factor=(2, 1)), [(1, 2, 3, 3)]),
    "UpsamplingBilinear2d": (lambda nn: nn.UpsamplingBilinear2d(size=(5, 4)), [(1, 2, 3, 3)]),
    "CosineSimilarity": (lambda nn: nn.CosineSimilarity(), [(3, 4), (3, 4)]),
    "PairwiseDistance": (lambda nn: nn.PairwiseDistance(keepdim=True), [(3, 4), (3, 4)]),
    # attention
    "MultiheadAttention": (lambda nn: nn.MultiheadAttention(8, 2), [(3, 2, 8), (5, 2, 8), (5, 2, 8)]),
    "MultiheadAttention, all options": (
        lambda nn: nn.MultiheadAttention(
            8, 2, bias=False, add_bias_kv=True, add_zero_attn=True, kdim=5, vdim=6, batch_first=True
        ),
        [(2, 3, 8), (2, 4, 5), (2, 4, 6)],
    ),
    "MultiheadAttention, no batch": (
        lambda nn: nn.MultiheadAttention(8, 2, add_bias_kv=True),
        [(3, 8), (5, 8), (5, 8)],
    ),
    "TransformerEncoderLayer": (lambda nn: nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0), [(3, 2, 8)]),
    "TransformerEncoderLayer, norm first": (
        lambda nn: nn.TransformerEncoderLayer(
            8, 2, 16, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, bias=False
        ),
        [(2, 3, 8)],
    ),
    "TransformerEncoder": (
        lambda nn: nn.TransformerEncoder(
            nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2, nn.LayerNorm(8)
        ),
        [(2, 3, 8)],
    ),
    "TransformerDecoderLayer": (
        lambda nn: nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0),
        [(3, 2, 8), (4, 2, 8)],
    ),
    "TransformerDecoder": (
        lambda nn: nn.TransformerDecoder(nn.TransformerDecoderLayer(8, 2, 16, dropout=0.0, norm_first=True), 2),
        [(3, 2, 8), (4, 2, 8)],
    ),
    "Transformer": (
        lambda nn: nn.Transformer(8, 2, 1, 1, 16, dropout=0.0, batch_first=True),
        [(2, 4, 8), (2, 3, 8)],
    ),
    # recurrent
    "RNN": (lambda nn: nn.RNN(3, 4), [(5, 2, 3)]),
    "RNN, relu, no bias": (
        lambda nn: nn.RNN(3, 4, 2, nonlinearity="relu", bias=False, batch_first=True),
        [(2, 5, 3), (2, 2, 4)],
    ),
    "RNN, bidirectional": (lambda nn: nn.RNN(3, 4, 2, bidirectional=True), [(5, 2, 3), (4, 2, 4)]),
    "LSTM": (lambda nn: nn.LSTM(3, 4), [(5, 2, 3)]),
    "LSTM, stacked": (
        lambda nn: nn.LSTM(3, 4, 2, bidirectional=True, batch_first=True),
        [(2, 5, 3), [(4, 2, 4), (4, 2, 4)]],
    ),
    "LSTM, projected": (
        lambda nn: nn.LSTM(3, 4, 2, proj_size=2, bidirectional=True, bias=False),
        [(5, 2, 3), [(4, 2, 2), (4, 2, 4)]],
    ),
    "LSTM, no batch": (lambda nn: nn.LSTM(3, 4, dropout=0.0), [(5, 3), [(1, 4), (1, 4)]]),
    "GRU": (lambda nn: nn.GRU(3, 4), [(5, 2, 3), (1, 2, 4)]),
    "GRU, stacked": (lambda nn: nn.GRU(3, 4, 3, bidirectional=True), [(5, 2, 3)]),
    "GRU, no bias": (lambda nn: nn.GRU(3, 4, bias=False), [(5, 3)]),
    "RNNCell": (lambda nn: nn.RNNCell(3, 4), [(2, 3), (2, 4)]),
    "RNNCell, relu": (lambda nn: nn.RNNCell(3, 4, bias=False, nonlinearity="relu"), [(3,)]),
    "LSTMCell": (lambda nn: nn.LSTMCell(3, 4), [(2, 3), [(2, 4), (2, 4)]]),
    "LSTMCell, no batch": (lambda nn: nn.LSTMCell(3, 4, bias=False), [(3,), [(4,), (4,)]]),
    "GRUCell": (lambda nn: nn.GRUCell(3, 4), [(2, 3)]),
    "GRUCell, no bias": (lambda nn: nn.GRUCell(3, 4, bias=False), [(2, 3), (2, 4)]),
    # containers
    "Sequential": (
        lambda nn: nn.Sequential(
            nn.Conv2d(1, 2, 3, bias=False),
            nn.BatchNorm2d(2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2),
            nn.Flatten(),
            nn.Linear(8, 3),
        ),
        [(3, 1, 6, 6)],
    ),
}


def drawn(rng, spec):
    """The values of an input."""
    if isinstance(spec, list):
        return [drawn(rng, part) for part in spec]
    if isinstance(spec, Given):
        return spec.values
    if isinstance(spec, Integers):
        return rng.integers(0, spec.high, spec.shape)
    return rng.normal(size=spec).astype(np.float32)


def as_input(T, value):
    """A value as a tensor of a library, a leaf if it is floating."""
    if isinstance(value, list):
        return tuple(as_input(T, part) for part in value)
    return T.tensor(value, requires_grad=value.dtype.kind == "f")


def flat(values):
    """All tensors in nested tuples."""
    if isinstance(values, (tuple, list)):
        return [t for value in values for t in flat(value)]
    return [] if values is None else [values]


def array(tensor):
    return tensor.detach().numpy()


def assert_near(ours, theirs, what):
    a, b = array(ours), array(theirs)
    assert a.shape == b.shape and a.dtype == b.dtype, what
    largest = np.abs(b).max(initial=1e-30)
    assert np.abs(a - b).max(initial=0) <= TOLERANCE * largest, what


def step(module, inputs, cotangents):
    """Outputs of a call of the module, after a backward from these cotangents."""
    outputs = flat(module(*inputs))
    loss = sum((t * g).sum() for t, g in zip(outputs, cotangents) if t.is_floating_point())
    if loss.requires_grad:
        loss.backward()
    return outputs


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
@pytest.mark.parametrize("name", LAYERS)
def test_a_layer_computes_what_the_layer_of_torch_does(name, training, rng):
    make, specs = LAYERS[name]
    theirs, ours = make(torch.nn), make(ac.nn)
    with torch.no_grad():  # weights of one, biases of zero and fresh statistics would hide mistakes
        for parameter in theirs.parameters():
            parameter.add_(torch.from_numpy(np.asarray(0.1 * rng.normal(size=tuple(parameter.shape)), np.float32)))
    ours.load_state_dict(theirs.state_dict())
    values = [drawn(rng, spec) for spec in specs]
    results = []
    for T, module in ((ac, ours), (torch, theirs)):
        module.train()
        T.manual_seed(0)
        for parameter in module.parameters():
            parameter.grad = None
        if not training:  # some statistics to use
            with T.no_grad():
                module(*[as_input(T, value) for value in values])
            module.eval()
        inputs = [as_input(T, value) for value in values]
        shapes = [tuple(t.shape) for t in flat(module(*[as_input(T, value) for value in values]))]
        seed = np.random.default_rng(5)
        outputs = step(module, inputs, [T.tensor(seed.normal(size=s).astype(np.float32)) for s in shapes])
        results.append((inputs, outputs))
    (our_inputs, our_outputs), (their_inputs, their_outputs) = results
    assert len(our_outputs) == len(their_outputs)
    for k, (a, b) in enumerate(zip(our_outputs, their_outputs)):
        assert_near(a, b, f"output {k}")
        assert a.requires_grad == b.requires_grad, f"output {k}"
    for k, (a, b) in enumerate(zip(flat(our_inputs), flat(their_inputs))):
        assert (a.grad is None) == (b.grad is None), f"input {k}"
        if b.grad is not None:
            assert_near(a.grad, b.grad, f"gradient of input {k}")
    gradients = dict(theirs.named_parameters())
    for path, parameter in ours.named_parameters():
        assert (parameter.grad is None) == (gradients[path].grad is None), path
        if parameter.grad is not None:
            assert_near(parameter.grad, gradients[path].grad, f"gradient of {path}")
    for path, value in ours.state_dict().items():
        assert_near(value, theirs.state_dict()[path], f"{path} after the step")


@pytest.mark.parametrize("name", LAYERS)
def test_names_shapes_and_printed_form_are_those_of_torch_and_the_state_goes_back(name):
    make, _ = LAYERS[name]
    theirs, ours = make(torch.nn), make(ac.nn)
    assert repr(ours) == repr(theirs).replace("NonDynamicallyQuantizableLinear", "Linear")
    for what in ("named_parameters", "named_buffers", "named_modules"):
        assert [n for n, _ in getattr(ours, what)()] == [n for n, _ in getattr(theirs, what)()]
    state = ours.state_dict()
    assert {n: (tuple(v.shape), str(v.dtype).split(".")[-1]) for n, v in state.items()} == {
        n: (tuple(v.shape), str(v.dtype).split(".")[-1]) for n, v in theirs.state_dict().items()
    }
    theirs.load_state_dict({name: torch.from_numpy(value.numpy().copy()) for name, value in state.items()})
    for path, value in theirs.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), state[path].numpy())


def spread(values):
    return float(values.min()), float(values.max()), float(values.mean()), float(values.std())


INITIAL = {
    "Linear": lambda nn: nn.Linear(50, 400),
    "Bilinear": lambda nn: nn.Bilinear(20, 30, 40),
    "Embedding": lambda nn: nn.Embedding(200, 100, padding_idx=3),
    "EmbeddingBag": lambda nn: nn.EmbeddingBag(200, 100),
    "Conv2d": lambda nn: nn.Conv2d(10, 400, 3, groups=2),
    "ConvTranspose2d": lambda nn: nn.ConvTranspose2d(40, 400, 3, groups=2),
    "BatchNorm2d": lambda nn: nn.BatchNorm2d(40),
    "PReLU": lambda nn: nn.PReLU(3),
    "MultiheadAttention": lambda nn: nn.MultiheadAttention(120, 4, add_bias_kv=True),
    "MultiheadAttention, separate": lambda nn: nn.MultiheadAttention(120, 4, kdim=60, vdim=90),
    "TransformerEncoderLayer": lambda nn: nn.TransformerEncoderLayer(64, 4, 256),
    "Transformer": lambda nn: nn.Transformer(64, 4, 1, 1, 128),
    "LSTM": lambda nn: nn.LSTM(30, 100, 2, proj_size=20),
    "GRUCell": lambda nn: nn.GRUCell(30, 100),
}


@pytest.mark.parametrize("name", INITIAL)
def test_initial_values_have_the_distribution_of_torch(name):
    """The ends, the mean and the spread of many values are near; where there are few, their bounds."""
    print("seed 0")
    ac.manual_seed(0)
    torch.manual_seed(0)
    theirs = INITIAL[name](torch.nn).state_dict()
    for path, value in INITIAL[name](ac.nn).state_dict().items():
        a, b = array(value), array(theirs[path])
        scale = np.abs(b).max() or 1.0
        room = 0.05 if a.size >= 5000 else 0.3
        normal = "Embedding" in name or "bias_k" in path or "bias_v" in path
        assert abs(a.std() - b.std()) <= room * scale, path
        assert abs(a.mean() - b.mean()) <= room * scale, path
        if normal:
            assert np.abs(a).max() > 2 * a.std(), path
        else:
            assert np.abs(a).max() == pytest.approx(np.abs(b).max(), rel=room), path


class Reader(torch.nn.Module):
    """A model of PyTorch's that reads a sequence of integers."""

    def __init__(self):
        super().__init__()
        build_reader(self, torch.nn)

    def forward(self, x):
        return read(self, x)


class OurReader(ac.nn.Module):
    """The same, of our parts."""

    def __init__(self):
        super().__init__()
        build_reader(self, ac.nn)

    def forward(self, x):
        return read(self, x)


def build_reader(model, nn):
    model.table = nn.Embedding(9, 8, padding_idx=0)
    model.encoder = nn.TransformerEncoder(nn.TransformerEncoderLayer(8, 2, 16, dropout=0.0, batch_first=True), 2)
    model.lstm = nn.LSTM(8, 6, 2, batch_first=True, bidirectional=True)
    model.head = nn.Linear(12, 3)


def read(model, x):
    encoded = model.encoder(model.table(x), src_key_padding_mask=x == 0)
    return model.head(model.lstm(encoded)[0][:, -1])


def viewer(nn):
    """A model that looks at images."""
    return nn.Sequential(
        nn.Conv2d(1, 4, 3, padding=1, bias=False),
        nn.BatchNorm2d(4),
        nn.GELU(),
        nn.AvgPool2d(2),
        nn.Conv2d(4, 6, 3, groups=2),
        nn.GroupNorm(3, 6),
        nn.SiLU(),
        nn.AdaptiveMaxPool2d(1),
        nn.Flatten(),
        nn.Linear(6, 3),
    )


@pytest.mark.parametrize("kind", ["images", "sequences"])
def test_models_that_are_trained_side_by_side_stay_together(kind, rng):
    """The same weights, batches and steps; the differences of rounding grow slowly."""
    torch.manual_seed(0)
    theirs, ours = (viewer(torch.nn), viewer(ac.nn)) if kind == "images" else (Reader(), OurReader())
    ours.load_state_dict(theirs.state_dict())
    images, words = rng.normal(size=(5, 8, 1, 8, 8)).astype(np.float32), rng.integers(0, 9, (5, 8, 6))
    words[:, :, 0] = 1  # a sequence that is all padding has nothing to look at
    labels = rng.integers(0, 3, (5, 8))
    losses = []
    for T, model in ((ac, ours), (torch, theirs)):
        optimizer = T.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        criterion, curve = T.nn.CrossEntropyLoss(), []
        for x, y in zip(images if kind == "images" else words, labels):
            optimizer.zero_grad()
            loss = criterion(model(T.tensor(x)), T.tensor(y))
            loss.backward()
            T.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            curve.append(loss.item())
        losses.append(curve)
    np.testing.assert_allclose(*losses, rtol=1e-4)
    for path, value in ours.state_dict().items():
        a, b = array(value), array(theirs.state_dict()[path])
        assert np.abs(a - b).max() <= 1e-4 * np.abs(b).max(), path


# -- what a table of equal results does not show


@LIBRARIES
@pytest.mark.parametrize("layer", ["Dropout", "AlphaDropout"])
def test_dropout_drops_while_training_only(T, layer):
    print("seed 0")
    T.manual_seed(0)
    x = T.ones(1000)
    dropout = getattr(T.nn, layer)(0.5)
    out = dropout(x)
    kept = (out == out.max()).sum().item()
    assert 400 < kept < 600 and len(set(out.tolist())) == 2
    assert dropout.eval()(x) is x
    with pytest.raises(ValueError, match=r"1\.5"):
        getattr(T.nn, layer)(1.5)


@LIBRARIES
def test_dropout_of_channels_drops_whole_ones(T):
    print("seed 1")
    T.manual_seed(1)
    out = T.nn.Dropout2d(0.5)(T.ones(8, 8, 2, 2))
    assert {tuple(channel) for channel in out.reshape(64, 4).tolist()} == {(0.0,) * 4, (2.0,) * 4}


@LIBRARIES
def test_dropout_of_a_recurrent_layer_is_between_layers(T):
    print("seed 2")
    T.manual_seed(2)
    rnn, x = T.nn.RNN(3, 200, 2, dropout=1.0), T.ones(2, 1, 3)
    bias = rnn.bias_ih_l1 + rnn.bias_hh_l1
    out, h = rnn(x)
    assert T.allclose(out[0, 0], T.tanh(bias), atol=1e-6)  # nothing of the first layer arrives
    still, h_still = rnn.eval()(x)
    assert T.allclose(h[0], h_still[0]) and not T.allclose(still[0, 0], T.tanh(bias), atol=1e-3)
    with pytest.warns(UserWarning, match="dropout=0.5 and num_layers=1"):
        T.nn.GRU(2, 2, dropout=0.5)


@LIBRARIES
def test_a_random_slope_is_drawn_while_training(T):
    layer, x = T.nn.RReLU(0.1, 0.3), -T.ones(100)
    slopes = -layer(x)
    assert slopes.min() >= 0.1 and slopes.max() <= 0.3 and slopes.std() > 0.01
    assert T.allclose(layer.eval()(x), T.full((100,), -0.2))


@LIBRARIES
@pytest.mark.parametrize("layer", ["FractionalMaxPool2d", "FractionalMaxPool3d"])
def test_fractional_pooling_takes_numbers_of_the_input(T, layer):
    axes = int(layer[-2])
    x = T.arange(float(6**axes)).reshape(1, 1, *[6] * axes)
    out, indices = getattr(T.nn, layer)(2, output_ratio=0.5, return_indices=True)(x)
    assert out.shape == (1, 1, *[3] * axes) and out.flatten().tolist() == indices.flatten().tolist()
    with pytest.raises(ValueError, match="output size, or a pooling ratio"):
        getattr(T.nn, layer)(2)


@LIBRARIES
def test_a_transposed_convolution_can_be_asked_for_a_size(T):
    layer, x = T.nn.ConvTranspose2d(1, 1, 3, stride=2), T.ones(1, 1, 4, 4)
    assert layer(x, output_size=(10, 9)).shape == (1, 1, 10, 9)
    assert layer(x, output_size=(1, 1, 9, 10)).shape == (1, 1, 9, 10)
    with pytest.raises(ValueError, match=r"valid sizes range from \[9, 9\]"):
        layer(x, output_size=(11, 9))
    with pytest.raises(ValueError, match="output_size must have"):
        layer(x, output_size=(9,))


@LIBRARIES
def test_masks_of_attention(T):
    attention = T.nn.MultiheadAttention(4, 2, batch_first=True)
    x = T.ones(1, 3, 4)
    causal = T.ones(3, 3, dtype=T.bool).triu(1)
    weights = attention(x, x, x, attn_mask=causal)[1]
    assert T.allclose(weights[0], T.tensor([[1, 0, 0], [1 / 2, 1 / 2, 0], [1 / 3, 1 / 3, 1 / 3]]), atol=1e-6)
    padding = T.tensor([[False, False, True]])
    each = attention(x, x, x, key_padding_mask=padding, average_attn_weights=False)[1]
    assert each.shape == (1, 2, 3, 3) and T.allclose(each[..., 2], T.zeros(1, 2, 3))
    assert attention(x, x, x, need_weights=False)[1] is None
    layer = T.nn.TransformerEncoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
    changed = T.cat([x[:, :2], 5 * x[:, 2:]], 1)
    ahead, behind = (layer(v, src_mask=causal)[:, :2] for v in (x, changed))
    assert T.allclose(ahead, behind)
    assert T.allclose(*(layer(v, src_key_padding_mask=padding)[:, :2] for v in (x, changed)))


@LIBRARIES
def test_pretrained_tables_are_frozen_and_not_copied(T):
    values = T.eye(3)
    table = T.nn.Embedding.from_pretrained(values)
    assert not table.weight.requires_grad and table.weight.data_ptr() == values.data_ptr()
    assert T.nn.Embedding.from_pretrained(values, freeze=False).weight.requires_grad
    assert T.nn.EmbeddingBag.from_pretrained(values, mode="sum")(T.tensor([[0, 2]])).tolist() == [[1.0, 0.0, 1.0]]


# name -> the call, and words of the message
REFUSALS = {
    "conv groups": (lambda T: T.nn.Conv1d(3, 4, 1, groups=2), "in_channels must be divisible by groups"),
    "conv out": (lambda T: T.nn.Conv1d(2, 3, 1, groups=2), "out_channels must be divisible by groups"),
    "conv no group": (lambda T: T.nn.Conv1d(2, 2, 1, groups=0), "groups must be a positive integer"),
    "conv padding": (lambda T: T.nn.Conv1d(2, 2, 1, padding="full"), "Invalid padding string"),
    "conv same": (lambda T: T.nn.Conv1d(2, 2, 1, padding="same", stride=2), "not supported for strided"),
    "conv mode": (lambda T: T.nn.Conv1d(2, 2, 1, padding_mode="one"), "padding_mode must be one of"),
    "transposed mode": (lambda T: T.nn.ConvTranspose1d(2, 2, 1, padding_mode="reflect"), '"zeros" padding mode'),
    "group norm": (lambda T: T.nn.GroupNorm(2, 3), "divisible by num_groups"),
    "batch norm axes": (lambda T: T.nn.BatchNorm2d(3)(T.ones(2, 3)), "expected 4D input", "got 2D"),
    "instance norm axes": (lambda T: T.nn.InstanceNorm1d(3)(T.ones(3)), "expected 2D or 3D input"),
    "instance norm channels": (lambda T: T.nn.InstanceNorm1d(3, affine=True)(T.ones(2, 4, 5)), "3", "4"),
    "padding row": (lambda T: T.nn.Embedding(3, 2, padding_idx=3), "within num_embeddings"),
    "attention heads": (lambda T: T.nn.MultiheadAttention(5, 2), "divisible by num_heads"),
    "attention size": (lambda T: T.nn.MultiheadAttention(0, 2), "greater than 0"),
    "causal without a mask": (
        lambda T: T.nn.TransformerEncoderLayer(4, 2, 4)(T.ones(2, 1, 4), is_causal=True),
        "is_causal",
    ),
    "activation": (lambda T: T.nn.TransformerEncoderLayer(4, 2, activation="tanh"), "relu/gelu, not tanh"),
    "transformer batch": (
        lambda T: T.nn.Transformer(4, 2, 1, 1, 4)(T.ones(2, 3, 4), T.ones(2, 1, 4)),
        "batch number of src and tgt must be equal",
    ),
    "transformer width": (lambda T: T.nn.Transformer(4, 2, 1, 1, 4)(T.ones(2, 1, 4), T.ones(2, 1, 5)), "d_model"),
    "rnn nonlinearity": (lambda T: T.nn.RNN(2, 2, nonlinearity="sigmoid"), "Unknown nonlinearity 'sigmoid'"),
    "rnn dropout": (lambda T: T.nn.LSTM(2, 2, dropout=2.0), "dropout should be a number in range [0, 1]"),
    "rnn size": (lambda T: T.nn.GRU(2, 0), "hidden_size must be greater than zero"),
    "rnn size type": (lambda T: T.nn.GRU(2, 2.0), "hidden_size should be of type int, got: float"),
    "rnn axes": (lambda T: T.nn.GRU(2, 2)(T.ones(2)), "2D or 3D, got 1D"),
    "rnn width": (lambda T: T.nn.GRU(2, 2)(T.ones(3, 1, 4)), "Expected 2, got 4"),
    "rnn nothing": (lambda T: T.nn.GRU(2, 2)(T.ones(0, 1, 2)), "sequence length to be larger than 0"),
    "rnn hidden size": (lambda T: T.nn.GRU(2, 2)(T.ones(3, 1, 2), T.ones(1, 2, 2)), "Expected hidden size (1, 1, 2)"),
    "rnn hidden axes": (lambda T: T.nn.GRU(2, 2)(T.ones(3, 1, 2), T.ones(1, 2)), "3-D", "2-D"),
    "lstm hidden size": (
        lambda T: T.nn.LSTM(2, 2)(T.ones(3, 1, 2), (T.ones(1, 1, 2), T.ones(1, 1, 3))),
        "Expected hidden[1] size (1, 1, 2)",
    ),
    "projection": (lambda T: T.nn.LSTM(2, 2, proj_size=2), "proj_size", "smaller than hidden_size"),
    "cell axes": (lambda T: T.nn.GRUCell(2, 2)(T.ones(1, 1, 2)), "Expected input to be 1D or 2D, got 3D"),
    "unflatten": (lambda T: T.nn.Unflatten(1, 4), "must be a tuple"),
    "unflatten float": (lambda T: T.nn.Unflatten(1, (2.0, 2)), "float at pos 0"),
    "softmax2d": (lambda T: T.nn.Softmax2d()(T.ones(2)), "3D or 4D"),
    "bilinear": (lambda T: T.nn.Bilinear(0, 2, 2), "in1_features"),
}


@LIBRARIES
@pytest.mark.parametrize("name", REFUSALS)
def test_refusals(T, name):
    call, *words = REFUSALS[name]
    with pytest.raises((ValueError, RuntimeError, TypeError, AssertionError)) as caught:
        call(T)
    assert all(word in str(caught.value) for word in words), str(caught.value)
    if T is ac:
        with pytest.raises(caught.type):
            call(torch)


def test_no_layer_is_without_a_test_and_an_example():
    elsewhere = {"Module", "ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Parameter"}
    elsewhere |= {"LinearCrossEntropyLoss", "LinearCrossEntropyOptions", "RNNBase", "RNNCellBase"}
    elsewhere |= {
        "FractionalMaxPool2d",
        "FractionalMaxPool3d",
        "AdaptiveLogSoftmaxWithLoss",
        "Buffer",
        "DataParallel",
        "UninitializedParameter",
        "UninitializedBuffer",
    }
    tested = {name.split(",")[0] for name in (*LAYERS, *LOSSES)}
    public = {name for name in ac.nn.__all__ if isinstance(getattr(ac.nn, name), type)}
    assert {name for name in public - elsewhere if not name.startswith("Lazy")} == tested
    assert [name for name in public if ">>>" not in (getattr(ac.nn, name).__doc__ or "")] == []


# -- what has no elements, and settings that change later


@LIBRARIES
@pytest.mark.parametrize("shape", [(0, 3), (2, 3, 0), (0, 3, 4)])
@pytest.mark.parametrize("momentum", [0.1, None])
def test_an_empty_batch_leaves_the_memory_of_batch_norm_alone(T, shape, momentum):
    norm = T.nn.BatchNorm1d(3, momentum=momentum)
    x = T.ones(*shape, requires_grad=True)
    norm(x).sum().backward()
    assert norm.running_mean.tolist() == [0.0] * 3 and norm.running_var.tolist() == [1.0] * 3
    assert norm.num_batches_tracked.item() == 1 and x.grad.shape == shape
    assert norm.weight.grad.tolist() == norm.bias.grad.tolist() == [0.0] * 3


def test_an_empty_batch_leaves_the_memory_of_instance_norm_alone():
    norm = ac.nn.InstanceNorm2d(3, affine=True, track_running_stats=True)
    for shape in ((0, 3, 4, 4), (2, 3, 0, 4)):
        norm(ac.ones(*shape)).sum().backward()
    assert norm.running_mean.tolist() == [0.0] * 3 and norm.running_var.tolist() == [1.0] * 3


@LIBRARIES
def test_batch_norm_may_stop_to_keep_statistics_later(T):
    norm, x = T.nn.BatchNorm1d(2), T.tensor([[1.0, 2.0], [3.0, 6.0]])
    norm.track_running_stats = False
    assert norm(x).sum(0).abs().max().item() < 1e-5
    assert norm.running_mean.tolist() == [0.0, 0.0] and norm.num_batches_tracked.item() == 0
    assert T.allclose(norm.eval()(x), x, atol=1e-3)
    norm.train().track_running_stats = True
    norm(x)
    assert norm.num_batches_tracked.item() == 1
    norm.running_mean = norm.running_var = None
    assert norm.eval()(x).sum(0).abs().max().item() < 1e-5


@LIBRARIES
@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("shape", [(0, 3, 8), (3, 0, 8), (0, 8)])
def test_attention_and_transformers_take_empty_batches_and_sequences(T, shape):
    nn, x = T.nn, T.ones(*shape, requires_grad=True)
    for layer, args in (
        (nn.TransformerEncoderLayer(8, 2, 16), (x,)),
        (nn.TransformerDecoderLayer(8, 2, 16), (x, x)),
        (nn.TransformerDecoderLayer(8, 2, 16, norm_first=True), (x, x)),
        (nn.Transformer(8, 2, 1, 1, 16), (x, x)),
    ):
        out = layer(*args)
        assert out.shape == shape
        out.sum().backward()
        assert x.grad.shape == shape
    out, weights = nn.MultiheadAttention(8, 2, add_bias_kv=True, add_zero_attn=True)(x, x, x)
    length, *batch, _ = shape
    assert out.shape == shape and weights.shape == (*batch, length, length + 2)


@LIBRARIES
@pytest.mark.parametrize("kind", ["RNNCell", "GRUCell", "LSTMCell"])
def test_a_cell_refuses_a_state_of_another_batch_or_size(T, kind):
    cell = getattr(T.nn, kind)(2, 3)

    def call(x, *parts):
        return cell(x, (parts * 2)[:2] if kind == "LSTMCell" else parts[0])

    for args, words in (
        ((T.ones(4, 2), T.ones(1, 3)), "Input batch size 4 doesn't match hidden0 batch size 1"),
        ((T.ones(1, 2), T.ones(4, 3)), "Input batch size 1 doesn't match hidden0 batch size 4"),
        ((T.ones(4, 2), T.ones(4, 1)), "hidden0 has inconsistent hidden_size"),
        ((T.ones(4, 2), T.ones(3)), "batch size"),
        ((T.ones(2), T.ones(4, 3)), "inconsistent hidden_size"),
        ((T.ones(2), T.ones(2)), "inconsistent hidden_size"),
        ((T.ones(4, 1), T.ones(4, 3)), "input has inconsistent input_size: got 1 expected 2"),
        ((T.ones(1), T.ones(3)), "input has inconsistent input_size: got 1 expected 2"),
    ):
        with pytest.raises(RuntimeError, match=words):
            call(*args)
    if kind == "LSTMCell":
        with pytest.raises(RuntimeError, match="hidden1 batch size 1"):
            call(T.ones(4, 2), T.ones(4, 3), T.ones(1, 3))
    out = call(T.ones(0, 2), T.ones(0, 3))
    assert (out[0] if kind == "LSTMCell" else out).shape == (0, 3)
