"""Models and weights from elsewhere, which programs import to be able to fetch them: nothing is fetched here."""

from __future__ import annotations

import os
from pathlib import Path
from typing import NoReturn

from .names import facade

__all__ = ["download_url_to_file", "get_dir", "help", "list", "load", "load_state_dict_from_url", "set_dir"]
__getattr__, __dir__ = facade(__name__, __all__)

_folder: str | None = None


def get_dir() -> str:
    """The folder for what is fetched: what `set_dir` said, `$TORCH_HOME/hub`, or `hub` in the cache of the user.

    >>> import autograd_core as ac
    >>> ac.hub.get_dir().endswith("hub")
    True
    """
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.environ.get("TORCH_HOME", os.path.join(cache, "torch"))
    return _folder or str(Path(home).expanduser() / "hub")


def set_dir(d: str | os.PathLike) -> None:
    """Say which folder `get_dir` returns."""
    global _folder
    _folder = os.path.expanduser(os.fspath(d))


def _refused(*args, **kwargs) -> NoReturn:
    """RuntimeError: nothing is fetched."""
    what = ", ".join(map(repr, args))
    raise RuntimeError(
        f"autograd_core fetches no models and no weights, and {what} is asked for. Build the model here, and give it "
        "weights by load_state_dict: convert them once with PyTorch to NumPy arrays or a safetensors file, which "
        "ac.load reads"
    )


load = load_state_dict_from_url = download_url_to_file = list = help = _refused
