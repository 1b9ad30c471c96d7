"""Records of a training for TensorBoard: curves, histograms, pictures, sounds and texts.

The files are written by the package `tensorboard`: ModuleNotFoundError at import where it is not installed.
"""

from __future__ import annotations

import io
import os
import socket
import time
import warnings
import wave

import numpy as np

from ..core.tensor import Tensor
from ..names import facade

try:
    from tensorboard.summary.writer.event_file_writer import EventFileWriter
except ModuleNotFoundError as error:
    words = f"No module named {error.name!r}. SummaryWriter writes by the package tensorboard: pip install tensorboard"
    raise ModuleNotFoundError(words, name=error.name) from None

from google.protobuf import struct_pb2
from PIL import Image
from tensorboard.compat.proto.event_pb2 import Event, SessionLog
from tensorboard.compat.proto.summary_pb2 import HistogramProto, Summary, SummaryMetadata
from tensorboard.plugins.hparams import api_pb2, plugin_data_pb2
from tensorboard.plugins.hparams import metadata as hparams_plugin
from tensorboard.plugins.text import metadata as text_plugin
from tensorboard.util.tensor_util import make_tensor_proto

__all__ = ["SummaryWriter"]
__getattr__, __dir__ = facade(__name__, __all__)

STEPS = np.cumprod([1e-12, *[1.1] * 773])
EDGES = np.concatenate([-STEPS[::-1], [0.0], STEPS])  # of the bars of a histogram: finer near 0


def _refused(name: str, reason: str):
    """The method of PyTorch's writer that this one does not have."""

    def method(self, *args, **kwargs) -> None:
        raise NotImplementedError(f"SummaryWriter.{name} is not implemented: {reason}")

    method.__name__, method.__doc__ = name, f"NotImplementedError: {reason}."
    return method


class SummaryWriter:
    """Writes what happens in a training to a new file in a folder, for TensorBoard.

    The folder is `log_dir`, by default one below `runs`, named by the time, the host and `comment`. Steps from
    `purge_step` on are written anew. What is written is in the file after `flush`, or when `flush_secs` seconds have
    gone by; `max_queue` is how many events may wait for the thread that writes. A writer may stand in a `with`.

    Values are tensors, arrays or numbers; NotImplementedError for others. `global_step` is where a value stands on the
    axis, and `walltime` is when it came, in seconds, by default now.

    >>> import autograd_core as ac, tempfile
    >>> from autograd_core.utils.tensorboard import SummaryWriter
    >>> from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     with SummaryWriter(folder) as writer:
    ...         for step in range(3):
    ...             writer.add_scalar("loss", ac.tensor(0.5) ** step, step)
    ...     [(event.step, event.value) for event in EventAccumulator(folder).Reload().Scalars("loss")]
    [(0, 1.0), (1, 0.5), (2, 0.25)]
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
        self.log_dir = log_dir
        self.max_queue, self.flush_secs, self.filename_suffix = max_queue, flush_secs, filename_suffix
        self._writers: dict[str, EventFileWriter] = {}
        writer = self._writer(str(log_dir))
        if purge_step is not None:
            now, step = time.time(), int(purge_step)
            writer.add_event(Event(wall_time=now, step=step, file_version="brain.Event:2"))
            writer.add_event(Event(wall_time=now, step=step, session_log=SessionLog(status=SessionLog.START)))

    def _writer(self, folder: str) -> EventFileWriter:
        if folder not in self._writers:
            self._writers[folder] = EventFileWriter(folder, self.max_queue, self.flush_secs, self.filename_suffix)
        return self._writers[folder]

    def _add(self, step, walltime: float | None, folder: str | None = None, **value) -> None:
        event = Event(wall_time=time.time() if walltime is None else walltime, summary={"value": [value]})
        if step is not None:
            event.step = int(step)
        self._writer(folder or str(self.log_dir)).add_event(event)

    def get_logdir(self) -> str | os.PathLike:
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
        """Write one number, a point of the curve `tag`, as float32, with `new_style` as a tensor.

        Such a tensor is float64 with `double_precision`. AssertionError for a value of several elements.
        """
        number = _number(scalar_value)
        if not new_style:
            return self._add(global_step, walltime, tag=tag, simple_value=number)
        kind = np.float64 if double_precision else np.float32
        self._add(global_step, walltime, tag=tag, tensor=make_tensor_proto(kind(number)), metadata=_shown_by("scalars"))

    def add_scalars(
        self, main_tag: str, tag_scalar_dict: dict, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write a point of each of several curves, shown in one picture; each curve has a folder of its own."""
        walltime = time.time() if walltime is None else walltime
        numbers = {tag: _number(value) for tag, value in tag_scalar_dict.items()}
        for tag, number in numbers.items():
            folder = f"{self.log_dir}/{main_tag.replace('/', '_')}_{tag}"
            self._add(global_step, walltime, folder, tag=main_tag, simple_value=number)

    def add_tensor(self, tag: str, tensor, global_step: int | None = None, walltime: float | None = None) -> None:
        """Write all elements of a tensor."""
        proto = make_tensor_proto(_array(tensor))
        self._add(global_step, walltime, tag=tag, tensor=proto, metadata=_shown_by("tensor"))

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

        `bins` is what `numpy.histogram` takes; "tensorflow" means bars that widen by a tenth from 0 on. Neighbors are
        put together where there are more than `max_bins`. ValueError where there is no number to count.
        """
        values = _array(values).astype(np.float64).reshape(-1)
        if not values.size:
            raise ValueError(f"The input has no element. There is nothing to count for {tag!r}")
        counts, edges = np.histogram(values, EDGES if isinstance(bins, str) and bins == "tensorflow" else bins)
        if max_bins is not None and counts.size > max_bins:
            starts = np.arange(0, counts.size, counts.size // max_bins)
            counts, edges = np.add.reduceat(counts, starts), np.append(edges[starts], edges[-1])
        shown = np.flatnonzero(counts)
        if not shown.size:
            raise ValueError(f"The histogram is empty: no element for {tag!r} is a number within the bars")
        first, last = shown[0], shown[-1] + 1
        facts = values.min(), values.max(), values.size, values.sum(), values.dot(values)
        limits, bars = edges[first : last + 1], [0, *counts[first:last]]  # TensorBoard wants a limit below the first
        self.add_histogram_raw(tag, *facts, limits, bars, global_step, walltime)

    def add_histogram_raw(
        self,
        tag: str,
        min: float,
        max: float,
        num: int,
        sum: float,
        sum_squares: float,
        bucket_limits,
        bucket_counts,
        global_step: int | None = None,
        walltime: float | None = None,
    ) -> None:
        """Write a histogram that is counted: what is said of its numbers, the upper limit of each bar, and its count.

        ValueError for other than one count for each limit.
        """
        if len(bucket_limits) != len(bucket_counts):
            sizes = f"{len(bucket_limits)} and {len(bucket_counts)}"
            raise ValueError(f"len(bucket_limits) != len(bucket_counts): {sizes} for {tag!r}. Each bar has one of both")
        bars = {"bucket_limit": list(map(float, bucket_limits)), "bucket": list(map(float, bucket_counts))}
        facts = {"min": min, "max": max, "num": num, "sum": sum, "sum_squares": sum_squares}
        self._add(global_step, walltime, tag=tag, histo=HistogramProto(**facts, **bars))

    def add_image(
        self,
        tag: str,
        img_tensor,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "CHW",
    ) -> None:
        """Write an image with 1 to 4 channels as a PNG: floats from 0 to 1, or uint8.

        `dataformats` says which axis is which: channels, height, width, "HW" without channels, and with "N" several
        images, in rows of 8. AssertionError for a tensor of other axes, TypeError for another number of channels.
        """
        pixels = _pixels(_array(img_tensor), dataformats)
        height, width, channels = pixels.shape
        stream = io.BytesIO()
        Image.fromarray(pixels).save(stream, "PNG")
        image = Summary.Image(height=height, width=width, colorspace=channels, encoded_image_string=stream.getvalue())
        self._add(global_step, walltime, tag=tag, image=image)

    def add_images(
        self,
        tag: str,
        img_tensor,
        global_step: int | None = None,
        walltime: float | None = None,
        dataformats: str = "NCHW",
    ) -> None:
        """Write several images in one, in rows of 8. They are what `add_image` takes, with 1 or 3 channels."""
        self.add_image(tag, img_tensor, global_step, walltime, dataformats)

    def add_figure(
        self, tag: str, figure, global_step: int | None = None, close: bool = True, walltime: float | None = None
    ) -> None:
        """Write a figure of Matplotlib's, or a list of figures of one size, as an image, and close it."""
        import matplotlib.pyplot as plt
        from matplotlib.backends.backend_agg import FigureCanvasAgg

        pictures = []
        for drawn in figure if isinstance(figure, list) else [figure]:
            canvas = FigureCanvasAgg(drawn)
            canvas.draw()
            pictures.append(np.array(canvas.buffer_rgba())[..., :3])
            if close:
                plt.close(drawn)
        if isinstance(figure, list):
            self.add_image(tag, np.stack(pictures), global_step, walltime, "NHWC")
        else:
            self.add_image(tag, pictures[0], global_step, walltime, "HWC")

    def add_audio(
        self,
        tag: str,
        snd_tensor,
        global_step: int | None = None,
        sample_rate: int = 44100,
        walltime: float | None = None,
    ) -> None:
        """Write a sound of one channel as 16-bit WAV: a row of numbers from -1 to 1; a warning says what is clipped.

        AssertionError for a tensor with several axes longer than 1.
        """
        sound = _array(snd_tensor).squeeze()
        if sound.ndim != 1:
            raise AssertionError(
                f"input tensor should be 1 dimensional, a sound of one channel. Its shape: {sound.shape}"
            )
        if np.abs(sound).max() > 1:
            warnings.warn(f"audio amplitude out of range, auto clipped: {tag!r} is not from -1 to 1", stacklevel=2)
            sound = sound.clip(-1, 1)
        stream = io.BytesIO()
        with wave.open(stream, "wb") as file:
            file.setparams((1, 2, sample_rate, 0, "NONE", ""))
            file.writeframes((sound * np.iinfo(np.int16).max).astype("<i2").tobytes())
        audio = Summary.Audio(
            sample_rate=sample_rate,
            num_channels=1,
            length_frames=sound.size,
            encoded_audio_string=stream.getvalue(),
            content_type="audio/wav",
        )
        self._add(global_step, walltime, tag=tag, audio=audio)

    def add_text(
        self, tag: str, text_string: str, global_step: int | None = None, walltime: float | None = None
    ) -> None:
        """Write a text, shown as Markdown."""
        value = {"tensor": make_tensor_proto([text_string.encode()]), "metadata": _shown_by(text_plugin.PLUGIN_NAME)}
        self._add(global_step, walltime, tag=f"{tag}/text_summary", **value)

    def add_hparams(
        self,
        hparam_dict: dict,
        metric_dict: dict,
        hparam_domain_discrete: dict[str, list] | None = None,
        run_name: str | None = None,
        global_step: int | None = None,
    ) -> None:
        """Write hyperparameters and what was reached with them, to a folder of their own, `run_name`.

        Hyperparameters are numbers, texts, or None, which is left out; `hparam_domain_discrete` lists all values that
        some may have. TypeError for other than dicts, and for a list of values of another type; ValueError for a
        hyperparameter that is something else.
        """
        if type(hparam_dict) is not dict or type(metric_dict) is not dict:
            raise TypeError(
                f"hparam_dict and metric_dict should be dictionary. Given: {type(hparam_dict)}, {type(metric_dict)}"
            )
        values = {name: _hyperparameter(name, value) for name, value in hparam_dict.items() if value is not None}
        numbers = {tag: _number(value) for tag, value in metric_dict.items()}
        experiment = api_pb2.Experiment(
            metric_infos=[{"name": {"tag": tag}} for tag in metric_dict],
            hparam_infos=_hyperparameter_infos(hparam_dict, values, hparam_domain_discrete),
        )
        start = plugin_data_pb2.SessionStartInfo()
        for name, value in values.items():
            start.hparams[name].CopyFrom(_message(value))
        end = plugin_data_pb2.SessionEndInfo(status=api_pb2.Status.STATUS_SUCCESS)
        with SummaryWriter(os.path.join(self.log_dir, run_name or str(time.time()))) as writer:
            for tag, content in (
                (hparams_plugin.EXPERIMENT_TAG, {"experiment": experiment}),
                (hparams_plugin.SESSION_START_INFO_TAG, {"session_start_info": start}),
                (hparams_plugin.SESSION_END_INFO_TAG, {"session_end_info": end}),
            ):
                data = plugin_data_pb2.HParamsPluginData(**content)
                writer._add(global_step, None, tag=tag, metadata=hparams_plugin.create_summary_metadata(data))
            for tag, number in numbers.items():
                writer.add_scalar(tag, number, global_step)

    add_custom_scalars = _refused("add_custom_scalars", "curves may be put together in TensorBoard, or by add_scalars")
    add_custom_scalars_marginchart = _refused("add_custom_scalars_marginchart", "see add_custom_scalars")
    add_custom_scalars_multilinechart = _refused("add_custom_scalars_multilinechart", "see add_custom_scalars")
    add_embedding = _refused("add_embedding", "the projector reads other files; numpy.savetxt writes them")
    add_graph = _refused(
        "add_graph", "a model is not traced here; ac.explain and the grad_fn of a result show its graph"
    )
    add_image_with_boxes = _refused("add_image_with_boxes", "draw the boxes into the image, and write it by add_image")
    add_mesh = _refused("add_mesh", "draw the mesh with Matplotlib, and write it by add_figure")
    add_onnx_graph = _refused("add_onnx_graph", "this package has no ONNX")
    add_pr_curve = _refused("add_pr_curve", "draw the curve with Matplotlib, and write it by add_figure")
    add_pr_curve_raw = _refused("add_pr_curve_raw", "draw the curve with Matplotlib, and write it by add_figure")
    add_video = _refused("add_video", "write its frames by add_images")

    def flush(self) -> None:
        """Put into the files what is not there yet."""
        for writer in self._writers.values():
            writer.flush()

    def close(self) -> None:
        """Close the files. What is written after that goes to new ones."""
        while self._writers:
            self._writers.popitem()[1].close()

    def __enter__(self) -> SummaryWriter:
        return self

    def __exit__(self, *exception) -> None:
        self.close()


def _array(values) -> np.ndarray:
    if isinstance(values, Tensor):
        return np.asarray(values.detach().numpy())
    if isinstance(values, np.ndarray) or np.isscalar(values):
        return np.asarray(values)
    raise NotImplementedError(f"Got {type(values)}, but numpy array or torch tensor are expected. Make it a tensor")


def _number(value) -> float:
    """The one number that a tensor, an array or a number holds."""
    array = _array(value)
    if array.size != 1:
        raise AssertionError(f"Tensor should contain one element (0 dimensions). Was given shape {list(array.shape)}")
    return float(array.reshape(()))


def _shown_by(plugin: str) -> SummaryMetadata:
    return SummaryMetadata(plugin_data={"plugin_name": plugin})


def _pixels(values: np.ndarray, dataformats: str) -> np.ndarray:
    """An image as uint8, with axes height, width and 2 to 4 channels; several images in rows of 8."""
    axes = "".join(sorted(dataformats.upper()))
    if len(axes) != values.ndim or axes not in ("CHNW", "CHW", "HW"):
        raise AssertionError(
            f"size of input tensor and input format are different. tensor shape: {values.shape}, input_format: "
            f"{dataformats}. The format names each axis, as NCHW, CHW or HW do"
        )
    values = values.transpose([dataformats.upper().index(axis) for axis in "NHWC" if axis in axes])
    if "C" not in axes:
        values = values[..., None]
    channels = values.shape[-1]
    if "N" in axes:
        if channels not in (1, 3):
            raise AssertionError(f"Input should be a 4D numpy array with 3 channels, or with 1, not {channels}")
        values = _in_rows(values)
    if not 1 <= channels <= 4:
        raise TypeError(f"Cannot handle this data type: an image has 1 to 4 channels, not {channels}")
    if channels == 1:
        values = np.repeat(values, 3, -1)
    scale = 1 if values.dtype == np.uint8 else 255
    return (values.astype(np.float32) * scale).clip(0, 255).astype(np.uint8)


def _in_rows(images: np.ndarray) -> np.ndarray:
    """Images with axes number, height, width and channels side by side, 8 in a row; what is left over is black."""
    number, height, width, channels = images.shape
    columns = min(number, 8)
    rows = -(-number // columns)
    room = np.zeros((rows * columns, height, width, channels), images.dtype)
    room[:number] = images
    by_row = room.reshape(rows, columns, height, width, channels).swapaxes(1, 2)
    return by_row.reshape(rows * height, columns * width, channels)


def _hyperparameter(name: str, value) -> float | str:
    if isinstance(value, str):
        return value
    if isinstance(value, bool | int | float | Tensor):
        return _number(value)
    raise ValueError(f"value should be one of int, float, str, bool, or torch.Tensor: {name!r} is {value!r}")


def _message(value: float | str) -> struct_pb2.Value:
    return struct_pb2.Value(**{"string_value" if isinstance(value, str) else "number_value": value})


def _hyperparameter_infos(given: dict, values: dict, domains: dict[str, list] | None) -> list[api_pb2.HParamInfo]:
    """What kind each hyperparameter is of, and which values it may have, where a list says so."""
    if not isinstance(domains, dict | None):
        raise TypeError(f"parameter: hparam_domain_discrete should be a dictionary. Given: {type(domains)}")
    for name, domain in (domains or {}).items():
        kind = type(given.get(name))
        if name not in given or not isinstance(domain, list) or not all(isinstance(value, kind) for value in domain):
            raise TypeError(
                f"parameter: hparam_domain_discrete[{name}] should be a list of same type as hparam_dict[{name}]. "
                f"It is {domain!r}"
            )
    infos = []
    for name, value in values.items():
        kind = api_pb2.DATA_TYPE_STRING if isinstance(value, str) else api_pb2.DATA_TYPE_FLOAT64
        infos.append(api_pb2.HParamInfo(name=name, type=kind))
        if domains and name in domains:
            infos[-1].domain_discrete.extend(_hyperparameter(name, one) for one in domains[name])
    return infos
