"""Waiting until a page stands still, however long its browser takes to draw."""

STILL = """() => Promise.all(
  document.getAnimations().filter(each => each instanceof CSSTransition).map(each => each.finished.catch(() => null))
).then(() => null)"""


def settle(page) -> None:
    """Wait for the transitions of a page's styles to end."""
    page.evaluate(STILL)
