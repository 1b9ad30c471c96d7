"""Measure three pages of the built book with Lighthouse, served with compression as a web host would serve them.

    python tools/lighthouse.py [PAGE ...]

Prints a table of scores and ends with status 1 where one is below its goal. `tools/npm.py` fetches Lighthouse; Chromium
must be on the PATH. Scores of performance depend on the machine and on what else it does.
"""

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from tornado.httpserver import HTTPServer
from tornado.testing import bind_unused_port
from tornado.web import Application, StaticFileHandler

import chromium
from npm import MODULES

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "_build" / "html"
PAGES = ["book/index.html", "book/04_accumulation.html", "book/13_three_programs.html"]
GOALS = {"performance": 0.85, "accessibility": 1, "best-practices": 1, "seo": 1}
FLAGS = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"


async def scores(url: str, report: Path) -> dict[str, float]:
    """What Lighthouse gives a page, between 0 and 1; the whole report goes into a file."""
    command = [MODULES / ".bin" / "lighthouse", url, "--quiet", "--preset=desktop", f"--chrome-flags={FLAGS}"]
    command += ["--output=json", f"--output-path={report}", f"--only-categories={','.join(GOALS)}"]
    browser = chromium.find()
    process = await asyncio.create_subprocess_exec(*command, env={**os.environ, "CHROME_PATH": browser or ""})
    if await process.wait():
        sys.exit(f"Lighthouse did not finish on {url}. It needs Chromium on the PATH, and found {browser}.")
    found = json.loads(report.read_text())["categories"]
    return {name: found[name]["score"] or 0 for name in GOALS}


async def main(pages: list[str]) -> int:
    sockets, port = bind_unused_port()
    files = (r"/(.*)", StaticFileHandler, {"path": SITE, "default_filename": "index.html"})
    server = HTTPServer(Application([files], compress_response=True, log_function=lambda handler: None))
    server.add_socket(sockets)
    reports = Path(tempfile.mkdtemp(prefix="lighthouse-"))

    print(f"{'':32}" + "".join(f"{name:>16}" for name in GOALS))
    missed = 0
    for page in pages:
        found = await scores(f"http://127.0.0.1:{port}/{page}", reports / f"{Path(page).stem}.json")
        print(f"{page:32}" + "".join(f"{found[name]:16.2f}" for name in GOALS), flush=True)
        missed += any(found[name] < goal for name, goal in GOALS.items())
    print(f"The reports are in {reports}.")
    return missed


if __name__ == "__main__":
    if not SITE.exists():
        sys.exit(f"There is no {SITE.relative_to(ROOT)}. Build the book first: make book")
    if not MODULES.exists():
        sys.exit("Lighthouse is not here. Fetch it first: make npm")
    sys.exit(bool(asyncio.run(main(sys.argv[1:] or PAGES))))
