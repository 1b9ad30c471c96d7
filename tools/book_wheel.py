"""The package as a wheel, for a Python that runs in the browser.

Its name carries the version and a digest of its files (as the build number), so that a browser may keep it for as long
as it likes.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from autograd_book.check.chapters import as_json

ROOT = Path(__file__).resolve().parent.parent
NOT_READ = {".pyi", ".pot", ".po"}  # by no running program
BESIDE = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
CHAPTERS = Path("book/autograd_book/check/chapters.json")  # what the exercises take from the chapters


def wheel(folder: Path) -> Path:
    """Return the wheel of the package as it stands, in `folder`; built unless it is there. Nothing is downloaded.

    Raises `RuntimeError` with what pip said when it cannot be built.
    """
    number = f"0{_digest()}"
    if found := list(folder.glob(f"*-{number}-*.whl")):
        return found[0]
    with tempfile.TemporaryDirectory() as copy:  # setuptools writes beside what it reads, and reads what it wrote
        for path in [*package(), *BESIDE]:
            place = Path(copy, path.relative_to(ROOT))
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)
        Path(copy, CHAPTERS).write_text(as_json(), "utf-8")
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--no-index", "--no-build-isolation", "--wheel-dir", folder, copy]
        command += [f"--config-settings=--build-option=--build-number={number}"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the wheel of autograd_core could not be built:\n{done.stdout}{done.stderr}")
    return next(folder.glob(f"*-{number}-*.whl"))


def package() -> list[Path]:
    """The files of the engine and of the book's kit: all that a reader's Python imports."""
    folders = (ROOT / "autograd_core", ROOT / "book" / "autograd_book")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if "__pycache__" not in path.parts and path.suffix not in NOT_READ]


def _digest() -> str:
    digest = hashlib.sha256()
    for path in sorted([*package(), *BESIDE]):
        digest.update(path.relative_to(ROOT).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(as_json().encode())
    return digest.hexdigest()[:12]
