"""Pictures of what autograd does.

`microscope` steps through a reverse pass, `seed_explorer` turns a seed, `split_explorer` splits a batch, `sequence`
shows who calls whom, and `switchboard` runs one program with its switches in every position. All show as plain HTML,
with nothing to load, on a page, in a notebook and in print.
"""

from .microscope import Microscope, microscope
from .seed_explorer import SeedExplorer, seed_explorer
from .sequence import Message, SequenceDiagram, sequence
from .split_explorer import SplitExplorer, split_explorer
from .switchboard import Switchboard, switchboard

__all__ = [
    "Message",
    "Microscope",
    "SeedExplorer",
    "SequenceDiagram",
    "SplitExplorer",
    "Switchboard",
    "microscope",
    "seed_explorer",
    "sequence",
    "split_explorer",
    "switchboard",
]
