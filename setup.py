"""The one thing pyproject.toml cannot say: data/ and notebooks/ stand at the top of the project and belong inside the installed package.

pmg/base/shipped.py finds them again, in an installation and in a checkout.
"""

from __future__ import annotations

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

# Of data/ only the sample memory: the rest teaches and measures, from a checkout.
SHIPPED = {"data": "sample*.jsonl", "notebooks": "*.ipynb"}


class BuildWithData(build_py):
    def run(self) -> None:
        super().run()
        if not self.editable_mode:  # an editable installation reads them where they are
            for source, target in self._copies():
                target.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(source), str(target))

    def get_outputs(self, include_bytecode: bool = True) -> list[str]:
        copied = [] if self.editable_mode else [str(target) for _, target in self._copies()]
        return [*super().get_outputs(include_bytecode), *copied]

    def _copies(self) -> list[tuple[Path, Path]]:
        inside = Path(self.build_lib) / "pmg" / "_shipped"
        return [
            (file, inside / folder / file.name)
            for folder, pattern in SHIPPED.items()
            for file in sorted(Path(folder).glob(pattern))
        ]


setup(cmdclass={"build_py": BuildWithData})
