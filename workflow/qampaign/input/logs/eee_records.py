"""The format of Every Eval Ever: a record of an evaluation, and its samples beside it."""

import hashlib
from collections.abc import Iterable
from datetime import UTC, datetime

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject, at, number_of, text_of, texts_of
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions

VERSIONS = ("0.3", "0.2")
"""The versions of the format that are known, the newest first."""

SAMPLES = "_samples.jsonl"
"""How the name of a file of samples ends; the record beside it has the same start."""

SCORER = "evaluation"
"""What the scorer is called where nothing names a metric."""

ERRORS = "samples that ended in an error: missing"
WHOLE = "samples with several outputs and no extracted answer: all of them together are the answer"


def recognises(file: LogFile) -> bool:
    """Whether a file has samples of Every Eval Ever, or is a record."""
    sample = file.first_row
    if sample is not None and {"evaluation_id", "sample_id", "evaluation"} <= {*sample}:
        return True
    return {"evaluation_id", "evaluation_results", "model_info"} <= file.keys


def record_beside(name: str) -> list[str]:
    """The record that a file of samples belongs to."""
    plain = name.removesuffix(".gz")
    return [f"{plain.removesuffix(SAMPLES)}.json"] if plain.endswith(SAMPLES) else []


@log_format(
    title="Every Eval Ever",
    files="UUID_samples.jsonl, with UUID.json beside it",
    recognises=recognises,
    beside=record_beside,
    takes=("type",),
)
def eee(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Samples of Every Eval Ever 0.3, with the record beside them.

    ```yaml
    campaign: mine
    collections:
      gsm8k:
        logs: {files: data/**/*_samples.jsonl, only: gsm8k}
        judges: {logged: {kind: logged}, key: {kind: key}}
    ```

    | of the files | becomes |
    | --- | --- |
    | `model_id` | the run |
    | `evaluation_name` | the task: a collection has one, or merges several (`only:`) |
    | `sample_id`, and `metadata.epoch` where it is there | question and sample |
    | `input.raw`, `input.reference` | the question's text, and literal keys |
    | `answer_attribution`: `extracted_value` of the last that is terminal | the answer |
    | `output.raw`, else the last message of the assistant in `messages` | else the answer |
    | `evaluation.is_correct`, `evaluation.score` | verdict and score of the metric that \
`evaluation_result_id` names in the record, else of that id, or of `evaluation` where there is one |
    | `metadata.FIELD` | the question's type, with `type: FIELD` |
    | `token_usage.total_tokens`, `performance.latency_ms` | tokens and seconds of each answer |

    Lines with one `sample_id` and different `evaluation_result_id` are one answer with several
    scorers. A sample with an error is missing, with a remark. A record that reports more samples
    than there are is a fault, and so is one of another model or evaluation.
    """
    if file.first_row is None or "sample_id" not in file.first_row:
        problem = "is a record without its samples"
        raise Unreadable(Fault(problem, f"the file of samples: NAME{SAMPLES}, with NAME.json"))
    return _Samples(file, options).read()


class _Samples:
    """The samples of a file, one after the other, into logs."""

    def __init__(self, file: LogFile, options: LogOptions) -> None:
        self.file, self.options = file, options
        names = record_beside(file.name)
        record = file.json_beside(names[0]) if names else None
        self.record: JsonObject = record if isinstance(record, dict) else {}
        self.logs: dict[tuple[str, str], Log] = {}
        self.faults: list[Fault] = []
        self.answers: dict[tuple[str, str, str, str], str | None] = {}
        self.scored: set[tuple[str, str, str, str, str]] = set()
        self.sampled: set[str] = set()
        self.metrics = self._metrics()

    def read(self) -> list[Log]:
        """The logs, with what is wrong."""
        number = 0
        for line, row in self.file.rows():
            number += 1
            if isinstance(row, Fault):
                self.faults.append(row)
            else:
                self._add(row, line)
        logs = [*self.logs.values()]
        home = logs[0] if logs else Log("", "")
        self._compare_with_record(home, number)
        for log in logs:
            log.sampled = not self.sampled <= {"1"}
            self._name_scorers(log)
            log.show_untexted()
        home.faults[:0] = self.faults
        if not any(log.answers or log.faults for log in (*logs, home)) and all(
            self.options.wants(log.task) for log in logs
        ):
            home.fault("has no sample without an error", "samples with answers")
        return logs or [home]

    def _metrics(self) -> dict[str, str]:
        """The name of the metric of each result in the record."""
        results = at(self.record, "evaluation_results")
        metrics = {}
        for entry in results if isinstance(results, list) else ():
            result = text_of(at(entry, "evaluation_result_id"))
            config = at(entry, "metric_config")
            metric = text_of(at(config, "metric_id")) or text_of(at(config, "metric_name"))
            if result and metric:
                metrics[result] = metric
        return metrics

    def _name_scorers(self, log: Log) -> None:
        """Call scorers by their metrics, where no sample has two results of one metric.

        An id of a result may name the model or the part of the data, and be another in each file.
        """
        metrics = self.metrics
        if len({logged.scorer for logged in log.verdicts}) == 1:
            metrics = {log.verdicts[0].scorer: SCORER} | metrics
        seen, twice = set(), set()
        for verdict in log.verdicts:
            metric = metrics.get(verdict.scorer, verdict.scorer)
            position = (verdict.question, verdict.sample, metric)
            if position in seen:
                twice.add(metric)
            seen.add(position)
        log.scorer_names = {
            name: metric_name for name, metric_name in metrics.items() if metric_name not in twice
        }

    def _compare_with_record(self, log: Log, rows: int) -> None:
        """Note where the record beside the samples is about others."""
        record, details = self.record, at(self.record, "detailed_evaluation_results")
        model = text_of(at(record, "model_info", "id"))
        for _, log_model in self.logs:
            if model is not None and log_model != model:
                log.fault(f"has samples of {log_model}; the record beside it is of {model}", model)
        expected = at(details, "total_rows")
        if isinstance(expected, int) and expected != rows:
            problem = f"has {rows:,} samples; the record beside it says {expected:,}"
            log.fault(problem, "all samples of the record")
        algorithm, digest = at(details, "hash_algorithm") or "sha256", at(details, "checksum")
        if (
            algorithm in ("sha256", "md5")
            and isinstance(digest, str)
            and hashlib.new(algorithm, self.file.content).hexdigest() != digest.lower()
        ):
            log.remark("files of samples that are not those with the record's checksum")

    def _add(self, row: JsonObject, line: int) -> None:
        names = ("model_id", "evaluation_name", "sample_id")
        model, task, question = (_id(row.get(name)) for name in names)
        for name, value in zip(names, (model, task, question), strict=True):
            if value is None:
                self.faults.append(Fault(f"has no {name}", "a text", line))
        version = row.get("schema_version")
        if not isinstance(version, str) or not version.startswith(VERSIONS):
            problem = f"is of the schema version {version}"
            self.faults.append(Fault(problem, ", ".join(VERSIONS), line))
            return
        belongs_to = text_of(self.record.get("evaluation_id"))
        if belongs_to is not None and row.get("evaluation_id") != belongs_to:
            problem = (
                f"is of the evaluation {row.get('evaluation_id')}, the record beside it is not"
            )
            self.faults.append(Fault(problem, belongs_to, line))
            return
        if model is None or task is None or question is None:
            return
        if (task, model) not in self.logs:
            self.logs[task, model] = self._start(task, model)
        if self.options.wants(task):
            self._add_sample(self.logs[task, model], question, row, line)

    def _start(self, task: str, model: str) -> Log:
        """A log with what the record says of it."""
        log = Log(task, model, date=_date(at(self.record, "evaluation_timestamp")))
        library = text_of(at(self.record, "eval_library", "name"))
        if library and library != "unknown":
            log.more["library"] = library
        return log

    def _add_sample(self, log: Log, question: str, row: JsonObject, line: int) -> None:
        place = f"sample {question}"
        known = len(log.faults)
        references = texts_of(at(row, "input", "reference"))
        if references is None:
            log.fault("has a reference that is no text", "a list of texts", place=place, line=line)
        kind = self._type(row, log, place, line)
        epoch = text_of(at(row, "metadata", "epoch")) or "1"
        result = text_of(row.get("evaluation_result_id"))
        scorer = result or SCORER
        position = (log.task, log.model, question, epoch)
        if (*position, scorer) in self.scored:
            problem = f"is there twice for {self.metrics.get(scorer, scorer)}"
            log.fault(problem, "each sample_id once for a metric", place=place, line=line)
        if len(log.faults) > known:
            return
        self.scored.add((*position, scorer))
        log.add_question(
            question,
            line,
            targets=references or (),
            place=place,
            text=text_of(at(row, "input", "raw")),
            type=kind,
        )
        if row.get("error"):
            log.remark(ERRORS)
            return
        answer = self._answer(row, log, place, line)
        if position not in self.answers:
            self.answers[position] = answer
            self.sampled.add(epoch)
            log.add_answer(
                question,
                line,
                answer,
                sample=epoch,
                tokens=log.amount("tokens", place, (row, "token_usage.total_tokens")),
                seconds=log.amount("seconds", place, (row, "performance.latency_ms"), per=1000),
            )
        elif self.answers[position] != answer:
            problem = "has another answer than before, for another metric"
            log.fault(problem, "one answer of a sample", place=place, line=line)
        self._add_verdict(log, question, row, line, scorer, epoch)

    def _add_verdict(
        self, log: Log, question: str, row: JsonObject, line: int, scorer: str, epoch: str
    ) -> None:
        is_correct, score = at(row, "evaluation", "is_correct"), at(row, "evaluation", "score")
        number = number_of(score)
        if isinstance(is_correct, bool):
            verdict = "right" if is_correct else "wrong"
            log.add_verdict(question, line, scorer, sample=epoch, verdict=verdict, score=number)
        elif is_correct is None and isinstance(score, int | float):
            log.add_number(question, line, scorer, score, sample=epoch)
        elif is_correct is None and score is None:
            log.remark(f"samples without a value of {scorer}: not scored", "score")
        else:
            problem = "has an evaluation that is not known"
            allowed = "is_correct, true or false, and score, a number"
            log.fault(problem, allowed, place=f"sample {question}", line=line)

    def _answer(self, row: JsonObject, log: Log, place: str, line: int) -> str | None:
        """What was extracted in the end, else all that the model said."""
        attributed = row.get("answer_attribution")
        extracted = [
            text.strip()
            for entry in (attributed if isinstance(attributed, list) else ())
            if at(entry, "is_terminal") is not False
            and (text := text_of(at(entry, "extracted_value")))
            and text.strip()
        ]
        if extracted:
            return extracted[-1]
        outputs = texts_of(at(row, "output", "raw"))
        if outputs is None:
            log.fault("has an output that is no text", "a list of texts", place=place, line=line)
            return None
        if len(outputs) > 1:
            log.remark(WHOLE, "answer")
        messages = row.get("messages")
        if not outputs and isinstance(messages, list):
            spoken = [message for message in messages if at(message, "role") == "assistant"]
            outputs = [text_of(at(spoken, -1, "content")) or ""]
        return "\n".join(outputs).strip() or None

    def _type(self, row: JsonObject, log: Log, place: str, line: int) -> str | None:
        if self.options.type is None:
            return None
        value = at(row, "metadata", self.options.type)
        kind = text_of(value)
        if value is not None and kind is None:
            problem = f"has metadata.{self.options.type}, which is no single value"
            log.fault(problem, "a text, as type: asks for it", place=place, line=line)
        return kind


def _id(value: object) -> str | None:
    text = text_of(value)
    return text.strip() or None if text is not None else None


def _date(value: object) -> str | None:
    """The day of a time, in seconds since 1970 or as ISO writes it.

    >>> _date("1750000000"), _date("2026-04-05T10:20:30Z"), _date("soon")
    ('2025-06-15', '2026-04-05', None)
    """
    text = text_of(value) or ""
    try:
        return datetime.fromtimestamp(float(text), UTC).date().isoformat()
    except (ValueError, OverflowError, OSError):
        pass
    try:
        return datetime.fromisoformat(text).date().isoformat()
    except ValueError:
        return None
