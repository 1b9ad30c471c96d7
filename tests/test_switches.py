"""What programs set and ask before they begin: accepted where it changes no result, and refused where it would."""

import importlib
import re
import subprocess
import sys

import pytest
import torch

import autograd_core as ac


def test_what_is_compiled_is_the_same_object_and_a_warning_says_so():
    layer = ac.nn.Linear(2, 1)
    with pytest.warns(UserWarning, match="autograd_core does not compile: the program runs eagerly"):
        assert ac.compile(layer, mode="max-autotune", fullgraph=True) is layer
    with pytest.warns(UserWarning, match="does not compile"):
        assert ac.compile(dynamic=False)(abs) is abs
    with pytest.warns(UserWarning, match="what is scripted runs as Python"):
        assert ac.jit.script(layer) is layer
    with pytest.warns(UserWarning, match="what is traced runs as Python"):
        assert ac.jit.trace(layer, ac.ones(1, 2), check_trace=False) is layer
    with pytest.raises(TypeError, match="3 is no function or module"):
        ac.jit.trace(3, ac.ones(1))
    assert ac.compile(abs, disable=True) is abs


def test_marks_for_the_compiler_of_scripts_leave_functions_alone(T):
    def f(x):
        return x

    for mark in (T.jit.ignore, T.jit.ignore(), T.jit.unused, T.jit.export, T.jit.script_if_tracing):
        assert mark(f)(3) == 3
    assert T.jit.annotate(int, 3) == 3 and T.jit.is_scripting() is False and T.jit.is_tracing() is False


@pytest.mark.parametrize("name", ["ScriptModule", "load", "save"])
def test_what_would_need_compiled_code_is_missing_by_name(name):
    with pytest.raises(AttributeError, match=f"autograd_core has no jit.{name}: PyTorch has it"):
        getattr(ac.jit, name)


def test_there_is_one_process_and_no_export():
    assert ac.distributed.is_available() is ac.distributed.is_initialized() is ac.onnx.is_in_onnx_export() is False
    with pytest.raises(RuntimeError, match="works in one process"):
        ac.distributed.init_process_group("gloo", rank=0, world_size=1)
    for name in ("get_rank", "get_world_size", "barrier"):
        with pytest.raises(ValueError, match="Default process group has not been initialized"):
            getattr(torch.distributed, name)()
        with pytest.raises(ValueError, match="Default process group has not been initialized"):
            getattr(ac.distributed, name)()
    for T in (ac, torch):
        with pytest.raises(ValueError, match="Default process group has not been initialized"):
            T.nn.parallel.DistributedDataParallel(T.nn.Linear(1, 1))
    with pytest.raises(AttributeError, match=r"autograd_core has no onnx\.export: PyTorch has it"):
        ac.onnx.export  # noqa: B018


def test_switches_keep_what_they_were_set_to(T):
    before = T.get_num_threads(), T.get_num_interop_threads(), T.get_float32_matmul_precision()
    try:
        T.set_num_threads(3)
        T.set_float32_matmul_precision("high")
        T.use_deterministic_algorithms(True, warn_only=True)
        assert T.get_num_threads() == 3 and T.get_float32_matmul_precision() == "high"
        assert T.are_deterministic_algorithms_enabled() and T.is_deterministic_algorithms_warn_only_enabled()
        with pytest.warns(UserWarning, match=re.escape("fast is not one of 'highest', 'high', or 'medium'")):
            T.set_float32_matmul_precision("fast")
        assert T.get_float32_matmul_precision() == "high"
    finally:
        T.set_num_threads(before[0])
        T.set_float32_matmul_precision(before[2])
        T.use_deterministic_algorithms(False)


REFUSALS = {
    "no thread": lambda T: T.set_num_threads(0),
    "half a thread": lambda T: T.set_num_threads(0.5),
    "no thread between ops": lambda T: T.set_num_interop_threads(0),
    "no bool": lambda T: T.use_deterministic_algorithms(1),
    "two ways to say it": lambda T: T.compile(abs, mode="default", options={}),
}


@pytest.mark.parametrize("call", REFUSALS.values(), ids=REFUSALS)
def test_refusals_have_the_type_of_torch(call):
    with pytest.raises(Exception) as theirs:
        call(torch)
    with pytest.raises(type(theirs.value)):
        call(ac)


def test_only_what_can_be_called_is_compiled():
    for call in (ac.compile, ac.jit.script):
        with pytest.raises(TypeError):
            call(3)


OPTIONS = [
    {"precision": 2},
    {"profile": "short"},
    {"profile": "full"},
    {"sci_mode": True},
    {"sci_mode": False},
    {"linewidth": 30},
    {"edgeitems": 1, "threshold": 5},
    {"profile": "short", "precision": 6, "sci_mode": False},
]


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_tensors_are_printed_with_the_options_of_torch(options):
    def shown(T):
        made = [T.tensor([1.0, 2.5, 1e-6]), T.arange(12).reshape(3, 4) * 1.5, T.tensor([1e10, 1.0]), T.tensor(1 / 3)]
        T.set_printoptions(**options)
        try:
            return [str(tensor) for tensor in [*made, T.arange(1100)]]
        finally:
            T.set_printoptions(profile="default")

    assert shown(ac) == shown(torch)


def test_options_add_up_but_for_the_notation(T):
    try:
        T.set_printoptions(precision=2, sci_mode=True)
        T.set_printoptions(edgeitems=2)
        assert str(T.tensor([1.5])) == "tensor([1.50])"
    finally:
        T.set_printoptions(profile="default")


def test_another_profile_is_refused_and_changes_nothing():
    with pytest.raises(ValueError, match="profile must be one of default, short, full, not 'wide'"):
        ac.set_printoptions(profile="wide", precision=2)
    assert str(ac.tensor([1.5])) == "tensor([1.5000])"


def test_nothing_says_that_pytorch_was_built_with_what_is_not_here(T):
    assert importlib.import_module(f"{T.__name__}.version") is T.version
    assert T.version.cuda is T.version.hip is T.version.xpu is None and T.version.debug is False
    assert T.is_autocast_enabled() is T.is_autocast_enabled("cpu") is False


def test_random_numbers_go_on_after_a_block_as_if_it_had_not_been(T):
    T.random.manual_seed(3)
    expected = T.rand(2)
    T.manual_seed(3)
    with T.random.fork_rng(), pytest.raises(ZeroDivisionError):
        T.rand(5)
        1 / 0  # noqa: B018
    assert T.equal(T.rand(2), expected) and T.random.initial_seed() == 3
    T.manual_seed(3)
    with T.random.fork_rng(enabled=False):
        assert T.equal(T.rand(2), expected)
    assert not T.equal(T.rand(2), expected)
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"), T.random.fork_rng([0]):
        pass


def test_kernels_of_attention_have_names_and_one_result(T):
    attention = importlib.import_module(f"{T.__name__}.nn.attention")
    assert [(name, kernel.value) for name, kernel in attention.SDPBackend.__members__.items()] == [
        (name, kernel.value) for name, kernel in torch.nn.attention.SDPBackend.__members__.items()
    ]
    x = T.eye(2)[None]
    expected = T.nn.functional.scaled_dot_product_attention(x, x, x)
    for kernels in (attention.SDPBackend.MATH, [attention.SDPBackend.MATH, attention.SDPBackend.FLASH_ATTENTION]):
        with attention.sdpa_kernel(kernels):
            assert T.equal(T.nn.functional.scaled_dot_product_attention(x, x, x), expected)
    for other in (3, (attention.SDPBackend.MATH,)):
        with pytest.raises(AssertionError, match="Backend must be an instance"), attention.sdpa_kernel(other):
            pass


def test_models_and_weights_are_not_fetched(T, monkeypatch, tmp_path):
    monkeypatch.setenv("TORCH_HOME", str(tmp_path))
    assert T.hub.get_dir() == str(tmp_path / "hub")
    zoo = importlib.import_module("autograd_core.utils.model_zoo")
    for fetch in (ac.hub.load_state_dict_from_url, zoo.load_url, ac.hub.load):
        with pytest.raises(RuntimeError, match="'https://host/net' is asked for"):
            fetch("https://host/net", progress=True)


FORKED = """
import autograd_core as ac

def add_one(net, queue):
    with ac.no_grad():
        net.weight.add_(1)
    queue.put(net.weight.sum().item())

processes = ac.multiprocessing.get_context("fork")
shared, own = ac.nn.Linear(2, 1).share_memory(), ac.nn.Linear(2, 1)
assert shared.weight.is_shared() and shared.weight[0].is_shared() and not own.weight.is_shared()
for net, grows in ((shared, True), (own, False)):
    before, queue = net.weight.sum().item(), processes.Queue()
    process = processes.Process(target=add_one, args=(net, queue))
    process.start()
    after = queue.get()
    process.join()
    assert abs(after - before - 2) < 1e-6
    assert net.weight.sum().item() == (after if grows else before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux")
def test_a_forked_process_works_on_the_memory_that_was_shared():
    # in a process of its own: JAX, which other tests import, does not bear a fork
    done = subprocess.run([sys.executable, "-c", FORKED], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


def test_sharing_leaves_values_history_and_gradients(T):
    w = T.tensor([[1.0, 2.0]], requires_grad=True)
    y = 3 * w
    assert w.share_memory_() is w and w.is_shared() and w.is_leaf and w.tolist() == [[1.0, 2.0]]
    y.sum().backward()
    assert w.grad.tolist() == [[3.0, 3.0]]
    assert T.zeros(0).share_memory_().shape == (0,) and not T.ones(1).is_shared()


def test_ways_to_share_are_names(T):
    processes = T.multiprocessing
    before = processes.get_sharing_strategy()
    processes.set_sharing_strategy("file_system")
    assert processes.get_sharing_strategy() == "file_system" in processes.get_all_sharing_strategies()
    with pytest.raises(AssertionError):
        processes.set_sharing_strategy("telepathy")
    processes.set_sharing_strategy(before)


def test_marks_for_the_compiler_leave_functions_alone(T):
    def f(x):
        return x

    compiler = T.compiler
    for mark in (compiler.disable(), compiler.disable, compiler.allow_in_graph, compiler.assume_constant_result):
        assert mark(f)(3) == 3
    assert compiler.is_compiling() is compiler.is_dynamo_compiling() is compiler.is_exporting() is False
    assert compiler.reset() is None and ac.compiler.compile is ac.compile


def test_switches_of_cudnn_come_back_after_a_block(T):
    cudnn = T.backends.cudnn
    before = cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.allow_tf32
    with pytest.raises(ZeroDivisionError), cudnn.flags(enabled=False, deterministic=True):
        assert cudnn.enabled is False and cudnn.deterministic is True
        1 / 0  # noqa: B018
    assert (cudnn.enabled, cudnn.benchmark, cudnn.deterministic, cudnn.allow_tf32) == before


def test_parts_of_a_program_have_names_and_no_profiler(T):
    @T.profiler.record_function("double")
    def double(x):
        with T.profiler.record_function("product"):
            return 2 * x

    assert double(T.ones(1)).item() == 2
    theirs = torch.profiler.ProfilerActivity.__members__
    assert all(T.profiler.ProfilerActivity.__members__[name].value == int(theirs[name].value) for name in theirs)
    with pytest.raises(NotImplementedError, match="Python's cProfile shows the ops of a program"):
        ac.profiler.profile(activities=[ac.profiler.ProfilerActivity.CPU])
