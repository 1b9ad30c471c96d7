"""Fetch MathJax into `book/_static/vendor`, so that no page of the book asks another host for anything.

    python tools/vendor.py

`vendor.txt` beside this file pins the wheel and its hash; pip fetches it and refuses any other content. Nothing is
fetched while the folder holds what the pin and the list below ask for. Of MathJax the folder gets the parts that
typeset TeX in HTML and give a screen reader MathML: a page that has a formula loads 0.8 MB of scripts and the fonts
that the formula needs.
"""

import shutil
import subprocess
import sys
import tempfile
from fnmatch import fnmatch
from pathlib import Path
from zipfile import ZipFile

PINS = Path(__file__).with_name("vendor.txt")
VENDOR = PINS.parent.parent / "book" / "_static" / "vendor"
INSIDE_WHEEL = "mathjax/static/"
FILES = [
    "mathjax/LICENSE",
    "mathjax/es5/startup.js",
    "mathjax/es5/core.js",
    "mathjax/es5/input/tex.js",
    "mathjax/es5/input/tex/extensions/*.js",  # loaded by the formula that uses one
    "mathjax/es5/output/chtml.js",
    "mathjax/es5/output/chtml/fonts/tex.js",
    "mathjax/es5/output/chtml/fonts/woff-v2/*.woff",
    "mathjax/es5/a11y/assistive-mml.js",
]


def download(folder: Path) -> Path:
    """Return the wheel that the pin names; exit where pip cannot have it or its hash differs."""
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--only-binary", ":all:", "--require-hashes", "--requirement", PINS, "--dest", folder]
    if subprocess.run(command).returncode:
        sys.exit(f"MathJax, which typesets the formulas, could not be fetched. It is needed once; {PINS.name} pins it.")
    return next(folder.glob("*.whl"))


def unpack(wheel: Path, folder: Path) -> None:
    """Put the listed files into `folder`."""
    with ZipFile(wheel) as archive:
        names = [name.removeprefix(INSIDE_WHEEL) for name in archive.namelist() if name.startswith(INSIDE_WHEEL)]
        for pattern in FILES:
            found = [name for name in names if fnmatch(name, pattern)]
            if not found:
                sys.exit(f"{wheel.name} holds no {INSIDE_WHEEL}{pattern}, which {Path(__file__).name} lists.")
            for name in found:
                target = folder / name
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(archive.read(INSIDE_WHEEL + name))


def fetch() -> None:
    """Fill `book/_static/vendor`, unless it holds what is asked for already."""
    asked = PINS.read_text() + "".join(f"# {pattern}\n" for pattern in FILES)
    stamp = VENDOR / "contents.txt"
    if stamp.exists() and stamp.read_text() == asked:
        return
    print("fetching MathJax")
    shutil.rmtree(VENDOR, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        unpack(download(Path(folder)), VENDOR)
    stamp.write_text(asked)  # last: an unpacking that was interrupted starts again


if __name__ == "__main__":
    fetch()
