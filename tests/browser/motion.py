"""Waiting until a page stands still, however long its browser takes to draw."""

from contextlib import suppress

from playwright.sync_api import TimeoutError

STILL = """() => Promise.all(
  document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished.catch(() => null))
).then(() => null)"""

# Some time after its window changed, the theme lets the keyboard reach what scrolls now.
REACHABLE = """() => [...document.querySelectorAll("pre, .cell_output > .output")].every(
  each => each.tabIndex === 0 || (each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight)
)"""


def settle(page) -> None:
    """Wait for the transitions of a page's styles to end, and for the theme to see which parts scroll."""
    page.evaluate(STILL)
    with suppress(TimeoutError):  # whoever asks what the keyboard reaches will say so
        page.wait_for_function(REACHABLE, timeout=20_000)
