"""What a submission may use."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Limits:
    """What a submission may use.

    Parameters:
        seconds: of time on the clock, and of processor time.
        memory: bytes on top of what Python and NumPy take.
        output: bytes on stdout and stderr together.
        processes: how many may exist at once, threads included.
        file: bytes of one file.
    """

    seconds: float = 60.0
    memory: int = 2**30
    output: int = 2**16
    processes: int = 8
    file: int = 2**24
