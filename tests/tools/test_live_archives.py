"""The archives from which pages load Python: what each holds, and how a part comes when it is imported."""

import importlib.util
import os
import re
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

import autograd_core as ac
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


def loading(folder: Path, site: Path) -> str:
    """The start of a program that loads parts from `folder` into `site`, as a page does, and prints which."""
    places = live_archives.write(folder)
    del places[live_archives.LIBRARY]
    return f"""
import sys, tarfile
sys.path.append({str(Path(parts.__file__).parent)!r})
import parts
def unpack(place):
    print(place)
    with tarfile.open({str(folder)!r} + "/" + place) as files:
        files.extractall({str(site)!r}, filter="data")
parts.install({places!r}, unpack)
import autograd_core as ac
"""


def told(site: Path, program: str) -> str:
    """What a program prints that has what `site` has, and the standard library."""
    command = [sys.executable, "-P", "-S", "-c", program]
    done = subprocess.run(command, capture_output=True, text=True, env=os.environ | {"PYTHONPATH": str(site)})
    assert done.returncode == 0, done.stderr
    return done.stdout


SIZES = {archive: len(live_archives.packed(files)) for archive, files in CONTENTS.items()}
HOLDS = {module: archive for archive, modules in live_archives.PARTS.items() for module in modules}
SPACES = {"nn": ac.nn, "functional": ac.nn.functional, "F": ac.nn.functional, "optim": ac.optim}
SPACES |= {"utils": ac.nn.utils, "lr_scheduler": ac.optim.lr_scheduler}


def archive_of(module: str) -> str:
    """The archive in which a module lies: that of the nearest package which is a part."""
    while module and module not in HOLDS:
        module = module.rpartition(".")[0]
    return HOLDS.get(module, live_archives.LIBRARY)


def archives_of(page: str) -> set[str]:
    """What the cells of a page load: by the packages that they name, and the modules of the layers that they use."""
    cells = "\n".join(re.findall(r"```\{code-cell\}(.*?)```", page, re.DOTALL))
    modules = {f"autograd_core.{name}" for name in re.findall(r"\b(?:ac|T|autograd_core)\.(\w+)", cells)}
    modules |= set(re.findall(r"autograd_(?:core|book)[\w.]*", cells))
    for package, names in re.findall(r"from (autograd_(?:core|book)[\w.]*) import ([\w, ]+)", cells):
        modules |= {f"{package}.{name.split()[0]}" for name in names.split(",")}
    for space, name in re.findall(rf"\b({'|'.join(SPACES)})\.(\w+)", cells):
        package = SPACES[space]
        homes = [home for home, names in package.HOMES.items() if name in names.split()]
        modules |= {importlib.util.resolve_name(home, package.__name__) for home in homes}
    return {archive_of(module) for module in modules} | {live_archives.LIBRARY}


@pytest.mark.parametrize("chapter", sorted((ROOT / "book").glob("[0-9]*.md")), ids=lambda path: path.stem)
def test_what_a_chapter_loads_is_small(chapter):
    archives = archives_of(chapter.read_text("utf-8"))
    exercises = f"exercises-ch{chapter.stem[:2]}"
    assert sum(SIZES[archive] for archive in archives | ({exercises} & SIZES.keys())) <= 350_000, archives


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
    assert {module for module in after if after[module] != before[module]} == set(live_archives.PARTS["nn"])


def test_a_part_is_loaded_once_when_one_of_its_modules_is_imported(site, tmp_path_factory):
    folder = tmp_path_factory.mktemp("archives")
    program = (
        loading(folder, site)
        + """
print(ac.nn.Linear(1, 1, bias=False))
from autograd_core import func, special
import autograd_core.utils.data
from autograd_core.optim.lr_scheduler import StepLR
"""
    )
    nn, linear, func, more, optim = told(site, program).splitlines()
    assert [place.partition("-")[0] for place in (nn, func, more, optim)] == ["nn", "func", "more", "optim"]
    assert linear == "Linear(in_features=1, out_features=1, bias=False)"


TRAINING = """
from autograd_core import nn
net = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.ReLU(), nn.Dropout(0.5), nn.Linear(3, 2))
optimizer = ac.optim.AdamW(net.parameters())
schedule = ac.optim.lr_scheduler.StepLR(optimizer, 1)
x, t = ac.randn(4, 2), ac.tensor([0, 1, 1, 0])
(nn.functional.cross_entropy(net(x), t) + nn.functional.mse_loss(net(x), x)).backward()
optimizer.step(), schedule.step()
"""


@pytest.mark.parametrize(
    ("program", "loads"),
    [(TRAINING, ["nn", "optim"]), ("ac.nn.LSTM(2, 3)", ["nn", "layers"]), ("ac.optim.LBFGS", ["optim", "optimizers"])],
    ids=["what the chapters train with", "another layer", "another optimizer"],
)
def test_a_program_loads_what_it_uses(site, tmp_path_factory, program, loads):
    folder = tmp_path_factory.mktemp("archives")
    assert told(site, loading(folder, site) + program).split() == [
        path.name for part in loads for path in folder.glob(f"{part}-*")
    ]


def test_each_part_can_be_imported_from_its_archive(site):
    for part in live_archives.PARTS:
        unpack(live_archives.packed(CONTENTS[part]), site)
    alone = set(PARTS) - {"autograd_core.reading.torch", "autograd_core.explain.torch_watching"}  # they import PyTorch
    assert told(site, f"import {', '.join(alone)}; print('yes')") == "yes\n"


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
