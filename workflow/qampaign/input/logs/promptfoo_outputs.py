"""The format of promptfoo: the results of tests, by provider and prompt."""

import hashlib
import json
import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Any

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.input_tables import ID_LENGTH
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject, at, number_of, text_of, texts_of
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions

VERSION = 4
"""The newest version of the format that is known."""

TASK = "promptfoo"
"""What the task is called where the config that promptfoo ran has no description."""

SCORER = "success"
"""What the scorer is called that says whether a test succeeded as a whole."""

ERROR = 2
"""What promptfoo gives as the reason of failure where there is no answer."""

ONE_OF = ("equals", "contains", "icontains", "contains-any", "icontains-any")
"""The assertions whose value is a right answer, or a list of such."""

VARIABLE = re.compile(r"\{\{\s*(\w+)\s*\}\}")

ERRORS = "results that ended in an error: missing"
VACUOUS = "results of tests without assertions: successes, as promptfoo counts them"
AS_JSON = "outputs that are no text: shown as JSON"


def recognises(file: LogFile) -> bool:
    """Whether a file has results of promptfoo."""
    results = _results(file)
    first = at(results, 0)
    return isinstance(first, dict) and {"vars", "success"} <= {*first} and "prompt" in first


@log_format(
    title="promptfoo",
    files="output.json, or output.jsonl",
    recognises=recognises,
    takes=("type",),
)
def promptfoo(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Results of promptfoo, as `promptfoo eval --output output.json` writes them.

    ```yaml
    campaign: mine
    collections:
      tests:
        logs: output.json
        judges: {logged: {kind: logged, scorer: success}}
    ```

    | of the file | becomes |
    | --- | --- |
    | `provider`, its label if it has one | the run; where there are several prompts, with the \
prompt's label: `openai:gpt-4o, Answer briefly: {{question}}` |
    | `config.description` | the task, else `promptfoo` |
    | `vars` of a test, with its description | the question: its id is their text |
    | tests with the same variables, as with `--repeat` | samples |
    | `response.output` | the answer |
    | `success` and `score` | verdict and score of the scorer `success` |
    | `namedScores` | scorers: 0 and 1 are verdicts, too, other numbers scores |
    | `value` of the assertion equals, contains, icontains, contains-any or icontains-any, where a \
test has one of them | literal keys |
    | `testCase.metadata.FIELD`, else `vars.FIELD` | the question's type, with `type: FIELD` |
    | `tokenUsage.total`, `cost`, `latencyMs` | tokens, cost and seconds of each answer |

    With several scorers the judge names one: `{kind: logged, scorer: success}`. A result that
    ended in an error is missing, with a remark.
    """
    document = file.document if isinstance(file.document, dict) else {}
    summary = document.get("results")
    version = at(summary, "version") or document.get("version")
    if isinstance(version, int) and version > VERSION:
        raise Unreadable(Fault(f"is of version {version} of the format", f"up to {VERSION}"))
    task = text_of(at(document, "config", "description")) or TASK
    made = text_of(at(summary, "timestamp")) or _day(document.get("createdAt"))
    read = _Results(task, made[:10] if made else None, document, options)
    for line, row in _rows(file):
        read.add(row, line)
    return read.finish()


def _results(file: LogFile) -> Any:
    """The list of results; of a file of lines, the first."""
    document = file.document
    if isinstance(document, dict):
        results = document.get("results")
        if isinstance(results, list):
            return results
        if isinstance(results, dict):
            return results.get("results")
    return [file.first_row]


def _rows(file: LogFile) -> Iterator[tuple[int, object]]:
    if isinstance(file.document, dict) and "results" in file.document:
        results = _results(file)
        if not isinstance(results, list):
            raise Unreadable(Fault("has results that are no list", "a list of results"))
        yield from enumerate(results, start=1)
    else:
        yield from file.rows()


class _Results:
    """The results of a file, one after the other, into logs by provider and prompt."""

    def __init__(
        self, task: str, date: str | None, document: JsonObject, options: LogOptions
    ) -> None:
        self.task, self.date, self.document, self.options = task, date, document, options
        self.logs: dict[tuple[str, str], Log] = {}
        self.faults: list[Fault] = []
        self.samples: dict[tuple[str, str, str], int] = {}
        self.places: set[tuple[object, object]] = set()

    def add(self, row: object, line: int) -> None:
        """Take over a result, or note what is wrong with it."""
        if isinstance(row, Fault):
            self.faults.append(row)
            return
        place = f"result {line}"
        if not isinstance(row, dict) or not isinstance(row.get("success"), bool):
            self._note("has no success", "true or false for each result", place)
            return
        prompt = text_of(at(row, "prompt", "label")) or text_of(at(row, "prompt", "display"))
        prompt = " ".join((prompt or text_of(row.get("prompt")) or "").split())
        provider = self._provider(row, prompt)
        if provider is None:
            allowed = 'a provider, or run: "{stem}" in logs, with several prompts "{stem} {model}"'
            self._note("has no provider", allowed, place)
            return
        indices = (row.get("promptIdx"), row.get("testIdx"))
        if isinstance(indices[0], int) and isinstance(indices[1], int):
            if indices in self.places:
                self._note(f"has test {indices[1]} of prompt {indices[0]} again", "once", place)
                return
            self.places.add(indices)
        log = self.logs.setdefault(
            (provider, prompt), Log(self.task, provider, date=self.date, more={"prompt": prompt})
        )
        if self.options.wants(self.task):
            self._add_result(log, prompt, row, line, place)

    def finish(self) -> list[Log]:
        """The logs, named, with what is wrong."""
        logs = [*self.logs.values()]
        several = len({prompt for _, prompt in self.logs}) > 1
        for (provider, prompt), log in self.logs.items():
            if several:
                log.model = f"{provider}, {prompt}" if provider else prompt
            log.sampled = not {answer.sample for answer in log.answers} <= {"1"}
            log.show_untexted()
        logs = logs or [Log(self.task, "")]
        logs[0].faults[:0] = self.faults
        return logs

    def _note(self, problem: str, allowed: str, place: str) -> None:
        self.faults.append(Fault(f"{place}: {problem}", allowed))

    def _provider(self, row: JsonObject, prompt: str) -> str | None:
        """Who answered; early versions say so beside the prompts, or in the config alone."""
        provider = row.get("provider")
        named = text_of(at(provider, "label")) or text_of(at(provider, "id")) or text_of(provider)
        if named:
            return named.strip()
        heads = at(self.document, "results", "table", "head", "prompts")
        heads = at(self.document, "table", "head", "prompts") if heads is None else heads
        providers = {
            name
            for head in (heads if isinstance(heads, list) else ())
            if (name := text_of(at(head, "provider")))
            and " ".join((text_of(at(head, "label")) or prompt).split()) == prompt
        }
        configured = at(self.document, "config", "providers")
        if not providers and configured is not None:
            listed = configured if isinstance(configured, list) else [configured]
            providers = {text_of(entry) or text_of(at(entry, "id")) or "" for entry in listed}
        if len(providers) == 1 and "" not in providers:
            return providers.pop()
        named_otherwise = "{stem}" in self.options.run or "{parent}" in self.options.run
        return "" if named_otherwise else None

    def _add_result(self, log: Log, prompt: str, row: JsonObject, line: int, place: str) -> None:
        text = _asked(row)
        question = _shortened(text or f"test {row.get('testIdx', line)}")
        count = self.samples.get((log.model, prompt, question), 0) + 1
        self.samples[log.model, prompt, question] = count
        log.add_question(
            question,
            line,
            targets=_targets(row),
            place=place,
            text=text,
            type=self._type(log, row, place),
        )
        output = at(row, "response", "output")
        if row.get("failureReason") == ERROR or (output is None and row.get("error")):
            log.remark(ERRORS)
            return
        if output is not None and text_of(output) is None:
            log.remark(AS_JSON, "answer")
            output = json.dumps(output, ensure_ascii=False)
        response = row.get("response")
        counted = response if at(row, "tokenUsage", "total") is None else row
        priced = response if row.get("cost") is None else row
        log.add_answer(
            question,
            line,
            (text_of(output) or "").strip() or None,
            sample=str(count),
            tokens=log.amount("tokens", place, (counted, "tokenUsage.total")),
            cost=log.amount("cost", place, (priced, "cost")),
            seconds=log.amount("seconds", place, (row, "latencyMs"), per=1000),
        )
        self._add_verdicts(log, question, row, line, str(count), place)

    def _add_verdicts(
        self, log: Log, question: str, row: JsonObject, line: int, sample: str, place: str
    ) -> None:
        verdict = "right" if row["success"] else "wrong"
        score = number_of(row.get("score"))
        log.add_verdict(question, line, SCORER, sample=sample, verdict=verdict, score=score)
        if at(row, "gradingResult", "reason") == "No assertions":
            log.remark(VACUOUS, "score")
        named = row.get("namedScores")
        for name, value in named.items() if isinstance(named, dict) else ():
            if isinstance(value, int | float):
                log.add_number(question, line, name, value, sample=sample)
            elif value is not None:
                problem = f"has a score of {name} that is no number"
                log.fault(problem, "a number", place=place)

    def _type(self, log: Log, row: JsonObject, place: str) -> str | None:
        name = self.options.type
        if name is None:
            return None
        value = at(row, "testCase", "metadata", name)
        value = at(row, "vars", name) if value is None else value
        kind = text_of(value)
        if value is not None and kind is None:
            problem = f"has {name}, which is no single value"
            log.fault(problem, "a text, as type: asks for it", place=place)
        return kind


def _asked(row: JsonObject) -> str:
    """What is asked in a test: its variables, and its description.

    >>> _asked({"vars": {"city": "Paris"}}), _asked({"vars": {"b": 1, "a": "x"}})
    ('Paris', 'a: x, b: 1')
    >>> _asked({"vars": {}, "testCase": {"description": "greets"}})
    'greets'
    """
    test_vars = row.get("vars")
    variables = {
        name: value
        for name, value in sorted(test_vars.items() if isinstance(test_vars, dict) else ())
        if not name.startswith("_") and name != "sessionId"  # what a run adds
    }
    texts = {
        name: json.dumps(value, ensure_ascii=False, sort_keys=True)
        if text_of(value) is None
        else str(value)
        for name, value in variables.items()
    }
    listed = [*texts.values()] if len(texts) == 1 else [f"{k}: {v}" for k, v in texts.items()]
    description = text_of(at(row, "testCase", "description")) or text_of(row.get("description"))
    question = ", ".join(listed)
    whole = ": ".join(text for text in (description, question) if text)
    return " ".join(whole.split())


def _shortened(text: str) -> str:
    """A text that is short enough for an id; what is left out is kept as a hash."""
    if len(text) <= ID_LENGTH:
        return text
    return f"{text[:200]} … {hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _targets(row: JsonObject) -> list[str]:
    """The right answers, where one assertion gives them."""
    listed = at(row, "testCase", "assert")
    assertions = [
        assertion
        for assertion in (listed if isinstance(listed, list) else ())
        if at(assertion, "type") in ONE_OF
    ]
    if len(assertions) != 1:
        return []
    values = at(row, "vars")

    def fill(match: re.Match[str]) -> str:
        return text_of(at(values, match[1])) or match[0]

    targets = [VARIABLE.sub(fill, target) for target in texts_of(at(assertions[0], "value")) or ()]
    return [] if any("{{" in target or "{%" in target for target in targets) else targets


def _day(milliseconds: object) -> str | None:
    number = number_of(milliseconds)
    if number is None or not 0 < number < 1e14:
        return None
    return datetime.fromtimestamp(number / 1000, UTC).date().isoformat()
