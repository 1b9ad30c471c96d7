"""What the explorers with a scene share: choices set the scene, and a slider moves a point across it."""

import json
from collections.abc import Mapping, Sequence
from html import escape
from itertools import product

from ..explorer import SliderExplorer
from ..knob import knob
from ..page import fresh_id, page


class SceneExplorer(SliderExplorer):
    """A picture of two layers: the scene, which follows the choices, and the marks, which follow the slider too.

    On a page radio buttons choose, and the slider can be moved by its handle, by keys, or by dragging in the picture.
    A position is one option for each choice, and then a stop of the slider.
    """

    sheets: tuple[str, ...] = ("explorers/scene_explorer.css",)
    width, height = 340, 260  # pixels of the picture
    left, right = 10, 330  # where the first and the last stop of the slider are in it
    finer = 2  # how many steps the slider has from stop to stop where Python answers

    def __init__(self, choices: Mapping[str, Sequence[str]], slider: str, stops: Sequence[float], first: float):
        self.choices = {name: tuple(options) for name, options in choices.items()}
        self.slider, self.stops, self.first = slider, list(stops), first

    def scene(self, *chosen) -> str:
        """The lower layer, as SVG."""
        raise NotImplementedError

    def marks(self, *position) -> str:
        """The upper layer, as SVG."""
        raise NotImplementedError

    def stop_name(self, stop: float) -> str:
        """A stop of the slider in a few words."""
        raise NotImplementedError

    def examples(self) -> list[tuple]:
        """Positions whose sentences stand in the page where no script runs."""
        raise NotImplementedError

    def across(self, stop: float) -> float:
        """Where a stop is in the picture, in pixels from the left."""
        start, end = self.stops[0], self.stops[-1]
        return self.left + (stop - start) / (end - start) * (self.right - self.left)

    @property
    def start(self) -> tuple:
        """The position that shows first."""
        return *(options[0] for options in self.choices.values()), self.first

    def picture(self, *position) -> str:
        """Both layers."""
        return (
            f'<svg role="img" aria-label="{escape(self.sentence(*position))}" '
            f'style="max-width: {1.5 * self.width:.0f}px" viewBox="0 0 {self.width} {self.height}">'
            f"<g>{self.scene(*position[:-1])}</g><g>{self.marks(*position)}</g></svg>"
        )

    def __repr__(self) -> str:
        return self.sentence(*self.start)

    def sliders(self) -> list:
        """A menu for each choice, and the slider."""
        import ipywidgets

        menus = [ipywidgets.Dropdown(options=options, description=name) for name, options in self.choices.items()]
        start, second, *_between, end = self.stops
        slider = ipywidgets.IntSlider if isinstance(self.first, int) else ipywidgets.FloatSlider
        step = (second - start) / self.finer
        return [*menus, slider(value=self.first, min=start, max=end, step=step, description=self.slider)]

    def _repr_html_(self) -> str:
        ident = fresh_id()
        knobs = "".join(knob(f"{ident}-{k}", *choice) for k, choice in enumerate(self.choices.items()))
        slider = (
            f'<label>{escape(self.slider)} <input type="range" min="0" max="{len(self.stops) - 1}" step="1" '
            f'value="{self.stops.index(self.first)}"></label>'
        )
        sentences = "".join(f"<li>{escape(self.sentence(*position))}</li>" for position in self.examples())
        body = (
            f'<div class="ac-figure ac-scene">{self.picture(*self.start)}</div>'
            f'<div class="ac-bar ac-sliders">{knobs}{slider}</div>'
            f'<p class="ac-say" aria-live="polite"></p><ul class="ac-steps">{sentences}</ul>'
            f'<p class="ac-note">{escape(self.note)}</p>'
        )
        return page(
            body, ident, "explorers/scene_explorer.js", json.dumps(self._state(), ensure_ascii=False), self.sheets
        )

    def _state(self) -> dict:
        """All that the page shows: a scene for each combination of options, and in each the marks for every stop."""
        scenes = {}
        for numbered in product(*(enumerate(options) for options in self.choices.values())):
            chosen = [option for _number, option in numbered]
            scenes["-".join(str(number) for number, _option in numbered)] = {
                "scene": self.scene(*chosen),
                "marks": [self.marks(*chosen, stop) for stop in self.stops],
                "sentences": [self.sentence(*chosen, stop) for stop in self.stops],
            }
        names = [self.stop_name(stop) for stop in self.stops]
        return {"scenes": scenes, "names": names, "ends": [self.left, self.right]}
