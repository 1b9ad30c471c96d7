"""A Sphinx extension that says which pages to render: those that changed, and those that show something of them.

Sphinx reads a page again when its text changed. This adds

* the pages whose cells were executed and show something else than before;
* all pages, which are then written and not read, where something changed that pages show of each other: a title,
  a label, an equation, a citation;
* the pages that were rendered last, unless `note` was removed, as after a rendering without a warning.

Other extensions ask `differs` whether a page that they fill has to be written. `only_page` names a page that is
rendered alone; the others wait for a rendering of them all.
"""

import hashlib
import json
from pathlib import Path
from typing import Any

from jupyter_cache.cache.db import NbCacheRecord
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

from chapters import chapters, opened

TARGETS = (("std", "labels"), ("std", "anonlabels"), ("std", "terms"), ("math", "objects"))
FEW = 5  # pages whose names are told


def differs(app: Sphinx, name: str, value: str) -> bool:
    """Whether something is not as it was when the site was rendered last; then it is remembered as it is now."""
    if app.config.only_page:
        return False
    seen = app.env.__dict__.setdefault("seen_by_pages", {})  # kept by Sphinx with all else that it read
    digest = hashlib.sha256(value.encode()).hexdigest()
    before, seen[name] = seen.get(name), digest
    return before != digest


def results(app: Sphinx) -> dict[str, NbCacheRecord]:
    """What the cache holds of each page with cells, in the order of their names."""
    cache = opened(Path(app.env.mystnb_config.execution_cache_path))
    paths = {Path(app.env.doc2path(page)): page for page in sorted(app.env.found_docs)}
    folders = sorted({path.parent for path in paths})
    held = {paths.get(each.path): each.kept(cache) for folder in folders for each in chapters(folder)}
    return {page: record for page, record in held.items() if page and record}


def with_other_results(app: Sphinx, env: BuildEnvironment, *_sets: set[str]) -> list[str]:
    """The pages whose cells show something else than when they were rendered, and those left by a failure."""
    if app.config.only_page:
        return [app.config.only_page]
    shown = {page: result.data["shown"] for page, result in results(app).items()}
    return [page for page, digest in shown.items() if differs(app, f"result of {page}", digest)] + unfinished(app)


def leave_others(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Read nothing but the page that is wanted alone."""
    if app.config.only_page:
        pages[:] = [page for page in pages if page == app.config.only_page]


def with_other_neighbors(app: Sphinx, env: BuildEnvironment) -> list[str]:
    """All pages, where something changed that pages show of each other."""
    return sorted(env.found_docs) if differs(app, "pages", seen_by_others(env)) else []


def seen_by_others(env: BuildEnvironment) -> str:
    """What a page may show of another one."""
    titles = {page: title.astext() for page, title in env.titles.items()}
    targets = [env.domaindata[domain].get(kind, {}) for domain, kind in TARGETS]
    cited = [
        (each.citation_id, each.formatted_entry.label) for each in env.domaindata.get("cite", {}).get("citations", ())
    ]
    return repr([sorted(each.items()) for each in (titles, *targets)] + cited)


# -- what was rendered


def note(folder: Path) -> Path:
    """The file that names the pages rendered last, in the folder of what Sphinx has read."""
    return folder / "rendered.json"


def unfinished(app: Sphinx) -> list[str]:
    file = note(Path(app.doctreedir))
    return json.loads(file.read_text()) if file.exists() else []


def remember(app: Sphinx, env: BuildEnvironment, pages: list[str]) -> None:
    """Note which pages are read, before anything can go wrong with them."""
    Path(app.doctreedir).mkdir(parents=True, exist_ok=True)
    note(Path(app.doctreedir)).write_text(json.dumps(sorted({*unfinished(app), *pages})))


def count(app: Sphinx, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    if doctree is not None:
        app.rendered.append(page)


def tell(app: Sphinx, failure: Exception | None) -> None:
    remember(app, app.env, app.rendered)
    names = ", ".join(app.rendered) if len(app.rendered) <= FEW else ""
    print(f"rendered {len(app.rendered)} of {len(app.env.found_docs)} pages{names and ': '}{names}")


def setup(app: Sphinx) -> dict[str, bool]:
    app.rendered = []
    app.add_config_value("only_page", "", "")
    app.connect("env-get-outdated", with_other_results)
    app.connect("env-before-read-docs", leave_others)
    app.connect("env-before-read-docs", remember)
    app.connect("env-updated", with_other_neighbors, priority=900)  # after what others collect
    app.connect("html-page-context", count)
    app.connect("build-finished", tell)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
