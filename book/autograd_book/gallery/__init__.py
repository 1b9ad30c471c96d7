"""The error gallery: every message that a reader of the book meets, one file a subject.

Chapter 22 shows it and runs every program of it with both engines; `python -m autograd_book.gallery` looks a traceback
up in it.
"""

from . import checking, functions, leaves, leaving, passes, shapes, training, writing
from .entry import Entry

GALLERY: list[Entry] = [
    *(*passes.SECTION, *leaves.SECTION, *leaving.SECTION, *writing.SECTION),
    *(*functions.SECTION, *checking.SECTION, *training.SECTION, *shapes.SECTION),
]
