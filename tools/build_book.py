"""Build the site into `_build/html`: fetch MathJax, write the op catalogue and the map of the project, execute the
chapters, render the pages.

    python tools/build_book.py [CHAPTER]

Each step does what has changed, and no more: catalogue and map are written where what they show has changed, a
chapter is executed where something changed that it used (`chapters`), and a page is rendered where it would look
different (`fresh_pages`), all pages where their frame changed (`page_frame`). With a CHAPTER, such as 08, that chapter
alone is executed and its page rendered; the rest waits for the next build.
A chapter that fails is printed with its traceback, and nothing is rendered.
"""

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

from jupyter_book.sphinx import build_sphinx

import book_wheel
import chapters
import fresh_pages
import page_frame
import vendor
from used_files import ROOT, states, unchanged

BUILD = ROOT / "_build"
CACHE = BUILD / ".jupyter_cache"
DOCTREES = BUILD / ".doctrees"
SITE = BUILD / "html"
RECORDS = BUILD / "records"  # what other engines answered, for the cells that run in a reader's browser
WRITTEN = {"catalogue": "make_catalogue.py", "map": "make_map.py"}  # folders of the book, and what writes them
OTHERS = {"npm", "hub", "nbgrader-venv"}  # fetched, and made from nothing of the package
# What was the case when something was made last: the environment of all that is here, the frame of the pages that
# are in the site, and all that the site was made from.
ENVIRONMENT, FRAME, RENDERED = (BUILD / f"{name}.stamp" for name in ("environment", "frame", "rendered"))


def is_stamped(stamp: Path, current: str) -> bool:
    return stamp.exists() and stamp.read_text() == current


def forget_another_environment() -> None:
    """Empty `_build` when it was made by another Python, with other packages, or in another language."""
    current = page_frame.environment()
    if not is_stamped(ENVIRONMENT, current):
        BUILD.mkdir(exist_ok=True)
        for made in BUILD.iterdir():
            if made.name not in OTHERS:
                shutil.rmtree(made) if made.is_dir() else made.unlink()
        ENVIRONMENT.write_text(current)


def write(folder: str) -> None:
    """Write a folder of the book by its script, where what that reads changed, or what it had written."""
    script, stamp = WRITTEN[folder], BUILD / f"{folder}.stamp"
    if stamp.exists() and unchanged(json.loads(stamp.read_text())):
        return
    print(f"writing book/{folder}")
    stamp.unlink(missing_ok=True)
    started, report = time.time(), BUILD / f"{folder}.json"
    command = [sys.executable, ROOT / "tools" / "used_files.py", report, ROOT / "tools" / script]
    if code := subprocess.run(command).returncode:
        print(f"The book was not built: {script} failed.", file=sys.stderr)
        sys.exit(code)
    pages = [path.relative_to(ROOT).as_posix() for path in (ROOT / "book" / folder).iterdir()]
    used = set(json.loads(report.read_text())["used"]) - set(pages)
    made = states([f"tools/{script}", *used], since=started) | states([f"book/{folder}", *pages])
    stamp.write_text(json.dumps(made))


def write_folders() -> None:
    """Write the folders of the book that are made from the code, for what is made of the chapters without a site."""
    forget_another_environment()
    for folder in WRITTEN:
        write(folder)


def execute(wanted: list[chapters.Chapter]) -> None:
    """Execute what has to be; where a chapter fails, nothing is rendered."""
    os.environ["AUTOGRAD_CORE_RECORD"] = str(RECORDS)
    executed, failed = chapters.execute(wanted, CACHE)
    if executed:
        RENDERED.unlink(missing_ok=True)
    if failed:
        sys.exit(f"The book was not built. Failed: {', '.join(failed)}")


def behind_the_site() -> str:
    """A digest of all that decides what the site shows, beside the results of chapters."""
    references = [*page_frame.pages(), *book_wheel.package(), *book_wheel.BESIDE]
    return page_frame.digest(references, page_frame.frame())


def render(only: Path | None = None) -> None:
    """Render the pages that changed, or only one."""
    RENDERED.unlink(missing_ok=True)
    page = only.relative_to(ROOT).with_suffix("").as_posix() if only else ""
    settings = {"external_toc_path": str(ROOT / "_toc.yml"), "nitpicky": True, "only_page": page}
    result = build_sphinx(
        ROOT,
        SITE,
        noconfig=True,
        path_config=ROOT / "_config.yml",
        confoverrides={**settings, "latex_individualpages": False},
        filenames=[str(only)] if only else None,
        warningiserror=True,
        keep_going=True,
        quiet=True,
    )
    if result:
        sys.exit("The pages were not rendered without a complaint: see above.")


def build() -> None:
    """Bring the whole site up to date."""
    for folder in WRITTEN:
        write(folder)
    wanted = list(chapters.chapters(ROOT / "book"))
    execute(wanted)
    current = behind_the_site()
    if (SITE / "index.html").exists() and is_stamped(RENDERED, current):
        print(f"Nothing changed: the book is in {SITE.relative_to(ROOT)}.")
        return
    chapters.forget_other_answers(wanted, CACHE, RECORDS)
    if not is_stamped(FRAME, page_frame.frame()):
        for made in (SITE, DOCTREES):
            shutil.rmtree(made, ignore_errors=True)
        FRAME.write_text(page_frame.frame())
    render()
    fresh_pages.note(DOCTREES).unlink()
    RENDERED.write_text(current)
    print(f"The book is in {SITE.relative_to(ROOT)}: open {SITE / 'index.html'}")


def build_chapter(name: str) -> None:
    """Bring one page of the site up to date."""
    path = find(name)
    for folder in WRITTEN:
        if f"{folder}/" in path.read_text("utf-8"):
            write(folder)
    if not (SITE / "index.html").exists():
        print("There is no site yet, so all of it is built. Later, one chapter takes seconds.")
        build()
    else:
        execute([chapter for chapter in chapters.chapters(ROOT / "book") if chapter.path == path])
        render(path)
    print(f"The page is {SITE / 'book' / path.with_suffix('.html').name}")


def find(name: str) -> Path:
    """The page with a name, such as 08_in_place, or with a number, such as 08 or 8."""
    pages = {path.stem: path for path in sorted((ROOT / "book").glob("*.md"))}
    number = f"{name.zfill(2)}_" if name.isdigit() else None
    for stem, path in pages.items():
        if name == stem or (number and stem.startswith(number)):
            return path
    listed = "\n".join(f"  {stem}" for stem in pages)
    sys.exit(f"There is no chapter {name!r}. Say its number, as in NAME=08, or its whole name:\n{listed}")


def main(name: str | None = None) -> None:
    if name is not None:
        find(name)  # before anything else is done
    forget_another_environment()
    vendor.fetch()
    if name is None:
        build()
    else:
        build_chapter(name)


if __name__ == "__main__":
    main(*sys.argv[1:])
