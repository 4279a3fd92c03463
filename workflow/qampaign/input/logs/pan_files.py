"""The format of PAN's verification tasks: values of pairs, and the truth."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from qampaign.input.formats import Fault, Unreadable, check_text
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions

TASK = "verification"
UNANSWERED = 0.5
VALUE, SAME = "value", "same"
ALLOWED_VALUE = "a number from 0 to 1; 0.5 where it is not answered"

LISTS = "values in a list of one: read as that value"
NO_VALUE = "rows without a value: unanswered, with the score 0.5"


def recognises(file: LogFile) -> bool:
    """Whether a file has lines of an id with a value, or with the truth."""
    keys = set(file.first_row or ())
    return keys == {"id", VALUE} or {"id", SAME} <= keys


@log_format(
    title="PAN verification",
    files="answers.jsonl with id and value, truth.jsonl with id and same",
    recognises=recognises,
    measures=(
        {"composite": {"name": "pan_mean", "of": ["auc", "c_at_1", "f1", "f_05_u"]}},
        "auc",
        "c_at_1",
        {"f": {"name": "f1", "unanswered": "skip"}},
        "f_05_u",
    ),
)
def pan(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Submissions to PAN's verification tasks as JSON lines, and their truth.

    A file of answers is a run. It is called by its folder where it is `answers.jsonl`, as in
    `submissions/TEAM/answers.jsonl`, else by its own name. The truth is one of the files.

    | of a line | becomes |
    | --- | --- |
    | `id` | the item |
    | `value` | the score; above 0.5 yes, below no, exactly 0.5 or nothing: unanswered |
    | `same` of the truth | whether the item is right |
    | `authors` of the truth | the group: items with an author in common, also by way of others |

    ```yaml
    campaign: pan
    collections:
      verification:
        task: validation
        logs: [submissions/*/answers.jsonl, truth.jsonl]
        measures: [composite: {name: pan_mean, of: [auc, c_at_1, f1, f_05_u]}, auc, c_at_1,
                   f: {name: f1, unanswered: skip}, f_05_u]
    ```

    A value in a list of one is read, with a remark. An item of the truth without a line is missing,
    that is unanswered without a score: the run then has no AUC. A line about an item that the truth
    does not have is a fault. Groups change no value: intervals and tests draw them together
    (`unit: question` draws items).
    """
    check_text(file.content)
    rows: list[tuple[int, JsonObject]] = []
    stem = Path(file.name.removesuffix(".gz")).stem
    log = Log(TASK, file.path.absolute().parent.name if stem == "answers" else stem)
    if not options.wants(TASK):
        return [log]
    for line, row in file.rows():
        if isinstance(row, Fault):
            log.faults.append(row)
        else:
            rows.append((line, row))
    if not rows:
        raise Unreadable(*log.faults, *([] if log.faults else [Fault("is empty", "JSON lines")]))
    if SAME in rows[0][1]:
        _add_truth(log, rows)
    else:
        _add_answers(log, rows)
    return [log]


def _items(log: Log, rows: Iterable[tuple[int, JsonObject]]) -> Iterator[
    tuple[int, str, JsonObject]
]:  # fmt: skip
    """Each line with its item; notes lines without one, and items that are there again."""
    seen: dict[str, int] = {}
    for line, row in rows:
        identifier = row.get("id")
        item = " ".join(str(identifier).split())
        if isinstance(identifier, bool) or not isinstance(identifier, str | int) or not item:
            log.fault("has no id", "a text or a number as id", line=line)
        elif seen.setdefault(item, line) != line:
            log.fault(f"id is there twice: {item}, also in line {seen[item]}", "each id once",
                      line=line)  # fmt: skip
        else:
            yield line, item, row


def _add_answers(log: Log, rows: Iterable[tuple[int, JsonObject]]) -> None:
    for line, item, row in _items(log, rows):
        value = row.get(VALUE)
        if isinstance(value, list) and len(value) == 1:
            log.remark(LISTS, VALUE)
            value = value[0]
        if value is None:
            if SAME in row:
                log.fault("has the truth among answers", "truth and answers in files of their own",
                          line=line)  # fmt: skip
                continue
            log.remark(NO_VALUE, VALUE)
            value = UNANSWERED
        if isinstance(value, bool) or not isinstance(value, int | float):
            shown = "a list" if isinstance(value, list) else repr(value)[:40]
            log.fault(f"value of {item} is no number: {shown}", ALLOWED_VALUE, line=line)
        elif not 0 <= value <= 1:
            log.fault(f"value of {item} is outside: {value}", ALLOWED_VALUE, line=line)
        else:
            answer = None if value == UNANSWERED else "yes" if value > UNANSWERED else "no"
            log.add_answer(item, line, answer, score=float(value))


def _add_truth(log: Log, rows: list[tuple[int, JsonObject]]) -> None:
    known: list[tuple[int, str, bool, list[str]]] = []
    for line, item, row in _items(log, rows):
        same, authors = row.get(SAME), row.get("authors")
        if not isinstance(same, bool):
            log.fault(f"same of {item} is {same!r:.40}", "true or false", line=line)
            continue
        if authors is not None and not (
            isinstance(authors, list) and all(isinstance(author, str | int) for author in authors)
        ):
            log.fault(f"authors of {item} are no list of names", "a list of names", line=line)
            continue
        known.append((line, item, same, [str(author) for author in authors or ()]))
    grouped = _groups([authors for *_, authors in known])
    for (line, item, same, _), group in zip(known, grouped, strict=True):
        log.add_question(item, line, group=group)
        log.add_assessment(item, line, "yes" if same else "no")


def _groups(listed: list[list[str]]) -> list[str | None]:
    """The group of each list of authors, called by the first of them all; None without authors.

    >>> _groups([["b", "c"], ["a"], [], ["c", "d"], ["d"]])
    ['b', 'a', None, 'b', 'b']
    """
    leader: dict[str, str] = {}

    def find(author: str) -> str:
        while (further := leader.setdefault(author, author)) != author:
            leader[author] = leader.get(further, further)
            author = leader[author]
        return author

    for authors in listed:
        for coauthor in authors[1:]:
            first, second = find(authors[0]), find(coauthor)
            leader[max(first, second)] = min(first, second)
    return [find(authors[0]) if authors else None for authors in listed]
