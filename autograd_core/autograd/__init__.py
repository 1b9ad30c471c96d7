"""Reverse-mode differentiation: `backward` stores, `grad` returns, `gradcheck` compares with finite differences."""

from ..core import graph as _core
from ..core.modes import enable_grad, inference_mode, no_grad, set_grad_enabled
from ..core.tensor import Tensor
from ..names import facade
from . import forward_ad, function, functional, grad_mode, graph
from .anomaly import detect_anomaly, set_detect_anomaly
from .function import Function
from .grad_mode import is_multithreading_enabled, set_multithreading_enabled
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .gradient import backward, grad, tensor_backward
from .hooks import (
    register_hook,
    register_node_hook,
    register_node_prehook,
    register_post_accumulate_grad_hook,
)
from .saved import SavedTensor, names_of, saved_by_name
from .variable import Variable

for _name, _method in {
    "backward": tensor_backward,
    "register_hook": register_hook,
    "register_post_accumulate_grad_hook": register_post_accumulate_grad_hook,
}.items():
    setattr(Tensor, _name, _method)
for _name, _method in {"register_hook": register_node_hook, "register_prehook": register_node_prehook}.items():
    setattr(_core.Node, _name, _method)
    setattr(_core.Leaf, _name, _method)
for _name, _method in {"__getattr__": saved_by_name, "__dir__": names_of}.items():
    setattr(_core.ShownNode, _name, _method)

__all__ = [
    "Function",
    "GradcheckError",
    "SavedTensor",
    "Variable",
    "backward",
    "detect_anomaly",
    "enable_grad",
    "forward_ad",
    "function",
    "functional",
    "grad",
    "grad_mode",
    "gradcheck",
    "gradgradcheck",
    "graph",
    "inference_mode",
    "is_multithreading_enabled",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
]
__getattr__, __dir__ = facade(__name__, __all__)
