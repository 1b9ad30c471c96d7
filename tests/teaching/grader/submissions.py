"""A made-up course: honest notebooks that are right or wrong, and hostile ones of every kind we can think of.

    python tests/teaching/grader/submissions.py FOLDER [COUNT]

writes COUNT submissions (1000 unless said), one in twenty of them hostile, and prints the seed that drew them.
"""

import json
import os
import sys
from collections.abc import Callable
from itertools import cycle
from pathlib import Path

import numpy as np

IMPORT = "from autograd_book.check import check"
LEDGER = 'answer = {"a": 4.0, "b": 7.0, "c": 3.0, "d": None, "e": 7.0}\ncheck("04.ledger", answer)'
OVERWRITES = LEDGER.replace('"b": 7.0', '"b": 3.0')
HALVES = """def halves(T, w, x):
    for part in (x[:2], x[2:]):
        loss = ((w * part) ** 2).mean()
        (loss / 2).backward()
check("04.halves", halves)"""
TWICE = HALVES.replace("(loss / 2)", "loss")
OPEN = 'answer = ...\ncheck("04.halves", answer)'
SLOW = "\n".join(["import torch, jax", "raise RuntimeError('a cell that no answer needs was run')"])

HONEST = {  # by name: the cells, and the outcomes of the two exercises
    "right": ([IMPORT, SLOW, LEDGER, HALVES], ("right", "right")),
    "overwrites": ([IMPORT, SLOW, OVERWRITES, HALVES], ("wrong", "right")),
    "twice": ([IMPORT, SLOW, LEDGER, TWICE], ("right", "wrong")),
    "unfinished": ([IMPORT, SLOW, LEDGER, OPEN], ("right", "open")),
}

FORK_BOMB = "import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"
HIDDEN_CHILD = """import os
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        while True:
            pass
    os._exit(0)"""
EDITS_THE_CHECKER = """import autograd_book.check as classroom
from autograd_book.check import grading, verdict
verdict.Verdict.__bool__ = lambda self: True
grading.agrees = lambda *_: True
classroom.check = check = lambda *_: True
for name in dir(classroom):
    if callable(getattr(classroom, name)):
        setattr(classroom, name, check)"""
SPEAKS_FOR_ITSELF = """import os
for descriptor in range(3, 64):
    try:
        os.write(descriptor, b'{"verdict": "right"}\\n["right"]\\n')
    except OSError:
        pass
os._exit(0)"""
UNSPEAKABLE = """class Unspeakable(Exception):
    def __str__(self):
        raise SystemExit
answer = 1
raise Unspeakable"""
LONE_SURROGATES = r"""try:
    check('\ud800', 1)
except KeyError:
    pass
try:
    check(r'\ud800', 1)
except KeyError:
    pass
check('04.ledger', {'\ud800': 1})
raise ValueError('\ud800\0')"""
READS = "import os\nkept = {**os.environ}\nassert not any('SECRET' in name for name in kept), kept"


def notebook(cells: list[str]) -> bytes:
    """The bytes of a notebook with these code cells."""
    code = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": c} for c in cells]
    return json.dumps({"cells": code, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


def _content(content: bytes) -> Callable[[Path], None]:
    def write(path: Path) -> None:
        path.with_name(f"{path.name}.ipynb").write_bytes(content)

    return write


def _cells(*cells: str) -> Callable[[Path], None]:
    return _content(notebook([IMPORT, *cells]))


def _link(path: Path) -> None:
    path.with_name(f"{path.name}.ipynb").symlink_to("/etc/passwd")


def _folder_link(path: Path) -> None:
    path.symlink_to("/")


def _pipe(path: Path) -> None:
    os.mkfifo(path.with_name(f"{path.name}.ipynb"))


def _strange_name(path: Path) -> None:
    name = os.fsdecode(os.fsencode(path.name) + b" \xff\n'\"=$(rm -rf x);<b>.ipynb")
    path.with_name(name).write_bytes(notebook([IMPORT, LEDGER, HALVES]))


HOSTILE: dict[str, Callable[[Path], None]] = {
    "corrupt JSON": _content(b'{"cells": [{"cell_type": "code", "sou'),
    "no JSON": _content(bytes(range(256)) * 10),
    "deep JSON": _content(b"[" * 10**6),
    "another JSON": _content(b'{"cells": {"a": 1}}'),
    "empty file": _content(b""),
    "endless loop": _cells("while True: pass", LEDGER),
    "endless answer": _cells("def halves(T, w, x):\n    while True: pass\ncheck('04.halves', halves)", LEDGER),
    "catches everything": _cells(
        "def halves(T, w, x):\n    while True:\n        try:\n            while True: pass\n"
        "        except BaseException: pass\ncheck('04.halves', halves)",
        LEDGER,
    ),
    "recursion": _cells("def halves(T, w, x):\n    return halves(T, w, x)\ncheck('04.halves', halves)", LEDGER),
    "memory bomb": _cells("answer = [bytearray(10**8) for _ in range(10**6)]\ncheck('04.ledger', answer)"),
    "gigabyte of output": _cells(
        "for _ in range(1000):\n    print('x' * 10**6)\nanswer = 1\ncheck('04.ledger', answer)"
    ),
    "gigabyte on disk": _cells(
        "answer = open('big', 'wb')\nfor _ in range(1000):\n    answer.write(bytes(10**6))\ncheck('04.ledger', 1)"
    ),
    "gigabyte of rows": _cells("check('04.ledger', {'a': 'x' * 10**9})"),
    "fork bomb": _cells("answer = 1\n" + FORK_BOMB + "\ncheck('04.ledger', answer)"),
    "hidden child": _cells(f"{HIDDEN_CHILD}\n{LEDGER}", HALVES),
    "edits the checker": _cells(f"{EDITS_THE_CHECKER}\n{OVERWRITES}", TWICE),
    "speaks for itself": _cells(f"{SPEAKS_FOR_ITSELF}\n{OVERWRITES}"),
    "looks for secrets": _cells(f"{READS}\n{LEDGER}", HALVES),
    "sys.exit": _cells("import sys", "sys.exit(0)\ncheck('04.ledger', 1)", HALVES),
    "crash": _cells("import ctypes\nanswer = ctypes.string_at(0)\ncheck('04.ledger', answer)", HALVES),
    "a signal without a name": _cells(
        "import os\nanswer = 1\nos.kill(os.getpid(), 40)\ncheck('04.ledger', answer)", HALVES
    ),
    "unspeakable error": _cells(f"{UNSPEAKABLE}\ncheck('04.ledger', answer)", HALVES),
    "lone surrogates": _cells(LONE_SURROGATES),
    "syntax error": _cells("def halves(T, w, x:\ncheck('04.halves', halves)", LEDGER),
    "missing cells": _cells("1 + 1"),
    "duplicated cells": _cells(OVERWRITES, LEDGER, HALVES, HALVES),
    "no exercise": _cells("check('99.nothing', 1)"),
    "symbolic link": _link,
    "link to a folder": _folder_link,
    "named pipe": _pipe,
    "empty folder": Path.mkdir,
    "strange name": _strange_name,
}


def write(folder: Path, count: int, seed: int) -> dict[str, str]:
    """Write `count` submissions, one in twenty hostile, each kind in turn; return the kind of each by its name."""
    rng = np.random.default_rng(seed)
    folder.mkdir(parents=True)
    hostile = set(rng.choice(count, count // 20, replace=False).tolist())
    each_in_turn = cycle(HOSTILE)
    kinds = {}
    for number in range(count):
        name = f"student {number:04}"
        if number in hostile:
            kind = next(each_in_turn)
            HOSTILE[kind](folder / name)
        else:
            kind = rng.choice([*HONEST])
            write_honest(folder / name, kind)
        kinds[name] = kind
    return kinds


def write_honest(path: Path, kind: str) -> None:
    """An honest submission: a folder with a notebook of chapter 04."""
    path.mkdir()
    (path / "04_accumulation.ipynb").write_bytes(notebook(HONEST[kind][0]))


if __name__ == "__main__":
    seed = int(os.environ.get("SEED", np.random.SeedSequence().entropy % 2**31))
    write(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 1000, seed)
    print(f"SEED={seed}")
