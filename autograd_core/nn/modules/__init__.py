"""The modules of `nn` under the paths that PyTorch gives them, for programs that import from there.

`nn.modules.batchnorm._BatchNorm` is what `BatchNorm1d` to `BatchNorm3d` share, `nn.modules.module` has the hooks that
hold for all modules, and the layers themselves are here, too.
"""

import sys
from types import ModuleType

from ... import nn
from .. import (
    activation,
    adaptive,
    containers,
    convolution,
    distance,
    dropout,
    embedding,
    lazy,
    linear,
    loss,
    module,
    multihead_attention,
    normalization,
    padding,
    pooling,
    rearranging,
    recurrent,
    transformer,
)
from . import utils

# the last part of PyTorch's path: the modules of this package whose names are there
PLACES = {
    "activation": (activation, multihead_attention),
    "adaptive": (adaptive,),
    "batchnorm": (normalization, lazy),
    "channelshuffle": (rearranging,),
    "container": (containers,),
    "conv": (convolution, lazy),
    "distance": (distance,),
    "dropout": (dropout,),
    "flatten": (rearranging,),
    "fold": (rearranging,),
    "instancenorm": (normalization, lazy),
    "lazy": (lazy,),
    "linear": (linear, lazy),
    "loss": (loss,),
    "module": (module,),
    "normalization": (normalization,),
    "padding": (padding,),
    "pixelshuffle": (rearranging,),
    "pooling": (pooling,),
    "rnn": (recurrent,),
    "sparse": (embedding,),
    "transformer": (transformer,),
    "upsampling": (rearranging,),
}


def _publish(name: str, places: tuple[ModuleType, ...]) -> ModuleType:
    """A module under PyTorch's path: ours, or where several share what PyTorch has in one, all that they define."""
    if len(places) == 1:
        sys.modules[f"{__name__}.{name}"] = places[0]
        return places[0]
    published = ModuleType(f"{__name__}.{name}", f"What PyTorch has in nn.modules.{name}.")
    for place in places:
        published.__dict__.update({key: value for key, value in vars(place).items() if key[:2] != "__"})
    sys.modules[published.__name__] = published
    return published


for _name, _places in PLACES.items():
    globals()[_name] = _publish(_name, _places)


def __getattr__(name: str):
    return getattr(nn, name)
