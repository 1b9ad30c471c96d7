"""Data in batches: `torch.utils.data`, in the calling thread."""

from ...names import facade
from .collate import default_collate, default_convert
from .dataloader import DataLoader
from .dataset import Dataset, Subset, TensorDataset, random_split
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    *("BatchSampler", "DataLoader", "Dataset", "RandomSampler", "Sampler", "SequentialSampler", "Subset"),
    *("SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate"),
    *("default_convert", "random_split"),
]
__getattr__, __dir__ = facade(__name__, __all__)
