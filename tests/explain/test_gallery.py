"""Every message of the gallery is raised by its program in both engines, mended by the mend, and found again."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import jupytext
import pytest
import torch

import autograd_core as ac
from autograd_book.gallery import GALLERY
from autograd_book.gallery.__main__ import main
from autograd_book.gallery.entry import messages_in, recognize, run

from .test_explain import each_engine

BOOK = Path(__file__).parents[2] / "book"
each_entry = pytest.mark.parametrize("entry", GALLERY, ids=lambda entry: entry.key)


@each_engine
@each_entry
def test_the_program_raises_what_the_entry_says(T, entry):
    raised = run(entry.program, T)
    assert raised is not None
    error, message = raised
    assert error == entry.error
    assert entry.match(message), message


@each_engine
@each_entry
def test_the_message_leads_back_to_its_entry_alone(T, entry):
    error, message = run(entry.program, T)
    assert recognize(message, GALLERY) is entry
    assert recognize(f"Traceback (most recent call last):\n  ...\n{error}: {message}\n", GALLERY) is entry


@each_engine
@each_entry
@pytest.mark.parametrize("part", ["mend", "silent"])
def test_the_mend_and_the_silent_program_raise_nothing(T, entry, part):
    assert run(getattr(entry, part), T) is None


@each_entry
def test_an_entry_is_complete(entry):
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", entry.key)
    assert entry.cause.endswith(".") and entry.unless.endswith(".")
    assert entry.program != entry.mend
    assert entry.chapter is None or (BOOK / f"{entry.chapter}.md").exists()


def test_no_key_twice():
    assert len({entry.key for entry in GALLERY}) == len(GALLERY)


# -- the book's own messages

ELSEWHERE = {  # words of messages that belong to other programs or to one exercise of the book
    ("w.grad: by hand 11",): "compare's own",
    ("immutable",): "JAX",
    ("names",): "a rule of one's own op",
    ("stft", "PyTorch has it"): "a name that only PyTorch has",
    ("floop",): "the entry no-such-name, with another name",
}


OTHER_PROGRAMS = ("13_", "14_", "25_")  # chapters about programs that have messages of their own


def _words_in(path: Path):
    for cell in jupytext.read(path).cells:
        if cell.cell_type != "code":
            continue
        for node in ast.walk(ast.parse(cell.source)):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "raises":
                words = tuple(a.value for a in node.args[2:] if isinstance(a, ast.Constant))
                if words:
                    yield words


def test_every_message_that_a_chapter_provokes_is_in_the_gallery():
    messages = [run(entry.program, T)[1].lower() for entry in GALLERY for T in (ac, torch)]
    missing = {
        (path.name, words)
        for path in sorted(BOOK.glob("[0-9][0-9]_*.md"))
        if not path.name.startswith(OTHER_PROGRAMS)
        for words in _words_in(path)
        if words not in ELSEWHERE and not any(all(w.lower() in message for w in words) for message in messages)
    }
    assert not missing


# -- recognizing


def test_the_last_message_of_a_traceback_counts():
    text = """Traceback (most recent call last):
  File "a.py", line 1, in <module>
ValueError: can't optimize a non-leaf Tensor

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 3, in <module>
RuntimeError: grad can be implicitly created only for scalar outputs
"""
    assert recognize(text, GALLERY).key == "needs-a-seed"


def test_an_unknown_last_message_leaves_the_one_before():
    text = "ValueError: can't optimize a non-leaf Tensor\n\nKeyError: 'w'\n"
    assert recognize(text, GALLERY).key == "non-leaf-in-optimizer"


def test_line_breaks_colors_and_case_do_not_matter():
    text = "\x1b[31mRuntimeError\x1b[0m: Trying to \x1b[1mBACKWARD\x1b[0m through\n  the graph a second time"
    assert recognize(text, GALLERY).key == "second-backward"


def test_a_warning_with_its_place_is_a_message():
    text = "train.py:3: UserWarning: The .grad attribute of a Tensor that is not a leaf Tensor is being accessed."
    assert messages_in(text) == [text]
    assert recognize(text, GALLERY).key == "grad-of-a-non-leaf"


@pytest.mark.parametrize(
    ("line", "key"),
    [
        ("TypeError: unsupported operand type(s) for *: 'float' and 'NoneType'", "none-as-an-operand"),
        ("TypeError: unsupported operand type(s) for -=: 'Tensor' and 'NoneType'", "none-as-an-operand"),
        ("TypeError: sum(): argument 'input' (position 1) must be Tensor, not NoneType", "none-as-an-operand"),
        ("AttributeError: 'NoneType' object has no attribute 'data'", "none-has-no-attribute"),
        ("IndexError: amax(): Expected reduction dim 0 to have non-zero size.", "maximum-of-nothing"),
    ],
)
def test_the_forms_of_a_message_lead_to_one_entry(line, key):
    assert recognize(line, GALLERY).key == key


# -- python -m autograd_book.gallery


def test_it_reads_standard_input():
    program = "import autograd_core as ac\nw = ac.ones(2, requires_grad=True)\n(w * w).backward()\n"
    failed = subprocess.run([sys.executable, "-c", program], capture_output=True)
    done = subprocess.run([sys.executable, "-m", "autograd_book.gallery"], input=failed.stderr, capture_output=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode().startswith("needs-a-seed: RuntimeError")
    assert done.stderr == b""


def test_it_reads_a_file(tmp_path, capsys):
    file = tmp_path / "traceback.txt"
    file.write_text("RuntimeError: mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)\n")
    assert main([str(file)]) == 0
    assert capsys.readouterr().out.startswith("inner-sizes")


def test_an_unknown_message_is_1(tmp_path, capsys):
    file = tmp_path / "traceback.txt"
    file.write_text("Traceback (most recent call last):\nKeyError: 'w'\n")
    assert main([str(file)]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert "KeyError: 'w'" in err


@pytest.mark.parametrize(
    "program",
    ["import torch\n", "# grad can be implicitly created only for scalar outputs\nfor p in w:\n    p.step()\n"],
)
def test_a_program_is_2_and_its_traceback_is_asked_for(tmp_path, capsys, program):
    file = tmp_path / "train.py"
    file.write_text(program)
    assert main([str(file)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "is a program" in err and "train.py 2>&1 |" in err


@each_entry
def test_a_bare_message_is_no_program(tmp_path, entry):
    file = tmp_path / "message.txt"
    for T in (ac, torch):
        file.write_text(run(entry.program, T)[1])
        assert main([str(file)]) == 0


@pytest.mark.parametrize("content", [b"", b"  \n\n", b"\xff\xfe\x00"])
def test_nothing_to_read_is_2(tmp_path, capsys, content):
    file = tmp_path / "traceback.txt"
    file.write_bytes(content)
    assert main([str(file)]) == 2
    assert "traceback.txt" in capsys.readouterr().err


def test_a_missing_file_is_2(tmp_path, capsys):
    assert main([str(tmp_path / "none.txt")]) == 2
    assert main([str(tmp_path)]) == 2
    assert "none.txt" in capsys.readouterr().err


def test_wrong_arguments_are_2(capsys):
    with pytest.raises(SystemExit) as stopped:
        main(["a", "b"])
    assert stopped.value.code == 2
    assert "usage" in capsys.readouterr().err
