"""Neighboring code cells that say so become tabs: the same program in several systems.

A cell joins with `:tab: PyTorch` among its options. All cells of a group are executed, and in a notebook they stand one
below the other. Tabs whose labels begin with the same word are turned together.
"""

from itertools import groupby

from docutils import nodes
from sphinx.transforms import SphinxTransform
from sphinx_design.shared import create_component

from autograd_book.wording import translate


def label_of(node: nodes.Node) -> str | None:
    """The label of the tab that a node is the content of, if it is a code cell that names one."""
    return node.get("cell_metadata", {}).get("tab") if isinstance(node, nodes.container) else None


def tab(cell: nodes.container) -> nodes.container:
    text = label_of(cell)
    label = nodes.rubric(
        text, translate(text), classes=["sd-tab-label"], sync_group="system", sync_id=text.split()[0].lower()
    )
    content = create_component("tab-content", classes=["sd-tab-content"], children=[cell])
    return create_component("tab-item", classes=["sd-tab-item"], selected=False, children=[label, content])


class GatherTabs(SphinxTransform):
    """Put neighboring cells that have a label into one set of tabs."""

    default_priority = 15

    def apply(self) -> None:
        for parent in {cell.parent for cell in self.document.findall(label_of)}:
            gathered = []
            for labeled, group in groupby(parent.children, lambda node: label_of(node) is not None):
                members = list(group)
                if labeled:
                    members = [create_component("tab-set", classes=["sd-tab-set"], children=list(map(tab, members)))]
                gathered += members
            parent.children = []
            parent.extend(gathered)
