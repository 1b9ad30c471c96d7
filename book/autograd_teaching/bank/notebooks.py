"""The notebook that a student gets: the questions with that student's numbers, and a stub for each answer."""

import json
from typing import Any

from .questions import QUESTIONS, Question
from .variants import Secret, rows_of

INTRODUCTION = """# Questions for {student}

The numbers are yours alone. In the programs `T` stands for PyTorch or for `autograd_core`: run them if you like, and
change them; what counts is what you hand in. Give a number that is not whole as an expression, such as `134 / 3`, or to
seven digits. `hand_in` shows what it took, and does not say whether it is right."""


def variant(student: str, secret: Secret) -> dict[str, Any]:
    """The notebook of a student, as the dictionary that an `.ipynb` file holds."""
    cells = [_markdown(INTRODUCTION.format(student=student)), _code("from autograd_teaching.bank import hand_in")]
    for question in QUESTIONS:
        cells += _cells(question, student, secret)
    for number, cell in enumerate(cells):
        cell["id"] = f"cell-{number}"
    return {
        "cells": cells,
        "metadata": {
            "autograd_core": {"student": student, "course": secret.fingerprint},
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }


def _cells(question: Question, student: str, secret: Secret) -> list[dict[str, Any]]:
    drawn = secret.drawn(question, student)
    stub = ",\n".join(f"    {json.dumps(name)}: ..." for name in rows_of(question))
    return [
        _markdown(f"## {question.title}\n\n{question.text(drawn)}"),
        _code(f"answer = {{\n{stub},\n}}\nhand_in({json.dumps(question.id)}, answer)"),
    ]


def _markdown(source: str) -> dict[str, Any]:
    return {"cell_type": "markdown", "metadata": {}, "source": source}


def _code(source: str) -> dict[str, Any]:
    return {"cell_type": "code", "metadata": {}, "source": source, "outputs": [], "execution_count": None}
