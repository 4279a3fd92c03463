"""Config files that must not be read, or cannot be: what is wrong with each, and where.

Snakemake reads the config before the Snakefile: with a key `__use_yte__` it would run expressions
in it as code, and what nests or repeats itself without end would keep it busy. So the files are
looked at before that, without building what they describe.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path

import yaml

from qampaign.regular_files import Irregular, open_regular

CONFIG_KB = 1_000
"""The largest config file, in thousands of bytes, unless its own `limits:` says otherwise."""

DEEPEST = 50
"""How many levels of a config may stand within each other; what we describe has eight."""

LONGEST = 20_000
"""How many characters a single value may have."""

MOST_REPEATED = 100_000
"""How many values the aliases of a file may stand for in all."""

EVALUATED = "__use_yte__"
"""The key that makes Snakemake run what a config file has between ?…? as code."""

LOADER: type = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Dangerous(Exception):
    """What must not be read, with the line."""

    def __init__(self, problem: str, line: int | None = None) -> None:
        super().__init__(problem)
        self.line = line


def find_faults(files: Iterable[Path]) -> Iterator[str]:
    """What keeps config files from being read, in a line for each file that has a fault."""
    for path in files:
        try:
            text = _text(path)
            _check(text)
            config = yaml.safe_load(text)
            if not isinstance(config, dict):
                problem = "is empty" if config is None else "has no keys at its top level"
                yield f"{path}: {problem}; allowed: campaign: and collections:, with what they have"
        except Dangerous as danger:
            yield f"{path}{f', line {danger.line}' if danger.line else ''}: {danger}"
        except yaml.MarkedYAMLError as error:
            mark = error.problem_mark or error.context_mark
            position = f", line {mark.line + 1}, character {mark.column + 1}" if mark else ""
            context = f" ({error.context})" if error.context else ""
            yield f"{path}{position}: is not YAML: {error.problem}{context}"
        except RecursionError:
            yield f"{path}: is nested too deep; allowed: {DEEPEST} levels"
        except Irregular as error:
            yield f"{path}: {error.strerror}"
        except OSError as error:
            yield f"{path}: cannot be read: {error.strerror}"
        except (yaml.YAMLError, ValueError) as error:
            yield f"{path}: is not YAML: {' '.join(str(error).split())}"


def _text(path: Path) -> str:
    """The text of a config file that is not too large."""
    with open_regular(path) as file:
        content = file.read(CONFIG_KB * 1_000 + 1)
        if len(content) > CONFIG_KB * 1_000:
            largest = _own_limit(content)
            content += file.read(max(largest * 1_000 + 1 - len(content), 0))
            if len(content) > largest * 1_000:
                raise Dangerous(
                    f"has more than {largest:,} kilobytes; allowed: fewer, or a larger number in "
                    f"limits: {{config_kb: …}}, within the first {CONFIG_KB:,} kilobytes"
                )
    return content.decode("utf-8")


def _own_limit(content: bytes) -> int:
    """What the beginning of a file gives as `limits: {config_kb: …}`, else the usual limit."""
    path: list[str | None] = []  # the keys above the next value; None: the next one is a key
    beginning = content.decode("utf-8", "ignore")
    try:
        for event in yaml.parse(beginning, Loader=LOADER):
            if isinstance(event, yaml.ScalarEvent) and path and path[-1] is None:
                path[-1] = event.value
                continue
            if isinstance(event, yaml.ScalarEvent) and path == ["limits", "config_kb"]:
                return int(event.value)
            if isinstance(event, yaml.CollectionStartEvent):
                path.append(None if isinstance(event, yaml.MappingStartEvent) else "")
                if len(path) > DEEPEST:
                    break  # to go deeper would take longer and longer
                continue
            if isinstance(event, yaml.CollectionEndEvent):
                path.pop()
            if path and path[-1] != "":
                path[-1] = None
    except (yaml.YAMLError, ValueError):
        pass  # the beginning of a file need not be whole
    return CONFIG_KB


def _check(text: str) -> None:
    """Refuse what runs code, what nests too deep and aliases that multiply, event by event.

    The time this takes goes with the length of the text, whatever it describes.
    """
    above: list[tuple[str | None, int]] = []  # the anchor and the size of what is not over yet
    sizes: dict[str, int] = {}
    repeated = 0
    try:
        for event in yaml.parse(text, Loader=LOADER):
            line = event.start_mark.line + 1
            size = 1
            if isinstance(event, yaml.CollectionStartEvent):
                if len(above) == DEEPEST:
                    raise Dangerous(f"is nested too deep; allowed: {DEEPEST} levels", line)
                above.append((event.anchor, 1))
                continue
            if isinstance(event, yaml.CollectionEndEvent):
                anchor, size = above.pop()
            elif isinstance(event, yaml.ScalarEvent):
                anchor = event.anchor
                _check_value(event.value, line)
            elif isinstance(event, yaml.AliasEvent):
                if event.anchor in (anchor for anchor, _ in above):
                    problem = f"*{event.anchor} is inside the value that it names"
                    raise Dangerous(f"{problem}; allowed: aliases of what is written before", line)
                anchor, size = None, sizes.get(event.anchor or "", 1)
                repeated += size
                if repeated > MOST_REPEATED:
                    problem = "the aliases up to here expand to too many values"
                    raise Dangerous(f"{problem}; allowed: {MOST_REPEATED:,}", line)
            else:
                continue
            if anchor is not None:
                sizes[anchor] = size
            if above:
                above[-1] = (above[-1][0], above[-1][1] + size)
    except yaml.YAMLError:
        yaml.safe_load(text)  # says the same in better words
        raise


def _check_value(value: str, line: int) -> None:
    """Refuse the key that has a config evaluated, and a value that is too long."""
    if value == EVALUATED:
        raise Dangerous(
            f"{EVALUATED} would have expressions in the config run as code, and a config is data; "
            "allowed: values as they are",
            line,
        )
    if len(value) > LONGEST:
        problem = f"a value has {len(value):,} characters"
        raise Dangerous(f"{problem}; allowed: {LONGEST:,}", line)
