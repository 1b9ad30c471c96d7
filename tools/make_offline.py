"""Make a copy of the built book that needs no other host: `_build/offline`, and the same as `_build/offline.zip`.

    PYODIDE_WHEELS=folder python tools/make_offline.py

Its live cells load Python from beside the pages. Pyodide's core comes from npm (`tools/npm.py`). Its builds of NumPy
and Matplotlib come from the folder that PYODIDE_WHEELS names, or else from Pyodide's own host; whatever the source, a
file must have the hash that Pyodide's lock gives. Without NumPy there is no offline book. Without Matplotlib there is
one whose cells cannot draw.
"""

import hashlib
import json
import os
import shutil
import sys
import urllib.request
from pathlib import Path
from typing import Any

from live_cells import PYODIDE
from npm import MODULES, ROOT

SITE = ROOT / "_build" / "html"
OFFLINE = ROOT / "_build" / "offline"
CORE = ["pyodide.mjs", "pyodide.asm.js", "pyodide.asm.wasm", "python_stdlib.zip"]
READ_ME = """The whole book, for a machine or a classroom without the internet.

Start a server in this folder,

    python -m http.server

and open http://localhost:8000; for a class, give the address of this machine instead of "localhost". The pages can be
read without a server too: open index.html. Only the cells that run Python need one.
"""
NO_PLOTS = """
This copy was made without Matplotlib: cells that draw with it raise an error, and Reset brings back their figures.
"""


def closure(packages: dict[str, Any], name: str) -> set[str]:
    """A package of Pyodide's lock, and all that it depends on."""
    return {name}.union(*(closure(packages, each) for each in packages[name]["depends"]))


def wheel(package: dict[str, Any]) -> bytes | None:
    """The file of a package; None where it can be had from nowhere, or has another hash than the lock says."""
    name = package["file_name"]
    local = Path(os.environ.get("PYODIDE_WHEELS", ""), name)
    try:
        content = local.read_bytes() if local.is_file() else _downloaded(name)
    except OSError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return None
    if hashlib.sha256(content).hexdigest() != package["sha256"]:
        print(f"{name} does not have the hash that Pyodide's lock gives", file=sys.stderr)
        return None
    return content


def _downloaded(name: str) -> bytes:
    with urllib.request.urlopen(PYODIDE + name, timeout=60) as response:
        return response.read()


def add_python(folder: Path) -> None:
    """Put Pyodide and what packages there are into `folder`, with a lock that names these and no others."""
    lock = json.loads((MODULES / "pyodide" / "pyodide-lock.json").read_text("utf-8"))
    packages, here = lock["packages"], {}
    for wanted, without in (("numpy", None), ("matplotlib", "the cells of the offline book cannot draw")):
        names = closure(packages, wanted) - here.keys()
        wheels = {}
        for name in sorted(names):
            content = wheel(packages[name])
            if content is None:
                break
            wheels[name] = content
        if wheels.keys() == names:
            here |= wheels
        elif without:
            print(f"Without {wanted}, {without}.", file=sys.stderr)
        else:
            sys.exit(
                f"The offline book needs Pyodide's build of {wanted}, {packages[wanted]['file_name']}: put it into a "
                f"folder and set PYODIDE_WHEELS to that, or connect to {PYODIDE} once."
            )
    folder.mkdir(parents=True)
    for name in CORE:
        shutil.copy(MODULES / "pyodide" / name, folder)
    for name, content in here.items():
        (folder / packages[name]["file_name"]).write_bytes(content)
    lock["packages"] = {name: packages[name] for name in here}
    (folder / "pyodide-lock.json").write_text(json.dumps(lock), "utf-8")


def main() -> None:
    if not (SITE / "index.html").exists():
        sys.exit("There is no book yet: `make book` builds it.")
    shutil.rmtree(OFFLINE, ignore_errors=True)
    shutil.copytree(SITE, OFFLINE, ignore=shutil.ignore_patterns("reports", ".buildinfo"))
    add_python(OFFLINE / "_static" / "pyodide")
    place = OFFLINE / "_static" / "live" / "place.json"
    place.write_text(json.dumps(json.loads(place.read_text("utf-8")) | {"pyodide": "../pyodide/"}), "utf-8")
    plots = any((OFFLINE / "_static" / "pyodide").glob("matplotlib-*.whl"))
    (OFFLINE / "READ_ME.txt").write_text(READ_ME if plots else READ_ME + NO_PLOTS, "utf-8")
    archive = Path(shutil.make_archive(str(OFFLINE), "zip", OFFLINE.parent, OFFLINE.name))
    print(f"{archive.relative_to(ROOT)}: {archive.stat().st_size / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
