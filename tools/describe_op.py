"""Say what a row of the op table saves for its gradients, or that there is no such row: `make op NAME=...` begins so.

python tools/describe_op.py NAME
"""

import importlib
import pkgutil
import sys
from difflib import get_close_matches

import autograd_core
from autograd_core.core.primitive import registry


def main() -> None:
    for module in pkgutil.walk_packages(autograd_core.ops.__path__, "autograd_core.ops."):
        importlib.import_module(module.name)
    name = sys.argv[1]
    if name not in registry:
        near = ", ".join(get_close_matches(name, registry, 5))
        sys.exit(f"The op table has no row {name!r}{f'; near: {near}' if near else ''}. Say it as in make op NAME=mul.")
    print(registry[name].explain())


if __name__ == "__main__":
    main()
