"""Every figure in a pretended language: what a reader sees, hears or points at was given to a translator.

A translated sentence stands in brackets. Outside of them may stand what a program says: names, values, op names.
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from autograd_core.core.primitive import registry

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import make_messages  # noqa: E402
import pseudo  # noqa: E402

# In a process of its own: what is translated when a module is imported counts too.
PROGRAM = """
import json, sys
from pathlib import Path
from autograd_book import wording
wording.LOCALE = Path(sys.argv[1])

import autograd_core as ac
from autograd_book import look as viz
from autograd_book.check import check, exercises

w = ac.tensor(2.0, requires_grad=True)
h = w.square()
L = 3 * h
x = ac.tensor([1.0, 2.0], requires_grad=True)
y = x * x + x
figures = {
    "chain": viz.microscope(L),
    "a graph with a junction": viz.microscope(y.sum()),
    "seeds": viz.seed_explorer(),
    "split": viz.split_explorer(),
    "slot": viz.slot_explorer(),
    "bytes": viz.bytes_explorer(),
    "modes": viz.mode_matrix(),
    "versions": viz.version_scrubber(),
    "epsilon": viz.epsilon_explorer(),
    "kinks": viz.kink_explorer({"|x|": lambda T, x: x.abs()}),
    "switches": viz.switchboard({"a": ["b", "c"], "d": ["e", "f"]}, {"g": lambda x, y: {"h": x, "i": y}}),
    "exercises": exercises(),
    "a wrong answer": check("00.warm_up", {"L": 1.0, "w.grad": 4.0}),
}
print(json.dumps({name: figure._repr_html_() for name, figure in figures.items()}))
"""

# All text of the page, and what assistive technology is told, without code and without what stands in brackets.
OUTSIDE = """() => {
  const shown = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode())
    if (!walker.currentNode.parentElement.closest("style, script, code, pre")) shown.push(walker.currentNode.data);
  const told = ["aria-label", "aria-valuetext", "aria-roledescription", "title", "alt", "placeholder"].flatMap((name) =>
    [...document.querySelectorAll(`[${name}]`)].map((element) => element.getAttribute(name)));
  return [shown.join(" | "), ...told].map((text) => {
    let depth = 0, outside = "";
    for (const letter of text) {
      if (letter === "⟦") depth += 1;
      else if (letter === "⟧") depth -= 1;
      else if (depth === 0) outside += letter;
    }
    return outside;
  });
}"""

# What the figures' own programs and formulas consist of.
EXPRESSION = re.compile(r"(?:\b\w+)?\.\w[\w.]*(?:\([^()]*\))?|\b\w+\([^()]*\)|\b\w*_\w*|\b\w+\.\w+|\b\w+Error\b")
WORD = re.compile(r"[^\W\d_]{3,}")
NAMES = {
    *registry,
    "None",
    "True",
    "False",
    "detach",
    "eval",
    "float",
    "data",
    "backward",
    "checkpoint",
    "for",
    "side",
    "vᵀJ",
}


@pytest.fixture(scope="module")
def figures(tmp_path_factory):
    """The figures as HTML, in the pretended language."""
    locale = tmp_path_factory.mktemp("locale")
    pseudo.write(make_messages.TEMPLATE, pseudo.catalog_path(locale, "autograd_core"))
    environment = {**os.environ, "AUTOGRAD_CORE_LANGUAGE": pseudo.LANGUAGE, "PYTHONPATH": str(ROOT)}
    done = subprocess.run([sys.executable, "-c", PROGRAM, locale], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    made = json.loads(done.stdout)
    assert "⟦" in made["chain"]
    return made


def untranslated(page):
    """The words outside of brackets that are no program's."""
    return {word for text in page.evaluate(OUTSIDE) for word in WORD.findall(EXPRESSION.sub(" ", text))} - NAMES


def press_everything(page):
    """Move each slider one step on and press each button that can be pressed."""
    for slider in page.locator("input[type=range]:visible").all():
        slider.press("ArrowRight")
    for button in page.locator("button:visible:enabled").all():
        if button.is_visible() and button.is_enabled():
            button.click()


@pytest.mark.parametrize(
    "name",
    [
        "chain", "a graph with a junction", "seeds", "split", "slot", "bytes", "modes", "versions", "epsilon",
        "kinks", "switches", "exercises", "a wrong answer",
    ],
)  # fmt: skip
def test_every_sentence_of_a_figure_is_translated(name, figures, browser, tmp_path):
    file = tmp_path / "figure.html"
    file.write_text(
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>t</title>{figures[name]}</html>', "utf-8"
    )
    page = browser.new_page(viewport={"width": 1000, "height": 800})
    page.goto(file.as_uri())
    found = untranslated(page)
    for _ in range(6):
        press_everything(page)
        found |= untranslated(page)
    page.close()
    assert found == set()
