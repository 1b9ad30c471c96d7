"""Recurrent layers: one step for each element of a sequence, and the state goes on from step to step.

What the inputs add to the gates is one product for the whole sequence; only the states need a product a step. The loop
over time is a loop in Python, so each step can be seen in the graph. In a packed sequence some rows end before others:
then a step takes the first rows of the state, those that go on.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from functools import partial
from typing import Any

from ..core.tensor import Parameter, Tensor
from ..ops.elementwise.trigonometry import tanh
from ..ops.indexing.gathering import index_select
from ..ops.linear_algebra.matmul import linear, matmul
from ..ops.linear_algebra.products import addmm
from ..ops.making.creation import empty, zeros
from ..ops.nn.nonlinearities import sigmoid
from ..ops.shapes.chunking import chunk, split, unbind
from ..ops.shapes.joining import cat, stack
from . import functional as F
from . import init
from .module import Module
from .packed import PackedSequence

# -- one step: what the input brings, `gates`, and the state before it give the state after it, its output first


class _Recurrence:
    """The weights that act on the state, ready for a step."""

    def __init__(self, weight_hh: Tensor, bias_hh: Tensor | None = None, weight_hr: Tensor | None = None):
        self.weight, self.bias = weight_hh.T, bias_hh
        self.projection = None if weight_hr is None else weight_hr.T


def _tanh_step(gates: Tensor, state: tuple, of: _Recurrence) -> tuple:
    return (tanh(addmm(gates, state[0], of.weight)),)


def _relu_step(gates: Tensor, state: tuple, of: _Recurrence) -> tuple:
    return (F.relu(addmm(gates, state[0], of.weight)),)


def _lstm_step(gates: Tensor, state: tuple, of: _Recurrence) -> tuple:
    h, c = state
    let_in, keep, new, show = chunk(addmm(gates, h, of.weight), 4, 1)
    c = sigmoid(keep) * c + sigmoid(let_in) * tanh(new)
    h = sigmoid(show) * tanh(c)
    return (h if of.projection is None else matmul(h, of.projection)), c


def _gru_step(gates: Tensor, state: tuple, of: _Recurrence) -> tuple:
    h = state[0]
    recurrent = matmul(h, of.weight) if of.bias is None else addmm(of.bias, h, of.weight)
    reset, update, new = chunk(gates, 3, 1)
    reset_h, update_h, new_h = chunk(recurrent, 3, 1)
    new = tanh(new + sigmoid(reset + reset_h) * new_h)
    return (new + sigmoid(update + update_h) * (h - new),)


WEIGHTS = ("weight_ih", "weight_hh", "bias_ih", "bias_hh", "weight_hr")

# name -> (step, number of gates, whether the recurrent bias has to stay apart from the other)
MODES = {
    "RNN_TANH": (_tanh_step, 1, False),
    "RNN_RELU": (_relu_step, 1, False),
    "LSTM": (_lstm_step, 4, False),
    "GRU": (_gru_step, 3, True),
}


def _prepared(mode: str, x: Tensor, weights: tuple) -> tuple[Tensor, _Recurrence]:
    """What the inputs bring, for all steps at once, and the weights on the state."""
    weight_ih, weight_hh, bias_ih, bias_hh, weight_hr = weights
    if bias_ih is None:
        return linear(x, weight_ih), _Recurrence(weight_hh, None, weight_hr)
    if MODES[mode][2]:
        return linear(x, weight_ih, bias_ih), _Recurrence(weight_hh, bias_hh)
    return linear(x, weight_ih, bias_ih + bias_hh), _Recurrence(weight_hh, None, weight_hr)


def _run(mode: str, x: Tensor, state: tuple, weights: tuple, backward: bool) -> tuple[Tensor, tuple]:
    """One layer in one direction: the outputs (L, N, H) in the order of the inputs, and the last state."""
    step = MODES[mode][0]
    gates, of = _prepared(mode, x, weights)
    steps = unbind(gates, 0)
    outputs = []
    for now in reversed(steps) if backward else steps:
        state = step(now, state, of)
        outputs.append(state[0])
    return stack(outputs[::-1] if backward else outputs), state


def _run_packed(sizes: list, mode: str, x: Tensor, state: tuple, weights: tuple, backward: bool) -> tuple:
    """The same for packed data, of which step k has `sizes[k]` rows; `state` is the first one of all rows."""
    step = MODES[mode][0]
    gates, of = _prepared(mode, x, weights)
    steps = split(gates, sizes)
    start, outputs, ended = state, [], []
    state = tuple(part[:0] for part in state) if backward else state
    for now in reversed(steps) if backward else steps:
        n, before = now.shape[0], state[0].shape[0]
        if n > before:  # rows that begin here, seen from the end
            state = tuple(cat([part, first[before:n]]) for part, first in zip(state, start))
        elif n < before:
            ended.append(tuple(part[n:] for part in state))
            state = tuple(part[:n] for part in state)
        state = step(now, state, of)
        outputs.append(state[0])
    last = tuple(cat(parts) for parts in zip(state, *reversed(ended)))
    return cat(outputs[::-1] if backward else outputs), last


# -- layers


class RNNBase(Module):
    """What `RNN`, `LSTM` and `GRU` share.

    The parameters of layer k are `weight_ih_lk` (gates H, inputs) and `weight_hh_lk` (gates H, H), one gate under the
    other, and `bias_ih_lk` and `bias_hh_lk`; those of the direction from the end have names that end in `_reverse`.
    They start uniform within ± 1 / √H, H the `hidden_size`.

    >>> import autograd_core as ac
    >>> {name: list(p.shape) for name, p in ac.nn.GRU(3, 4).named_parameters()}
    {'weight_ih_l0': [12, 3], 'weight_hh_l0': [12, 4], 'bias_ih_l0': [12], 'bias_hh_l0': [12]}
    """

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ):
        super().__init__()
        _check_settings(input_size, hidden_size, num_layers, dropout, proj_size)
        self.mode, self.input_size, self.hidden_size, self.num_layers = mode, input_size, hidden_size, num_layers
        self.bias, self.batch_first, self.dropout = bias, batch_first, float(dropout)
        self.bidirectional, self.proj_size = bidirectional, proj_size
        rows, width = MODES[mode][1] * hidden_size, proj_size or hidden_size
        for number, suffix in enumerate(self._suffixes()):
            inputs = input_size if number < self._directions else width * self._directions
            shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, inputs), "weight_hh": (rows, width)}
            if bias:
                shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
            if proj_size:
                shapes["weight_hr"] = (proj_size, hidden_size)
            for name, shape in shapes.items():
                setattr(self, f"{name}_{suffix}", Parameter(empty(*shape, device=device, dtype=dtype)))
        self.reset_parameters()

    @property
    def _directions(self) -> int:
        return 2 if self.bidirectional else 1

    def _suffixes(self) -> list[str]:
        """One for each layer and direction, in the order in which they run."""
        return [f"l{k}{end}" for k in range(self.num_layers) for end in ("", "_reverse")[: self._directions]]

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.uniform_within(1 / math.sqrt(self.hidden_size), *self.parameters())

    def _weights(self, suffix: str) -> tuple:
        return tuple(getattr(self, f"{name}_{suffix}", None) for name in WEIGHTS)

    @property
    def all_weights(self) -> list[list[Tensor]]:
        """The parameters of each layer and direction, in the order in which they run."""
        return [[weight for weight in self._weights(suffix) if weight is not None] for suffix in self._suffixes()]

    @property
    def _flat_weights_names(self) -> list[str]:
        names = [f"{name}_{suffix}" for suffix in self._suffixes() for name in WEIGHTS]
        return [name for name in names if getattr(self, name, None) is not None]

    @property
    def _flat_weights(self) -> list[Tensor]:
        return [weight for weights in self.all_weights for weight in weights]

    def flatten_parameters(self) -> None:
        """Do nothing: it is for GPUs, which want the parameters in one piece of memory."""

    def _start(self, n: int, dtype, hx: tuple | None, batched: bool) -> list[tuple]:
        """The first states of `n` rows in each layer and direction, from `hx` (a tensor for each part) or zeros."""
        suffixes = self._suffixes()
        sizes = [self.proj_size or self.hidden_size, self.hidden_size][: 2 if self.mode == "LSTM" else 1]
        if hx is None:
            nothing = tuple(zeros(n, size, dtype=dtype) for size in sizes)
            return [nothing] * len(suffixes)
        for k, (part, size) in enumerate(zip(hx, sizes)):
            if part.ndim != (3 if batched else 2):
                kind = "batched 3-D" if batched else "unbatched 2-D"
                raise RuntimeError(
                    f"For {kind} input, hx should also be {3 if batched else 2}-D but got {part.ndim}-D tensor"
                )
            wanted = (len(suffixes), n, size) if batched else (len(suffixes), size)
            if tuple(part.shape) != wanted:
                name = f"hidden[{k}]" if self.mode == "LSTM" else "hidden"
                raise RuntimeError(f"Expected {name} size {wanted}, got {list(part.shape)}")
        return list(zip(*(unbind(part if batched else part.unsqueeze(1), 0) for part in hx)))

    def _check_input(self, input: Tensor, kinds: tuple[int, ...] = (2, 3)) -> None:
        if input.ndim not in kinds:
            shown = " or ".join(f"{n}D" for n in kinds)
            raise ValueError(f"{type(self).__name__}: Expected input to be {shown}, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )

    def _check_length(self, input: Tensor) -> None:
        if not input.shape[1 if self.batch_first and input.ndim == 3 else 0]:
            raise RuntimeError("Expected sequence length to be larger than 0 in RNN")

    def _compute(self, input, hx: tuple | None) -> tuple[Any, tuple]:
        """The outputs of the last layer, and for each part of a state its last values in all layers."""
        if isinstance(input, PackedSequence):
            return self._compute_packed(input, hx)
        self._check_input(input)
        self._check_length(input)
        batched = input.ndim == 3
        x = input.unsqueeze(1) if not batched else input.transpose(0, 1) if self.batch_first else input
        x, parts = self._through_layers(x, self._start(x.shape[1], x.dtype, hx, batched), _run)
        if not batched:
            return x.squeeze(1), tuple(part.squeeze(1) for part in parts)
        return (x.transpose(0, 1) if self.batch_first else x), parts

    def _compute_packed(self, input: PackedSequence, hx: tuple | None) -> tuple[PackedSequence, tuple]:
        """The same for a packed sequence; the states are in the order that the sequences had before."""
        x, batch_sizes, order, back = input
        self._check_input(x, (2,))
        sizes = batch_sizes.tolist()
        if hx is not None and order is not None:
            hx = tuple(index_select(part, 1, order) for part in hx)
        states = self._start(sizes[0], x.dtype, hx, True)
        x, parts = self._through_layers(x, states, partial(_run_packed, sizes))
        if back is not None:
            parts = tuple(index_select(part, 1, back) for part in parts)
        return PackedSequence(x, batch_sizes, order, back), parts

    def _through_layers(self, x: Tensor, states: list[tuple], run: Callable) -> tuple[Tensor, tuple]:
        """The outputs of the last layer, and the last states of all of them, where `run` computes one."""
        last = []
        for k in range(self.num_layers):
            if k and self.dropout:
                x = F.dropout(x, self.dropout, self.training)
            outputs = []
            for direction in range(self._directions):
                number = k * self._directions + direction
                weights = self._weights(self._suffixes()[number])
                output, state = run(self.mode, x, states[number], weights, backward=direction == 1)
                outputs.append(output)
                last.append(state)
            x = outputs[0] if len(outputs) == 1 else cat(outputs, -1)
        return x, tuple(stack(part) for part in zip(*last))

    def forward(self, input, hx: Tensor | None = None) -> tuple[Any, Tensor]:
        """The outputs and the last state; the outputs of a `PackedSequence` are one."""
        out, (h,) = self._compute(input, None if hx is None else (hx,))
        return out, h

    def extra_repr(self) -> str:
        """Sizes, and the settings that are not the usual ones."""
        unusual = {
            "proj_size": self.proj_size != 0,
            "num_layers": self.num_layers != 1,
            "bias": not self.bias,
            "batch_first": self.batch_first,
            "dropout": self.dropout != 0,
            "bidirectional": self.bidirectional,
        }
        named = [f"{name}={getattr(self, name)}" for name, is_set in unusual.items() if is_set]
        return ", ".join([f"{self.input_size}, {self.hidden_size}", *named])


def _check_settings(input_size: int, hidden_size: int, num_layers: int, dropout: float, proj_size: int) -> None:
    if isinstance(dropout, bool) or not 0 <= dropout <= 1:
        raise ValueError(
            "dropout should be a number in range [0, 1] representing the probability of an element being zeroed, got "
            f"{dropout!r}"
        )
    for name, size in (("input_size", input_size), ("hidden_size", hidden_size), ("num_layers", num_layers)):
        if not isinstance(size, int):
            raise TypeError(f"{name} should be of type int, got: {type(size).__name__}")
        if size <= 0:
            raise ValueError(f"{name} must be greater than zero, got {size}")
    if not 0 <= proj_size < hidden_size:
        raise ValueError(f"proj_size has to be 0 or positive, and smaller than hidden_size {hidden_size}: {proj_size}")
    if dropout and num_layers == 1:
        warnings.warn(
            "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects num_layers "
            f"greater than 1, but got dropout={dropout} and num_layers={num_layers}",
            UserWarning,
            stacklevel=4,
        )


def _check_unprojected(proj_size: int | None) -> None:
    if proj_size is not None:
        raise ValueError("proj_size argument is only supported for LSTM, not RNN or GRU")


class RNN(RNNBase):
    """h' = tanh(W_ih x + b_ih + W_hh h + b_hh) along a sequence, or relu instead of tanh.

    Input (L, N, input_size), or with `batch_first` (N, L, input_size), or without a batch (L, input_size); `hx`, zeros
    unless given, is the first h: (layers directions, N, hidden_size). Returns the h of the last layer at all steps,
    those of both directions side by side if `bidirectional`, and the last h of all layers. `dropout` works between
    layers, while training. A `PackedSequence` gives a packed sequence of outputs.

    Raises ValueError or RuntimeError for shapes that do not fit. Parameters: see `RNNBase`.

    >>> import autograd_core as ac
    >>> out, h = ac.nn.RNN(3, 4, num_layers=2)(ac.ones(6, 5, 3))
    >>> out.shape, h.shape
    (Size([6, 5, 4]), Size([2, 5, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device=None,
        dtype=None,
        *,
        proj_size: int | None = None,
    ):
        _check_unprojected(proj_size)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(
            f"RNN_{nonlinearity.upper()}",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )
        self.nonlinearity = nonlinearity


class GRU(RNNBase):
    """Gated recurrent units along a sequence: gates r and z, and n, one under the other in the weights.

    n = tanh(W_in x + b_in + r (W_hn h + b_hn)) and h' = (1 - z) n + z h. Shapes, results and errors are those of `RNN`.
    Source: Cho et al., 2014.

    >>> import autograd_core as ac
    >>> out, h = ac.nn.GRU(3, 4, bidirectional=True)(ac.ones(6, 5, 3))
    >>> out.shape, h.shape
    (Size([6, 5, 8]), Size([2, 5, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device=None,
        dtype=None,
        *,
        proj_size: int | None = None,
    ):
        _check_unprojected(proj_size)
        super().__init__(
            "GRU",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            device=device,
            dtype=dtype,
        )


class LSTM(RNNBase):
    """Long short-term memory along a sequence: gates i and f, g, and gate o, one under the other in the weights.

    c' = f c + i g and h' = o tanh(c'). A state is a pair (h, c); with `proj_size` h is projected to that size by
    `weight_hr_lk`. Otherwise shapes, results and errors are those of `RNN`. Source: Hochreiter and Schmidhuber, 1997.

    >>> import autograd_core as ac
    >>> out, (h, c) = ac.nn.LSTM(3, 4, batch_first=True)(ac.ones(5, 6, 3))
    >>> out.shape, h.shape, c.shape
    (Size([5, 6, 4]), Size([1, 5, 4]), Size([1, 5, 4]))
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device=None,
        dtype=None,
    ):
        super().__init__(
            "LSTM",
            input_size,
            hidden_size,
            num_layers,
            bias,
            batch_first,
            dropout,
            bidirectional,
            proj_size,
            device=device,
            dtype=dtype,
        )

    def forward(  # type: ignore[override]
        self, input, hx: tuple[Tensor, Tensor] | None = None
    ) -> tuple[Any, tuple[Tensor, Tensor]]:
        """The outputs and the last state (h, c); the outputs of a `PackedSequence` are one."""
        out, (h, c) = self._compute(input, hx)
        return out, (h, c)


# -- cells: one step by itself


class RNNCellBase(Module):
    """What the cells share: `weight_ih`, `weight_hh`, `bias_ih` and `bias_hh`, as in one layer of `RNNBase`.

    >>> import autograd_core as ac
    >>> ac.nn.LSTMCell(3, 4).weight_ih.shape
    Size([16, 3])
    """

    mode: str
    bias_ih: Parameter | None
    bias_hh: Parameter | None

    def __init__(self, input_size: int, hidden_size: int, bias: bool, num_chunks: int, device=None, dtype=None):
        super().__init__()
        self.input_size, self.hidden_size, self.bias = input_size, hidden_size, bias
        rows = num_chunks * hidden_size
        self.weight_ih = Parameter(empty(rows, input_size, device=device, dtype=dtype))
        self.weight_hh = Parameter(empty(rows, hidden_size, device=device, dtype=dtype))
        for name in ("bias_ih", "bias_hh"):
            self.register_parameter(name, Parameter(empty(rows, device=device, dtype=dtype)) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        bound = 1 / math.sqrt(self.hidden_size) if self.hidden_size else 0.0
        init.uniform_within(bound, *self.parameters())

    def _check_state(self, x: Tensor, part: Tensor, name: str) -> None:
        if part.shape[0] != x.shape[0]:
            raise RuntimeError(f"Input batch size {x.shape[0]} doesn't match {name} batch size {part.shape[0]}")
        if part.shape[1:] != (self.hidden_size,):
            wanted = [*x.shape[:1], self.hidden_size]
            raise RuntimeError(
                f"{name} has inconsistent hidden_size: got a state of shape {list(part.shape)}, expected {wanted}"
            )

    def _step(self, input: Tensor, state: tuple | None, parts: int) -> tuple:
        """The next state, as many `parts` as this one; without a batch axis if the input has none."""
        for name, value in (("input", input), *(("hidden", part) for part in state or ())):
            if value.ndim not in (1, 2):
                raise ValueError(f"{type(self).__name__}: Expected {name} to be 1D or 2D, got {value.ndim}D instead")
        batched = input.ndim == 2
        x = input if batched else input.unsqueeze(0)
        if x.shape[1] != self.input_size:
            raise RuntimeError(f"input has inconsistent input_size: got {x.shape[1]} expected {self.input_size}")
        if state is None:
            state = (zeros(x.shape[0], self.hidden_size, dtype=x.dtype),) * parts
        elif not batched:
            state = tuple(part.unsqueeze(0) for part in state)
        for number, part in enumerate(state):
            self._check_state(x, part, f"hidden{number}")
        weights = (self.weight_ih, self.weight_hh, self.bias_ih, self.bias_hh, None)
        gates, of = _prepared(self.mode, x, weights)
        after = MODES[self.mode][0](gates, state, of)
        return after if batched else tuple(part.squeeze(0) for part in after)

    def extra_repr(self) -> str:
        """Sizes, and the settings that are not the usual ones."""
        without = "" if self.bias else ", bias=False"
        return f"{self.input_size}, {self.hidden_size}{without}"


class RNNCell(RNNCellBase):
    """One step of `RNN`: input (N, input_size) and state (N, hidden_size), or both without N, give the next state.

    >>> import autograd_core as ac
    >>> ac.nn.RNNCell(3, 4)(ac.ones(5, 3)).shape
    Size([5, 4])
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device=None,
        dtype=None,
    ):
        super().__init__(input_size, hidden_size, bias, 1, device=device, dtype=dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        self.nonlinearity = nonlinearity
        self.mode = f"RNN_{nonlinearity.upper()}"

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state; `hx` is zeros unless given."""
        return self._step(input, None if hx is None else (hx,), 1)[0]

    def extra_repr(self) -> str:
        """Sizes, and the settings that are not the usual ones."""
        other = "" if self.nonlinearity == "tanh" else f", nonlinearity={self.nonlinearity}"
        return super().extra_repr() + other


class LSTMCell(RNNCellBase):
    """One step of `LSTM`: a state is a pair (h, c), each (N, hidden_size).

    >>> import autograd_core as ac
    >>> h, c = ac.nn.LSTMCell(3, 4)(ac.ones(5, 3))
    >>> h.shape, c.shape
    (Size([5, 4]), Size([5, 4]))
    """

    mode = "LSTM"

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 4, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> tuple[Tensor, Tensor]:
        """The next state (h, c); `hx` is zeros unless given."""
        h, c = self._step(input, hx, 2)
        return h, c


class GRUCell(RNNCellBase):
    """One step of `GRU`.

    >>> import autograd_core as ac
    >>> ac.nn.GRUCell(3, 4)(ac.ones(5, 3)).shape
    Size([5, 4])
    """

    mode = "GRU"

    def __init__(self, input_size: int, hidden_size: int, bias: bool = True, device=None, dtype=None):
        super().__init__(input_size, hidden_size, bias, 3, device=device, dtype=dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Tensor:
        """The next state; `hx` is zeros unless given."""
        return self._step(input, None if hx is None else (hx,), 1)[0]
