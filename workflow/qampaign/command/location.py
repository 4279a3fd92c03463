"""Where the workflow is: in a clone of the project, or beside the installed package."""

from pathlib import Path

PACKAGE = Path(__file__).parents[1]


def home() -> Path:
    """The folder of the Snakefile, with scripts, rules and profiles below it."""
    folders = (PACKAGE.parents[1], PACKAGE.with_name("qampaign_workflow"))
    return next(folder for folder in folders if (folder / "Snakefile").is_file())


def snakefile() -> str:
    """The Snakefile, for a workflow that uses Qampaign as a module."""
    return str(home() / "Snakefile")


def profile(name: str) -> Path | None:
    """The folder of a profile: one of ours by its name, or a copy of one by its path."""
    folders = (home() / "workflow" / "profiles" / name, Path(name))
    return next((folder for folder in folders if (folder / "config.yaml").is_file()), None)
