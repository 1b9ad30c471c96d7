"""Marks what a script of the page looks for: predict boxes, the explanations of their wrong answers, second hints.

A box says in its class which option is right: `:class: predict answer-2`. The dropdowns `Why … tempts` after it belong
to the wrong options and stand in their order. The transform runs before translations come in, so that it meets the
titles as they are in the source.
"""

import re
from itertools import pairwise

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx.util import logging

logger = logging.getLogger(__name__)


def is_dropdown(node: nodes.Node) -> bool:
    return isinstance(node, nodes.container) and node.get("design_component") == "dropdown"


def title(dropdown: nodes.Node) -> str:
    return dropdown.children[0].astext()


def answer(box: nodes.admonition) -> int | None:
    """The number of the option that the class of a box calls right."""
    numbers = [name.removeprefix("answer-") for name in box["classes"] if name.startswith("answer-")]
    return int(numbers[0]) if numbers else None


class MarkBoxes(SphinxTransform):
    """Give dropdowns the classes `tempts` and `second-hint`; complain where a box does not fit its explanations."""

    default_priority = 15  # translations come in at 20

    def apply(self) -> None:
        dropdowns = list(self.document.findall(is_dropdown))
        explanations = [each for each in dropdowns if re.fullmatch("Why .* tempts", title(each))]
        for each in explanations:
            each["container_classes"].append("tempts")
        for first, second in pairwise(dropdowns):
            if (title(first), title(second)) == ("Hint", "Second hint"):
                second["container_classes"].append("second-hint")

        boxes = [each for each in self.document.findall(nodes.admonition) if "predict" in each["classes"]]
        if len(boxes) > 1:
            logger.warning("A page holds one predict box, and this one holds %d.", len(boxes), location=self.document)
        for box in boxes:
            options = len(box.children[-1].children) if isinstance(box.children[-1], nodes.bullet_list) else 0
            right = answer(box)
            if right is None or not 1 <= right <= options:
                logger.warning("A predict box ends with a list and names the right item, answer-1 to answer-%d.",
                               options, location=box)  # fmt: skip
            if len(explanations) != options - 1:
                logger.warning("%d options need %d dropdowns 'Why … tempts' after them, and there are %d.",
                               options, options - 1, len(explanations), location=box)  # fmt: skip
