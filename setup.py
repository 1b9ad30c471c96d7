"""Puts into the built package what its exercises take from the chapters, which stay behind."""

import runpy
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

KIT = "autograd_book"


class WithChapters(build_py):
    """Setuptools' copying of the modules, and what the chapters say of their exercises, beside these."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            reader = runpy.run_path(str(Path("book", KIT, "check", "chapters.py")))
            for name, text in reader["as_files"]().items():
                Path(self.build_lib, KIT, "exercises", name).write_text(text, "utf-8")


setup(cmdclass={"build_py": WithChapters})
