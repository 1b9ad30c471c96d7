"""What a student's process may do, and that nothing of it stays."""

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

import psutil
import pytest

from autograd_teaching.grader import confinement
from autograd_teaching.grader.confinement import FIRST_USER, USERS, own_user
from autograd_teaching.grader.limits import Limits
from autograd_teaching.grader.process import run
from tests.teaching.grader.submissions import HIDDEN_CHILD, UNSPEAKABLE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="grading needs Linux")

LIMITS = Limits(seconds=600)  # what comes to an end takes two or three seconds
HURRIED = Limits(seconds=4)  # for what never ends, whatever the machine
TEN_FORKS = """import os, time
made = 0
for _ in range(10):
    try:
        child = os.fork()
    except BlockingIOError:
        break
    if child == 0:
        time.sleep(60)
        os._exit(0)
    made += 1
check("04.ledger", {"made": made})"""


def forks() -> int:
    """How many of ten forks a student's process may make."""
    return answer(run([TEN_FORKS], 1, LIMITS, 1).events)["made"]


def answer(events: list[dict]) -> dict:
    (sent,) = [event for event in events if "rows" in event]
    return json.loads(sent["rows"])


def stops(events: list[dict]) -> list[str]:
    return [event["stopped"] for event in events if "stopped" in event]


def survivors() -> list[psutil.Process]:
    """The processes of notebooks that are alive; the browser of other tests is none of them."""
    children = psutil.Process().children(recursive=True)
    alive = [child for child in children if child.status() != psutil.STATUS_ZOMBIE]
    return [child for child in alive if "autograd_teaching.grader.student" in child.cmdline()]


def test_ten_forks_meet_the_limit():
    assert forks() == LIMITS.processes - 1
    assert survivors() == []


def test_a_process_that_leaves_its_group_is_found():
    done = run([f"{HIDDEN_CHILD}\ncheck('04.ledger', 1)"], 1, LIMITS, 3)
    assert not done.failure
    assert survivors() == []


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a submission a user of its own")
def test_under_root_each_submission_is_an_ordinary_user():
    asks = "import os\ncheck('04.ledger', {'user': os.getuid(), 'group': os.getgid(), 'more': os.getgroups()})"
    first, second = [answer(run([asks], 1, LIMITS, number).events) for number in (4, 5)]
    assert first["user"] == first["group"] != second["user"] == second["group"]
    assert first["more"] == second["more"] == []
    assert all(FIRST_USER <= told["user"] < FIRST_USER + USERS for told in (first, second))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a submission a user of its own")
def test_two_graders_never_share_a_user():
    with own_user(10**6) as mine, own_user(10**6) as theirs:
        assert mine != theirs


def test_the_grader_s_secrets_and_descriptors_are_not_there(monkeypatch):
    monkeypatch.setenv("COURSE_SECRET", "hunter2")
    asks = "import os\ncheck('04.ledger', {'names': sorted(os.environ), 'open': len(os.listdir('/proc/self/fd'))})"
    told = answer(run([asks], 1, LIMITS, 6).events)
    assert "COURSE_SECRET" not in told["names"]
    # stdin, stdout, stderr, the channel, the interpreter's folder, and the listing itself
    assert told["open"] <= 6


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a submission a user of its own")
def test_what_a_killed_grader_left_to_a_user_is_gone_when_the_next_begins():
    with own_user(11) as user:
        pass
    folder = Path(tempfile.mkdtemp(prefix=f"submission-{user}-"))
    left = subprocess.Popen(["sleep", "60"], user=user, start_new_session=True)
    asks = f"""import os
from pathlib import Path
of_this_user = [process for process in Path('/proc').glob('[0-9]*') if process.stat().st_uid == os.getuid()]
alive = [process for process in of_this_user if ') Z' not in process.joinpath('stat').read_text()]
check('04.ledger', {{'alive': len(alive), 'there': os.path.exists({str(folder)!r})}})"""
    try:
        assert answer(run([asks], 1, LIMITS, 11).events) == {"alive": 1, "there": False}
        assert left.wait(60) == -signal.SIGKILL
    finally:
        left.kill()
        left.wait()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a submission a user of its own")
def test_a_user_who_has_an_account_is_left_alone(monkeypatch):
    with own_user(12) as user:
        pass
    monkeypatch.setattr(confinement, "_has_account", lambda each: each == user)
    with own_user(12) as another:
        assert another != user


def test_its_folder_is_its_own_and_goes_away():
    asks = "import os\nopen('made', 'w').write('x')\ncheck('04.ledger', {'folder': os.getcwd(), 'files': os.listdir()})"
    told = answer(run([asks], 1, LIMITS, 7).events)
    assert told["files"] == ["made"]
    assert not Path(told["folder"]).exists()


@pytest.mark.skipif(os.geteuid() != 0, reason="the user who grades may read what is theirs")
def test_what_is_closed_to_others_is_closed_to_it(tmp_path):
    secret = tmp_path / "key"
    secret.write_text("hunter2")
    secret.chmod(0o600)
    asks = f"answer = open({str(secret)!r}).read()\ncheck('04.ledger', answer)"
    (stop,) = stops(run([asks], 1, LIMITS, 8).events)
    assert "PermissionError" in stop


@pytest.mark.parametrize(
    ("cell", "failure"),
    [
        ("import os\nos._exit(3)\ncheck('04.ledger', 1)", "its process ended with code 3 before the last cell"),
        ("import ctypes\nctypes.string_at(0)\ncheck('04.ledger', 1)", "it was killed by SIGSEGV"),
        ("import os\nos.kill(os.getpid(), 40)\ncheck('04.ledger', 1)", "it was killed by signal 40"),
        ("while True: print('x' * 1000)\ncheck('04.ledger', 1)", "it printed more than 65536 bytes"),
    ],
)  # fmt: skip
def test_a_process_that_does_not_come_to_its_end_says_why(cell, failure):
    assert run([cell], 1, LIMITS, 9).failure == failure


def test_a_process_that_closes_everything_and_sleeps_ends_with_its_time():
    closes = "import os, time\nos.closerange(1, 60)\ntime.sleep(10**6)\ncheck('04.ledger', 1)"
    assert run([closes], 1, HURRIED, 9).failure == "it ran longer than 4 seconds"


def test_memory_and_files_are_limited():
    for cell, error in (("kept = bytearray(2**31)", "MemoryError"), ("open('f', 'wb').write(bytes(2**25))", "OSError")):
        (stop,) = stops(run([f"answer = 1\n{cell}\ncheck('04.ledger', answer)"], 1, LIMITS, 10).events)
        assert error in stop


def test_an_exception_that_cannot_be_shown_ends_its_cell_alone():
    done = run([f"{UNSPEAKABLE}\ncheck('04.ledger', answer)", "check('04.halves', 1)"], 1, LIMITS, 13)
    assert stops(done.events) == ["cell 1 raised Unspeakable, which cannot be shown."]
    assert done.failure == ""
    assert [event["id"] for event in done.events if "id" in event] == ["04.halves"]


def test_jax_can_be_imported_and_its_threads_abort_nothing():
    pytest.importorskip("jax")
    done = run(
        ["import jax.numpy as jnp\nx = jnp.ones(2)\ncheck('04.ledger', x)", "check('04.halves', 1)"], 1, LIMITS, 14
    )
    assert "cell 1 raised RuntimeError" in stops(done.events)[0]
    assert done.failure == ""


def test_a_verdict_in_the_notebook_is_one_to_look_at():
    call = "v = check(answer=[1.5], id='04.ledger', seed=7)"
    looks = f"{call}\nassert v and v.judgment == 'right' and v.rows[0].yours == '[1.5]' and str(v) and v.notes == []"
    done = run(
        [looks, "check('04.halves', answer=1)", "import asyncio\nawait asyncio.sleep(0)\ncheck('04.slot', 1)"],
        1,
        LIMITS,
        15,
    )
    assert stops(done.events) == []
    assert [event["id"] for event in done.events if "id" in event] == ["04.ledger", "04.halves", "04.slot"]


def test_it_writes_no_bytecode():
    asks = "import sys\ncheck('04.ledger', {'none': sys.dont_write_bytecode})"
    assert answer(run([asks], 1, LIMITS, 16).events)["none"]


@pytest.mark.parametrize("line", ['{"id": 1, "unknown": true}', '{"stopped": null}', '{"asks": []}', "[]", "{"])
def test_a_line_of_another_form_is_named(line):
    writes = f"""import os
for descriptor in range(3, 60):
    try:
        os.write(descriptor, {line.encode()!r} + bytes([10]))
    except OSError:
        pass"""
    done = run([f"{writes}\ncheck('04.ledger', 1)"], 1, LIMITS, 17)
    assert done.failure == "it wrote to the grader's channel"
