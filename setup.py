"""What pyproject.toml cannot say: a wheel holds the workflow, too, beside the package.

The rest is in pyproject.toml. An editable install needs nothing of this: it finds the clone.
"""

from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

PATTERNS = (
    "Snakefile",
    "workflow/Snakefile",
    "scripts/*.py",
    "workflow/rules/*.smk",
    "workflow/profiles/*/*",
    "workflow/report/*.rst",
)
FOLDER = "qampaign_workflow"


def workflow_files() -> list[Path]:
    return sorted(path for pattern in PATTERNS for path in Path().glob(pattern))


class BuildWithWorkflow(build_py):
    """Builds the package, and puts the workflow beside it."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for path in workflow_files():
                target = Path(self.build_lib, FOLDER, path)
                target.parent.mkdir(parents=True, exist_ok=True)
                self.copy_file(str(path), str(target))

    def get_source_files(self) -> list[str]:
        """What a source distribution has to hold."""
        return [*super().get_source_files(), *map(str, workflow_files())]


setup(cmdclass={"build_py": BuildWithWorkflow})
