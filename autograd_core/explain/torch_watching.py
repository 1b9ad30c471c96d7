"""The observer of PyTorch programs. Imported only where PyTorch has been."""

from __future__ import annotations

import contextlib

import torch
from torch.overrides import TorchFunctionMode

from ..reading import is_accumulator, is_tensor, tensors_in
from ..reading.lines import line_at, user_source
from ..reading.torch import LINE, TORCH
from .log import PASSES, Log

_PROPERTIES = ("data", "T", "mT", "H", "mH")  # the properties that give another tensor


class TorchWatch(TorchFunctionMode):
    """Notes every call of PyTorch in a log. It is off while a call runs, so what happens inside one counts as one."""

    def __init__(self, log: Log):
        super().__init__()
        self.log = log

    def __torch_function__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        name = _name_of(func)
        if name in PASSES and getattr(func, "__module__", "").startswith("torch"):
            return self._run_pass(name, func, args, kwargs)
        result = func(*args, **kwargs)
        if name:
            in_place = name == "__setitem__" or (name.endswith("_") and not name.endswith("__"))
            target = args[0] if in_place and args else ()
            outputs = list(tensors_in([result, target]))
            if outputs or list(tensors_in([args, kwargs])):
                with _quietly():
                    inference = torch.is_inference_mode_enabled()
                    self.log.note(name, [args, kwargs], outputs, recording=torch.is_grad_enabled(), inference=inference)
                    self._sign(outputs)
        return result

    def _run_pass(self, name: str, func, args, kwargs):
        named = dict(zip(_PARAMETERS[name, func.__module__ == "torch._tensor"], args)) | kwargs
        roots = named.get("outputs", named.get("tensors"))
        seeds = named.get("gradient", named.get("grad_tensors", named.get("grad_outputs")))
        if not is_tensor(kwargs.get("inputs", ())):
            kwargs = {**kwargs, "inputs": tuple(kwargs["inputs"])} if kwargs.get("inputs") is not None else kwargs
            named |= kwargs
        with _quietly():
            self.log.begin(name, roots, seeds, named.get("inputs"))
        result = func(*args, **kwargs)
        with _quietly():
            self.log.end(roots)
        return result

    def _sign(self, outputs) -> None:
        """Note the line with the nodes just made, in the place PyTorch keeps for such notes."""
        for tensor in outputs:
            node = None if TORCH.is_leaf(tensor) else tensor.grad_fn
            if node is not None and not is_accumulator(node):
                node.metadata.setdefault(LINE, line_at(user_source()))


@contextlib.contextmanager
def _quietly():
    """For a look at tensors: it raises nothing, and calls nothing that a subclass of Tensor overrides."""
    with contextlib.suppress(Exception), torch._C.DisableTorchFunctionSubclass():
        yield


_PARAMETERS = {
    ("backward", True): ("tensors", "gradient", "retain_graph", "create_graph", "inputs"),
    ("backward", False): ("tensors", "grad_tensors", "retain_graph", "create_graph", "grad_variables", "inputs"),
    ("grad", False): ("outputs", "inputs", "grad_outputs"),
}


def _name_of(func) -> str | None:
    """The name an event gets; None for a call that makes and changes no tensor of interest."""
    name = getattr(func, "__name__", "")
    if name not in ("__get__", "__set__", "__delete__"):
        return _ALIASES.get(name, name)
    attribute = func.__self__.__name__
    if name == "__get__":
        return attribute if attribute in _PROPERTIES else None
    return {"grad": "clear", "requires_grad": "requires_grad_", "data": "set_data"}.get(attribute)


_ALIASES = {"__float__": "float", "__int__": "int", "__index__": "int", "_foreach_zero_": "zero_"}
