"""WCAG 2.1 AA, as far as a program can tell: axe-core on a page that is open."""

from pathlib import Path

import pytest

AXE = Path(__file__).parents[2] / "_build" / "npm" / "node_modules" / "axe-core" / "axe.min.js"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa"]

# What the theme does and this book cannot mend: the rule and a part of the element's selector, with the reason.
OF_THE_THEME = {
    ("label-content-name-mismatch", "search-button"): "its label leaves out the keys that it shows, Ctrl + K",
}

RUN = """([parts, rules]) => axe.run({include: parts}, {runOnly: {type: "tag", values: rules}}).then(found =>
    found.violations.flatMap(violation =>
        violation.nodes.map(node => [violation.id, node.target.flat().join(" "), node.failureSummary])))"""


def violations(page, *parts: str) -> list[str]:
    """What axe finds on the page, or in the parts that these selectors name, and the theme is not excused for."""
    if not AXE.exists():
        pytest.skip("axe-core is not here: python tools/npm.py fetches it")
    page.evaluate(AXE.read_text("utf-8"))
    found = page.evaluate(RUN, [list(parts) or ["html"], RULES])
    return [
        f"{rule}: {target}\n{summary}"
        for rule, target, summary in found
        if not any(rule == known and part in target for known, part in OF_THE_THEME)
    ]
