"""Where the chapters can be opened as notebooks: all links, from the one setting `launch` in `_config.yml`."""

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlencode, urlsplit

import yaml

CONFIG = Path(__file__).resolve().parent.parent / "_config.yml"


@dataclass(frozen=True)
class Launch:
    """The addresses under which the project is published. Each may be empty."""

    repository: str  # of the source, such as https://github.com/OWNER/NAME
    branch: str  # of that repository: it holds the notebooks, and nothing else
    hub: str  # of a JupyterHub with nbgitpuller
    lite: str  # of the site that `make lite` builds
    site: str = ""  # of the book; its setting is Jupyter Book's own, html: baseurl

    @classmethod
    def from_config(cls) -> "Launch":
        config = yaml.safe_load(CONFIG.read_text("utf-8"))
        site = config["html"].get("baseurl", "").rstrip("/")
        return cls(**config["sphinx"]["config"]["launch"], site=site)

    @property
    def requirement(self) -> str:
        """What pip installs the package from."""
        return f"autograd-core @ git+{self.repository}" if self.repository else ""

    def links(self, notebook: str, reads: list[str]) -> dict[str, str]:
        """The services that can open a notebook, each with its address there.

        `reads` are the files that the notebook reads. Those of the book travel with it to every service but Colab,
        which takes a notebook alone; with any other, only a clone of the repository will do.
        """
        if any(name.startswith("..") for name in reads):
            return {}
        found = {}
        where = urlsplit(self.repository)
        project = where.path.strip("/").removesuffix(".git")
        if where.hostname == "github.com":
            if not reads:
                found["Colab"] = f"https://colab.research.google.com/github/{project}/blob/{self.branch}/{notebook}"
            found["Binder"] = f"https://mybinder.org/v2/gh/{project}/{self.branch}?{urlencode({'labpath': notebook})}"
        if self.repository and self.hub:
            found["JupyterHub"] = git_pull(self.hub, self.repository, self.branch, notebook)
        if self.lite:
            found["JupyterLite"] = f"{self.lite.rstrip('/')}/lab/index.html?{urlencode({'path': notebook})}"
        return found


def git_pull(hub: str, repository: str, branch: str, notebook: str) -> str:
    """A link by which nbgitpuller brings a branch to the reader's home on a JupyterHub and opens one notebook of it.

    >>> git_pull("https://hub.example.org", "https://example.org/course.git", "main", "a.ipynb")
    'https://hub.example.org/hub/user-redirect/git-pull?repo=https%3A%2F%2Fexample.org%2Fcourse.git&branch=main&urlpath=lab%2Ftree%2Fcourse%2Fa.ipynb'
    """
    folder = urlsplit(repository).path.rstrip("/").rpartition("/")[2].removesuffix(".git")
    query = urlencode({"repo": repository, "branch": branch, "urlpath": f"lab/tree/{folder}/{notebook}"})
    return f"{hub.rstrip('/')}/hub/user-redirect/git-pull?{query}"
