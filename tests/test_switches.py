"""What programs set and ask before they begin: accepted where it changes no result, and refused where it would."""

import re

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
    assert ac.compile(abs, disable=True) is abs


def test_marks_for_the_compiler_of_scripts_leave_functions_alone(T):
    def f(x):
        return x

    for mark in (T.jit.ignore, T.jit.ignore(), T.jit.unused, T.jit.export, T.jit.script_if_tracing):
        assert mark(f)(3) == 3
    assert T.jit.annotate(int, 3) == 3 and T.jit.is_scripting() is False and T.jit.is_tracing() is False


@pytest.mark.parametrize("name", ["trace", "ScriptModule", "load", "save"])
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
