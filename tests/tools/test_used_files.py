"""Which files a program used, and whether it would use the same today."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

from used_files import ROOT, state, states, unchanged

TOOLS = ROOT / "tools"

FILES = {
    "engine/__init__.py": "from .core import run\n",
    "engine/core.py": "def run(): return 1\n",
    "engine/optim/__init__.py": "from .adam import Adam\n",
    "engine/optim/adam.py": "class Adam: pass\n",
    "engine/nn.py": "",
    "engine/data.json": "{}",
    "book/kit/__init__.py": "",
    "book/kit/look.py": "",
    "book/01_one.md": "# One\n",
    ".venv/other/__init__.py": "",
    "_build/page.html": "",
}
ENGINE = {"engine/__init__.py", "engine/core.py"}
WATCHED = """
import json, sys
from pathlib import Path
sys.path[:0] = [*json.loads(sys.argv[2]), sys.argv[3]]
from used_files import Watch
watch = Watch(Path(sys.argv[1]))
exec(sys.argv[4])
print(json.dumps(watch.report()))
"""


@pytest.fixture
def project(tmp_path):
    """A project with two packages, in different folders."""
    for name, text in FILES.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def report(project, program, **environment):
    """What a program used and made, run as a chapter is: in the folder of the book."""
    roots = json.dumps([str(project), str(project / "book"), str(project / ".venv")])
    command = [sys.executable, "-c", WATCHED, project, roots, TOOLS, program]
    given = {**os.environ, "PYTHONDONTWRITEBYTECODE": "", **environment}
    done = subprocess.run(command, capture_output=True, text=True, cwd=project / "book", env=given, timeout=60)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def used(project, program, **environment):
    return set(report(project, program, **environment)["used"])


@pytest.mark.parametrize(
    ("program", "modules"),
    [
        ("import engine", ENGINE),
        ("import engine\ndef later(): import engine.nn\nlater()", ENGINE | {"engine/nn.py"}),
        ("import engine.optim.adam", ENGINE | {"engine/optim/__init__.py", "engine/optim/adam.py"}),
        ("import kit.look", {"book/kit/__init__.py", "book/kit/look.py"}),
        ("import engine.nn, sys; del sys.modules['engine.nn']", ENGINE | {"engine/nn.py"}),
        ("from importlib.metadata import version; version('pytest')", set()),  # lists every folder of sys.path
        ("import other", set()),
        ("open('../_build/page.html').read()", set()),
        ("import platform, subprocess; subprocess.run(['true'])", set()),
    ],
)
def test_modules_are_used_that_were_imported_wherever_they_lie(project, program, modules):
    assert used(project, program) == modules


@pytest.mark.parametrize("folder", ["", ".compiled"])
def test_a_compiled_module_stands_for_its_source(project, folder):
    prefix = str(project / folder) if folder else ""
    for _ in range(2):
        assert used(project, "import engine", PYTHONPYCACHEPREFIX=prefix) == ENGINE
    assert list(project.rglob("core.*.pyc"))


@pytest.mark.parametrize(
    ("program", "name"),
    [
        ("open('../engine/data.json').read()", "engine/data.json"),
        ("import inspect, engine; inspect.getsource(engine.run)", "engine/core.py"),
        ("from pathlib import Path; list(Path().glob('*.md'))", "book"),
        ("import pkgutil, engine; list(pkgutil.iter_modules(engine.__path__))", "engine"),
        ("try: open('missing.json')\nexcept OSError: pass", "book/missing.json"),
    ],
)
def test_what_is_opened_and_what_is_listed_is_used(project, program, name):
    assert name in used(project, program)


def test_what_a_program_makes_is_not_what_it_used(project):
    program = (
        "open('../_build/kept.json', 'w').close(); open('kept.txt', 'a').close(); open('kept.txt').read()\n"
        "import os; open('gone.txt', 'w').close(); os.unlink('gone.txt')"
    )
    assert report(project, program) == {"used": [], "made": ["_build/kept.json", "book/kept.txt"]}


@pytest.mark.parametrize(
    "start",
    [
        "import subprocess, sys; subprocess.run([sys.executable, '-c', 'import engine.nn'], cwd='..')",
        "import os; os.waitpid(os.fork() or os._exit(0), 0)",
        "import os; os.system('true')",
        "import multiprocessing as m; c = m.get_context('spawn').Process(target=print); c.start(); c.join()",
    ],
)
def test_a_program_with_a_process_uses_all_of_its_packages(project, start):
    whole = {"engine", "engine/optim", *(name for name in FILES if name.startswith("engine/"))}
    assert used(project, f"import engine\n{start}") == whole


@pytest.mark.parametrize(
    ("change", "same"),
    [
        (lambda root: (root / "engine/nn.py").write_text("1"), True),
        (lambda root: (root / "engine/core.py").write_text("1"), False),
        (lambda root: (root / "engine/core.py").unlink(), False),
        (lambda root: (root / "missing.json").write_text("{}"), False),
        (lambda root: (root / "book/02_two.md").write_text(""), False),
        (lambda root: (root / "book/01_one.md").write_text("other text"), True),  # its name was listed, it was not read
        (lambda root: (root / "book/__pycache__").mkdir(), True),
        (lambda root: os.utime(root / "engine/core.py", (0, 0)), True),
    ],
)
def test_what_was_used_is_the_same_until_it_changes(project, change, same):
    then = states([*ENGINE, "missing.json", "book"], project)
    assert unchanged(then, project)
    change(project)
    assert unchanged(then, project) is same


def test_a_file_that_changed_while_a_program_ran_is_never_the_same(project):
    started = time.time()
    os.utime(project / "engine/core.py", (started + 1, started + 1))
    then = states(["engine/core.py"], project, since=started)
    assert then["engine/core.py"] != state(project / "engine/core.py")
    assert not unchanged(then, project)
