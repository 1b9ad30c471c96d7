"""Datasets: a number in, an example out."""

from __future__ import annotations

from typing import Any

from ...core.tensor import Tensor


class Dataset:
    """Base class of your own: `__getitem__` returns the example with a number, `__len__` says how many there are.

    Anything that has both may be given to a `DataLoader`, a list too.
    """

    def __getitem__(self, index) -> Any:
        raise NotImplementedError("Subclasses of Dataset should implement __getitem__.")


class TensorDataset(Dataset):
    """Examples that are the rows of tensors: a tuple with one row of each. AssertionError where their numbers differ.

    >>> import autograd_core as ac
    >>> x, y = ac.tensor([[1.0, 2.0], [3.0, 4.0]]), ac.tensor([0, 1])
    >>> ac.utils.data.TensorDataset(x, y)[1]
    (tensor([3., 4.]), tensor(1))
    """

    def __init__(self, *tensors: Tensor):
        sizes = [tensor.shape[0] for tensor in tensors]
        if len(set(sizes)) > 1:
            raise AssertionError(f"Size mismatch between tensors: their first dimensions are {sizes}")
        self.tensors = tensors

    def __getitem__(self, index) -> tuple:
        return tuple(tensor[index] for tensor in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])
