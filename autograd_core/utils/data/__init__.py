"""Data in batches: `torch.utils.data`, in the calling thread."""

from ...names import facade
from . import distributed
from .collate import default_collate, default_convert
from .dataloader import DataLoader, get_worker_info
from .dataset import (
    ChainDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    StackDataset,
    Subset,
    TensorDataset,
    random_split,
)
from .distributed import DistributedSampler
from .sampler import (
    BatchSampler,
    RandomSampler,
    Sampler,
    SequentialSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)

__all__ = [
    *("BatchSampler", "ChainDataset", "ConcatDataset", "DataLoader", "Dataset", "DistributedSampler"),
    *("IterableDataset", "RandomSampler", "Sampler", "SequentialSampler", "StackDataset", "Subset"),
    *("SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler", "default_collate", "default_convert"),
    *("distributed", "get_worker_info", "random_split"),
]
__getattr__, __dir__ = facade(__name__, __all__)
