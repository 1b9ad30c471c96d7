"""Old names of modules: importing one works for one more release, and says where the module is now."""

import importlib
import sys
import warnings
from importlib.machinery import ModuleSpec
from types import ModuleType

CORE = ("dtypes", "engine", "graph", "modes", "printing")

# Below `autograd_core`: the old name, and where its names are now. What stands below an old name moved with it.
MOVED: dict[str, tuple[str, ...]] = {
    **{name: (f"autograd_core.core.{name}",) for name in CORE},
    "primitive": ("autograd_core.core.primitive", "autograd_core.core.table"),
    "calling": ("autograd_core.core.call",),
    "recording": ("autograd_core.core.record",),
    "views": ("autograd_core.core.write", "autograd_core.core.view"),
    "testing.engines": ("autograd_book.compare.engines",),
    "testing.records": ("autograd_book.compare.records",),
    "testing.table": ("autograd_book.compare.table",),
    "testing.values": ("autograd_book.compare.values",),
    "testing.wire": ("autograd_book.compare.wire",),
    "viz": ("autograd_book.look",),
    "wording": ("autograd_book.wording",),
    "classroom.__main__": ("autograd_teaching.__main__",),
    "classroom.bank": ("autograd_teaching.bank",),
    "classroom.grader": ("autograd_teaching.grader",),
    "classroom.limits": ("autograd_book.check.answer_limits",),
    "classroom.exercises": ("autograd_book.exercises",),
    "classroom": ("autograd_book.check", "autograd_book.look.listing", "autograd_teaching.bank"),
    "explain.__main__": ("autograd_book.gallery.__main__",),
    "explain.gallery": ("autograd_book.gallery",),
    "explain.entry": ("autograd_book.gallery.entry",),
}

# The same for names in a module that is still there.
MOVED_NAMES = {
    f"autograd_core.testing.{name}": "autograd_book.compare"
    for name in ("Comparison", "compare", "contrast", "raises", "warns")
}

# What changed its name when its module moved, by its new name.
RENAMED = {"AnswerLimits": "Limits"}


class MovedModules:
    """Finds the old names for Python's import system, and makes of each a module that reads the new ones."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        """The spec of a module under its old name; None for any other."""
        if new_places(name) is None:
            return None
        return ModuleSpec(name, self, is_package=not name.endswith(".__main__"))  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill a module with the public names of where it is now, and tell the reader."""
        places = new_places(module.__name__) or ()
        say(module.__name__, " and ".join(places))
        for place in reversed(places):
            try:
                names = vars(importlib.import_module(place))
            except ModuleNotFoundError as error:
                if error.name != "autograd_teaching":  # which a reader's Python does not have
                    raise
            else:
                module.__dict__.update({name: value for name, value in names.items() if name[:2] != "__"})
                module.__dict__.update({RENAMED[name]: names[name] for name in RENAMED.keys() & names.keys()})

    def get_code(self, name: str):
        """What `python -m` runs for an old name."""
        (place,) = new_places(name) or ()
        say(name, place)
        return compile(f"import runpy; runpy.run_module({place!r}, run_name='__main__', alter_sys=True)", name, "exec")


def new_places(name: str) -> tuple[str, ...] | None:
    """Where a module is now that was called `name`; None for a name that is no old one.

    >>> new_places("autograd_core.viz.picture")
    ('autograd_book.look.picture',)
    """
    package, _, rest = name.partition(".")
    if package != __package__:
        return None
    for old, places in MOVED.items():
        if rest == old or rest.startswith(old + "."):
            below = rest[len(old) :]
            return tuple(place + below for place in places[: None if not below else 1])
    return None


def moved_name(module: str, name: str):
    """What a module had under a name that moved, with a warning; None for a name that it never had."""
    place = MOVED_NAMES.get(f"{module}.{name}")
    if place is None:
        return None
    say(f"{module}.{name}", f"{place}.{name}")
    return getattr(importlib.import_module(place), name)


def say(old: str, new: str) -> None:
    """Warn that a name is an old one."""
    warnings.warn(f"{old} is {new} now; the old name goes with the next release", FutureWarning, stacklevel=3)


def from_tensor(name: str):
    """A name that the module `tensor` had. Importing a module would put it in the place of the function `ac.tensor`."""
    if name[:2] == "__":
        raise AttributeError(name)
    say(f"{__package__}.tensor", f"{__package__}.core.tensor")
    return getattr(importlib.import_module(f"{__package__}.core.tensor"), name)


def install() -> None:
    """Have Python ask for old names after all others."""
    sys.meta_path.append(MovedModules())
    tensor = sys.modules[f"{__package__}.tensor"] = ModuleType(f"{__package__}.tensor")
    tensor.__getattr__ = from_tensor  # type: ignore[method-assign]
