"""The numbers behind random tensors: one generator for the whole process, and others that a program makes.

A `Generator` is NumPy's, with PyTorch's methods, so that what takes a generator takes NumPy's too. The numbers are
NumPy's and not PyTorch's.
"""

from __future__ import annotations

import struct

import numpy as np

from ...core import dtypes
from ...core.device import check_device
from ...core.device import device as device_of
from ...core.tensor import Tensor, wrap

__all__ = ["Generator", "get_rng_state", "initial_seed", "manual_seed", "seed", "set_rng_state"]

DEFAULT_SEED = 67280421310721  # PyTorch's, for a generator that got none
STATE = struct.Struct("<Q16s16sBI")  # the seed; of PCG64 its state, its increment, and half a number left over


class Generator(np.random.Generator):
    """Random numbers apart from those of the process: `generator=` of a factory, a sampler or `random_split`.

    It begins with the same seed each time, until it is given another.

    >>> import autograd_core as ac
    >>> g = ac.Generator().manual_seed(3)
    >>> first = ac.rand(2, generator=g)
    >>> ac.equal(first, ac.rand(2, generator=g.manual_seed(3))), g.initial_seed()
    (True, 3)
    """

    def __init__(self, device=None):
        check_device(device)
        super().__init__(np.random.PCG64())
        self.manual_seed(DEFAULT_SEED)

    @property
    def device(self) -> device_of:
        """The CPU."""
        return device_of("cpu")

    def manual_seed(self, seed: int) -> Generator:
        """Start anew from `seed`, an int of 64 bits of any sign; returns the generator.

        RuntimeError for anything else, ValueError for a longer one.
        """
        if not isinstance(seed, (int, np.integer)):
            raise RuntimeError(f"manual_seed expected a long, but got {type(seed).__name__}: {seed!r} is no int")
        if not -(2**63) <= seed < 2**64:
            raise ValueError(f"Overflow when unpacking long long: the seed {seed} has more than 64 bits")
        self._seed = int(seed) % 2**64
        self.bit_generator.state = np.random.PCG64(self._seed).state
        return self

    def seed(self) -> int:
        """Start anew from a seed that the machine draws, and return it."""
        self.manual_seed(int(np.random.PCG64().random_raw()))
        return self._seed

    def initial_seed(self) -> int:
        """The seed that it started from."""
        return self._seed

    def get_state(self) -> Tensor:
        """Where in its numbers it is: a uint8 tensor, for `set_state`."""
        state = self.bit_generator.state
        words = [number.to_bytes(16, "little") for number in state["state"].values()]
        packed = STATE.pack(self._seed, *words, state["has_uint32"], state["uinteger"])
        return wrap(np.frombuffer(packed, np.uint8).copy())

    def set_state(self, new_state: Tensor) -> Generator:
        """Go to a place in the numbers that `get_state` returned. TypeError or RuntimeError for anything else."""
        if not isinstance(new_state, Tensor) or new_state.dtype is not dtypes.uint8:
            raise TypeError(f"RNG state must be a ByteTensor, such as get_state() returns; got {new_state!r}")
        if new_state._array.shape != (STATE.size,):
            raise RuntimeError(
                f"expected a state of {STATE.size} bytes, but found the input RNG state size to be "
                f"{new_state._array.size}: a state that PyTorch wrote is of another generator"
            )
        self._seed, state, increment, held, half = STATE.unpack(new_state._array.tobytes())
        words = {"state": int.from_bytes(state, "little"), "inc": int.from_bytes(increment, "little")}
        self.bit_generator.state = {"bit_generator": "PCG64", "state": words, "has_uint32": held, "uinteger": half}
        return self

    def clone_state(self) -> Generator:
        """Another generator, which goes on as this one will."""
        return Generator().set_state(self.get_state())

    def __reduce__(self):
        return _with_state, (self.get_state(),)


def _with_state(state: Tensor) -> Generator:
    return Generator().set_state(state)


default_generator = Generator()
default_generator.seed()


def manual_seed(seed: int) -> Generator:
    """Start the random numbers of the process anew from `seed`, an int of any sign, and return their generator.

    >>> import autograd_core as ac
    >>> _ = ac.manual_seed(0); a = ac.rand(3)
    >>> _ = ac.manual_seed(0); ac.equal(a, ac.rand(3))
    True
    """
    return default_generator.manual_seed(int(seed))


def seed() -> int:
    """Start the random numbers of the process anew from a seed that the machine draws, and return it.

    >>> import autograd_core as ac
    >>> ac.seed() == ac.initial_seed()
    True
    """
    return default_generator.seed()


def initial_seed() -> int:
    """The seed that the random numbers of the process started from.

    >>> import autograd_core as ac
    >>> _ = ac.manual_seed(5)
    >>> ac.initial_seed()
    5
    """
    return default_generator.initial_seed()


def get_rng_state() -> Tensor:
    """The state of the process's random numbers, for `set_rng_state`: a uint8 tensor.

    >>> import autograd_core as ac
    >>> state = ac.get_rng_state(); a = ac.rand(3)
    >>> ac.set_rng_state(state); ac.equal(a, ac.rand(3))
    True
    """
    return default_generator.get_state()


def set_rng_state(new_state: Tensor) -> None:
    """Go back to a state of the process's random numbers that `get_rng_state` returned.

    >>> import autograd_core as ac
    >>> state = ac.get_rng_state()
    >>> _ = ac.rand(3)
    >>> ac.set_rng_state(state)
    """
    default_generator.set_state(new_state)


def generator_of(generator: np.random.Generator | None) -> np.random.Generator:
    """The generator that was asked for, or that of the process. TypeError for anything else."""
    if generator is None:
        return default_generator
    if not isinstance(generator, np.random.Generator):
        raise TypeError(
            f"generator must be an ac.Generator or one of NumPy's, not {type(generator).__name__}: pass "
            "ac.Generator().manual_seed(seed), or none after ac.manual_seed(seed)"
        )
    return generator
