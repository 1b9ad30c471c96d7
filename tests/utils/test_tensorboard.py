"""Records for TensorBoard: the bytes that PyTorch's writer puts into a file, and what a reader finds there."""

import io
import struct
import zlib

import numpy as np
import pytest

import autograd_core as ac
from autograd_core.utils.event_file import crc32c
from autograd_core.utils.tensorboard import SummaryWriter


def records(folder):
    """The records of the one file in a folder, each as its bytes."""
    (path,) = folder.glob("events.out.tfevents.*")
    stream, found = io.BytesIO(path.read_bytes()), []
    while start := stream.read(8):
        (length,) = struct.unpack("<Q", start)
        found.append(start + stream.read(length + 8))
    return found


def fields(message):
    """The fields of a message: lists of values by number."""
    stream, found = io.BytesIO(message), {}

    def varint():
        value = shift = 0
        while True:
            (byte,) = stream.read(1)
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value

    while stream.tell() < len(message):
        number, kind = divmod(varint(), 8)
        read = {
            0: varint,
            1: lambda: struct.unpack("<d", stream.read(8))[0],
            2: lambda: stream.read(varint()),
            5: lambda: struct.unpack("<f", stream.read(4))[0],
        }[kind]
        found.setdefault(number, []).append(read())
    return found


def values(folder):
    """Tag, step and fields of each value in the file of a folder."""
    events = [fields(record[12:-4]) for record in records(folder)]
    assert events[0][3] == [b"brain.Event:2"]
    found = []
    for event in events[1:]:
        value = fields(fields(event[5][0])[1][0])
        found.append((value[1][0].decode(), event[2][0], value))
    return found


AS_PYTORCH_WRITES = {
    "a scalar": (
        lambda writer: writer.add_scalar("loss", ac.tensor(0.5), 3, walltime=1.0),
        bytes.fromhex("1a00000000000000129bd82d09000000000000f03f10032a0d0a0b0a046c6f7373150000003f7fb84377"),
    ),
    "a text at a step below 0": (
        lambda writer: writer.add_text("t", "hello", -7, walltime=1.0),
        bytes.fromhex(
            "4300000000000000b18525a009000000000000f03f10f9ffffffffffffffff01"
            "2a2d0a2b0a0e742f746578745f73756d6d617279420f08071204120208014205"
            "68656c6c6f4a080a060a04746578747674bcd6"
        ),
    ),
    "a histogram": (
        lambda writer: writer.add_histogram("h", np.array([1.0, 2, 2, 4]), 1, bins=3, walltime=1.0),
        bytes.fromhex(
            "8500000000000000e98acc5909000000000000f03f10012a780a760a01682a71"
            "09000000000000f03f1100000000000010401900000000000010402100000000"
            "000022402900000000000039403220000000000000f03f000000000000004000"
            "0000000000084000000000000010403a200000000000000000000000000000f0"
            "3f0000000000000040000000000000f03f3b01bc91"
        ),
    ),
}


@pytest.mark.parametrize("what", AS_PYTORCH_WRITES)
def test_a_record_has_the_bytes_that_pytorch_writes(what, tmp_path):
    write, expected = AS_PYTORCH_WRITES[what]
    with SummaryWriter(tmp_path) as writer:
        write(writer)
    assert records(tmp_path)[1:] == [expected]


def test_a_check_sum_is_that_of_castagnoli():
    assert crc32c(b"123456789") == 0xE3069283 and crc32c(b"") == 0


@pytest.mark.parametrize("number", [2.5, 3, np.float32(2.5), ac.tensor([2.5])])
def test_a_scalar_is_a_number_an_array_or_a_tensor_of_one(number, tmp_path):
    with SummaryWriter(tmp_path) as writer:
        writer.add_scalar("loss", number, 1)
        with pytest.raises(AssertionError, match=r"should contain one element .*\[2\]"):
            writer.add_scalar("loss", ac.ones(2), 2)
    assert [(tag, step, value[2]) for tag, step, value in values(tmp_path)] == [
        ("loss", 1, [np.asarray(number).item()])
    ]


def test_several_curves_have_folders_of_their_own(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        for step in range(2):
            writer.add_scalars("loss/all", {"train": step + 0.5, "test": 2.0}, step)
    found = [(step, value[2]) for _, step, value in values(tmp_path / "loss_all_train")]
    assert found == [(0, [0.5]), (1, [1.5])] and len(values(tmp_path / "loss_all_test")) == 2


def test_a_histogram_counts_every_number_once(tmp_path):
    print("seed 0")
    drawn = np.random.default_rng(0).normal(size=500)
    with SummaryWriter(tmp_path) as writer:
        writer.add_histogram("weight", ac.tensor(drawn), 4)
        writer.add_histogram("with an infinity", np.array([0.5, np.inf]))
    (_, step, value), _ = values(tmp_path)
    histogram = fields(value[5][0])
    limits, counts = (np.frombuffer(histogram[number][0]) for number in (6, 7))
    below = np.searchsorted(np.sort(drawn), limits)
    assert step == 4 and histogram[3] == [500.0] and histogram[1] == [drawn.min()]
    np.testing.assert_array_equal(np.cumsum(counts), below)
    assert counts[0] == 0 and counts[1] > 0 and counts[-1] > 0
    np.testing.assert_allclose(limits[limits > 0.1][1:] / limits[limits > 0.1][:-1], 1.1)


def test_what_cannot_be_counted_is_refused(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        for given, words in ((ac.ones(0), "no element"), (ac.tensor([float("nan")]), "'h' is a finite number")):
            with pytest.raises(ValueError, match=words):
                writer.add_histogram("h", given)
        with pytest.raises(NotImplementedError, match="max_bins"):
            writer.add_histogram("h", ac.ones(2), max_bins=3)
    assert values(tmp_path) == []


def pixels_of(png):
    """The array that a PNG holds, whose lines stand as they are."""
    assert png[:8] == b"\x89PNG\r\n\x1a\n" and png[-12:] == b"\0\0\0\0IEND\xaeB`\x82"
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    (length,) = struct.unpack(">I", png[33:37])
    lines = np.frombuffer(zlib.decompress(png[41 : 41 + length]), np.uint8).reshape(height, -1)
    assert depth == 8 and not lines[:, 0].any()
    return lines[:, 1:].reshape(height, width, {0: 1, 2: 3, 6: 4}[kind])


@pytest.mark.parametrize("axes", ["CHW", "HWC", "HW", "WHC"])
def test_an_image_comes_back_from_its_png(axes, tmp_path):
    image = np.arange(60, dtype=np.uint8).reshape(4, 5, 3)[..., : 1 if axes == "HW" else 3]
    given = image[..., 0] if axes == "HW" else image.transpose(["HWC".index(axis) for axis in axes])
    with SummaryWriter(tmp_path) as writer:
        writer.add_image("bytes", ac.tensor(given), dataformats=axes)
        writer.add_image("floats", ac.tensor((given + 0.5) / 255), dataformats=axes)
    for _, _, value in values(tmp_path):
        shown = fields(value[4][0])
        assert [shown[number][0] for number in (1, 2, 3)] == list(image.shape)
        np.testing.assert_array_equal(pixels_of(shown[4][0]), image)


def test_what_is_no_image_is_refused(tmp_path):
    with SummaryWriter(tmp_path) as writer:
        with pytest.raises(AssertionError, match="input tensor and input format are different"):
            writer.add_image("x", ac.ones(2, 3))
        with pytest.raises(ValueError, match="1, 3 or 4 channels, not 2"):
            writer.add_image("x", ac.ones(2, 3, 3))
    assert values(tmp_path) == []


def test_a_file_may_be_read_after_a_flush_and_closed_twice(tmp_path):
    writer = SummaryWriter(tmp_path, max_queue=3)
    writer.add_scalar("loss", 1.0)
    assert len(values(tmp_path)) == 0
    writer.flush()
    assert len(values(tmp_path)) == 1
    for _ in range(3):
        writer.add_scalar("loss", 1.0)
    assert len(values(tmp_path)) == 4
    writer.close()
    writer.close()
    writer.add_scalar("loss", 2.0)
    writer.close()
    assert len(list(tmp_path.iterdir())) == 2 and writer.get_logdir() == str(tmp_path)


def test_without_a_folder_one_below_runs_is_named_by_time_and_host(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    SummaryWriter(comment="_lr_0.1").close()
    (folder,) = (tmp_path / "runs").iterdir()
    assert folder.name.endswith("_lr_0.1") and len(values(folder)) == 0


def test_steps_from_purge_step_on_count_anew(tmp_path):
    SummaryWriter(tmp_path, purge_step=5).close()
    event = fields(records(tmp_path)[1][12:-4])
    assert event[2] == [5] and fields(event[7][0]) == {1: [1]}
