"""What the explorers share: controls that Python answers under a running kernel, and a page that needs none."""

import sys
from collections.abc import Callable
from html import escape
from importlib.util import find_spec
from typing import Any

from .page import figure, fresh_id, source


class Explorer:
    """A picture and a sentence for each position of some controls.

    On a page, a script chooses among states that were computed beforehand. Under a running kernel the controls are
    those of ipywidgets, and the engine computes each state as it is asked for.
    """

    note = ""
    sheets: tuple[str, ...] = ()  # the style sheets of the picture, beside that of all figures

    def picture(self, *position) -> str:
        """The figure as SVG or HTML."""
        raise NotImplementedError

    def sentence(self, *position) -> str:
        """What the figure says."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def widget(self) -> Any:
        """The explorer as ipywidgets: Python computes each state. Raises ImportError if ipywidgets is missing."""
        raise NotImplementedError

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if someone_can_answer() and find_spec("ipywidgets"):
            bundle |= self.widget()._repr_mimebundle_()
        return bundle


class SliderExplorer(Explorer):
    """An explorer whose position is what its controls say."""

    def sliders(self) -> list:
        """The controls, made by ipywidgets, each with a description; their values are the position."""
        raise NotImplementedError

    def widget(self) -> Any:
        _ipywidgets()
        sliders, view = self.sliders(), View(self)

        def show(*_):
            view.show(*(slider.value for slider in sliders))

        for slider in sliders:
            slider.add_class("ac-slider")
            slider.style.description_width = "initial"  # else long names are cut
            slider.observe(show, "value")
        show()
        return view.below(sliders)


class View:
    """The picture and the words of an explorer as ipywidgets. A screen reader reads the words whenever they change."""

    def __init__(self, explorer: Explorer):
        self.explorer = explorer
        self.figure, self.words = _ipywidgets().HTML(), _ipywidgets().HTML()
        self.words.add_class("ac-words")

    def show(self, *position) -> None:
        """Show what belongs to a position of the controls."""
        explorer = self.explorer
        note = f'<p class="ac-note">{escape(explorer.note)}</p>'
        self.figure.value = figure(explorer.picture(*position) + note, fresh_id(), explorer.sheets)
        self.words.value = f"<p>{escape(explorer.sentence(*position))}</p>"

    def button(self, description: str, press: Callable) -> Any:
        """A button that calls `press` with itself."""
        button = _ipywidgets().Button(description=description)
        button.layout.width = "auto"
        button.on_click(press)
        return button

    def below(self, controls: list) -> Any:
        """The whole, with the controls on top."""
        script = {"text/html": f'<script type="module">{source("name_sliders.js")}</script>'}
        output = [{"output_type": "display_data", "data": script, "metadata": {}}]
        return _ipywidgets().VBox([*controls, self.figure, self.words, _ipywidgets().Output(outputs=output)])


def _ipywidgets() -> Any:
    try:
        import ipywidgets
    except ImportError as missing:
        raise ImportError("the explorer needs ipywidgets: pip install ipywidgets") from missing
    return ipywidgets


def someone_can_answer() -> bool:
    """Whether a person's front end runs this cell. One that builds a page takes no input; sliders are dead there."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and bool(kernel.get_parent().get("content", {}).get("allow_stdin"))
