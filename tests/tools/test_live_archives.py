"""The archives from which pages load Python: what each holds, and how a part comes when it is imported."""

import importlib
import os
import subprocess
import sys
import tarfile
import zipfile
from collections import Counter
from io import BytesIO
from pathlib import Path

import numpy
import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
sys.path.insert(0, str(Path(__file__).parents[2] / "book" / "_static" / "live"))

import parts

import live_archives
from book_wheel import wheel

ROOT = Path(__file__).parents[2]
CONTENTS = live_archives.contents()
PARTS = [module for modules in live_archives.PARTS.values() for module in modules]


def unpack(archive: bytes, folder: Path) -> None:
    with tarfile.open(fileobj=BytesIO(archive)) as files:
        files.extractall(folder, filter="data")


@pytest.fixture
def site(tmp_path):
    """Where Python looks for packages: the library and NumPy, and no other."""
    unpack(live_archives.packed(CONTENTS[live_archives.LIBRARY]), tmp_path)
    home = Path(numpy.__file__).parents[1]
    for name in ("numpy", "numpy.libs"):
        if (home / name).exists():
            (tmp_path / name).symlink_to(home / name)
    return tmp_path


def told(site: Path, program: str) -> str:
    """What a program prints that has what `site` has, and the standard library."""
    command = [sys.executable, "-P", "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(site)})
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_library_is_small():
    assert len(live_archives.packed(CONTENTS[live_archives.LIBRARY])) <= 350_000


def test_the_library_alone_is_enough_to_run_compare_check_and_draw(site):
    program = """
import autograd_core as ac, autograd_book.check, autograd_book.compare, autograd_book.look
w = ac.tensor(2.0, requires_grad=True)
L = w.square()
autograd_book.look.microscope(L)._repr_html_()
L.backward()
print(w.grad.item(), ac.__version__, ac.__file__)
"""
    gradient, version, place = told(site, program).split()
    assert (gradient, Path(place)) == ("4.0", site / "autograd_core" / "__init__.py")
    assert f'version = "{version}"' in (ROOT / "pyproject.toml").read_text("utf-8")


def test_every_module_is_in_one_archive():
    folders = (ROOT / "autograd_core", ROOT / "book" / "autograd_book")
    modules = {path.relative_to(folder.parent).as_posix() for folder in folders for path in folder.rglob("*.py")}
    held = Counter(name for files in CONTENTS.values() for name in files)
    assert modules <= held.keys() and set(held.values()) == {1}


@pytest.mark.slow
def test_the_archives_have_what_the_wheel_has(tmp_path):
    in_the_wheel = set(zipfile.ZipFile(wheel(tmp_path)).namelist())
    held = {name for files in CONTENTS.values() for name in files}
    assert {name for name in in_the_wheel ^ held if ".dist-info/" not in name} == set()


def test_the_name_of_an_archive_changes_with_what_it_holds(tmp_path, monkeypatch):
    before = live_archives.write(tmp_path)
    assert set(before) == {live_archives.LIBRARY, *PARTS} and before == live_archives.write(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == set(before.values())
    changed = {**CONTENTS, "nn": CONTENTS["nn"] | {"autograd_core/nn/more.py": b""}}
    monkeypatch.setattr(live_archives, "contents", lambda: changed)
    after = live_archives.write(tmp_path)
    assert {module for module in after if after[module] != before[module]} == {"autograd_core.nn"}


def test_a_part_is_loaded_once_when_one_of_its_modules_is_imported(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    places = live_archives.write(folder)
    del places[live_archives.LIBRARY]
    program = f"""
import sys, tarfile
sys.path.append({str(Path(parts.__file__).parent)!r})
import parts
def unpack(place):
    print(place)
    with tarfile.open({str(folder)!r} + "/" + place) as files:
        files.extractall({str(site)!r}, filter="data")
parts.install({places!r}, unpack)
import autograd_core as ac
print(ac.nn.Linear(1, 1, bias=False))
from autograd_core import func, special
import autograd_core.utils.data
from autograd_core.optim.lr_scheduler import StepLR
"""
    nn, linear, more, optim = told(site, program).splitlines()
    assert [nn, more, optim] == [places[f"autograd_core.{name}"] for name in ("nn", "func", "optim")]
    assert linear == "Linear(in_features=1, out_features=1, bias=False)"


def test_each_part_can_be_imported_from_its_archive(site):
    for part in live_archives.PARTS:
        unpack(live_archives.packed(CONTENTS[part]), site)
    assert told(site, f"import {', '.join(PARTS)}; print('yes')") == "yes\n"


@pytest.mark.parametrize("ends", [OSError("no network"), KeyboardInterrupt()])
def test_a_part_that_did_not_come_whole_is_loaded_again(ends, tmp_path, monkeypatch):
    def unpack(archive):
        (tmp_path / "a_part").mkdir(exist_ok=True)
        (tmp_path / "a_part" / "__init__.py").write_text("answer = 1")
        if endings:
            raise endings.pop()

    endings = [ends]
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setattr(sys, "meta_path", [parts.Parts({"a_part": "a.tar.bz2"}, unpack), *sys.meta_path])
    with pytest.raises((ImportError, KeyboardInterrupt)) as raised:
        importlib.import_module("a_part")
    if isinstance(ends, OSError):
        assert str(raised.value) == "a_part could not be loaded (no network). Connect and run the cell again."
    (tmp_path / "a_part" / "__init__.py").write_text("")
    assert importlib.import_module("a_part").answer == 1
    del sys.modules["a_part"]
