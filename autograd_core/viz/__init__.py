"""Pictures of what autograd does: `microscope` steps through a reverse pass, `seed_explorer` turns a seed.

Both show as plain HTML, with nothing to load, on a page, in a notebook and in print.
"""

from .microscope import Microscope, microscope
from .seed_explorer import SeedExplorer, seed_explorer

__all__ = ["Microscope", "SeedExplorer", "microscope", "seed_explorer"]
