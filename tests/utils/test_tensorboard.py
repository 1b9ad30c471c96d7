"""Records for TensorBoard: its own reader finds in them what it finds in those that PyTorch's writer makes."""

import inspect
import io
import subprocess
import sys

import matplotlib
import numpy as np
import pytest
import torch
from matplotlib.figure import Figure
from PIL import Image
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from tensorboard.backend.event_processing.event_file_loader import EventFileLoader
from tensorboard.util.tensor_util import make_ndarray
from torch.utils.tensorboard import SummaryWriter as TorchWriter

import autograd_core as ac
from autograd_core.utils.tensorboard import EDGES, SummaryWriter

matplotlib.use("agg")
WRITERS = pytest.mark.parametrize("T, Writer", [(ac, SummaryWriter), (torch, TorchWriter)], ids=["ours", "torch"])


def events(folder):
    """The events in the files of a folder, by time of writing, without the one with which a file begins."""
    found = [list(EventFileLoader(str(path)).Load()) for path in sorted(folder.glob("events.out.tfevents.*"))]
    assert all(file[0].file_version == "brain.Event:2" for file in found)
    return [event for file in found for event in file[1:]]


def values(folder):
    """Step and value of each event in a folder; TensorBoard's reader makes tensors of scalars and histograms."""
    return [(event.step, value) for event in events(folder) for value in event.summary.value]


def written(Writer, T, folder, write):
    """What is in each folder below one after a program wrote there."""
    with Writer(folder) as writer:
        write(writer, T)
    kinds = {}
    for below in sorted([folder, *(path for path in folder.rglob("*") if path.is_dir())]):
        kinds[str(below.relative_to(folder))] = [
            (event.wall_time, event.step, event.summary) for event in events(below)
        ]
    return kinds


RANDOM = np.random.default_rng(0)
NORMAL, UNIFORM = RANDOM.normal(size=(20, 25)), RANDOM.random((10, 3, 4, 5))
PROGRAMS = {
    "a scalar": lambda w, T: w.add_scalar("loss", T.tensor(0.5), 3, walltime=1.0),
    "a scalar of Python at no step": lambda w, T: w.add_scalar("loss", 0.1, walltime=1.0),
    "a scalar of NumPy below 0": lambda w, T: w.add_scalar("loss", np.float64(0.1), -7, 1.0),
    "a scalar at a step that is a tensor": lambda w, T: w.add_scalar("loss", 1, T.tensor(4), 1.0),
    "a scalar in the new style": lambda w, T: w.add_scalar("loss", T.ones(1, 1), 3, 1.0, new_style=True),
    "a scalar as float64": lambda w, T: w.add_scalar("a", 0.1, 3, 1.0, new_style=True, double_precision=True),
    "a scalar of float16": lambda w, T: w.add_scalar("a", T.tensor(3.14, dtype=T.float16), 3, 1.0),
    "a scalar with a gradient": lambda w, T: w.add_scalar("a", T.tensor(3.0, requires_grad=True), 3, 1.0),
    "several scalars": lambda w, T: w.add_scalars("loss/all", {"train": 0.5, "test": T.tensor(2.0)}, 1, 1.0),
    "a tensor": lambda w, T: w.add_tensor("t", T.tensor([[1.5, 2.0]]), 1, 1.0),
    "a tensor of integers": lambda w, T: w.add_tensor("t", T.tensor([[1], [2]]), 1, 1.0),
    "a histogram": lambda w, T: w.add_histogram("h", T.tensor(NORMAL), 4, walltime=1.0),
    "a histogram of integers": lambda w, T: w.add_histogram("h", T.arange(5), 4, "auto", 1.0),
    "a histogram of three bars": lambda w, T: w.add_histogram("h", np.array([1.0, 2, 2, 4]), 1, 3, 1.0),
    "a histogram with an infinity": lambda w, T: w.add_histogram("h", np.array([0.5, np.inf]), 1, walltime=1.0),
    "a histogram of at most 7 bars": lambda w, T: w.add_histogram("h", T.tensor(NORMAL), 1, 30, 1.0, max_bins=7),
    "a histogram of at most 100 bars": lambda w, T: w.add_histogram("h", T.tensor(NORMAL), 1, max_bins=100, walltime=1),
    "a counted histogram": lambda w, T: w.add_histogram_raw("h", 0, 3.5, 3, 5.0, 9.0, [1, 4], T.tensor([2, 1]), 1, 1.0),
    "a text": lambda w, T: w.add_text("t", "*größer*", 1, 1.0),
    "a sound": lambda w, T: w.add_audio("a", T.tensor(UNIFORM[0, :1, 0]), 1, 8000, 1.0),
    "an image": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0]), 1, 1.0),
    "an image of float32": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0] * 2 - 0.5, dtype=T.float32), 1, 1.0),
    "an image of bytes": lambda w, T: w.add_image("i", np.arange(60, dtype=np.uint8).reshape(3, 4, 5), 1, 1.0),
    "an image of integers": lambda w, T: w.add_image("i", T.ones(3, 4, 5, dtype=T.int64), 1, 1.0),
    "an image with its channels last": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0].T.copy()), 1, 1.0, "WHC"),
    "an image turned": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0]), 1, 1.0, "cwh"),
    "an image of one channel": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0, :1]), 1, 1.0),
    "an image of two channels": lambda w, T: w.add_image("i", T.tensor(UNIFORM[:2, 0]), 1, 1.0),
    "an image of four channels": lambda w, T: w.add_image("i", T.tensor(UNIFORM[:4, 0]), 1, 1.0),
    "an image without channels": lambda w, T: w.add_image("i", T.tensor(UNIFORM[0, 0]), 1, 1.0, "HW"),
    "ten images": lambda w, T: w.add_images("i", T.tensor(UNIFORM), 1, 1.0),
    "three gray images": lambda w, T: w.add_images("i", T.tensor(UNIFORM[:3, :1]), 1, 1.0),
    "images with their channels last": lambda w, T: w.add_images("i", UNIFORM.transpose(0, 2, 3, 1), 1, 1.0, "NHWC"),
    "a figure": lambda w, T: w.add_figure("f", figure(), 1, walltime=1.0),
    "two figures": lambda w, T: w.add_figure("f", [figure(), figure()], 1, False, 1.0),
}


def figure():
    drawn = Figure(figsize=(1, 1), dpi=20)
    drawn.add_subplot().plot([1, 3, 2])
    return drawn


def comparable(summary):
    """A value of each kind as arrays and texts; an image by its pixels, however they are packed."""
    (value,) = summary.value
    found = {"tag": value.tag, "metadata": str(value.metadata)}
    if value.HasField("image"):
        image, size = value.image, (value.image.height, value.image.width, value.image.colorspace)
        return found | {"size": size, "pixels": np.asarray(Image.open(io.BytesIO(image.encoded_image_string))).tolist()}
    if value.HasField("tensor"):
        array = make_ndarray(value.tensor)
        return found | {"dtype": array.dtype, "values": array.tolist(), "shape": array.shape}
    return found | {"value": str(value)}


def test_the_bars_of_a_histogram_are_those_of_pytorch(tmp_path):
    with TorchWriter(tmp_path) as writer:
        assert writer.default_bins == EDGES.tolist()


@pytest.mark.parametrize("what", PROGRAMS)
def test_a_reader_finds_what_pytorch_would_have_written(what, tmp_path):
    ours = written(SummaryWriter, ac, tmp_path / "ours", PROGRAMS[what])
    theirs = written(TorchWriter, torch, tmp_path / "torch", PROGRAMS[what])
    assert ours.keys() == theirs.keys()
    for folder in ours:
        assert [row[:2] for row in ours[folder]] == [row[:2] for row in theirs[folder]]
        assert [comparable(row[2]) for row in ours[folder]] == [comparable(row[2]) for row in theirs[folder]]
    assert any(ours.values())


def test_hyperparameters_are_those_that_pytorch_writes(tmp_path):
    def write(writer, T):
        given = {"lr": 0.1, "layers": 3, "name": "a", "bias": True, "rate": T.tensor([0.5]), "none": None}
        domains = {"lr": [0.1, 0.2], "name": ["a", "b"], "layers": [3, 4], "bias": [True, False]}
        writer.add_hparams(given, {"accuracy": 0.9, "loss": T.tensor(2.0)}, domains, "run", 5)

    found = []
    for Writer, T in ((SummaryWriter, ac), (TorchWriter, torch)):
        folder = tmp_path / T.__name__
        written(Writer, T, folder, write)
        found.append([(step, value.tag, value.simple_value) for step, value in values(folder / "run")])
    assert found[0] == found[1] and len(found[0]) == 5
    assert contents(tmp_path / "autograd_core" / "run") == contents(tmp_path / "torch" / "run")
    plugin = EventAccumulator(str(tmp_path / "autograd_core" / "run")).Reload().PluginTagToContent("hparams")
    assert len(plugin) == 3


def contents(folder):
    """What the plugin for hyperparameters reads in a folder."""
    from tensorboard.plugins.hparams.plugin_data_pb2 import HParamsPluginData

    plugins = [value.metadata.plugin_data for _, value in values(folder)]
    return [HParamsPluginData.FromString(data.content) for data in plugins if data.plugin_name == "hparams"]


REFUSED = {
    "a scalar of two elements": (
        lambda w, T: w.add_scalar("a", T.ones(2)),
        AssertionError,
        "should contain one element",
    ),
    "a scalar in a list": (lambda w, T: w.add_scalar("a", [1.0]), NotImplementedError, "numpy array or torch tensor"),
    "a histogram of nothing": (lambda w, T: w.add_histogram("h", T.ones(0)), ValueError, "The input has no element"),
    "a histogram of no number": (
        lambda w, T: w.add_histogram("h", T.tensor([float("nan")])),
        ValueError,
        "The histogram is empty",
    ),
    "two limits for one count": (
        lambda w, T: w.add_histogram_raw("h", 0, 1, 1, 1, 1, [1, 2], [1]),
        ValueError,
        r"len\(bucket_limits\) != len\(bucket_counts\)",
    ),
    "an image of two axes": (
        lambda w, T: w.add_image("i", T.ones(2, 3)),
        AssertionError,
        "size of input tensor and input format are different",
    ),
    "an image of five channels": (lambda w, T: w.add_image("i", T.ones(5, 3, 3)), TypeError, "Cannot handle this data"),
    "images of four channels": (lambda w, T: w.add_images("i", T.ones(2, 4, 3, 3)), AssertionError, "4D numpy array"),
    "a sound of two channels": (lambda w, T: w.add_audio("a", T.ones(2, 3)), AssertionError, "should be 1 dimensional"),
    "hyperparameters in a list": (lambda w, T: w.add_hparams([1], {}), TypeError, "should be dictionary"),
    "a hyperparameter that is a list": (lambda w, T: w.add_hparams({"a": [1]}, {}), ValueError, "should be one of int"),
    "a domain that is a list": (lambda w, T: w.add_hparams({"a": 1}, {}, [1]), TypeError, "should be a dictionary"),
    "a domain of another type": (
        lambda w, T: w.add_hparams({"a": 1}, {}, {"a": ["b"]}),
        TypeError,
        "should be a list of same type",
    ),
}


@WRITERS
@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_shown_is_refused_and_nothing_is_written(what, T, Writer, tmp_path):
    write, kind, words = REFUSED[what]
    with Writer(tmp_path) as writer, pytest.raises(kind, match=words):
        write(writer, T)
    assert events(tmp_path) == []


def test_of_several_numbers_none_is_written_where_one_is_refused(tmp_path):
    with SummaryWriter(tmp_path) as writer, pytest.raises(AssertionError, match="one element"):
        writer.add_scalars("loss", {"train": 1.0, "test": ac.ones(2)})
    with SummaryWriter(tmp_path) as writer, pytest.raises(AssertionError, match="one element"):
        writer.add_hparams({"lr": 0.1}, {"loss": ac.ones(2)}, run_name="loss")
    assert not list(tmp_path.glob("loss*"))


def test_a_sound_that_is_too_loud_is_clipped_with_a_warning(tmp_path):
    with SummaryWriter(tmp_path / "ours") as writer, pytest.warns(UserWarning, match="amplitude out of range"):
        writer.add_audio("a", ac.tensor([0.5, -3.0]))
    with TorchWriter(tmp_path / "torch") as writer:
        writer.add_audio("a", torch.tensor([0.5, -3.0]))
    assert values(tmp_path / "ours") == values(tmp_path / "torch")


def test_methods_take_the_arguments_that_pytorch_takes(tmp_path):
    theirs = {name: value for name, value in vars(TorchWriter).items() if inspect.isfunction(value) and name[0] != "_"}
    with SummaryWriter(tmp_path) as writer:
        for name, method in theirs.items():
            ours = inspect.signature(getattr(SummaryWriter, name)).parameters.values()
            if [parameter.name for parameter in ours] == ["self", "args", "kwargs"]:
                with pytest.raises(NotImplementedError, match=f"SummaryWriter.{name} is not implemented: ."):
                    getattr(writer, name)()
            else:
                expected = inspect.signature(method).parameters.values()
                assert [(p.name, p.default) for p in ours] == [(p.name, p.default) for p in expected], name


@WRITERS
def test_a_file_may_be_read_after_a_flush_and_closed_twice(T, Writer, tmp_path):
    writer = Writer(tmp_path)
    writer.add_scalar("loss", 1.0)
    writer.add_scalars("all", {"train": 1.0})
    writer.flush()
    assert len(values(tmp_path)) == len(values(tmp_path / "all_train")) == 1
    writer.close()
    writer.close()
    writer.flush()
    writer.add_scalar("loss", 2.0)
    writer.close()
    assert len(list(tmp_path.glob("events*"))) == 2 and writer.get_logdir() == tmp_path
    assert sorted(make_ndarray(value.tensor).item() for _, value in values(tmp_path)) == [1.0, 2.0]


def test_without_a_folder_one_below_runs_is_named_by_time_and_host(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SummaryWriter(comment="_lr_0.1", filename_suffix=".mine").close()
    (folder,) = (tmp_path / "runs").iterdir()
    (file,) = folder.iterdir()
    assert folder.name.endswith("_lr_0.1") and file.name.endswith(".mine") and events(folder) == []


@pytest.mark.parametrize("start", [5, 0])
def test_steps_from_purge_step_on_count_anew(start, tmp_path):
    for name, Writer in (("ours", SummaryWriter), ("torch", TorchWriter)):
        with Writer(tmp_path / name) as writer:
            for step in range(8):
                writer.add_scalar("loss", step, step)
        with Writer(tmp_path / name, purge_step=start, filename_suffix=".later") as writer:
            writer.add_scalar("loss", 50.0, start)
    ours, theirs = (
        [(e.step, e.file_version, e.session_log.status) for e in events(tmp_path / n)] for n in ("ours", "torch")
    )
    assert ours == theirs
    shown = EventAccumulator(str(tmp_path / "ours")).Reload().Scalars("loss")
    assert [(event.step, event.value) for event in shown] == [*((step, step) for step in range(start)), (start, 50)]


ABSENT = """
import sys

class Nowhere:
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] in ("PIL", "google", "tensorboard"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Nowhere)
import autograd_core as ac
from autograd_core import as_torch
from autograd_core.utils import *
as_torch.install()
assert ac.utils.checkpoint and ac.utils.data and "tensorboard" in dir(ac.utils)
for statement in (
    "import autograd_core.utils.tensorboard",
    "from autograd_core.utils import tensorboard",
    "from torch.utils.tensorboard import SummaryWriter",
):
    try:
        exec(statement)
    except ModuleNotFoundError as error:
        assert error.name == "tensorboard" and "No module named 'tensorboard'" in str(error), error
        assert "pip install tensorboard" in str(error), error
    else:
        raise AssertionError(statement)
"""


def test_only_the_writer_needs_the_package_tensorboard():
    subprocess.run([sys.executable, "-c", ABSENT], check=True)
    lazily = (
        "import sys, autograd_core as ac; ac.utils.data; assert 'tensorboard' not in sys.modules; ac.utils.tensorboard"
    )
    subprocess.run([sys.executable, "-c", lazily], check=True)


def test_a_program_that_imports_torch_finds_the_writer():
    program = """
from autograd_core import as_torch
as_torch.install()
from torch.utils.tensorboard import SummaryWriter
import torch.utils.tensorboard as board
assert SummaryWriter is board.SummaryWriter and SummaryWriter.__module__ == "autograd_core.utils.tensorboard"
"""
    subprocess.run([sys.executable, "-c", program], check=True)
