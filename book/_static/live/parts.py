"""Loads the parts of the library that a page came without, each when it is first imported."""

import importlib
import sys
from collections.abc import Callable


class Parts:
    """Comes first of those that Python asks for a module, finds none itself, and sees to it that the next one does.

    ``places`` has the address of its archive for every module that waits, and ``unpack`` loads one. A part counts as
    loaded when it is unpacked whole: one whose loading failed or was interrupted is loaded again.
    """

    def __init__(self, places: dict[str, str], unpack: Callable[[str], None]) -> None:
        self.places, self.unpack = places, unpack

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name not in self.places:
            return
        archive = self.places[name]
        try:
            self.unpack(archive)
        except Exception as error:  # of the browser, when it reaches no network
            from autograd_book.wording import translate as _

            sentence = _("{name} could not be loaded ({error}). Connect and run the cell again.")
            raise ImportError(sentence.format(name=name, error=error), name=name) from error
        self.places = {module: place for module, place in self.places.items() if place != archive}
        importlib.invalidate_caches()


def install(places: dict[str, str], unpack: Callable[[str], None]) -> None:
    sys.meta_path.insert(0, Parts(places, unpack))
