"""A backend of Matplotlib for pages: `show` sends the open figures out as SVG, and closes them."""

import io
import logging

import matplotlib.pyplot as plt
import session
from matplotlib.backends.backend_agg import FigureCanvasAgg as FigureCanvas  # noqa: F401  Matplotlib asks for it

logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)  # it reports when it reads the fonts


def show(*, block: bool | None = None) -> None:
    """Called by `plt.show`, and at the end of every cell."""
    for number in plt.get_fignums():
        text = io.StringIO()
        plt.figure(number).savefig(text, format="svg", bbox_inches="tight")
        session.send("image", text.getvalue())
    plt.close("all")
