"""`make hub`, as a student meets it: log in, follow the link, run a check."""

import os
import re
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path
from urllib.request import urlopen

import pytest

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.slow
LOG = ROOT / "_build" / "hub.log"
PASSWORD = "a password for this test"


def free_ports(count: int) -> int:
    """The first of some free ports in a row."""
    for first in range(8700, 9700, count):
        try:
            for port in range(first, first + count):
                socket.create_server(("127.0.0.1", port)).close()
        except OSError:
            continue
        return first
    raise OSError("no free ports")


@pytest.fixture(scope="module")
def hub():
    """The link that a running hub has printed."""
    port = free_ports(3)
    environment = os.environ | {"HUB_PORT": str(port), "HUB_PASSWORD": PASSWORD}
    command = [sys.executable, ROOT / "deploy" / "jupyterhub" / "start.py"]
    with (
        LOG.open("w") as log,
        subprocess.Popen(
            command, env=environment, stdout=log, stderr=subprocess.STDOUT, start_new_session=True
        ) as process,
    ):
        try:
            address = f"http://127.0.0.1:{port}"
            wait_for(f"{address}/hub/login", process)
            yield re.search(r"student notebooks: (\S+)", LOG.read_text())[1]
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(20)


def wait_for(address: str, process: subprocess.Popen) -> None:
    for _ in range(600):
        assert process.poll() is None, LOG.read_text()[-3000:]
        try:
            urlopen(address).close()
            return
        except OSError:
            time.sleep(0.5)
    pytest.fail(f"{address} did not answer")


def test_a_student_logs_in_opens_a_chapter_and_runs_a_check(hub, browser):
    page = browser.new_context(viewport={"width": 1280, "height": 900}).new_page()
    page.set_default_timeout(60_000)
    page.goto(hub.replace("02_chain", "04_accumulation"))
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    page.get_by_text("Invalid username or password").wait_for()
    page.get_by_label("Username").fill("ann")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()

    cell = page.locator(".jp-CodeCell", has_text='check("04.ledger"')
    cell.locator(".cm-content").click()
    page.keyboard.press("Shift+Enter")
    cell.get_by_text("04.ledger: not answered yet").wait_for()


def test_a_later_start_adds_to_what_a_student_has_pulled(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "deploy" / "jupyterhub"))
    start = pytest.importorskip("start")
    monkeypatch.setattr(start, "STATE", tmp_path)
    for _ in range(2):
        repository = start.course()
    commits = subprocess.run(["git", "-C", repository, "rev-list", "main"], capture_output=True, text=True, check=True)
    assert len(commits.stdout.split()) == 2
