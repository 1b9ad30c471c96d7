"""The older name of `ac.hub`."""

from ..hub import load_state_dict_from_url as load_url
from ..names import facade

__all__ = ["load_url"]
__getattr__, __dir__ = facade(__name__, __all__)
