"""A Sphinx extension: the role `source`, which leads to the line of the repository that defines a name.

{source}`autograd_core.core.graph:schedule` reads autograd_core/core/graph.py:241, with the line that the function has
when the page is made. It is a link where the setting `launch` names the repository. A name that nobody defines stops
the build.
"""

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxRole

from autograd_book.look.listing import place
from launch import Launch


class Source(SphinxRole):
    def run(self) -> tuple[list[nodes.Node], list[nodes.system_message]]:
        try:
            file, line = place(self.text)
        except LookupError as error:
            message = self.inliner.reporter.error(str(error), line=self.lineno)
            return [self.inliner.problematic(self.rawtext, self.rawtext, message)], [message]
        shown = nodes.literal("", f"{file}:{line}")
        address = address_of(file, line, Launch.from_config().repository)
        return [nodes.reference("", "", shown, refuri=address) if address else shown], []


def address_of(file: str, line: int, repository: str) -> str:
    """Where a forge shows a line of a file, on the branch that it shows first; "" without a repository.

    >>> address_of("autograd_core/core/graph.py", 241, "https://example.org/owner/name")
    'https://example.org/owner/name/blob/HEAD/autograd_core/core/graph.py#L241'
    """
    return f"{repository.removesuffix('.git')}/blob/HEAD/{file}#L{line}" if repository else ""


def setup(app: Sphinx) -> dict[str, bool]:
    app.add_role("source", Source())
    return {"parallel_read_safe": True, "parallel_write_safe": True}
