"""The host that pages load Pyodide from, answered for by files of this machine where they are here."""

import json
import os
import urllib.request
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NUMPY = "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl"
CORE, WHEELS = ROOT / "_build" / "npm" / "node_modules" / "pyodide", Path(os.environ.get("PYODIDE_WHEELS", "nowhere"))
TYPES = {".mjs": "text/javascript", ".js": "text/javascript", ".wasm": "application/wasm", ".json": "application/json"}


class PyodideHost:
    """The host that a `place.json` names. A test that can have Pyodide from nowhere is skipped."""

    def __init__(self, place: Path) -> None:
        self.address = json.loads(place.read_text("utf-8"))["pyodide"]
        self.is_here = (CORE / "pyodide.mjs").exists() and (WHEELS / NUMPY).exists()
        if not self.is_here:
            try:
                urllib.request.urlopen(self.address + "pyodide-lock.json", timeout=5).close()
            except OSError:
                pytest.skip(
                    f"Pyodide is neither here ({CORE.relative_to(ROOT)} from tools/npm.py, and {NUMPY} in the folder "
                    "PYODIDE_WHEELS) nor can its host be reached"
                )

    def without_matplotlib(self) -> bool:
        return self.is_here and not list(WHEELS.glob("matplotlib-*"))

    def answers(self, context) -> None:
        """Have what the pages of a context ask of the host answered from here, or else by itself."""
        if self.is_here:
            context.route(f"{self.address}**", self._answer)

    def is_away(self, context) -> None:
        context.route(f"{self.address}**", lambda route: route.abort())

    def is_back(self, context) -> None:
        context.unroute(f"{self.address}**")
        self.answers(context)

    def _answer(self, route) -> None:
        name = route.request.url.rpartition("/")[2]
        found = [folder / name for folder in (CORE, WHEELS) if (folder / name).is_file()]
        if found:
            headers = {"Access-Control-Allow-Origin": "*", "Cross-Origin-Resource-Policy": "cross-origin"}
            headers["Content-Type"] = TYPES.get(found[0].suffix, "application/octet-stream")
            route.fulfill(path=found[0], headers=headers)
        else:
            route.fulfill(status=404)
