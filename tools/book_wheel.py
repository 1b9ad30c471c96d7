"""The package as a wheel, for the Python of JupyterLite, which installs it.

Its name carries the version and a digest of its files (as the build number), so that a browser may keep it for as long
as it likes.
"""

import hashlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from autograd_book.check.chapters import as_files

ROOT = Path(__file__).resolve().parent.parent
NOT_READ = {".pyi", ".pot", ".po"}  # by no running program
BESIDE = [ROOT / name for name in ("pyproject.toml", "README.md", "LICENSE")]
EXERCISES = "book/autograd_book/exercises"


def wheel(folder: Path) -> Path:
    """Return the wheel of the package as it stands, in `folder`; built unless it is there. Nothing is downloaded.

    Raises `RuntimeError` with what pip said when it cannot be built.
    """
    files = contents() | {path.name: path.read_bytes() for path in BESIDE}
    number = f"0{_digest(files)}"
    if found := list(folder.glob(f"*-{number}-*.whl")):
        return found[0]
    with tempfile.TemporaryDirectory() as copy:  # setuptools writes beside what it reads, and reads what it wrote
        for name, content in files.items():
            place = Path(copy, name)
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(content)
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps"]
        command += ["--no-index", "--no-build-isolation", "--wheel-dir", folder, copy]
        command += [f"--config-settings=--build-option=--build-number={number}"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(f"the wheel of autograd_core could not be built:\n{done.stdout}{done.stderr}")
    return next(folder.glob(f"*-{number}-*.whl"))


def contents() -> dict[str, bytes]:
    """The engine and the book's kit, all that a reader's Python imports: each file under its path in the project.

    With what the exercises take from the chapters.
    """
    files = {path.relative_to(ROOT).as_posix(): path.read_bytes() for path in sorted(package())}
    return files | {f"{EXERCISES}/{name}": text.encode() for name, text in as_files().items()}


def package() -> list[Path]:
    """The files of the two packages."""
    folders = (ROOT / "autograd_core", ROOT / "book" / "autograd_book")
    files = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    return [path for path in files if "__pycache__" not in path.parts and path.suffix not in NOT_READ]


def _digest(files: Mapping[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(name.encode())
        digest.update(content)
    return digest.hexdigest()[:12]
