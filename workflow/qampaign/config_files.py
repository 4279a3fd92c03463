"""Config files that cannot be read: what is wrong with each, and where."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml


def find_faults(files: Iterable[Path]) -> Iterator[str]:
    """What keeps config files from being read, in a line for each file that has a fault."""
    for path in files:
        try:
            config = yaml.safe_load(path.read_text(encoding="utf-8"))
            if not isinstance(config, dict):
                found = "is empty" if config is None else "has no keys at its top level"
                yield f"{path}: {found}; allowed: campaign: and collections:, with what they have"
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            place = f", line {mark.line + 1}, character {mark.column + 1}" if mark else ""
            context = f" ({error.context})" if error.context else ""
            yield f"{path}{place}: is not YAML: {error.problem}{context}"
        except OSError as error:
            yield f"{path}: cannot be read: {error.strerror}"
        except (yaml.YAMLError, UnicodeDecodeError) as error:
            yield f"{path}: is not YAML: {' '.join(str(error).split())}"
