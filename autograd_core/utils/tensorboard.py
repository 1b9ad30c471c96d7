"""Records of a training for TensorBoard: curves, histograms, images and texts, in a file that it reads.

The file is written here, so that the package `tensorboard` is needed only to look at it.
"""

from __future__ import annotations

import itertools
import os
import socket
import struct
import time
import zlib

import numpy as np

from ..core.tensor import Tensor
from ..names import facade
from . import event_file

__all__ = ["SummaryWriter"]
__getattr__, __dir__ = facade(__name__, __all__)

NUMBERS = itertools.count()  # of the files of this process, so that no two have one name
STEPS = 1e-12 * 1.1 ** np.arange(774)
EDGES = np.concatenate([-STEPS[::-1], [0.0], STEPS])  # of the bars of a histogram: finer near 0


class SummaryWriter:
    """Writes what happens in a training to a new file in a folder, for TensorBoard.

    The folder is `log_dir`, by default one below `runs`, named by the time, the host and `comment`. Steps from
    `purge_step` on are written anew. What is written is in the file after `flush`, or when `max_queue` events have come
    or `flush_secs` seconds gone by. A writer may stand in a `with`.

    >>> import autograd_core as ac, pathlib, tempfile
    >>> from autograd_core.utils.tensorboard import SummaryWriter
    >>> with tempfile.TemporaryDirectory() as folder, SummaryWriter(folder) as writer:
    ...     for step in range(3):
    ...         writer.add_scalar("loss", ac.tensor(0.5) ** step, step)
    ...     [path.name[:19] for path in pathlib.Path(folder).iterdir()]
    ['events.out.tfevents']
    """

    def __init__(
        self,
        log_dir: str | os.PathLike | None = None,
        comment: str = "",
        purge_step: int | None = None,
        max_queue: int = 10,
        flush_secs: float = 120,
        filename_suffix: str = "",
    ):
        if not log_dir:
            log_dir = os.path.join("runs", f"{time.strftime('%b%d_%H-%M-%S')}_{socket.gethostname()}{comment}")
        self.log_dir, self.purge_step = str(log_dir), purge_step
        self.max_queue, self.flush_secs, self.filename_suffix = max_queue, flush_secs, filename_suffix
        self._below: dict[str, SummaryWriter] = {}
        self._open()

    def _open(self) -> None:
        os.makedirs(self.log_dir, exist_ok=True)
        now = time.time()
        parts = f"{int(now):010d}.{socket.gethostname()}.{os.getpid()}.{next(NUMBERS)}{self.filename_suffix}"
        self._file = open(os.path.join(self.log_dir, f"events.out.tfevents.{parts}"), "wb")  # noqa: SIM115, kept open
        self._file.write(event_file.record(event_file.first_event(now)))
        if self.purge_step is not None:
            self._file.write(event_file.record(event_file.session_start(now, self.purge_step)))
        self._flush(now)

    def _flush(self, now: float) -> None:
        self._file.flush()
        self._waiting, self._flushed = 0, now

    def get_logdir(self) -> str:
        """The folder of the file."""
        return self.log_dir

    def add_scalar(
        self,
        tag: str,
        scalar_value,
        global_step: int | None = None,
        walltime: float | None = None,
        new_style: bool = False,
        double_precision: bool = False,
    ) -> None:
        """Write one number, a point of the curve `tag`; it is kept as float32, whatever the last two arguments say."""
        self._add(tag, event_file.scalar(_number(scalar_value)), global_step, walltime)

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: dict, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write a point of each of several curves, shown in one picture; each curve has a folder of its own."""
        for tag, value in tag_scalar_dict.items():
            folder = f"{self.log_dir}/{main_tag.replace('/', '_')}_{tag}"
            if folder not in self._below:
                settings = self.max_queue, self.flush_secs, self.filename_suffix
                self._below[folder] = SummaryWriter(folder, "", None, *settings)
            self._below[folder].add_scalar(main_tag, value, global_step, walltime)

    def add_histogram(
        self,
        tag: str,
        values,
        global_step: int | None = None,
        bins="tensorflow",
        walltime: float | None = None,
        max_bins: int | None = None,
    ) -> None:
        """Write how the elements of a tensor or an array are distributed.

        `bins` is what `numpy.histogram` takes; "tensorflow" means bars that widen by a tenth from 0 on.

        NotImplementedError for `max_bins`, ValueError where there is no number to count.
        """
        if max_bins is not None:
            raise NotImplementedError("add_histogram: max_bins is not implemented; say the number of bars by bins=")
        values = np.asarray(_array(values), np.float64).reshape(-1)
        if not values.size:
            raise ValueError(f"The input has no element. There is nothing to count for {tag!r}")
        counts, edges = np.histogram(values, EDGES if isinstance(bins, str) and bins == "tensorflow" else bins)
        shown = np.flatnonzero(counts)
        if not shown.size:
            raise ValueError(f"The histogram is empty: no element for {tag!r} is a finite number")
        first, last = shown[0], shown[-1] + 1
        limits, bars = edges[first : last + 1], np.concatenate([[0], counts[first:last]])
        self._add(tag, event_file.histogram(values, limits, bars), global_step, walltime)

    def add_image(
        self,
        tag: str,
        img_tensor,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Write an image with 1, 3 or 4 channels: floats from 0 to 1, or uint8.

        `dataformats` says which axis is which: channels, height, width, or "HW" without channels. AssertionError for a
        tensor of another number of axes, ValueError for another number of channels.
        """
        pixels, axes = _array(img_tensor), dataformats.upper()
        if len(axes) != pixels.ndim:
            raise AssertionError(
                f"size of input tensor and input format are different. tensor shape: {pixels.shape}, "
                f"input_format: {dataformats}"
            )
        if "C" not in axes:
            pixels, axes = pixels[None], "C" + axes
        pixels = pixels.transpose([axes.index(axis) for axis in "HWC"])
        if pixels.dtype != np.uint8:
            pixels = (np.clip(pixels, 0, 1) * 255).astype(np.uint8)
        self._add(tag, event_file.image(_png(pixels), *pixels.shape), global_step, walltime)

    def add_text(
        self, tag: str, text_string: str, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write a text, shown as Markdown."""
        self._add(f"{tag}/text_summary", event_file.text(text_string), global_step, walltime)

    def _add(self, tag: str, value: bytes, step: int | None, walltime: float | None) -> None:
        now = time.time()
        if self._file.closed:
            self._open()
        event = event_file.event(now if walltime is None else walltime, int(step or 0), tag, value)
        self._file.write(event_file.record(event))
        self._waiting += 1
        if self._waiting >= self.max_queue or now > self._flushed + self.flush_secs:
            self._flush(now)

    def flush(self) -> None:
        """Put into the files what is not there yet."""
        for writer in (self, *self._below.values()):
            if not writer._file.closed:
                writer._flush(time.time())

    def close(self) -> None:
        """Close the files. What is written after that goes to new ones."""
        for writer in (self, *self._below.values()):
            writer._file.close()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


def _array(values) -> np.ndarray:
    return np.asarray(values.detach().numpy() if isinstance(values, Tensor) else values)


def _number(value) -> float:
    """The one number that a tensor, an array or a number holds."""
    array = _array(value)
    if array.size != 1:
        raise AssertionError(f"Tensor should contain one element (0 dimensions). Was given shape {list(array.shape)}")
    return float(array.reshape(()))


def _png(pixels: np.ndarray) -> bytes:
    """An array of uint8 with axes height, width and channels as a PNG, whose lines stand as they are."""
    height, width, channels = pixels.shape
    kinds = {1: 0, 3: 2, 4: 6}
    if channels not in kinds:
        raise ValueError(f"an image has 1, 3 or 4 channels, not {channels}: shape {height} x {width} x {channels}")
    lines = np.concatenate([np.zeros((height, 1), np.uint8), pixels.reshape(height, -1)], 1)
    header = struct.pack(">IIBBBBB", width, height, 8, kinds[channels], 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines.tobytes())), (b"IEND", b""))
    parts = [
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    ]
    return b"".join([b"\x89PNG\r\n\x1a\n", *parts])
