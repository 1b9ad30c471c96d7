"""The configurations that some operations take, and the directions of a comparison; fields as upstream."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum


class CompareDir(Enum):
    """Which comparison `s.compare` makes. Stands for `CompareDir::Gt` and its kin.

    >>> from autograd_core.eager import CompareDir
    >>> CompareDir.Gt
    <CompareDir.Gt: 'gt'>
    """

    Eq = "eq"
    Ne = "ne"
    Lt = "lt"
    Le = "le"
    Gt = "gt"
    Ge = "ge"


@dataclass(frozen=True)
class DotGeneralConfig:
    """Which axes `s.dot_general` sums over in pairs, and which it keeps in pairs.

    >>> from autograd_core import eager
    >>> matrix_product = eager.DotGeneralConfig(lhs_contracting_dims=[1], rhs_contracting_dims=[0])
    """

    lhs_contracting_dims: Sequence[int]
    rhs_contracting_dims: Sequence[int]
    lhs_batch_dims: Sequence[int] = field(default=())
    rhs_batch_dims: Sequence[int] = field(default=())


@dataclass(frozen=True)
class SliceConfig:
    """Where `s.slice` starts and stops, and how it steps, for every axis.

    >>> from autograd_core import eager
    >>> every_other_row = eager.SliceConfig(starts=[0, 0], limits=[4, 3], strides=[2, 1])
    """

    starts: Sequence[int]
    limits: Sequence[int]
    strides: Sequence[int]


@dataclass(frozen=True)
class PadConfig:
    """How many zeros `s.pad` puts before, behind and between the elements, for every axis.

    >>> from autograd_core import eager
    >>> one_around = eager.PadConfig(edge_padding_low=[1], edge_padding_high=[1], interior_padding=[0])
    """

    edge_padding_low: Sequence[int]
    edge_padding_high: Sequence[int]
    interior_padding: Sequence[int]


@dataclass(frozen=True)
class GatherConfig:
    """How `s.gather` reads its indices; XLA's dimension numbers.

    The axis `index_vector_dim` of the indices holds start positions, one for each axis in `start_index_map`. At each
    start a window of `slice_sizes` is cut out; its axes in `collapsed_slice_dims` (of length 1) go, the others become
    `offset_dims` of the result.

    >>> from autograd_core import eager
    >>> of_a_vector = eager.GatherConfig(
    ...     offset_dims=(), collapsed_slice_dims=(0,), start_index_map=(0,), index_vector_dim=1, slice_sizes=(1,)
    ... )
    """

    offset_dims: Sequence[int]
    collapsed_slice_dims: Sequence[int]
    start_index_map: Sequence[int]
    index_vector_dim: int
    slice_sizes: Sequence[int]


@dataclass(frozen=True)
class ScatterConfig:
    """How `s.scatter` reads its indices and updates; XLA's dimension numbers.

    Axes `update_window_dims` of the updates are windows; in the operand these lack the axes `inserted_window_dims`. The
    axis `index_vector_dim` of the indices holds positions for the axes `scatter_dims_to_operand_dims`.

    >>> from autograd_core import eager
    >>> into_a_vector = eager.ScatterConfig(
    ...     update_window_dims=(), inserted_window_dims=(0,), scatter_dims_to_operand_dims=(0,), index_vector_dim=1
    ... )
    """

    update_window_dims: Sequence[int]
    inserted_window_dims: Sequence[int]
    scatter_dims_to_operand_dims: Sequence[int]
    index_vector_dim: int
