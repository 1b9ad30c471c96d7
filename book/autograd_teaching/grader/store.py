"""Results in SQLite, each written when it comes: a grader that is killed goes on where it was."""

import fcntl
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from secrets import randbits

from .one import Answer, Graded

SCHEMA = """
CREATE TABLE IF NOT EXISTS run (seed INTEGER NOT NULL);
CREATE TABLE IF NOT EXISTS submission (
    id INTEGER PRIMARY KEY, student TEXT NOT NULL, notebook TEXT NOT NULL, digest TEXT NOT NULL, grader TEXT NOT NULL,
    failure TEXT NOT NULL, seconds REAL NOT NULL, UNIQUE (student, notebook, digest, grader));
CREATE TABLE IF NOT EXISTS answer (
    submission INTEGER NOT NULL REFERENCES submission, exercise TEXT NOT NULL, outcome TEXT NOT NULL,
    misconception TEXT NOT NULL, detail TEXT NOT NULL, reference TEXT NOT NULL, PRIMARY KEY (submission, exercise));
"""

Key = tuple[str, str, str]  # student, notebook, digest of the content


class Store:
    """The results of one grader, identified by a digest of its code: another grader's results are not its own."""

    def __init__(self, database: sqlite3.Connection, grader: str):
        self._database, self._grader = database, grader
        database.executescript(SCHEMA)
        if database.execute("SELECT count(*) FROM run").fetchone() == (0,):
            database.execute("INSERT INTO run VALUES (?)", (randbits(31),))
        database.commit()

    @property
    def seed(self) -> int:
        """The seed of this folder's inputs: drawn once, and used for every submission."""
        return self._database.execute("SELECT seed FROM run").fetchone()[0]

    def done(self) -> set[Key]:
        """What has been graded."""
        rows = self._database.execute(
            "SELECT student, notebook, digest FROM submission WHERE grader = ?", (self._grader,)
        )
        return set(rows)

    def add(self, graded: Graded) -> None:
        """Write one result, whole or not at all. Raises sqlite3.IntegrityError for one that is there."""
        with self._database:
            cursor = self._database.execute(
                "INSERT INTO submission VALUES (NULL, ?, ?, ?, ?, ?, ?)",
                (graded.student, graded.notebook, graded.digest, self._grader, graded.failure, graded.seconds),
            )
            self._database.executemany(
                "INSERT INTO answer VALUES (?, ?, ?, ?, ?, ?)",
                [
                    (cursor.lastrowid, a.exercise, a.outcome, a.misconception, a.detail, a.reference)
                    for a in graded.answers
                ],
            )

    def results(self, keys: Iterable[Key]) -> Iterator[Graded]:
        """The results for the given contents, in their order."""
        for key in keys:
            found = self._database.execute(
                "SELECT id, failure, seconds FROM submission WHERE student = ? AND notebook = ? AND digest = ? "
                "AND grader = ?",
                (*key, self._grader),
            ).fetchone()
            if found:
                number, failure, seconds = found
                answers = self._database.execute(
                    "SELECT exercise, outcome, misconception, detail, reference FROM answer WHERE submission = ? "
                    "ORDER BY exercise",
                    (number,),
                )
                yield Graded(*key, failure, seconds, tuple(Answer(*row) for row in answers))


@contextmanager
def opened(path: Path, grader: str) -> Iterator[Store]:
    """The store in a file, made if it is not there. Raises BlockingIOError while another grader has it open."""
    with open(path, "ab") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            message = f"another grader is at work in {path.parent}: wait for it, or name another folder with --out"
            raise BlockingIOError(message) from error
        with closing(sqlite3.connect(path)) as database:
            database.execute("PRAGMA journal_mode = WAL")
            yield Store(database, grader)
