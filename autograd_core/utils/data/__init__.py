"""Data in batches: `torch.utils.data`, in the calling thread."""

from ...names import facade
from .collate import default_collate
from .dataloader import DataLoader
from .dataset import Dataset, TensorDataset
from .sampler import BatchSampler, RandomSampler, Sampler, SequentialSampler

__all__ = [
    *("BatchSampler", "DataLoader", "Dataset", "RandomSampler", "Sampler", "SequentialSampler"),
    *("TensorDataset", "default_collate"),
]
__getattr__, __dir__ = facade(__name__, __all__)
