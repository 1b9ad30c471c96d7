"""Check what a release needs, and publish nothing.

    python tools/release.py

Prints each check with its result; ends with an error if one fails. What every change needs is not repeated here: run
`.ci/run` too.
"""

import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parent.parent
HEADING = re.compile(r"^## \[([^\]]+)\](?: - (\S+))?\s*$", re.MULTILINE)
LINK = re.compile(r"^\[([^\]]+)\]: \S+$", re.MULTILINE)
GENERATORS = [
    ["tools/make_stubs.py"],
    ["tools/make_torch_names.py"],
    ["tools/make_messages.py"],
    ["-m", "tools.record_exercises"],
]
USE = """\
import autograd_core as ac
x = ac.tensor(3.0, requires_grad=True)
(x * x).backward()
assert x.grad.item() == 6.0
print(ac.__version__)
"""


@dataclass
class Failed(Exception):
    """What is wrong, and what to do about it."""

    problem: str


def run(*command: str | Path, cwd: Path, **environment: str) -> str:
    """What a command prints; `Failed` with what it complains about where it fails."""
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env={**os.environ, **environment})
    if done.returncode:
        raise Failed(f"{' '.join(map(str, command[:4]))} failed:\n{(done.stdout + done.stderr).strip()}")
    return done.stdout.strip()


def lines(text: str) -> str:
    return "".join(f"\n  {line}" for line in text.splitlines())


# -- what is written


def version(root: Path) -> str:
    """The version that the package has."""
    return tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]["version"]


def changelog(root: Path) -> tuple[dict[str, tuple[str | None, str]], set[str]]:
    """The date and the text of each version, the newest first, and the names for which there is a link."""
    text = (root / "CHANGELOG.md").read_text("utf-8")
    headings = list(HEADING.finditer(text))
    ends = [heading.start() for heading in headings[1:]] + [len(text)]
    sections = {
        heading[1]: (heading[2], LINK.sub("", text[heading.end() : end]).strip())
        for heading, end in zip(headings, ends, strict=True)
    }
    return sections, set(LINK.findall(text))


# -- the checks; each returns what it found, or raises Failed


def tree(root: Path) -> str:
    """the tree is clean"""
    if changed := run("git", "status", "--porcelain", cwd=root):
        raise Failed(f"commit or remove what is not committed:{lines(changed)}")
    return run("git", "log", "-1", "--format=%h %s", cwd=root)


def branch(root: Path) -> str:
    """the branch"""
    name = run("git", "rev-parse", "--abbrev-ref", "HEAD", cwd=root)
    return name if name == "main" else f"this is {name}, not main: tag what was merged"


def versions(root: Path) -> str:
    """the versions agree"""
    released = [name for name in changelog(root)[0] if name != "Unreleased"]
    found = {
        "pyproject.toml": version(root),
        "CITATION.cff": str(yaml.safe_load((root / "CITATION.cff").read_text("utf-8"))["version"]),
        "CHANGELOG.md": released[0] if released else "none",
    }
    if len(set(found.values())) > 1:
        raise Failed("they differ: " + ", ".join(f"{name} says {value}" for name, value in found.items()))
    return version(root)


def dated(root: Path) -> str:
    """the newest version has a date, and nothing waits to be released"""
    sections, _links = changelog(root)
    if sections.get("Unreleased", ("", ""))[1]:
        raise Failed("CHANGELOG.md has entries under [Unreleased]: move them below the heading of the new version")
    day = sections.get(version(root), (None, ""))[0]
    try:
        written = date.fromisoformat(day or "")
    except ValueError:
        raise Failed(f"CHANGELOG.md needs a heading such as ## [{version(root)}] - {date.today()}") from None
    if written > date.today():
        raise Failed(f"CHANGELOG.md dates {version(root)} to {day}, and today is {date.today()}")
    return str(day)


def links(root: Path) -> str:
    """the headings of the changelog have their links"""
    sections, linked = changelog(root)
    repository = yaml.safe_load((root / "_config.yml").read_text("utf-8"))["sphinx"]["config"]["launch"]["repository"]
    if not repository and not linked:
        return "there are none; launch in _config.yml names no repository that they could lead to"
    if missing := set(sections) - linked:
        raise Failed(f"CHANGELOG.md needs a line at its end for each of {sorted(missing)}: [version]: address")
    if lost := linked - set(sections):
        raise Failed(f"CHANGELOG.md has links for {sorted(lost)} and no such headings")
    return ", ".join(sections)


def tag(root: Path) -> str:
    """the tag is free"""
    name = f"v{version(root)}"
    if run("git", "tag", "--list", name, version(root), cwd=root):
        raise Failed(f"{name} is taken: raise the version in pyproject.toml, CITATION.cff and CHANGELOG.md")
    return name


def generated(root: Path) -> str:
    """what is generated is in step"""
    with tempfile.TemporaryDirectory() as folder:
        run("git", "clone", "--quiet", root, folder, cwd=root)
        copy = Path(folder)
        found = f"{copy}{os.pathsep}{copy / 'book'}"  # before the packages that are installed
        for generator in GENERATORS:
            run(sys.executable, *generator, cwd=copy, PYTHONPATH=found)
        if changed := run("git", "status", "--porcelain", cwd=copy):
            told = ", ".join(" ".join(generator) for generator in GENERATORS)
            raise Failed(f"run python {told}, and commit what changes:{lines(changed)}")
    return f"{len(GENERATORS)} generators change nothing"


def wheel(root: Path) -> str:
    """the wheel works in an empty environment"""
    with tempfile.TemporaryDirectory() as folder:
        run("git", "clone", "--quiet", root, Path(folder, "source"), cwd=root)  # setuptools writes beside what it reads
        pip = ["-m", "pip", "--quiet", "--disable-pip-version-check"]
        build = ["wheel", "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", folder]
        run(sys.executable, *pip, *build, Path(folder, "source"), cwd=root)
        (built,) = Path(folder).glob("*.whl")
        run(sys.executable, "-m", "venv", Path(folder, "empty"), cwd=root)
        python = Path(folder, "empty", "bin", "python")
        run(python, *pip, "install", "-c", root / "constraints.txt", built, cwd=root)
        told = run(python, "-I", "-c", USE, cwd=Path(folder))
        if told != version(root):
            raise Failed(f"it says version {told}, and pyproject.toml says {version(root)}")
        return f"{built.stat().st_size // 1000} KB"


CHECKS: list[Callable[[Path], str]] = [tree, branch, versions, dated, links, tag, generated, wheel]


def main() -> None:
    failed = 0
    for check in CHECKS:
        try:
            mark, found = "ok  ", check(ROOT)
        except Failed as failure:
            mark, found, failed = "FAIL", failure.problem, failed + 1
        print(f"{mark}  {check.__doc__}: {found}", flush=True)
    if failed:
        sys.exit(f"{failed} of {len(CHECKS)} checks failed.")
    print(f"Ready. Nothing was published. To tag: git tag -a v{version(ROOT)} -m {version(ROOT)}")


if __name__ == "__main__":
    main()
