"""What a cell of the page sends to the reader, run by the Python of this machine in place of the browser's."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

LIVE = Path(__file__).parents[2] / "book" / "_static" / "live"
PROGRAM = """
import json, sys, session
sent = []
for source in json.loads(sys.argv[1]):
    error = session.run(source, lambda kind, text: sent.append([kind, text]))
    sent.append(["raised", error])
print(json.dumps(sent))
"""


def sent_by(*cells: str) -> list[list[str]]:
    """What cells send, as pairs of kind and text, each cell's ended by ["raised", the error's name or None]."""
    environment = os.environ | {"PYTHONPATH": str(LIVE), "MPLBACKEND": "module://figures"}
    command = [sys.executable, "-c", PROGRAM, json.dumps(cells)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    return json.loads(done.stdout)


def test_figures_are_sent_where_they_are_shown_and_at_the_end_of_their_cell():
    drawing = """
import matplotlib.pyplot as plt
plt.plot([0, 1])
plt.show()
print("between", end="")
plt.subplots();"""
    sent = sent_by(drawing, "plt.get_fignums()")
    assert [kind for kind, _ in sent] == ["image", "text", "image", "raised", "text", "raised"]
    assert "<svg" in sent[0][1] and sent[1][1] == "between" and sent[4][1] == "[]\n"


def test_a_picture_of_the_book_is_sent_once():
    drawing = """
import matplotlib.pyplot as plt
from autograd_book.look import picture
fig, ax = plt.subplots()
picture(fig, alt="An empty frame.")"""
    (kind, text), end = sent_by(drawing)
    assert kind == "html" and 'aria-label="An empty frame."' in text and end == ["raised", None]


@pytest.mark.parametrize(("module", "name"), [("torch", "PyTorch"), ("jax.numpy", "JAX")])
def test_an_engine_that_no_browser_runs_is_named(module, name):
    missing = "import sys; sys.modules['torch'] = sys.modules['jax'] = None"
    (_, text), end = sent_by(f"{missing}\nimport {module}")
    assert text.endswith(f"{name} does not run in a browser. Run the chapter's notebook on a computer that has it.")
    assert end == ["raised", "ModuleNotFoundError"]


def test_what_a_page_lacks_is_said_with_the_remedy():
    (_, text), _ = sent_by("import sys; sys.modules['matplotlib'] = None\nimport matplotlib.pyplot")
    assert text.endswith("Reset brings back the figure of the book.")
    (_, text), end = sent_by("input('Name? ')")
    assert text.endswith("Write the answer into its code.") and end == ["raised", "RuntimeError"]


@pytest.mark.parametrize(
    ("cell", "end"),
    [
        ("import nothing_of_this_name", "No module named 'nothing_of_this_name'"),
        ("raise ModuleNotFoundError('gone')", "ModuleNotFoundError: gone"),
        ("raise ModuleNotFoundError('gone', name=5)", "ModuleNotFoundError: gone"),
    ],
)
def test_other_modules_that_are_missing_get_no_note(cell, end):
    (_, text), raised = sent_by(cell)
    assert text.endswith(end) and raised == ["raised", "ModuleNotFoundError"]
