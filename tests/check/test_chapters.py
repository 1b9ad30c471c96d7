"""What an exercise takes from its chapter, in a checkout and in an installed package."""

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import autograd_core as ac
from autograd_book.check import Mutant, chapters, exercises, find
from autograd_book.check.exercise import from_chapter
from autograd_book.check.solution import answer_in
from tools import book_wheel

ROOT = Path(__file__).parents[2]
CHAPTER = """
### The double

Double `x`.

```{code-cell} python
:tags: [exercise, stub]
def double(x): ...


check("99.double", double)
```

+++ {"tags": ["exercise", "hint"]}

:::{dropdown} Hint
What is $2^1 \\cdot x$?
:::

:::{dropdown} Second hint
It is `x + x`,
*or* twice `x`.
:::

```{code-cell} python
:tags: [exercise, solution, hide-cell]
def double(x):
    return 2 * x


assert check("99.double", double)
```
"""


def at_four(double, T, rng):
    return {"double of 4": double(4)}


@pytest.fixture
def fresh():
    """Nothing is read yet, and what a test reads is forgotten."""
    chapters._of_chapter.cache_clear()
    yield
    chapters._of_chapter.cache_clear()


@pytest.fixture
def one_chapter(monkeypatch, tmp_path, fresh):
    """A book of one chapter."""
    (tmp_path / "99_toy.md").write_text(CHAPTER)
    monkeypatch.setattr(chapters, "BOOK", tmp_path)


def test_a_chapter_gives_title_hints_and_the_reference(one_chapter):
    exercise = from_chapter("99.double", kind="blank", minutes=1, rows=at_four)
    assert exercise.title == "The double"
    assert exercise.hints == ("What is 2**1 * x?", "It is x + x, or twice x.")
    assert exercise.reference(ac)(4) == 8


def test_a_mutant_says_what_it_changes_of_the_solution(one_chapter):
    mutants = (Mutant("Squared", "Twice is not squared.", instead={"2 * x": "x * x"}),)
    exercise = from_chapter("99.double", kind="blank", minutes=1, rows=at_four, mutants=mutants)
    assert exercise.mutants[0].answer(4) == 16


@pytest.mark.parametrize(("words", "times"), [("3 * x", 0), ("x", 2)])
def test_words_that_the_solution_does_not_have_once_are_named(words, times):
    with pytest.raises(ValueError, match=rf"'{words.replace('*', '.')}' .* stands {times} times in the solution"):
        answer_in("y = lambda x: 2 * x\nassert check('99.y', y)", {words: "5"})


def test_what_was_typed_is_no_reference(one_chapter):
    with pytest.raises(TypeError, match=r"99\.double .* needs reference=, which computes them"):
        from_chapter("99.double", kind="blank", minutes=1)


def test_an_exercise_that_no_chapter_asks_is_named(one_chapter):
    with pytest.raises(LookupError, match=r"no chapter asks the exercise 99\.triple"):
        from_chapter("99.triple", kind="blank", minutes=1, rows=at_four)


@pytest.mark.parametrize("lacking", ["### The double", ":::{dropdown} Second hint"])
def test_an_exercise_without_a_heading_or_a_hint_is_named(lacking):
    with pytest.raises(ValueError, match=r"checks \['99\.double'\] and has . hints; it needs a heading ###, two hints"):
        chapters.read(CHAPTER.replace(lacking, ""))


def test_a_formula_that_no_verdict_can_show_is_named():
    with pytest.raises(ValueError, match=r"cannot show the formula .*frac.* write it with /"):
        chapters.plain(r"It is $\frac{x}{2}$.")


def test_a_package_without_chapters_asks_the_same(monkeypatch, tmp_path, fresh):
    here = chapters.asked("02.keep")
    for name, text in chapters.as_files().items():
        (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.setattr(chapters, "EXERCISES", tmp_path)
    monkeypatch.setattr(chapters, "BOOK", tmp_path)
    assert chapters.asked("02.keep") == here


def by_pip(folder):
    """The wheel that pip makes of the repository."""
    names = ("autograd_core", "book", "pyproject.toml", "setup.py", "README.md", "LICENSE")
    for name in names:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation"]
    subprocess.run([*command, "--wheel-dir", folder, folder], check=True)
    (made,) = folder.glob("*.whl")
    return made


@pytest.mark.slow
@pytest.mark.parametrize("build", [by_pip, book_wheel.wheel])
def test_a_wheel_holds_what_its_exercises_take(build, tmp_path):
    made = build(tmp_path)
    zipfile.ZipFile(made).extractall(tmp_path / "installed")
    code = """
from autograd_book.check import chapters, check, exercises
assert not [*chapters.BOOK.glob("*.md")]
print(len(exercises()), check("02.keep", lambda T, w: {}).notes[-1])"""
    expected = f"{len(exercises())} Hint: {find('02.keep').hints[0]}"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path / "installed")}
    done = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True)
    assert done.stdout.strip() == expected, done.stderr
