"""Questions for marks: a student's own numbers, the same whenever they are drawn, and unknown without the secret."""

import json
import re
import sys
from itertools import combinations

import pytest

import autograd_core as ac
from autograd_book.check import attempt, judge
from autograd_teaching.bank import QUESTIONS, Secret, hand_in, keyed, unkeyed
from autograd_teaching.bank.notebooks import variant
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.one import Job, grade

SECRET = Secret("a secret for these tests")
STUDENTS = ["ann", "bob", "Zoë O'Neil", "ann "]
LIMITS = Limits(seconds=600)  # a notebook takes two or three
questions = pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question.id)
students = pytest.mark.parametrize("student", STUDENTS)


def verdict(id, student, answer):
    return judge(keyed(id, student, SECRET), attempt(unkeyed(id), answer, ac, 1), 1)


@questions
@students
def test_the_right_answer_is_right_by_pytorch(question, student):
    made = verdict(question.id, student, question.answer(ac, SECRET.drawn(question, student)))
    assert made, made
    assert made.source.startswith("PyTorch")


@questions
@students
def test_each_wrong_answer_is_recognized(question, student):
    drawn = SECRET.drawn(question, student)
    right = question.answer(ac, drawn)
    mutants = question.mutants(drawn)
    assert len(mutants) >= 3
    for mutant in mutants:
        made = verdict(question.id, student, right | mutant.rows)
        assert made.judgment == "wrong", (mutant.label, drawn)
        assert made.label == mutant.label, drawn


@questions
def test_no_student_s_wrong_answers_are_alike_or_right(question):
    for n in range(500):
        drawn = SECRET.drawn(question, f"student {n}")
        right = question.answer(ac, drawn)
        answers = [right, *(right | mutant.rows for mutant in question.mutants(drawn))]
        for one, other in combinations(answers, 2):
            assert any(one[row] != pytest.approx(other[row]) for row in right), (n, drawn)


@questions
def test_the_numbers_are_a_student_s_own_and_stay(question):
    drawn = [SECRET.drawn(question, f"student {n}") for n in range(20)]
    assert drawn == [SECRET.drawn(question, f"student {n}") for n in range(20)]
    assert len({str(each) for each in drawn}) > 3
    assert drawn != [Secret("another secret for these").drawn(question, f"student {n}") for n in range(20)]


@questions
def test_without_the_secret_there_is_no_answer(question):
    with pytest.raises(LookupError, match="secret"):
        unkeyed(question.id).reference(ac)


def test_a_short_secret_is_refused():
    with pytest.raises(ValueError, match=r"has 5 characters and needs 16"):
        Secret("short")


def test_a_secret_does_not_show_itself():
    assert SECRET.text not in repr(SECRET)
    assert SECRET.text not in json.dumps(variant("ann", SECRET))


def test_what_is_handed_in_is_shown_and_not_judged():
    shown = str(hand_in("bank.chain", {"L": 1.0, "h.grad": ..., "w.grad": None}))
    assert "still open" in shown
    assert not re.search("right|wrong", shown)
    with pytest.raises(KeyError, match=r"bank\.chain"):
        hand_in("bank.nothing", {})
    with pytest.raises(TypeError, match="dictionary"):
        hand_in("bank.chain", 3.0)


def solved(student, secret=SECRET):
    """A student's notebook with all answers filled in."""
    notebook = variant(student, secret)
    for cell in notebook["cells"]:
        if found := re.search(r'hand_in\("([\w.]+)"', cell["source"]):
            (question,) = [each for each in QUESTIONS if each.id == found[1]]
            answer = question.answer(ac, secret.drawn(question, student))
            cell["source"] = f"answer = {answer!r}\nhand_in({found[1]!r}, answer)"
    return json.dumps(notebook).encode()


def graded(student, content, secret=SECRET):
    return grade(Job(student, "bank.ipynb", content, 1, 1, LIMITS, secret))


@pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")
def test_a_variant_goes_out_and_comes_back_with_marks():
    done = graded("ann", solved("ann"))
    assert done.failure == ""
    assert {answer.exercise: answer.outcome for answer in done.answers} == {q.id: "right" for q in QUESTIONS}


@pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")
def test_an_untouched_variant_is_open():
    done = graded("ann", json.dumps(variant("ann", SECRET)).encode())
    assert {answer.outcome for answer in done.answers} == {"open"}


@pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")
def test_another_student_s_answers_do_not_fit():
    as_it_is = solved("bob")
    assert "another student, 'bob'" in graded("ann", as_it_is).failure
    renamed = json.loads(as_it_is)
    renamed["metadata"]["autograd_core"]["student"] = "ann"
    outcomes = [answer.outcome for answer in graded("ann", json.dumps(renamed).encode()).answers]
    assert outcomes.count("right") < len(QUESTIONS) / 2


def test_the_wrong_secret_says_so():
    content = json.dumps(variant("ann", SECRET)).encode()
    assert "another secret" in graded("ann", content, Secret("not the secret of ann")).failure
    assert "secret is needed" in graded("ann", content, None).failure
