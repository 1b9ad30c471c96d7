"""The engine and the book's kit as archives, for a page that runs Python.

One, the library, has what every page needs. The others are parts that few pages need, and are loaded by those alone:
`nn` and `optim` have what the chapters train with, `layers` and `optimizers` the rest of these two.
All files of an archive are compressed as one stream: they are alike, and a zip, which compresses each by itself, is
half as large again. The name of an archive carries a digest, so that a browser may keep it for as long as it likes.
"""

import bz2
import hashlib
import tarfile
import tomllib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

import book_wheel

LIBRARY = "library"
EXERCISES = book_wheel.ROOT / "book" / "autograd_book" / "exercises"


def _within(package: str, *modules: str) -> list[str]:
    return [f"{package}.{module}" for module in modules]


# Modules that nothing in the library imports before they are used.
PARTS = {
    "more": [
        *_within(
            "autograd_core",
            *("_no_device", "accelerator", "as_torch", "backends", "compiler", "cpu", "cuda", "distributed"),
            *("distributions", "foreach", "hub", "jit", "masked", "mps", "multiprocessing", "onnx", "profiler"),
            *("random", "special", "testing", "utils", "version", "xpu"),
        ),
        *_within("autograd_core.ops.special", "gamma_samples", "polynomials"),
        *("autograd_core.reading.torch", "autograd_core.explain.torch_watching"),  # no page has PyTorch
    ],
    "layers": [
        *_within(
            "autograd_core.nn",
            *("adaptive", "attention", "convolution", "distance", "lazy", "loss", "modules", "multihead_attention"),
            *("packed", "padding", "parallel", "pooling", "rearranging", "recurrent", "transformer", "utils"),
        ),
        *_within(
            "autograd_core.nn.functional",
            *("attention", "ctc", "embedding_loss", "gumbel_sampling", "likelihood", "linear_loss", "margin"),
            *("resampling", "sampling"),
        ),
        *_within("autograd_core.ops.images", "interpolation", "places", "taps"),
        *_within("autograd_core.ops.nn", "alignments", "chunked_cross_entropy"),
        *_within("autograd_core.ops.windows", "columns", "fractional_pooling"),
    ],
    "optimizers": [
        *_within(
            "autograd_core.optim",
            *("adadelta", "adafactor", "adagrad", "adamax", "asgd", "lbfgs", "line_search", "muon"),
            *("nadam", "radam", "rmsprop", "rprop", "sparse_adam", "swa_utils"),
        ),
        *_within("autograd_core.optim.lr_scheduler", "combined", "cosine", "cyclic", "one_cycle", "plateau"),
    ],
    "nn": [
        "autograd_core.nn",
        *_within("autograd_core.ops.nn", "elementwise_losses", "lookup", "nll", "standardizing"),
    ],
    "optim": ["autograd_core.optim"],
    "eager": ["autograd_core.eager"],
    "gallery": ["autograd_book.gallery"],
    "explorers": ["autograd_book.look.explorers"],
    "explain": ["autograd_core.explain"],
    "func": ["autograd_core.func"],
    "sixty_lines": ["autograd_book.sixty_lines"],
    "torch_names": ["autograd_core._torch_names"],  # read when a name is missing
    **{f"exercises-{path.stem}": [f"autograd_book.exercises.{path.stem}"] for path in sorted(EXERCISES.glob("ch*.py"))},
}


def write(folder: Path) -> dict[str, str]:
    """Write the archives into `folder`; return their names, that of a part under each module that it holds."""
    named = {}
    for archive, files in contents().items():
        content = packed(files)
        path = folder / f"{archive}-{hashlib.sha256(content).hexdigest()[:12]}.tar.bz2"
        path.write_bytes(content)
        named |= dict.fromkeys(PARTS.get(archive, [archive]), path.name)
    return named


def contents() -> dict[str, dict[str, bytes]]:
    """For each archive its files, by their path from where Python looks for packages."""
    found: dict[str, dict[str, bytes]] = {archive: {} for archive in (LIBRARY, *PARTS)}
    for path, content in book_wheel.contents().items():
        place = path.removeprefix("book/")
        found[_archive(place)][place] = content
    return found | {LIBRARY: found[LIBRARY] | _metadata()}


def packed(files: Mapping[str, bytes]) -> bytes:
    """Pack files; the same ones always give the same bytes."""
    stream = BytesIO()
    with tarfile.open(fileobj=stream, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for place, content in files.items():
            entry = tarfile.TarInfo(place)
            entry.size = len(content)
            archive.addfile(entry, BytesIO(content))
    return bz2.compress(stream.getvalue())


def _archive(place: str) -> str:
    module = place.partition(".")[0].replace("/", ".")
    return next(
        (part for part, held in PARTS.items() if any(f"{module}.".startswith(f"{name}.") for name in held)), LIBRARY
    )


def _metadata() -> dict[str, bytes]:
    """What `importlib.metadata` answers from, as if the package were installed."""
    project = tomllib.loads((book_wheel.ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    place = f"{project['name'].replace('-', '_')}-{project['version']}.dist-info/METADATA"
    return {place: f"Metadata-Version: 2.1\nName: {project['name']}\nVersion: {project['version']}\n".encode()}
