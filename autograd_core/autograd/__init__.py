"""Reverse-mode differentiation: `backward` stores, `grad` returns, `gradcheck` compares with finite differences."""

from ..names import facade
from ..tensor import Tensor
from .gradcheck import GradcheckError, gradcheck, gradgradcheck
from .gradient import backward, grad, tensor_backward
from .hooks import register_hook

for _name, _method in {"backward": tensor_backward, "register_hook": register_hook}.items():
    setattr(Tensor, _name, _method)

__all__ = ["GradcheckError", "backward", "grad", "gradcheck", "gradgradcheck"]
__getattr__, __dir__ = facade(__name__, __all__)
