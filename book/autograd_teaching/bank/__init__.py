"""Questions for marks: every student gets numbers of their own, and nobody finds the answers in a repository.

The numbers of a student are drawn from the course's secret and the student's name (`variants`), so the same secret
brings them back when the answers are graded, and nothing has to be kept. The questions (`questions`) are public; the
secret is not, and an answer takes both. `notebooks` writes what a student gets.
"""

from .handing_in import hand_in
from .questions import QUESTIONS, Question
from .variants import Secret, keyed, unkeyed

__all__ = ["QUESTIONS", "Question", "Secret", "hand_in", "keyed", "unkeyed"]
