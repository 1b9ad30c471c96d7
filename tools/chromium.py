"""Where Chromium is."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome")


def find() -> str | None:
    """The path of the first of `NAMES` that can be run."""
    return next(filter(None, map(shutil.which, NAMES)), None)
