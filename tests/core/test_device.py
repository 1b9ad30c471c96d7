"""Where tensors are: what programs ask about devices at their first lines, on both engines, and what is refused."""

import importlib
import pickle

import numpy as np
import pytest
import torch

import autograd_core as ac


def test_the_first_lines_of_a_script_find_the_cpu(T):
    place = T.device("cuda" if T.cuda.is_available() else "mps" if T.backends.mps.is_available() else "cpu")
    x = T.ones(2, device=place).to(place).cpu()
    assert (x.device == place, x.device.type, str(x.device), x.device.index) == (True, "cpu", "cpu", None)
    assert x.is_cpu and not (x.is_cuda or x.is_sparse or x.is_quantized or x.is_meta) and x.get_device() == -1
    layer = T.nn.Linear(2, 1).to(place)
    assert layer.weight.device == place


def test_a_device_is_a_value(T):
    place = T.device("cuda:1")
    assert (place.type, place.index, str(place), repr(place)) == ("cuda", 1, "cuda:1", "device(type='cuda', index=1)")
    assert place == T.device("cuda", 1) == T.device(type="cuda", index=1) and hash(place) == hash(T.device(place))
    assert place != T.device("cuda") and T.device("cpu") != "cpu"
    assert pickle.loads(pickle.dumps(place)) == place


@pytest.mark.parametrize(
    ("asked", "error", "words"),
    [
        ("cuda", AssertionError, "Torch not compiled with CUDA enabled"),
        ("cuda:0", AssertionError, "Torch not compiled with CUDA enabled"),
        ("xpu", AssertionError, "Torch not compiled with XPU enabled"),
        ("mps", NotImplementedError, "'MPS' backend"),
        ("gpu", RuntimeError, "Expected one of cpu, cuda, .* device type at start of device string: gpu"),
        ("cpu:a", RuntimeError, "Invalid device string: 'cpu:a'"),
        (0, RuntimeError, "Cannot access accelerator device when none is available"),
        (1.5, TypeError, "argument 'device' must be torch.device, not float"),
    ],
)
def test_another_device_is_refused_by_name(T, asked, error, words):
    with pytest.raises(error, match=words):
        T.zeros(2, device=asked)


def test_a_tensor_cannot_go_to_another_device(T):
    for move in (lambda x: x.to("cuda"), lambda x: x.cuda(), lambda x: x.to(T.device("cuda"), T.float64)):
        with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
            move(T.ones(2))
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        T.nn.Linear(2, 1).to("cuda")


def test_a_device_surrounds_a_block(T):
    with T.device("cpu"):
        assert T.zeros(1).device.type == "cpu"
    T.set_default_device("cpu")
    assert T.get_default_device() == T.device("cpu")
    T.set_default_device(None)  # PyTorch's functions go another way until then


def test_what_is_asked_about_accelerators_is_answered(T, monkeypatch):
    # Where PyTorch's own test utilities were imported, its switches are frozen for the process.
    monkeypatch.setitem(torch.backends.flags_frozen.__globals__, "__allow_nonbracketed_mutation_flag", True)
    assert (T.cuda.is_available(), T.cuda.device_count(), T.cuda.is_initialized()) == (False, 0, False)
    assert (T.accelerator.is_available(), T.accelerator.device_count(), T.accelerator.current_accelerator()) == (
        False,
        0,
        None,
    )
    assert (T.backends.mps.is_available(), T.backends.mps.is_built(), T.backends.cuda.is_built()) == (False,) * 3
    assert (T.backends.cudnn.is_available(), T.backends.cudnn.version()) == (False, None)
    assert (T.cpu.is_available(), T.cpu.device_count(), T.mps.is_available(), T.xpu.is_available()) == (
        True,
        1,
        False,
        False,
    )
    assert T.cuda.manual_seed_all(0) is None and T.cuda.empty_cache() is None and T.cuda.memory_allocated() == 0
    cudnn = importlib.import_module(f"{T.__name__}.backends.cudnn")
    before, cudnn.benchmark = cudnn.benchmark, True
    assert T.backends.cudnn.benchmark is True
    cudnn.benchmark = before


@pytest.mark.parametrize("ask", ["current_device", "synchronize", "get_device_name"])
def test_what_needs_a_cuda_device_is_refused(T, ask):
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        getattr(T.cuda, ask)()


def test_a_copy_has_the_memory_format_that_is_asked_for(T):
    x = T.ones(2, 3).T
    assert x.clone().stride() == x.clone(memory_format=T.preserve_format).stride() == (1, 3)
    assert x.clone(memory_format=T.contiguous_format).stride() == (2, 1)
    assert x.to(T.float64, memory_format=T.contiguous_format).stride() == (2, 1)
    assert x.double(memory_format=T.contiguous_format).stride() == (2, 1) and x.double().stride() == (1, 3)
    assert x.contiguous(memory_format=T.contiguous_format).is_contiguous(memory_format=T.contiguous_format)
    assert T.zeros(2).layout is T.strided and "strided" in repr(T.strided)
    with pytest.raises(RuntimeError, match="preserve memory format is unsupported"):
        x.contiguous(memory_format=T.preserve_format)


def test_a_word_of_layout_survives_a_pickle():
    for word in (ac.strided, ac.preserve_format, ac.contiguous_format):
        assert pickle.loads(pickle.dumps(word)) is word


def test_a_dtype_says_of_what_kind_it_is(T):
    assert [d.is_complex for d in (T.float32, T.int64, T.bool)] == [False] * 3
    assert [d.is_signed for d in (T.float32, T.int8, T.uint8, T.bool)] == [True, True, False, False]
    x = T.zeros(2, 3)
    assert (x.nelement(), x.ndimension(), x.nbytes, x.itemsize, x.is_signed(), x.is_same_size(x.T)) == (
        6,
        2,
        24,
        4,
        True,
        False,
    )
    assert T.is_floating_point(x) and T.is_nonzero(T.ones(1)) and not T.is_same_size(x, x.T)
    assert T.can_cast(T.int64, T.float32) and not T.can_cast(T.float32, T.int64) and T.can_cast(T.int64, T.uint8)
    assert T.promote_types(T.int64, T.float16) == T.float16 and T.result_type(T.tensor([1]), 1.0) == T.float32


def test_a_device_cannot_be_changed():
    with pytest.raises(AttributeError, match="not writable"):
        ac.device("cpu").type = "cuda"


def test_the_old_constructors_take_sizes_or_data(T):
    assert [T.Tensor(3).shape, T.Tensor(2, 3).shape, T.Tensor(T.Size([2, 3])).shape, T.Tensor().shape] == [
        (3,),
        (2, 3),
        (2, 3),
        (0,),
    ]
    assert T.Tensor([2, 3]).tolist() == T.Tensor((2, 3)).tolist() == T.Tensor(np.array([2, 3])).tolist() == [2.0, 3.0]
    assert (
        T.LongTensor([1.5]).tolist() == [1] and T.LongTensor(2).dtype == T.int64 and T.IntTensor(2, 2).shape == (2, 2)
    )
    assert T.BoolTensor([0, 2]).tolist() == [False, True] and T.ByteTensor([1]).dtype == T.uint8
    assert isinstance(T.ones(2), T.FloatTensor) and not isinstance(T.ones(2), T.LongTensor)
    x = T.tensor([1.0, 2.0], requires_grad=True)
    y = T.Tensor(x)
    assert y.requires_grad and y.data_ptr() == x.data_ptr()
    new = T.zeros(2, dtype=T.int64).new([1, 2])
    assert new.tolist() == [1, 2] and new.dtype == T.int64 and x.new(2, 3).shape == (2, 3)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda T: T.Tensor(2.5), TypeError),
        (lambda T: T.Tensor(True), TypeError),
        (lambda T: T.Tensor("a"), TypeError),
        (lambda T: T.Tensor(-1), RuntimeError),
        (lambda T: T.Tensor([[1, 2], [3]]), ValueError),
        (lambda T: T.LongTensor(T.ones(2)), TypeError),
        (lambda T: T.ones(2).type("foo"), ValueError),
    ],
)
def test_the_old_constructors_refuse_what_is_no_data(T, make, error):
    with pytest.raises(error):
        make(T)


def test_a_type_may_be_asked_for_by_its_old_name(T):
    x = T.ones(2)
    assert x.type() == "torch.FloatTensor"
    assert x.type("torch.LongTensor").dtype == x.type(T.LongTensor).dtype == T.int64


def test_a_type_of_another_device_may_be_asked_for_and_makes_nothing(T):
    for name in ("FloatTensor", "LongTensor", "BFloat16Tensor", "ByteTensor"):
        kind = getattr(T.cuda, name)
        assert not isinstance(T.ones(1), kind) and kind.__name__ == name
        with pytest.raises(TypeError, match=rf"type torch\.cuda\.{name} not available. Torch not compiled with CUDA"):
            kind([1.0])
        with pytest.raises((TypeError, RuntimeError)):
            T.ones(1).type(kind)


def test_bytes_and_chars_are_the_integers_of_eight_bits(T):
    assert T.tensor([-1, 300]).byte().tolist() == [255, 44] and T.ones(1).byte().dtype == T.uint8
    assert T.tensor([200]).char().tolist() == [-56] and T.ones(1).char().dtype == T.int8


def test_the_module_for_processes_has_those_of_python(T):
    import multiprocessing

    assert T.multiprocessing.Process is multiprocessing.Process and T.multiprocessing.cpu_count() >= 1
    if T is ac:
        with pytest.raises(AttributeError, match=r"no multiprocessing\.spawn: PyTorch has it"):
            T.multiprocessing.spawn  # noqa: B018


# -- kernels of attention


def test_a_choice_of_kernels_leaves_attention_as_it_is(T):
    attention = T.nn.attention
    x, both = T.arange(8.0).reshape(1, 1, 2, 4), [attention.SDPBackend.FLASH_ATTENTION, attention.SDPBackend.MATH]
    plain = T.nn.functional.scaled_dot_product_attention(x, x, x)
    for choice in (both, attention.SDPBackend.MATH):
        with attention.sdpa_kernel(choice):
            T.testing.assert_close(T.nn.functional.scaled_dot_product_attention(x, x, x), plain)
    with pytest.warns(FutureWarning, match="sdp_kernel"), T.backends.cuda.sdp_kernel(enable_math=False):
        T.testing.assert_close(T.nn.functional.scaled_dot_product_attention(x, x, x), plain)


def test_kernels_that_no_cpu_has_are_refused(T):
    x, backends = T.ones(1, 2, 4), T.nn.attention.SDPBackend
    for choice in ([], [backends.EFFICIENT_ATTENTION], backends.CUDNN_ATTENTION):
        with pytest.raises(RuntimeError, match="No viable backend"), T.nn.attention.sdpa_kernel(choice):
            T.nn.functional.scaled_dot_product_attention(x, x, x)
    with pytest.raises(AssertionError, match="must be an instance of SDPBackend"), T.nn.attention.sdpa_kernel("math"):
        pass
