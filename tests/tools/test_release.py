"""What is checked before a release, on a repository that is ready and then spoiled."""

import subprocess
import sys
from datetime import date, timedelta
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))

import release

FILES = {
    "pyproject.toml": '[project]\nname = "a"\nversion = "0.2.0"\n',
    "CITATION.cff": "cff-version: 1.2.0\nversion: 0.2.0\n",
    "CHANGELOG.md": "# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-01-02\n\n- New.\n\n## [0.1.0] - 2026-01-01\n",
    "_config.yml": 'sphinx: {config: {launch: {repository: ""}}}\n',
    "list.txt": "1\n",
    "make.py": "open('list.txt', 'w').write('1\\n')\n",
}
LINKS = "\n[Unreleased]: https://a.org/new\n[0.2.0]: https://a.org/2\n[0.1.0]: https://a.org/1\n"
TOMORROW = date.today() + timedelta(days=1)


def git(root, *arguments):
    identity = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    subprocess.run(["git", *identity, *arguments], cwd=root, check=True, capture_output=True)


@pytest.fixture
def root(tmp_path):
    """A repository that is ready."""
    for name, text in FILES.items():
        (tmp_path / name).write_text(text, "utf-8")
    git(tmp_path, "init", "--quiet", "--initial-branch=main")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "--quiet", "-m", "Begin")
    return tmp_path


def change(root, name, old, new):
    text = (root / name).read_text("utf-8")
    assert old in text
    (root / name).write_text(text.replace(old, new, 1), "utf-8")


def test_a_repository_that_is_ready_passes(root, monkeypatch):
    monkeypatch.setattr(release, "GENERATORS", [["make.py"]])
    found = {check.__name__: check(root) for check in release.CHECKS if check is not release.wheel}
    assert found["branch"] == "main" and found["versions"] == "0.2.0" and found["tag"] == "v0.2.0"
    assert found["dated"] == "2026-01-02"
    assert "no repository" in found["links"]


@pytest.mark.parametrize(
    ("check", "name", "old", "new", "said"),
    [
        (release.tree, "list.txt", "1", "2", "M list.txt"),
        (release.versions, "CITATION.cff", "0.2.0", "0.1.0", "CITATION.cff says 0.1.0"),
        (release.versions, "pyproject.toml", "0.2.0", "0.3.0", "CHANGELOG.md says 0.2.0"),
        (release.dated, "CHANGELOG.md", " - 2026-01-02", "", "## [0.2.0] - "),
        (release.dated, "CHANGELOG.md", "2026-01-02", "January", "## [0.2.0] - "),
        (release.dated, "CHANGELOG.md", "2026-01-02", str(TOMORROW), "today is"),
        (release.dated, "CHANGELOG.md", "## [0.2.0]", "- Waits.\n\n## [0.2.0]", "under [Unreleased]"),
        (release.links, "_config.yml", '""', "https://a.org", "['0.1.0', '0.2.0', 'Unreleased']"),
        (release.links, "CHANGELOG.md", "- New.", f"- New.\n{LINKS}[0.3.0]: https://a.org/3", "['0.3.0']"),
    ],
)
def test_what_is_not_ready_is_named(root, check, name, old, new, said):
    change(root, name, old, new)
    with pytest.raises(release.Failed) as failure:
        check(root)
    assert said in failure.value.problem


def test_links_are_enough_when_there_is_one_for_each_version(root):
    (root / "CHANGELOG.md").write_text(FILES["CHANGELOG.md"] + LINKS, "utf-8")
    assert release.links(root) == "Unreleased, 0.2.0, 0.1.0"
    assert release.dated(root) == "2026-01-02"


def test_a_changelog_without_unreleased_is_ready(root):
    change(root, "CHANGELOG.md", "## [Unreleased]\n\n", "")
    assert release.dated(root) == "2026-01-02"


@pytest.mark.parametrize("name", ["v0.2.0", "0.2.0"])
def test_a_tag_is_not_given_twice(root, name):
    git(root, "tag", name)
    with pytest.raises(release.Failed, match="raise the version"):
        release.tag(root)


def test_another_branch_is_told(root):
    git(root, "checkout", "--quiet", "-b", "work")
    assert "this is work, not main" in release.branch(root)


@pytest.mark.parametrize(
    ("program", "said"),
    [("open('list.txt', 'w').write('2')", "M list.txt"), ("raise SystemExit('no list')", "no list")],
)
def test_generated_files_are_made_anew_and_compared(root, monkeypatch, program, said):
    monkeypatch.setattr(release, "GENERATORS", [["make.py"]])
    (root / "make.py").write_text(program, "utf-8")
    git(root, "commit", "--quiet", "-a", "-m", "Change")
    with pytest.raises(release.Failed) as failure:
        release.generated(root)
    assert said in failure.value.problem
    assert (root / "list.txt").read_text() == "1\n"


def test_every_check_is_printed_and_a_failure_ends_with_an_error(root, monkeypatch, capsys):
    monkeypatch.setattr(release, "ROOT", root)
    monkeypatch.setattr(release, "CHECKS", [release.tree, release.tag])
    release.main()
    assert "ok    the tree is clean" in (told := capsys.readouterr().out) and "Nothing was published" in told
    git(root, "tag", "v0.2.0")
    with pytest.raises(SystemExit, match="1 of 2 checks failed"):
        release.main()
    assert "ok    the tree is clean" in (told := capsys.readouterr().out)
    assert "FAIL  the tag is free: v0.2.0 is taken" in told


@pytest.mark.slow
def test_the_wheel_works_in_an_empty_environment():
    assert release.wheel(release.ROOT).endswith("KB")
