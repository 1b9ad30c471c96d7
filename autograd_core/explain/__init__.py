"""Why is my gradient None, why is it zero, what does this loss reach, what does its graph keep, why does it not learn?

For tensors of this package and of PyTorch. Ask inside `watch()` for the one cause and its line.
"""

from .answers import Cause, Verdict
from .checklist import Checklist, checklist
from .kept_memory import Memory, memory
from .none import why_none
from .reached import explain
from .watching import watch
from .zero import why_zero

__all__ = ["Cause", "Checklist", "Memory", "Verdict", "checklist", "explain", "memory", "watch", "why_none", "why_zero"]
