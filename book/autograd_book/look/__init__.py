"""Pictures of what autograd does.

`microscope` steps through a graph forward and in reverse, and folds by the modules that `note_modules` noted.
`sequence` shows who calls whom, and `switchboard` runs one program with its switches in every position. The explorers
let a reader turn one thing: `seed_explorer` a seed, `slot_explorer` what fills and clears a slot, `split_explorer`
where a batch is split, `mode_matrix` the four switches, `bytes_explorer` what a graph holds on to, `version_scrubber`
the moment of a write, `epsilon_explorer` the step of a quotient, `kink_explorer` a point near a kink. `picture` shows a
matplotlib figure in both color schemes, and `listing` a piece of the engine's source. All show as plain HTML, with
nothing to load, on a page, in a notebook and in print.
"""

from .bytes_explorer import BytesExplorer, bytes_explorer
from .epsilon_explorer import EpsilonExplorer, epsilon_explorer
from .kink_explorer import KinkExplorer, kink_explorer
from .listing import Listing, listing
from .microscope import Microscope, microscope
from .mode_matrix import ModeMatrix, mode_matrix
from .modules import note_modules
from .picture import Picture, picture
from .seed_explorer import SeedExplorer, seed_explorer
from .sequence import Message, SequenceDiagram, sequence
from .slot_explorer import SlotExplorer, slot_explorer
from .split_explorer import SplitExplorer, split_explorer
from .switchboard import Switchboard, switchboard
from .version_scrubber import VersionScrubber, version_scrubber

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
