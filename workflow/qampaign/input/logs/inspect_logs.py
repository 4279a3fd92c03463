"""The format of Inspect, the framework for evaluations of the UK AI Security Institute."""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.archive import Archive
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject, at
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile, NotJson, parse_json
from qampaign.input.logs.options import LogOptions

VERSION = 2
"""The newest version of the log format that is known."""

VERDICTS = {
    "C": ("right", None),
    "I": ("wrong", None),
    "P": ("inexact", "0.5"),
    "N": ("not_attempted", None),
}
"""What Inspect's letters mean, each with a level."""

WORDS = {"yes": 1.0, "true": 1.0, "no": 0.0, "false": 0.0}
"""Words that Inspect counts as numbers."""

ALLOWED_VALUE = "C, I, P, N, a number, true or false, or a list or an object of such"
SAMPLE = re.compile(r"samples/(?P<id>.+)_epoch_(?P<epoch>\d+)(?P<rest>\.json|/sample\.json)")
REFERENCE = re.compile(r"\A(?:attachment|tc)://(.+)\Z", re.DOTALL)

ERRORS = "samples that ended in an error: missing"
LOST = "texts of questions that refer to attachments which are not there: left out"
UNSCORED = "samples without scores: not scored"
DIFFERENT = "samples of which scorers extract different answers: the whole output is the answer"
VERSION_OF_MODEL = re.compile(r"(?:[-@:](?:\d{4}-?\d\d-?\d\d|0\d\d|\d{4}|latest|preview))+$")
"""How the names of models end that say which version or date of a model answered."""

REPEATED = "samples that are packed more than once: the last counts"
INVALIDATED = "samples that were marked as invalid afterwards: read as the others"


def recognises(file: LogFile) -> bool:
    """Whether a file is a log of Inspect: a zip with its members, or one JSON object."""
    if file.is_zip:
        return any(
            name in ("header.json", "_journal/start.json") or SAMPLE.fullmatch(name)
            for name in file.archive.names
        )
    keys = file.keys
    return "eval" in keys and bool(keys & {"samples", "status", "plan", "version"})


@log_format(
    title="Inspect",
    files="*.eval, or *.json with eval and samples",
    recognises=recognises,
    takes=("type",),
    packed=True,
)
def inspect(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Logs of Inspect, as .eval (a zip) and as .json.

    ```yaml
    campaign: mine
    collections:
      arc:
        logs: logs/**/*.eval
        judges: {logged: {kind: logged}, key: {kind: key}}
    ```

    | of the log | becomes |
    | --- | --- |
    | `eval.model` | the run |
    | `eval.task` | the task: a collection has one, or merges several (`only:`) |
    | `id`, `epoch` of a sample | question and, where there are several epochs, sample |
    | `target`, a text or a list | literal keys |
    | `scores.NAME.answer` | the answer, where all scorers that extract one extract the same |
    | `output.choices[0].message.content` | else the answer: the text of it, without reasoning |
    | `scores.NAME.value` | C: right, I: wrong, P: inexact with level 0.5, N: not_attempted; 0, 1, \
true and false: verdicts and scores; other numbers: scores; NaN: not scored |
    | a list or an object as value | a scorer for each entry: `NAME.0`, `NAME.key` |
    | `metadata.FIELD` | the question's type, with `type: FIELD` |
    | `model_usage`, `total_time` | tokens, cost and seconds of each answer |

    A sample with an error is missing, with a remark. Texts that a log keeps as attachments are put
    back where they belong. Nothing is taken from `summaries.json`, which has texts cut short.
    """
    log, samples = (_unpack if file.is_zip else _split)(file)
    if not options.wants(log.task):
        return [log]
    read = _Samples(log, options)
    for line, place, sample in samples:
        read.add(sample, line, place)
    read.finish()
    return [log]


Placed = tuple[int, str, JsonObject]
"""A sample with its number, and what messages call it."""


def _split(file: LogFile) -> tuple[Log, Iterator[Placed]]:
    """The header and the samples of a log in JSON."""
    document = file.document
    log = _header(document, "the log")
    samples = document.get("samples")
    if not isinstance(samples, list) or not samples:
        problem = "has no samples" if not samples else "has samples that are no list"
        allowed = "a whole log: not one of its header alone, nor one made without log_samples"
        raise Unreadable(Fault(problem, allowed))

    def placed_samples() -> Iterator[Placed]:
        for number, sample in enumerate(samples, start=1):
            if isinstance(sample, dict):
                yield number, _place(sample, number), sample
            else:
                log.fault("is no object", "an object per sample", place=f"sample {number}")

    return log, placed_samples()


def _unpack(file: LogFile) -> tuple[Log, Iterator[Placed]]:
    """The header and the samples of a log in a zip."""
    archive = file.archive
    names = archive.names
    start = next(
        (member for member in ("header.json", "_journal/start.json") if member in names), None
    )
    if start is None:
        raise Unreadable(Fault("has no header.json and no _journal/start.json", "a log of Inspect"))
    try:
        header = parse_json(archive.read(start))
    except ValueError as error:
        raise Unreadable(Fault(f"{start} cannot be read ({error})", "a complete log")) from None
    log = _header(header, start)
    if start != "header.json":
        log.remark("logs that were not finished: read as far as they go")
    members = [name for name in names if SAMPLE.fullmatch(name)]
    for name in filter(SAMPLE.fullmatch, archive.repeated):
        log.remark(REPEATED, place=f"member {name!r}")
    odd = [
        name for name in names
        if name.startswith("samples/") and name.count("/") == 1 and not name.endswith("/")
        and not SAMPLE.fullmatch(name)
    ]  # fmt: skip
    for name in odd:
        log.fault(
            "is no name of a sample", "samples/ID_epoch_NUMBER.json", place=f"member {name!r}"
        )
    if not members and not odd:
        raise Unreadable(*log.faults, Fault("has no samples", "a log with samples"))
    present = {*names}

    def placed_samples() -> Iterator[Placed]:
        for number, name in enumerate(members, start=1):
            place = f"member {name!r}"
            try:
                sample = parse_json(archive.read(name))
            except ValueError as error:
                what = "is not JSON" if isinstance(error, NotJson) else "cannot be unpacked"
                log.fault(f"{what} ({error})", "a JSON object per sample", place=place)
                continue
            if not isinstance(sample, dict):
                log.fault("is no object", "a JSON object per sample", place=place)
                continue
            if name.endswith("/sample.json"):
                try:
                    _put_together(sample, name.removesuffix("sample.json"), archive, present)
                except ValueError as error:
                    problem = f"has a piece that cannot be read ({error})"
                    log.fault(problem, "complete JSON in each piece", place=place)
                    continue
            yield number, _place(sample, number), sample

    return log, placed_samples()


def _put_together(sample: JsonObject, folder: str, archive: Archive, present: set[str]) -> None:
    """Add to a sample that is kept in pieces the pieces that are wanted here."""
    if f"{folder}metadata.json" in present and not sample.get("metadata"):
        sample["metadata"] = parse_json(archive.read(f"{folder}metadata.json"))
    pieces = sorted(
        (int(match[1]), name) for name in present
        if name.startswith(f"{folder}attachments/")
        and (match := re.search(r"/(\d+)\.json\Z", name))
    )  # fmt: skip
    texts: dict[str, str] = {}
    for start, name in pieces:
        piece = parse_json(archive.read(name))
        if not isinstance(piece, list):
            raise ValueError(f"{name} is no list")
        texts |= {str(index): text for index, text in enumerate(piece, start=start)}
    sample["attachments"] = texts


def _place(sample: JsonObject, number: int) -> str:
    if "id" not in sample:
        return f"sample number {number}"
    return f"sample {sample['id']}, epoch {sample.get('epoch', 1)}"


def _header(header: Any, place: str) -> Log:
    """What a log says of itself."""
    spec = header.get("eval") if isinstance(header, dict) else None
    if not isinstance(spec, dict):
        raise Unreadable(Fault(f"{place} has no eval", "a log of Inspect"))
    version = header.get("version", 1)
    if not isinstance(version, int) or version > VERSION:
        problem = f"is of version {version} of the log format"
        raise Unreadable(Fault(problem, f"versions up to {VERSION}"))
    lacking = [name for name in ("task", "model") if not isinstance(spec.get(name), str)]
    if lacking:
        faults = (
            Fault(f"{place} has no eval.{name}", "the name of the " + name) for name in lacking
        )
        raise Unreadable(*faults)
    created = spec.get("created")
    log = Log(spec["task"], spec["model"], date=created[:10] if isinstance(created, str) else None)
    status = header.get("status", "success")
    if status not in ("success", "started"):
        log.remark(f"logs with the status {status}: read as far as they go")
    return log


def _family(model: str) -> str:
    """A model without its provider and its version: what two names of one model have in common.

    >>> _family("openai/gpt-4o"), _family("gpt-4o-2024-08-06"), _family("openai/azure/gpt-4o-mini")
    ('gpt-4o', 'gpt-4o', 'gpt-4o-mini')
    """
    return VERSION_OF_MODEL.sub("", model.rpartition("/")[2].lower())


class _Samples:
    """The samples of a log, one after the other, into its rows."""

    def __init__(self, log: Log, options: LogOptions) -> None:
        self.log, self.options = log, options
        self.epochs: set[int] = set()
        self.seen: set[tuple[str, str]] = set()

    def add(self, sample: JsonObject, line: int, place: str) -> None:
        """Take over a sample, or note what is wrong with it."""
        log, known = self.log, len(self.log.faults)
        question, epoch = sample.get("id"), sample.get("epoch", 1)
        if isinstance(question, bool) or not isinstance(question, str | int) or question == "":
            log.fault("has no id", "a text or a whole number as id", place=place, line=None)
        if isinstance(epoch, bool) or not isinstance(epoch, int) or epoch < 1:
            log.fault("has no epoch", "a whole number from 1 as epoch", place=place)
        targets = _targets(sample.get("target"))
        if targets is None:
            log.fault("has a target that is no text", "a text or a list of texts", place=place)
        if len(log.faults) > known:
            return
        name, number = str(question).strip(), str(epoch)
        if (name, number) in self.seen:
            log.fault("is there twice", "each id once in an epoch", place=place)
            return
        self.seen.add((name, number))
        texts = _Texts(sample, log, place)
        log.add_question(
            name,
            line,
            targets=[texts.resolve(target) for target in targets or ()],
            place=place,
            text=texts.of_input(sample.get("input")),
            type=self._type(sample, place),
        )
        if sample.get("error"):
            log.remark(ERRORS)
            return
        self.epochs.add(int(epoch))
        if sample.get("invalidation"):
            log.remark(INVALIDATED)
        self._compare_models(sample.get("output"))
        scores = self._scores(sample, place)
        answer = self._answer(sample, scores, texts)
        for scorer, score in scores.items():
            self._add_value(name, line, number, scorer, score.get("value"), place)
        log.add_answer(name, line, answer, sample=number, **_usage(log, sample, place))

    def finish(self) -> None:
        """Leave out the samples of answers where there is one epoch only."""
        self.log.sampled = not self.epochs <= {1}
        if not self.log.answers and not self.log.faults:
            self.log.fault("has no sample without an error", "a log with answers")

    def _compare_models(self, output: object) -> None:
        """Remark on a sample that says that another model answered than the one of the log."""
        model = output.get("model") if isinstance(output, dict) else None
        if isinstance(model, str) and model and _family(model) != _family(self.log.model):
            text = f"samples whose output is by the model {model}, in a log of {self.log.model}"
            self.log.remark(text, "run")

    def _type(self, sample: JsonObject, place: str) -> str | None:
        """The type of a question, where a field of the metadata has it."""
        if self.options.type is None:
            return None
        metadata = sample.get("metadata")
        value = metadata.get(self.options.type) if isinstance(metadata, dict) else None
        if isinstance(value, bool) or (
            value is not None and not isinstance(value, str | int | float)
        ):
            problem = f"has metadata.{self.options.type}, which is no single value"
            self.log.fault(problem, "a text or a number, as type: asks for it", place=place)
            return None
        return None if value is None else str(value)

    def _scores(self, sample: JsonObject, place: str) -> dict[str, JsonObject]:
        """The scores of a sample by scorer."""
        scores = sample.get("scores")
        if scores is None and isinstance(sample.get("score"), dict):
            scores = {"score": sample["score"]}  # logs of 2024 had one
        if not scores:
            self.log.remark(UNSCORED, "score")
            return {}
        if not isinstance(scores, dict) or not all(
            isinstance(score, dict) for score in scores.values()
        ):
            problem, allowed = "has scores that are no objects", "an object by scorer"
            self.log.fault(problem, allowed, place=place)
            return {}
        return scores

    def _answer(
        self, sample: JsonObject, scores: Mapping[str, JsonObject], texts: "_Texts"
    ) -> str | None:
        """What the scorers took for the answer, if they agree; else all that the model said."""
        extracted = {
            texts.resolve(answer).strip()
            for score in scores.values()
            if isinstance(answer := score.get("answer"), str) and answer.strip()
        }
        if len(extracted) == 1:
            return extracted.pop()
        if extracted:
            self.log.remark(DIFFERENT, "answer")
        return texts.of_output(sample.get("output"))

    def _add_value(
        self, question: str, line: int, epoch: str, scorer: str, value: object, place: str
    ) -> None:
        """What a scorer said of an answer."""
        log = self.log
        if isinstance(value, str) and value in VERDICTS:
            verdict, level = VERDICTS[value]
            log.add_verdict(question, line, scorer, sample=epoch, verdict=verdict, level=level)
        elif isinstance(value, bool | int | float):
            log.add_number(question, line, scorer, value, sample=epoch)
        elif value is None:
            log.remark(f"scores of {scorer} that are no number: not scored", "score")
        elif isinstance(value, dict | list):
            entries = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in entries:
                if isinstance(entry, dict | list):
                    problem = f"has a value of {scorer} in several levels"
                    log.fault(problem, ALLOWED_VALUE, place=place)
                else:
                    self._add_value(question, line, epoch, f"{scorer}.{key}", entry, place)
        elif isinstance(value, str) and (number := _number(value)) is not None:
            log.add_number(question, line, scorer, number, sample=epoch)
        else:
            problem = f"has a value of {scorer} that is not known: {str(value)[:40]!r}"
            log.fault(problem, ALLOWED_VALUE, place=place)


def _number(text: str) -> float | None:
    """A text as Inspect's metrics count it."""
    if text.lower() in WORDS:
        return WORDS[text.lower()]
    try:
        number = float(text)
    except ValueError:
        return None
    return number if math.isfinite(number) else None


def _targets(target: Any) -> list[str] | None:
    """The right answers of a sample; None where they are something else."""
    if target is None:
        return []
    listed = target if isinstance(target, list) else [target]
    return listed if all(isinstance(entry, str) for entry in listed) else None


def _usage(log: Log, sample: JsonObject, place: str) -> dict[str, float | None]:
    """What an answer took, with all the models that were asked for it."""
    usage = sample.get("model_usage")
    by_model = usage.values() if isinstance(usage, dict) else [usage]
    return {
        "tokens": log.amount(
            "tokens", place, *((of_model, "total_tokens") for of_model in by_model)
        ),
        "cost": log.amount("cost", place, *((of_model, "total_cost") for of_model in by_model)),
        "seconds": log.amount("seconds", place, (sample, "total_time")),
    }


class _Texts:
    """The texts of a sample, with those put back that it keeps as attachments."""

    def __init__(self, sample: JsonObject, log: Log, place: str) -> None:
        attachments = sample.get("attachments")
        if attachments is None and isinstance(sample.get("transcript"), dict):
            attachments = sample["transcript"].get("content")  # logs of 2024
        self.attachments = attachments if isinstance(attachments, dict) else {}
        self.log, self.place = log, place

    def resolve(self, text: str, *, needed: bool = True) -> str:
        """A text, or the one that it refers to; a fault where that is lacking and is needed."""
        if not text.startswith(("attachment://", "tc://")):
            return text
        match = REFERENCE.match(text)
        kept = self.attachments.get(match[1]) if match else None
        if not isinstance(kept, str) and not needed:
            self.log.remark(LOST, "text")
            return ""
        if not isinstance(kept, str):
            problem = f"refers to {text[:60]}, which is not there"
            self.log.fault(problem, "an attachment of the sample", place=self.place)
            return ""
        return kept

    def of_content(self, content: object, *, needed: bool = True) -> str:
        """The text of a message: all its parts that are text."""
        if isinstance(content, str):
            return self.resolve(content, needed=needed)
        parts = content if isinstance(content, Sequence) else []
        texts = [
            self.resolve(part["text"], needed=needed)
            for part in parts
            if isinstance(part, dict) and part.get("type") == "text"
            and isinstance(part.get("text"), str)
        ]  # fmt: skip
        return "\n".join(texts)

    def of_output(self, output: object) -> str | None:
        """What the model said in the end."""
        choices = output.get("choices") if isinstance(output, dict) else None
        if not choices:
            return None
        message = at(choices, 0, "message")
        if not isinstance(message, dict):
            problem = "has an output without a message"
            self.log.fault(problem, "output.choices[0].message", place=self.place)
            return None
        return self.of_content(message.get("content")).strip() or None

    def of_input(self, sample_input: object) -> str | None:
        """What was asked: the last message of the user."""
        if isinstance(sample_input, str):
            return self.resolve(sample_input, needed=False)
        listed = sample_input if isinstance(sample_input, list) else []
        messages = [message for message in listed if isinstance(message, dict)]
        of_user = [message for message in messages if message.get("role") == "user"] or messages
        return self.of_content(of_user[-1].get("content"), needed=False) if of_user else None
