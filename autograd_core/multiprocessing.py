"""Python's `multiprocessing` under PyTorch's name, for programs that import it.

Tensors that go to another process are copied there. `spawn`, sharing strategies and shared memory are not here.
"""

import multiprocessing
from multiprocessing import *  # noqa: F403

from .names import facade

__all__ = list(multiprocessing.__all__)
__getattr__, __dir__ = facade(__name__, __all__)
