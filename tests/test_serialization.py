"""Saving and loading: what comes back, what other programs read, and what is refused."""

import io
import json
import pickle
import struct
import zipfile

import numpy as np
import pytest
import safetensors.numpy
import safetensors.torch
import torch

import autograd_core as ac
from autograd_core.serialization import load, save
from tests.trees import assert_same

ENDINGS = pytest.mark.parametrize("ending", [".npz", ".safetensors"])
DTYPES = ["float16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool"]


def a_net(T):
    return T.nn.Sequential(T.nn.Linear(3, 4), T.nn.BatchNorm1d(4), T.nn.Linear(4, 2))


def tensors_of_all_kinds():
    state = {dtype: ac.tensor([[0, 1], [1, 0]]).to(getattr(ac, dtype)) for dtype in DTYPES}
    return {**state, "empty": ac.zeros(0, 3), "number": ac.tensor(2.5), "turned": ac.arange(6.0).reshape(2, 3).T}


@ENDINGS
def test_tensors_come_back_with_name_dtype_shape_and_values(ending, tmp_path):
    state = {**tensors_of_all_kinds(), "file": ac.ones(1), "a/b.c": ac.ones(1), "ключ": ac.ones(1)}
    save(state, tmp_path / f"state{ending}")
    loaded = load(str(tmp_path / f"state{ending}"))
    assert_same(loaded, state)
    assert [t.shape for t in loaded.values()] == [t.shape for t in state.values()]
    loaded["float32"].add_(1)  # it is writable, and its own
    assert [path.name for path in tmp_path.iterdir()] == [f"state{ending}"]


@ENDINGS
def test_a_training_run_goes_on_where_it_was(ending, tmp_path):
    def training(net, optimizer, steps):
        x = ac.arange(12.0).reshape(4, 3).sin()
        for _ in range(steps):
            optimizer.zero_grad()
            net(x).square().sum().backward()
            optimizer.step()

    def started():
        net = a_net(ac)
        return net, ac.optim.Adam(net.parameters(), lr=0.01)

    ac.manual_seed(0)
    net, optimizer = started()
    training(net, optimizer, 3)
    path = tmp_path / f"run{ending}"
    save({"net": net.state_dict(), "optimizer": optimizer.state_dict(), "epoch": 3, "best": (0.5, None)}, path)
    run = load(path)
    assert run["epoch"] == 3 and run["best"] == (0.5, None)
    again, second = started()
    again.load_state_dict(run["net"])
    second.load_state_dict(run["optimizer"])
    training(net, optimizer, 2)
    training(again, second, 2)
    for name, value in net.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), again.state_dict()[name].numpy(), err_msg=name)


@pytest.mark.parametrize("value", [ac.ones(2), [ac.ones(1), (ac.zeros(2), "a")], {1: ac.ones(1), "1": ac.zeros(1)}, {}])
def test_what_is_nested_comes_back_as_it_was(value, tmp_path):
    save(value, tmp_path / "value.npz")
    assert_same(load(tmp_path / "value.npz"), value)


def test_names_that_would_meet_are_kept_apart(tmp_path):
    value = {"a.b": ac.ones(1), "a": {"b": ac.zeros(1)}, "tensor": [ac.ones(2)]}
    save(value, tmp_path / "value.safetensors")
    assert_same(load(tmp_path / "value.safetensors"), value)


def test_safetensors_are_read_and_written_as_by_their_own_library(tmp_path):
    state = tensors_of_all_kinds()
    save(state, tmp_path / "ours.safetensors")
    theirs = safetensors.numpy.load_file(tmp_path / "ours.safetensors")
    assert theirs.keys() == state.keys()
    for name, tensor in state.items():
        np.testing.assert_array_equal(theirs[name], tensor.numpy())
        assert theirs[name].shape == tensor.shape
    net = a_net(torch)
    safetensors.torch.save_file(net.state_dict(), tmp_path / "theirs.safetensors", metadata={"format": "pt"})
    ours = a_net(ac)
    ours.load_state_dict(load(tmp_path / "theirs.safetensors"))
    save(ours.state_dict(), tmp_path / "back.safetensors")
    for name, value in safetensors.torch.load_file(tmp_path / "back.safetensors").items():
        assert torch.equal(value, net.state_dict()[name])


def test_npz_is_that_of_numpy(tmp_path):
    save({"w": ac.ones(2)}, tmp_path / "ours.npz")
    assert np.load(tmp_path / "ours.npz")["w"].tolist() == [1.0, 1.0]
    np.savez_compressed(tmp_path / "theirs.npz", w=np.arange(3))
    assert load(tmp_path / "theirs.npz")["w"].tolist() == [0, 1, 2]


def test_bfloat16_comes_as_float32(tmp_path):
    values = torch.tensor([1.0, -2.5, 3.0e38, float("inf")], dtype=torch.bfloat16)
    safetensors.torch.save_file({"w": values}, tmp_path / "half.safetensors")
    loaded = load(tmp_path / "half.safetensors")["w"]
    assert loaded.dtype == ac.float32 and loaded.tolist() == values.float().tolist()


class Harmful:
    """What runs when it is unpickled."""

    ran = False

    def __reduce__(self):
        return Harmful._run, ()

    @staticmethod
    def _run():
        Harmful.ran = True


def test_a_header_of_any_length_is_told_from_a_pickle():
    lengths = set()
    for n in range(400, 700, 8):
        file = io.BytesIO()
        save({"x" * n: ac.ones(1)}, file)
        lengths.add(file.getvalue()[:2])
        file.seek(0)
        assert list(load(file)) == ["x" * n]
    assert b"\x80\x02" in lengths, "no file began as a pickle does"


def pickled(path, protocol):
    path.write_bytes(pickle.dumps({"w": Harmful()}, protocol))


@pytest.mark.parametrize("ending", [".npz", ".safetensors", ".pt"])
@pytest.mark.parametrize(
    "write",
    [
        lambda path: pickled(path, 2),
        lambda path: pickled(path, 5),
        lambda path: torch.save({"w": torch.ones(1)}, path),
        lambda path: torch.save({"w": torch.ones(1)}, path, _use_new_zipfile_serialization=False),
    ],
    ids=["protocol 2", "protocol 5", "torch", "old torch"],
)
def test_a_pickle_is_refused_under_any_name(write, ending, tmp_path):
    path = tmp_path / f"model{ending}"
    write(path)
    with pytest.raises(pickle.UnpicklingError, match="runs any code"):
        load(path)
    assert not Harmful.ran


@pytest.mark.parametrize("protocol", [0, 1])
def test_a_pickle_without_a_mark_is_not_run_either(protocol, tmp_path):
    for ending in (".npz", ".safetensors"):
        pickled(tmp_path / f"model{ending}", protocol)
        with pytest.raises((pickle.UnpicklingError, ValueError)):
            load(tmp_path / f"model{ending}")
    assert not Harmful.ran


def test_objects_in_an_npz_are_refused(tmp_path):
    np.savez(tmp_path / "objects.npz", w=np.array([Harmful()], dtype=object))
    with pytest.raises(pickle.UnpicklingError, match=r"objects\.npz"):
        load(tmp_path / "objects.npz")
    assert not Harmful.ran


def header(**entries):
    text = json.dumps(entries).encode()
    return struct.pack("<Q", len(text)) + text


def entry(dtype="F32", shape=(2,), offsets=(0, 8)):
    return {"dtype": dtype, "shape": shape, "data_offsets": offsets}


BROKEN = {
    "nothing": b"",
    "a short file": b"abc",
    "a header past the end": struct.pack("<Q", 1 << 60) + b"{}",
    "no JSON": struct.pack("<Q", 4) + b"{{{{",
    "no object": struct.pack("<Q", 2) + b"[]",
    "bytes that are not there": header(w=entry()) + bytes(4),
    "too few bytes": header(w=entry(offsets=(0, 4))) + bytes(8),
    "negative offsets": header(w=entry(offsets=(-8, 0))) + bytes(8),
    "negative shape": header(w=entry(shape=(-1, -2))) + bytes(8),
    "unknown dtype": header(w=entry(dtype="F8_E4M3", offsets=(0, 2))) + bytes(2),
    "no offsets": header(w={"dtype": "F32", "shape": [2]}) + bytes(8),
    "two tensors of the same bytes": header(v=entry(), w=entry()) + bytes(8),
    "a gap": header(v=entry(), w=entry(offsets=(12, 20))) + bytes(20),
    "bytes of no tensor": header(w=entry()) + bytes(9),
    "a header without end": struct.pack("<Q", 100_000) + b"[" * 100_000,
    "a structure without end": header(__metadata__={"__structure__": "[" * 100_000}),
    "a structure of other tensors": header(__metadata__={"__structure__": '{"tensor": "v"}'}),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_is_refused(name, tmp_path):
    path = tmp_path / "broken.safetensors"
    path.write_bytes(BROKEN[name])
    with pytest.raises(ValueError, match=r"broken\.safetensors"):
        load(path)
    (tmp_path / "broken.npz").write_bytes(BROKEN[name])
    with pytest.raises(ValueError, match=r"broken\.npz is not an \.npz file: it is no zip archive"):
        load(tmp_path / "broken.npz")


def test_other_arrays_in_an_npz_are_refused(tmp_path):
    np.savez(tmp_path / "complex.npz", z=np.array([1j]))
    with pytest.raises(ValueError, match="'z' has dtype complex128"):
        load(tmp_path / "complex.npz")
    with zipfile.ZipFile(tmp_path / "texts.npz", "w") as archive:
        archive.writestr("notes.txt", "no array")
    with pytest.raises(ValueError, match=r"'notes\.txt' is no array"):
        load(tmp_path / "texts.npz")
    np.save(tmp_path / "one", np.ones(2))
    (tmp_path / "one.npy").rename(tmp_path / "one.npz")
    with pytest.raises(ValueError, match=r"not an \.npz file"):
        load(tmp_path / "one.npz")


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (ac.nn.Linear(1, 1), "Linear.*state_dict"),
        ({"net": {"layer": ac.nn.Linear(1, 1)}}, r"'net\.layer'"),
        ({"f": print}, "'f'"),
        ({(1, 2): ac.ones(1)}, r"\(1, 2\)"),
        ([np.ones(2)], "ndarray"),
    ],
)
@ENDINGS
def test_a_refused_object_leaves_the_old_file(value, words, ending, tmp_path):
    path = tmp_path / f"state{ending}"
    save({"w": ac.ones(1)}, path)
    with pytest.raises(TypeError, match=words):
        save(value, path)
    assert load(path)["w"].tolist() == [1.0] and len(list(tmp_path.iterdir())) == 1


def test_a_write_that_fails_leaves_the_old_file(monkeypatch, tmp_path):
    def full(*_args, **_options):
        raise OSError("no space left on device")

    path = tmp_path / "state.npz"
    save({"w": ac.ones(1)}, path)
    monkeypatch.setattr(np.lib.format, "write_array", full)
    with pytest.raises(OSError, match="no space"):
        save({"w": ac.zeros(1)}, path)
    assert load(path)["w"].tolist() == [1.0] and len(list(tmp_path.iterdir())) == 1


def test_names_that_mean_something_else_are_refused(tmp_path):
    with pytest.raises(ValueError, match="__structure__"):
        save({"__structure__": ac.ones(1)}, tmp_path / "state.npz")
    with pytest.raises(ValueError, match="__metadata__"):
        save({"__metadata__": ac.ones(1)}, tmp_path / "state.safetensors")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["model.pt", "model.pth", "model", "model.bin", "checkpoint.tar"])
def test_under_any_other_name_the_format_is_safetensors(name, tmp_path):
    value = {"net": a_net(ac).state_dict(), "epoch": 3}
    save(value, tmp_path / name)
    assert_same(load(tmp_path / name), value)
    assert set(safetensors.numpy.load_file(tmp_path / name)) == {f"net.{key}" for key in value["net"]}
    np.savez(tmp_path / "theirs.npz", w=np.arange(3))
    (tmp_path / "theirs.npz").rename(tmp_path / name)
    assert load(tmp_path / name)["w"].tolist() == [0, 1, 2]
    (tmp_path / name).write_bytes(b"something else")
    with pytest.raises(ValueError, match=rf"{name} is not a \.safetensors file, nor a zip archive of arrays"):
        load(tmp_path / name)


def test_a_file_object_takes_and_gives_what_a_path_does(tmp_path):
    value = {"w": ac.ones(2), "n": [1, None]}
    buffer = io.BytesIO()
    save(value, buffer)
    assert_same(load(io.BytesIO(buffer.getvalue())), value)
    with open(tmp_path / "model.pt", "wb") as file:
        save(value, file)
    with open(tmp_path / "model.pt", "rb") as file:
        assert_same(load(file), value)
    assert (tmp_path / "model.pt").read_bytes() == buffer.getvalue()
    theirs = io.BytesIO()
    torch.save({"w": torch.ones(1)}, theirs)
    theirs.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="the file holds a pickle"):
        load(theirs)


@pytest.mark.parametrize(
    "place",
    [None, "cpu", {"cuda:0": "cpu"}, lambda storage, place: storage],
    ids=["none", "a name", "a dictionary", "a function"],
)
def test_tensors_are_loaded_to_the_cpu(place, tmp_path):
    save({"w": ac.ones(2)}, tmp_path / "model.pt")
    assert load(tmp_path / "model.pt", map_location=place, weights_only=False)["w"].tolist() == [1.0, 1.0]
    with pytest.raises(RuntimeError, match="Attempting to deserialize object on a CUDA device but"):
        load(tmp_path / "model.pt", "cuda")


@pytest.mark.parametrize("way", ["path", "file"])
def test_a_whole_module_is_read_only_by_one_who_asks_for_more_than_weights(T, way, tmp_path):
    net, file = a_net(T), tmp_path / "net.pt"
    if way == "path":
        T.save({"net": net, "epoch": 3}, file)
    else:
        buffer = io.BytesIO()
        T.save({"net": net, "epoch": 3}, buffer)
        file.write_bytes(buffer.getvalue())
    with pytest.raises(pickle.UnpicklingError, match=r"(?s)Weights only load failed.*weights_only"):
        T.load(file)
    run = T.load(file, weights_only=False)
    assert run["epoch"] == 3 and run["net"].training
    for name, parameter in run["net"].named_parameters():
        assert parameter.requires_grad and T.equal(parameter, net.get_parameter(name))


def test_a_pickle_that_save_did_not_write_is_read_for_nobody(tmp_path):
    pickled(tmp_path / "theirs.pt", 2)
    torch.save({"w": torch.ones(1)}, tmp_path / "torch.pt")
    for path in tmp_path.iterdir():
        with pytest.raises(pickle.UnpicklingError, match="load it in PyTorch"):
            load(path, weights_only=False)
    assert not Harmful.ran


def test_a_pickle_runs_nothing_unless_asked_for(tmp_path):
    save({"w": Harmful()}, tmp_path / "model.pt")
    with pytest.raises(pickle.UnpicklingError, match=r"Harmful\._run was not an allowed global.*weights_only=False"):
        load(tmp_path / "model.pt")
    assert not Harmful.ran


def saved(T, value):
    file = io.BytesIO()
    T.save(value, file)
    return file.getvalue()


def test_a_module_whose_classes_are_declared_safe_is_loaded(T):
    needed = [T.nn.Sequential, T.nn.Linear, T.nn.BatchNorm1d]
    contents = saved(T, a_net(T))
    safe = T.serialization
    before = safe.get_safe_globals()
    with safe.safe_globals(needed):
        assert set(needed) <= set(safe.get_safe_globals())
        loaded = T.load(io.BytesIO(contents))
    assert loaded[0].weight.requires_grad and set(safe.get_safe_globals()) == set(before)
    with (
        safe.safe_globals(needed[1:]),
        pytest.raises(pickle.UnpicklingError, match=r"(?s)Sequential was not an allowed global.*add_safe_globals"),
    ):
        T.load(io.BytesIO(contents))
    try:
        safe.add_safe_globals(needed)
        assert T.load(io.BytesIO(contents))[1].num_features == 4
    finally:
        safe.clear_safe_globals()
        safe.add_safe_globals(before)


def test_what_tensors_are_made_of_is_safe(T):
    value = {"dtype": T.float16, "size": T.Size([2]), "w": T.nn.Parameter(T.ones(2)), "names": {"a", "b"}}
    loaded = T.load(io.BytesIO(saved(T, value)))
    assert loaded["dtype"] is T.float16 and loaded["names"] == {"a", "b"}
    assert tuple(loaded["size"]) == (2,) and loaded["w"].tolist() == [1.0, 1.0]


@pytest.mark.parametrize("name", ["builtins eval", "os system", "numpy.core.multiarray scalar", "posix system"])
def test_a_pickle_that_names_a_function_is_refused(name, tmp_path):
    forged = b"pickle of autograd_core\n" + f"c{name.replace(' ', chr(10))}\n(S'1+1'\ntR.".encode()
    (tmp_path / "forged.pt").write_bytes(forged)
    with pytest.raises(pickle.UnpicklingError, match=name.replace(" ", r"\.")):
        load(tmp_path / "forged.pt")


def test_what_cannot_be_pickled_leaves_the_old_file(tmp_path):
    save({"w": ac.ones(1)}, tmp_path / "model.pt")
    with pytest.raises((AttributeError, pickle.PicklingError), match="lambda"):
        save({"f": lambda: None}, tmp_path / "model.pt")
    assert load(tmp_path / "model.pt")["w"].tolist() == [1.0] and len(list(tmp_path.iterdir())) == 1


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "absent.npz")


def test_a_folder_that_is_missing_is_named(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"there is no folder .*nowhere to put n\.npz in .*does not exist"):
        ac.save({"w": ac.ones(1)}, tmp_path / "nowhere" / "n.npz")
