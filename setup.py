"""Puts into the built package what its exercises take from the chapters, which stay behind."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

CHECK = "autograd_book/check"


class WithChapters(build_py):
    """Setuptools' copying of the modules, and `chapters.json` beside the module that reads it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            reader = runpy.run_path(str(Path("book", CHECK, "chapters.py")))
            Path(self.build_lib, CHECK, "chapters.json").write_text(reader["as_json"](), "utf-8")


setup(cmdclass={"build_py": WithChapters})
