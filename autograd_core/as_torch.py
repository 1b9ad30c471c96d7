"""Run a program that is written for PyTorch on this engine, as it is.

    python -m autograd_core.as_torch train.py --epochs 3
    python -m autograd_core.as_torch -m package.train --epochs 3

`import torch` finds this package there, and so do `from torch import nn`, `import torch.nn.functional as F`,
`from torch.utils.data.dataset import Dataset`: every name below `torch` is the name of the same path below
`autograd_core`. Nothing is added to that, and PyTorch itself is not imported. A name that this package does not have
raises AttributeError, or where it is imported ModuleNotFoundError, and the message says whether PyTorch has it.
`torch.__version__` is the release of PyTorch whose names these are, marked as not PyTorch's: 2.13.0+autograd_core.

Arguments, `__main__`, the working directory, `sys.path[0]`, tracebacks and the exit code are those of a program that
Python runs itself.

>>> import pathlib, subprocess, sys, tempfile
>>> program = "import torch; x = torch.ones(2, requires_grad=True); (3 * x).sum().backward(); print(x.grad)"
>>> with tempfile.TemporaryDirectory() as folder:
...     script = pathlib.Path(folder, "slope.py")
...     _ = script.write_text(program)
...     command = [sys.executable, "-m", "autograd_core.as_torch", script]
...     print(subprocess.run(command, capture_output=True, text=True).stdout)
tensor([3., 3.])

In a notebook or a program of yours `as_torch.install()`, before the first `import torch`, does the same for what is
imported from there on.
"""

from __future__ import annotations

import importlib.util
import io
import os
import sys
from importlib.machinery import ModuleSpec, SourceFileLoader
from types import CodeType, ModuleType

from .names import missing

PACKAGE, TORCH = "autograd_core", "torch"
ABSENT = object()

# Modules in which PyTorch defines names that are public one level up, and only there here.
DEEPER = {
    "": "_tensor functional serialization storage types autograd.grad_mode",
    "amp": "autocast_mode grad_scaler",
    "autograd": "anomaly_mode function gradcheck variable",
    "distributions": """
        bernoulli beta binomial categorical cauchy chi2 dirichlet distribution exp_family exponential gamma geometric
        gumbel half_cauchy half_normal independent inverse_gamma kl laplace log_normal logistic_normal
        mixture_same_family multinomial multivariate_normal negative_binomial normal one_hot_categorical pareto poisson
        relaxed_bernoulli relaxed_categorical studentT transformed_distribution uniform weibull
    """,
    "nn": """
        parameter modules modules.activation modules.adaptive modules.batchnorm
        modules.channelshuffle modules.container modules.conv modules.distance modules.dropout modules.flatten
        modules.fold modules.instancenorm modules.lazy modules.linear modules.loss modules.module
        modules.normalization modules.padding modules.pixelshuffle modules.pooling modules.rnn modules.sparse
        modules.transformer modules.upsampling
    """,
    "nn.parallel": "data_parallel distributed",
    "nn.utils": "clip_grad convert_parameters spectral_norm weight_norm",
    "optim": "adadelta adagrad adam adamax adamw asgd lbfgs nadam optimizer radam rmsprop rprop sgd sparse_adam",
    "profiler": "autograd.profiler",
    "utils.data": "dataloader dataset distributed sampler _utils _utils.collate",
}
MEANT = {
    path if path.startswith("autograd.") else f"{public}.{path}".lstrip("."): public
    for public, paths in DEEPER.items()
    for path in paths.split()
}


class Borrowed(ModuleType):
    """A module called as one of PyTorch's, whose names are those of public modules of this package."""

    def __init__(self, name: str, lenders: list[ModuleType]):
        super().__init__(name, lenders[0].__doc__)
        self.__dict__["__lenders__"] = lenders

    def __getattr__(self, name: str):
        path = f"{self.__name__}.{name}"
        if path == "torch.__version__":
            return version()
        if name[:2] == "__":
            return getattr(self.__lenders__[0], name)
        value = lent(self.__lenders__, name)
        if value is ABSENT and in_torch(path) not in MEANT:
            raise self._missing(name)
        if value is ABSENT or isinstance(value, ModuleType):
            return importlib.import_module(path)
        self.__dict__[name] = value  # found at once the next time
        return value

    def __setattr__(self, name: str, value) -> None:
        """Set a name for the whole package, as `torch.nn.functional.relu = mine` does in PyTorch.

        Python itself sets a module that it has imported, such as `torch.autograd.gradcheck`, which is to stay the
        function.
        """
        if isinstance(value, Borrowed):
            known = lent(self.__lenders__, name)
            if known is ABSENT or isinstance(known, ModuleType):
                self.__dict__[name] = value
            return
        if name[:2] != "__":
            setattr(self.__lenders__[0], name, value)
        self.__dict__[name] = value

    def __dir__(self) -> list[str]:
        return sorted(set().union(*map(dir, self.__lenders__)))

    def _missing(self, name: str) -> AttributeError:
        """The error for a name that is not here: what the package says of it, where the module has but one place."""
        own = self.__lenders__[0]
        if in_torch(self.__name__) in MEANT:
            reason = f"autograd_core has no {name}: what it has of {self.__name__} is in {own.__name__}"
        elif hasattr(own, name):
            reason = f"{own.__name__}.{name} is a module of this package's own, not a name taken over from PyTorch"
        else:
            return missing(own, own.__name__.replace(PACKAGE, "ac", 1), name)
        return AttributeError(reason, name=name, obj=own)


class Lender:
    """Finds `torch`, and all modules below it, for Python's import system."""

    def find_spec(self, name: str, path=None, target=None) -> ModuleSpec | None:
        """The spec of a module of PyTorch's; None for any other. ModuleNotFoundError for one that is not here."""
        if name.partition(".")[0] != TORCH:
            return None
        lenders_of(name)
        return ModuleSpec(name, self, is_package=True)  # type: ignore[arg-type]

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        """A module that reads its names from this package."""
        return Borrowed(spec.name, lenders_of(spec.name))

    def exec_module(self, module: ModuleType) -> None:
        """There is nothing to run."""


def in_torch(name: str) -> str:
    """The path of a module or a name below `torch`.

    >>> in_torch("torch.nn.modules")
    'nn.modules'
    """
    return name.removeprefix(TORCH).removeprefix(".")


def lenders_of(name: str) -> list[ModuleType]:
    """The modules of this package whose names a module of PyTorch's shows: where they are public, and its namesake.

    >>> [module.__name__ for module in lenders_of("torch.optim.adam")]
    ['autograd_core.optim', 'autograd_core.optim.adam']
    """
    path = in_torch(name)
    if not path:
        return [importlib.import_module(PACKAGE)]
    parent, _, child = name.rpartition(".")
    parents = lenders_of(parent)
    own = lent(parents, child)
    lenders = [own] if isinstance(own, ModuleType) else []
    if path in MEANT:
        named_so = [vars(lender).get(child) for lender in parents]
        found = [*lenders_of(f"{TORCH}.{MEANT[path]}".rstrip(".")), *named_so]
        lenders += [module for module in found if isinstance(module, ModuleType) and module not in lenders]
    if not lenders:
        reason = Borrowed(parent, parents)._missing(child) if own is ABSENT else f"{child} is no module"
        raise refused(name, reason)
    return lenders


def lent(lenders: list[ModuleType], name: str):
    """What modules show under a name, the first that does; ABSENT for what none has, and for a module not for users."""
    for lender in lenders:
        found = getattr(lender, name, ABSENT)
        if found is not ABSENT and (not isinstance(found, ModuleType) or name in dir(lender)):
            return found
    return ABSENT


def refused(name: str, reason) -> ModuleNotFoundError:
    """The error for a module that is not here; with another `name`, `from torch import it` would hide the reason."""
    return ModuleNotFoundError(f"cannot import {name}: {reason}", name=PACKAGE + name.removeprefix(TORCH))


def version() -> str:
    """The release of PyTorch whose names this package follows, with a local label that says who has them."""
    from ._torch_names import VERSION

    return f"{VERSION}+{PACKAGE}"


def install() -> None:
    """Have `import torch` find this package from now on. RuntimeError where PyTorch has been imported before."""
    if not isinstance(sys.modules.get(TORCH), (Borrowed, type(None))):
        raise RuntimeError("PyTorch has been imported already: install as_torch before the first `import torch`")
    if not any(isinstance(finder, Lender) for finder in sys.meta_path):
        sys.meta_path.insert(0, Lender())


# -- running a program, as Python does


def main(arguments: list[str]) -> None:
    """Run a script, or with `-m` a module, with `torch` being this package."""
    if not arguments or arguments[0] in ("-h", "--help") or arguments == ["-m"]:
        sys.exit("usage: python -m autograd_core.as_torch (script.py | -m module) [arguments]")
    install()
    try:
        if arguments[0] == "-m":
            module_as_main(*arguments[1:])
        else:
            script_as_main(*arguments)
    except Exception as error:
        own = error.__traceback__
        while own is not None and own.tb_frame.f_code.co_filename in (__file__, "<frozen runpy>"):
            own = own.tb_next
        sys.excepthook(type(error), error.with_traceback(own), own)
        sys.exit(1)


def script_as_main(script: str, *arguments: str) -> None:
    """Run the file of a script."""
    sys.argv[:] = [script, *arguments]
    if not sys.flags.safe_path:
        sys.path[0] = os.path.dirname(os.path.realpath(script))
    file = os.path.abspath(script)
    try:
        with io.open_code(file) as stream:
            source = stream.read()
    except OSError as error:
        print(f"{sys.executable}: can't open file {file!r}: [Errno {error.errno}] {error.strerror}", file=sys.stderr)
        sys.exit(2)
    execute(compile(source, file, "exec"), file, SourceFileLoader("__main__", file))


def module_as_main(name: str, *arguments: str) -> None:
    """Run a module by its name, or the `__main__` of a package."""
    sys.argv[:] = ["-m", *arguments]
    spec = importlib.util.find_spec(name)
    if spec is not None and spec.submodule_search_locations is not None:
        spec = importlib.util.find_spec(f"{name}.__main__")
    if spec is None or spec.loader is None:
        sys.exit(f"{sys.executable}: No module named {name}")
    sys.argv[0] = spec.origin or name
    execute(spec.loader.get_code(spec.name), spec.origin, spec.loader, spec)  # type: ignore[attr-defined]


def execute(code: CodeType, file: str | None, loader, spec: ModuleSpec | None = None) -> None:
    """Run code as the module `__main__`."""
    main = sys.modules["__main__"] = ModuleType("__main__")
    package = spec and spec.parent
    main.__dict__.update(__file__=file, __loader__=loader, __spec__=spec, __package__=package, __cached__=None)
    main.__dict__.update(__builtins__=sys.modules["builtins"], __annotations__={})
    exec(code, main.__dict__)


if __name__ == "__main__":
    from autograd_core.as_torch import main  # of the module that a program can import, not of its double

    main(sys.argv[1:])
