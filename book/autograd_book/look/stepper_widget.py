"""The stepper as an anywidget. Imported only when one is asked for: anywidget is optional."""

import anywidget
import traitlets

from .page import source


class StepperWidget(anywidget.AnyWidget):
    """A stepper whose `step`, counted from 0, is shared with Python."""

    _esm = source("model.js") + source("stepper.js")
    html = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)

    def __init__(self, html: str, step: int, last: int):
        super().__init__(html=html, step=step)
        self.last = last

    @traitlets.validate("step")
    def _on_the_way(self, proposal):
        """Raises TraitError for a step that is not there."""
        last = getattr(self, "last", None)
        if last is not None and not 0 <= proposal["value"] <= last:
            raise traitlets.TraitError(f"step is between 0 and {last}, not {proposal['value']}")
        return proposal["value"]
