"""What the explorers share: sliders that Python answers under a running kernel, and a page that needs none."""

import sys
from html import escape
from importlib.util import find_spec

from .page import source


class Explorer:
    """A picture and a sentence for each position of some sliders.

    On a page, a script chooses among states that were computed beforehand. Under a running kernel the sliders are those
    of ipywidgets, and the engine computes each state as it is asked for.
    """

    note = ""

    def sliders(self) -> list:
        """The sliders, made by ipywidgets, each with a description."""
        raise NotImplementedError

    def picture(self, *position) -> str:
        """The figure as SVG."""
        raise NotImplementedError

    def sentence(self, *position) -> str:
        """What the figure says."""
        raise NotImplementedError

    def _repr_html_(self) -> str:
        raise NotImplementedError

    def widget(self):
        """The explorer as ipywidgets: Python computes each state. Raises ImportError if ipywidgets is missing."""
        try:
            import ipywidgets
        except ImportError as missing:
            raise ImportError("the explorer needs ipywidgets: pip install 'autograd-core[viz]'") from missing
        sliders = self.sliders()
        figure = ipywidgets.HTML()

        def show(*_):
            position = [slider.value for slider in sliders]
            words = f'<p role="status">{escape(self.sentence(*position))}</p><p class="ac-note">{self.note}</p>'
            picture = self.picture(*position)
            figure.value = f'<div class="ac-viz"><style>{source("viz.css")}</style>{picture}{words}</div>'

        for slider in sliders:
            slider.add_class("ac-slider")
            slider.observe(show, "value")
        show()
        script = {"text/html": f'<script type="module">{source("name_sliders.js")}</script>'}
        naming = ipywidgets.Output(outputs=[{"output_type": "display_data", "data": script, "metadata": {}}])
        return ipywidgets.VBox([*sliders, figure, naming])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict:
        bundle = {"text/plain": repr(self), "text/html": self._repr_html_()}
        if _someone_can_answer() and find_spec("ipywidgets"):
            bundle |= self.widget()._repr_mimebundle_()
        return bundle


def _someone_can_answer() -> bool:
    """Whether a person's front end runs this cell. One that builds a page takes no input; sliders are dead there."""
    shell = sys.modules["IPython"].get_ipython() if "IPython" in sys.modules else None
    kernel = getattr(shell, "kernel", None)
    return kernel is not None and bool(kernel.get_parent("shell").get("content", {}).get("allow_stdin"))
