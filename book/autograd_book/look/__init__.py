"""Pictures of what autograd does.

`microscope` steps through a graph forward and in reverse, and folds by the modules that `note_modules` noted.
`sequence` shows who calls whom, and `switchboard` runs one program with its switches in every position. The explorers
let a reader turn one thing: `seed_explorer` a seed, `slot_explorer` what fills and clears a slot, `split_explorer`
where a batch is split, `mode_matrix` the four switches, `bytes_explorer` what a graph holds on to, `version_scrubber`
the moment of a write, `epsilon_explorer` the step of a quotient, `kink_explorer` a point near a kink. `picture` shows a
matplotlib figure in both color schemes, and `listing` a piece of the engine's source. All show as plain HTML, with
nothing to load, on a page, in a notebook and in print.
"""

import importlib
from typing import Any

from .listing import Listing, listing
from .microscope import Microscope, microscope
from .modules import note_modules
from .picture import Picture, picture
from .sequence import Message, SequenceDiagram, sequence
from .switchboard import Switchboard, switchboard

__all__ = [
    "BytesExplorer",
    "EpsilonExplorer",
    "KinkExplorer",
    "Listing",
    "Message",
    "Microscope",
    "ModeMatrix",
    "Picture",
    "SeedExplorer",
    "SequenceDiagram",
    "SlotExplorer",
    "SplitExplorer",
    "Switchboard",
    "VersionScrubber",
    "bytes_explorer",
    "epsilon_explorer",
    "kink_explorer",
    "listing",
    "microscope",
    "mode_matrix",
    "note_modules",
    "picture",
    "seed_explorer",
    "sequence",
    "slot_explorer",
    "split_explorer",
    "switchboard",
    "version_scrubber",
]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(".explorers", __name__), name)


def __dir__() -> list[str]:
    return __all__
