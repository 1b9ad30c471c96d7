"""What the chapters say of their exercises: title, program, hints and solution, which stand there and nowhere else.

A checkout has the chapters beside the package, so what an author writes counts at once. An installed package has in
their place a file beside the exercises of each chapter, such as `ch02.asked.json`, which `setup.py` makes when the
package is built. It runs this file alone, so nothing of the package is imported here, and no NumPy.
"""

import json
import re
from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache
from pathlib import Path

BOOK = Path(__file__).resolve().parents[2]
EXERCISES = Path(__file__).resolve().parents[1] / "exercises"

# The parts of an exercise, in the order in which they stand on a page; the solution is the last.
PART = re.compile(
    r"^### (?P<title>[^\n]+)$"
    r"|^```\{code-cell\} python\n(?!:)(?P<program>.*?)^```$"
    r"|^:::\{dropdown\} (?:Hint|Second hint)\n(?P<hint>.*?)^:::$"
    r"|^```\{code-cell\} python\n:tags: \[exercise, solution, hide-cell\]\n(?P<solution>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
CHECKED = re.compile(r'\bcheck\(\s*"([^"]+)"')


@dataclass(frozen=True)
class Asked:
    """An exercise as its chapter has it.

    Parameters:
        title: the heading.
        program: the code that the task shows above the stub; empty where it shows none.
        hints: in the words of a verdict, which shows no formulas.
        solution: the code of the cell.
    """

    title: str
    program: str
    hints: Sequence[str]
    solution: str


def read(chapter: str) -> dict[str, Asked]:
    """The exercises of a chapter by id, from its text. Raises `ValueError` for one without a heading and two hints."""
    found: dict[str, Asked] = {}
    title, program, hints = "", "", list[str]()
    for part in PART.finditer(chapter):
        if part["title"]:
            title, program, hints = part["title"], "", []
        elif part["program"]:
            program = part["program"]
        elif part["hint"]:
            hints.append(plain(part["hint"]))
        else:
            ids = CHECKED.findall(part["solution"])
            if len(ids) != 1 or not title or len(hints) != 2:
                raise ValueError(
                    f"the solution under the heading {title!r} checks {ids} and has {len(hints)} hints; it needs a "
                    'heading ###, two hints, and one check("NN.name", ...)'
                )
            found[ids[0]] = Asked(title, program, hints, part["solution"])
            title, hints = "", []
    return found


def plain(markdown: str) -> str:
    r"""A hint without markup, on one line. In a formula a power becomes `**`, a dot `*`, and a command its name.

    Raises `ValueError` for a formula that needs more than that, such as a fraction with a bar.

    >>> plain("Put `a.retain_grad()` *before* the walk.")
    'Put a.retain_grad() before the walk.'
    >>> plain(r"It is $3 \cdot 2^{-52}$, or $3x\varepsilon$ at $x_0$.")
    'It is 3 * 2**-52, or 3x eps at x_0.'
    >>> plain(r"Its slope is $x / \sqrt{x^2 + 1}$.")
    'Its slope is x / sqrt(x**2 + 1).'
    """
    pieces = re.split(r"(`[^`]+`|\$[^$]+\$)", " ".join(markdown.split()))
    return "".join(map(_piece, pieces))


def _piece(text: str) -> str:
    if text.startswith("`"):
        return text[1:-1]
    if text.startswith("$"):
        return _formula(text[1:-1])
    return re.sub(r"\*([^*]+)\*", r"\1", text)


def _formula(tex: str) -> str:
    tex = tex.replace(r"\cdot", "*").replace(r"\varepsilon", r"\eps").replace("\\ ", " ")
    tex = re.sub(r"\^\{([^}]*)\}|\^", r"**\1", tex)
    tex = re.sub(r"\\sqrt\{([^{}]*)\}", r"\\sqrt(\1)", tex)
    if "{" in tex or r"\frac" in tex:
        raise ValueError(f"a verdict cannot show the formula {tex!r} of a hint; write it with /, ^ and names")
    return re.sub(r"(\w)?\\([a-z]+)", lambda command: " ".join(filter(None, command.groups())), tex)


def asked(id: str) -> Asked:
    """What its chapter says of an exercise. Raises `LookupError` when no chapter asks it."""
    found = _of_chapter(id[:2])
    if id not in found:
        raise LookupError(f"no chapter asks the exercise {id}; its heading, stub, hints and solution belong there")
    return found[id]


def as_files() -> dict[str, str]:
    """What an installed package has in place of the chapters, by the names of the files among the exercises."""
    numbers = [f"{n:02}" for n in range(100)]
    found = {_file(n): {id: astuple(each) for id, each in _of_chapter(n).items()} for n in numbers}
    return {file: json.dumps(asked, ensure_ascii=False) for file, asked in found.items() if asked}


@cache
def _of_chapter(number: str) -> dict[str, Asked]:
    if (installed := EXERCISES / _file(number)).exists():
        return {id: Asked(*fields) for id, fields in json.loads(installed.read_text("utf-8")).items()}
    return {id: each for page in BOOK.glob(f"{number}_*.md") for id, each in read(page.read_text("utf-8")).items()}


def _file(number: str) -> str:
    return f"ch{number}.asked.json"
