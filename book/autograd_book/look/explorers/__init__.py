"""What a reader turns: each explorer computes what is seen at every position and shows it as plain HTML.

A page's Python loads this package when the first explorer is asked for, so nothing else imports it.
"""

from .bytes_explorer import BytesExplorer, bytes_explorer
from .epsilon_explorer import EpsilonExplorer, epsilon_explorer
from .kink_explorer import KinkExplorer, kink_explorer
from .mode_matrix import ModeMatrix, mode_matrix
from .seed_explorer import SeedExplorer, seed_explorer
from .slot_explorer import SlotExplorer, slot_explorer
from .split_explorer import SplitExplorer, split_explorer
from .version_scrubber import VersionScrubber, version_scrubber

__all__ = [
    "BytesExplorer",
    "EpsilonExplorer",
    "KinkExplorer",
    "ModeMatrix",
    "SeedExplorer",
    "SlotExplorer",
    "SplitExplorer",
    "VersionScrubber",
    "bytes_explorer",
    "epsilon_explorer",
    "kink_explorer",
    "mode_matrix",
    "seed_explorer",
    "slot_explorer",
    "split_explorer",
    "version_scrubber",
]
