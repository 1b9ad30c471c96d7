"""Tables of vectors, looked up by integers."""

from __future__ import annotations

from typing import Any

from ..core.tensor import Parameter, Tensor
from ..ops.making.creation import empty
from . import functional as F
from . import init
from .contents import Held
from .module import Module


class _Table(Module):
    """The weight of shape (num_embeddings, embedding_dim), and what a lookup does with it."""

    weight: Any = Held()

    def __init__(self, num_embeddings: int, embedding_dim: int, padding_idx: int | None, max_norm, norm_type):
        super().__init__()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise AssertionError(
                    f"Padding_idx must be within num_embeddings: got {padding_idx} of {num_embeddings}"
                )
            padding_idx %= num_embeddings
        self.num_embeddings, self.embedding_dim, self.padding_idx = num_embeddings, embedding_dim, padding_idx
        self.max_norm, self.norm_type = max_norm, norm_type

    def _fill(self, given: Tensor | None, frozen: bool, device, dtype) -> None:
        shape = (self.num_embeddings, self.embedding_dim)
        if given is None:
            self.weight = Parameter(empty(*shape, device=device, dtype=dtype), requires_grad=not frozen)
            self.reset_parameters()
        elif given.shape != shape:
            raise AssertionError(
                f"Shape of weight does not match num_embeddings and embedding_dim: {list(given.shape)}, {list(shape)}"
            )
        else:
            self.weight = Parameter(given, requires_grad=not frozen)

    def reset_parameters(self) -> None:
        """Draw new initial values."""
        init.normal_(self.weight)
        if self.padding_idx is not None:
            init.zeros_(self.weight.detach()[self.padding_idx])

    @classmethod
    def _holding(cls, embeddings: Tensor, freeze: bool, **settings):
        if embeddings.ndim != 2:
            raise AssertionError(f"Embeddings parameter is expected to be 2-dimensional, got {list(embeddings.shape)}")
        table = cls(*embeddings.shape, **settings | {"_weight": embeddings})
        table.weight.requires_grad = not freeze
        return table

    def _shown(self, *unusual: tuple[str, bool]) -> str:
        named = [f"{name}={getattr(self, name)}" for name, is_set in unusual if is_set]
        return ", ".join([f"{self.num_embeddings}, {self.embedding_dim}", *named])


class Embedding(_Table):
    """A table of `num_embeddings` vectors of length `embedding_dim`, looked up by integers of any shape.

    Values start normal (0, 1); the row `padding_idx` starts at zero and gets no gradient. Rows that are looked up are
    first shortened to `max_norm`, if given. With `scale_grad_by_freq` a row's gradient is divided by how often it was
    looked up. Gradients are dense: `sparse=True` raises NotImplementedError.

    >>> import autograd_core as ac
    >>> ac.nn.Embedding(10, 3)(ac.tensor([[1, 2], [1, 0]])).shape
    Size([2, 2, 3])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: Tensor | None = None,
        _freeze: bool = False,
        device=None,
        dtype=None,
    ):
        super().__init__(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type)
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self._fill(_weight, _freeze, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
    ) -> Embedding:
        """A table that holds `embeddings`, without a copy; it does not learn unless `freeze` is False.

        >>> import autograd_core as ac
        >>> ac.nn.Embedding.from_pretrained(ac.eye(2))(ac.tensor(1))
        tensor([0., 1.])
        """
        return cls._holding(
            embeddings,
            freeze,
            padding_idx=padding_idx,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            sparse=sparse,
        )

    def forward(self, input: Tensor) -> Tensor:
        """`functional.embedding` with this table."""
        return F.embedding(
            input,
            self.weight,
            self.padding_idx,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.sparse,
        )

    def extra_repr(self) -> str:
        """Sizes, and the settings that are not the usual ones."""
        return self._shown(
            ("padding_idx", self.padding_idx is not None),
            ("max_norm", self.max_norm is not None),
            ("norm_type", self.norm_type != 2),
            ("scale_grad_by_freq", self.scale_grad_by_freq),
        )


class EmbeddingBag(_Table):
    """The sum, mean or maximum (`mode`) of the rows of each bag of integers.

    Bags are the rows of a matrix, or the parts of a vector that begin at `offsets`; with `include_last_offset` the last
    offset is the end. The row `padding_idx` does not count. Other settings are as in `Embedding`.

    >>> import autograd_core as ac
    >>> table = ac.nn.EmbeddingBag(10, 3, mode="sum")
    >>> table(ac.tensor([1, 2, 4, 5]), ac.tensor([0, 3])).shape
    Size([2, 3])
    """

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        _weight: Tensor | None = None,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
        device=None,
        dtype=None,
    ):
        super().__init__(num_embeddings, embedding_dim, padding_idx, max_norm, norm_type)
        self.scale_grad_by_freq, self.sparse = scale_grad_by_freq, sparse
        self.mode, self.include_last_offset = mode, include_last_offset
        self._fill(_weight, False, device, dtype)

    @classmethod
    def from_pretrained(
        cls,
        embeddings: Tensor,
        freeze: bool = True,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        mode: str = "mean",
        sparse: bool = False,
        include_last_offset: bool = False,
        padding_idx: int | None = None,
    ) -> EmbeddingBag:
        """A table that holds `embeddings`, without a copy; it does not learn unless `freeze` is False."""
        return cls._holding(
            embeddings,
            freeze,
            max_norm=max_norm,
            norm_type=norm_type,
            scale_grad_by_freq=scale_grad_by_freq,
            mode=mode,
            sparse=sparse,
            include_last_offset=include_last_offset,
            padding_idx=padding_idx,
        )

    def forward(self, input: Tensor, offsets: Tensor | None = None, per_sample_weights: Tensor | None = None) -> Tensor:
        """`functional.embedding_bag` with this table; a weight for each integer if `mode` is "sum"."""
        return F.embedding_bag(
            input,
            self.weight,
            offsets,
            self.max_norm,
            self.norm_type,
            self.scale_grad_by_freq,
            self.mode,
            self.sparse,
            per_sample_weights,
            self.include_last_offset,
            self.padding_idx,
        )

    def extra_repr(self) -> str:
        """Sizes, and the settings that are not the usual ones."""
        shown = self._shown(
            ("max_norm", self.max_norm is not None),
            ("norm_type", self.norm_type != 2),
            ("scale_grad_by_freq", self.scale_grad_by_freq),
        )
        padding = "" if self.padding_idx is None else f", padding_idx={self.padding_idx}"
        return f"{shown}, mode={self.mode!r}{padding}"
