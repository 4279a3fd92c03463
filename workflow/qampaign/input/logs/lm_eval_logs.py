"""The format of the Language Model Evaluation Harness (lm-evaluation-harness) of EleutherAI."""

import ast
import glob
import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from itertools import repeat
from typing import Any

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject, amount_of, number_of
from qampaign.input.logs.log import (
    ANSWERS,
    VERDICTS,
    VERDICTS_SAID,
    Log,
    LoggedAnswer,
    LoggedFigure,
    LoggedQuestion,
)
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.text_lines import is_number
from qampaign.problems import first_names

DATE = r"\d{4}-\d\d-\d\dT[\d.:-]+\d"
NAMED = re.compile(rf"(?:samples_)?(?P<task>.+?)(?:_(?P<date>{DATE}))?\.jsonl?(?:\.gz)?")

OURS = frozenset(
    {"doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"}
    | {"doc_hash", "prompt_hash", "target_hash"}
)
"""The fields of a sample that are no metrics."""

ASKED = ("question", "problem", "query", "prompt", "input", "text", "sentence")
"""The fields of a document that may hold what was asked."""

MODEL_ARGUMENTS = ("peft", "delta", "pretrained", "model", "path", "engine")
"""The arguments of a model that may hold its name; the first one that is there does."""

LATEST = 1e11
"""A number of seconds since 1970 that no date of a log reaches."""

MOST = 2**1000
"""A whole number that is too large for a score."""

PROMPT = 1000
"""How many characters of a prompt are kept as the text of a question, from its end."""

OTHER = "(another text)"
"""What stands for what a model would have said, where only the likelihood of the target is known.

Such a sample says whether the target is the most likely text, not which one is."""

MEANS = ("acc", "acc_norm", "exact_match")
"""The metrics whose figure is a mean unless the results file says otherwise."""

TIME = "total_evaluation_time_seconds"
AGAIN = "samples that were written again: the last counts"
SEVERAL = "samples with several outputs: the first is the answer"
LISTED = "targets that are lists of texts: each text is a key"
BY_FOLDER = "logs without a results file beside them: the model is the name of the folder"


def recognises(file: LogFile) -> bool:
    """Whether a file has samples of the harness, or its results."""
    sample: object = file.first_row
    if sample is None and isinstance(file.document, list) and file.document:
        sample = file.document[0]
    if isinstance(sample, dict) and "doc_id" in sample and {"resps", "filtered_resps"} & {*sample}:
        return True
    return {"results", "configs"} <= file.keys and bool(file.keys & {"versions", "config"})


def files_beside(name: str) -> Sequence[str]:
    """The results file of a file of samples, by the date in both names."""
    match = NAMED.fullmatch(name)
    if not match or not name.startswith("samples_"):
        return ()
    return (f"*_{glob.escape(match['date'])}.json",) if match["date"] else ("results*.json",)


@log_format(
    title="lm-evaluation-harness",
    files="samples_TASK_DATE.jsonl",
    recognises=recognises,
    beside=files_beside,
    takes=("type", "filter"),
)
def lm_eval(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Samples of lm-evaluation-harness, as --log_samples writes them, with the results file beside.

    ```yaml
    campaign: mine
    collections:
      gsm8k:
        logs: {files: output/*/samples_gsm8k_*.jsonl, filter: strict-match}
        judges: {logged: {kind: logged, scorer: exact_match}, key: {kind: key}}
    ```

    | of the files | becomes |
    | --- | --- |
    | `model_name` of `results_DATE.json`, else `model_args`, else the folder | the run |
    | `TASK` in the name of the file | the task: a collection has one, or merges several (`only:`) |
    | `doc_id` | the question |
    | `target` | a literal key; of a multiple choice, the text of that choice |
    | `filtered_resps` | the answer; of a multiple choice, the choice with the highest \
log-likelihood |
    | each metric that is a number | a scorer; 0 and 1 are verdicts, too, other numbers scores |
    | `doc.FIELD` | the question's type, with `type: FIELD` |

    A file has a line for each filter, such as `strict-match` and `flexible-extract`. `filter:` says
    which counts. With a list of several, `run: "{model} {filter}"` makes each a run; without
    `{filter}` in `run:`, the answer is the unfiltered output, and scorers are called
    `exact_match,strict-match`. A sample that is there twice, as in a file that was appended to,
    counts once, by its last line. The metric `acc_norm` may choose another answer than the one
    shown, which is that of `acc`.

    The means of metrics in the results file are published figures: the report compares each with
    the `accuracy` by the judge `logged` of that scorer, or with its `mean_score` if the metric has
    numbers other than 0 and 1. A mean over another number of questions than the samples, or the
    collection, have is not compared.
    """
    if isinstance(file.document, dict) and "results" in file.document:
        yield from _embedded(file, options)
        return
    match = NAMED.fullmatch(file.name)
    task = match["task"] if match else file.path.stem
    name, results = _results(file)
    log = _describe(task, results, file, match["date"] if match else None, name)
    if not options.wants(task):
        yield log
        return
    if isinstance(file.document, list):
        rows: Iterable[tuple[int, object]] = enumerate(file.document, start=1)
    else:
        rows = file.rows()
    yield from _with_figures(_read(log, rows, options), results, name)


def _embedded(file: LogFile, options: LogOptions) -> Iterator[Log]:
    """The logs in a results file that has the samples in it, as early versions wrote them."""
    samples = file.document.get("samples")
    if not isinstance(samples, dict):
        problem = "has results and no samples"
        raise Unreadable(Fault(problem, "samples_TASK_DATE.jsonl, from lm_eval --log_samples"))
    for task, rows in samples.items():
        log = _describe(task, file.document, file, None, file.name)
        if options.wants(task) and isinstance(rows, list):
            logs = _read(log, enumerate(rows, start=1), options)
            yield from _with_figures(logs, file.document, file.name)
        else:
            yield log


def _results(file: LogFile) -> tuple[str, JsonObject]:
    """The results file beside a file of samples, with its name; nothing where there is none."""
    for name in sorted(file.beside):
        results = file.json_beside(name)
        if isinstance(results, dict) and "results" in results:
            return name, results
    return "", {}


def _with_figures(logs: Iterable[Log], results: JsonObject, name: str) -> Iterator[Log]:
    """Logs of a task, with its figures where these are over as many questions as there are."""
    for number, log in enumerate(logs):
        size = _size(results, log.task)
        there = len(log.questions)
        if size is None or not there or size == there:
            _add_figures(log, results, name)
        elif number == 0:  # others have the same samples by other filters
            text = f"{there:,} questions, where the results file says that there are {size:,}"
            log.remark(f"{text}: its figures are not compared", "question", abs(size - there))
        yield log


def _add_figures(log: Log, results: JsonObject, name: str) -> None:
    """Put the figures of the results file into a log: the means of what its scorers gave.

    A figure is called `exact_match,strict-match`, in early versions `exact_match`.
    """
    figures = results["results"].get(log.task) if isinstance(results.get("results"), dict) else None
    means = _means(results, log.task)
    for key, value in figures.items() if isinstance(figures, dict) else ():
        metric, _, by = key.partition(",")
        if metric not in means or isinstance(value, bool) or not isinstance(value, int | float):
            continue
        if not math.isfinite(value):
            continue
        if log.filter is None and by in log.filters:  # by several filters: each is a scorer
            log.figures.append(LoggedFigure(key, value, f"{name}: {key}"))
        elif by in ("", log.filter):
            log.figures.append(LoggedFigure(metric, value, f"{name}: {key}"))


def _means(results: JsonObject, task: str) -> set[str]:
    """The metrics of a task whose figure is the mean over its questions."""
    means = {*MEANS}
    configs = results.get("configs")
    config = configs.get(task) if isinstance(configs, dict) else None
    listed = config.get("metric_list") if isinstance(config, dict) else None
    for metric in listed if isinstance(listed, list) else ():
        if isinstance(metric, dict) and isinstance(metric.get("metric"), str):
            is_mean = (
                metric.get("aggregation", "mean" if metric["metric"] in MEANS else "") == "mean"
            )
            (means.add if is_mean else means.discard)(metric["metric"])
    return means


def _size(results: JsonObject, task: str) -> int | None:
    """How many questions the figures of a task are over, where the results file says so."""
    sizes = results.get("n-samples")
    size = sizes.get(task) if isinstance(sizes, dict) else None
    effective = size.get("effective") if isinstance(size, dict) else None
    return effective if isinstance(effective, int) else None


def _describe(task: str, results: JsonObject, file: LogFile, date: str | None, name: str) -> Log:
    """What the results file, called `name`, says of a task and its model."""
    model = _model(results)
    log = Log(task, model or file.path.absolute().parent.name)
    if model is None:
        log.remark(BY_FOLDER, "run")
    made = number_of(results.get("date"))
    if made is not None and 0 < made < LATEST:
        log.date = datetime.fromtimestamp(made, UTC).date().isoformat()
    elif date:
        log.date = date[:10]
    of_tasks = results.get("results")
    if isinstance(of_tasks, dict) and len(of_tasks) == 1:
        taken = results.get(TIME)
        if isinstance(taken, str) and is_number(taken) and amount_of(float(taken)) is not None:
            taken = float(taken)  # the harness writes it as a text
        log.seconds = log.amount("seconds", name, ({TIME: taken}, TIME))
    shots = results.get("n-shot")
    if isinstance(shots, dict) and shots.get(task) is not None:
        log.more["shots"] = str(shots[task])
    return log


def _model(results: JsonObject) -> str | None:
    """The name of the model."""
    if isinstance(name := results.get("model_name"), str) and name:
        return name
    config = results.get("config")
    arguments = config.get("model_args") if isinstance(config, dict) else None
    if isinstance(arguments, str):
        arguments = dict(
            argument.split("=", 1) for argument in arguments.split(",") if "=" in argument
        )
    if isinstance(arguments, dict):
        for key in MODEL_ARGUMENTS:
            if arguments.get(key):
                return str(arguments[key])
    return None


Metrics = Sequence[tuple[str, float | None]]
"""The metrics of a sample with their values."""

Sample = tuple[int, str | None, str | None, Sequence[str], str | None, str | None, Metrics]
"""What is kept of a line until it is known which filters count.

Its number, the answer, the output before the filter, the right answers, what was asked, the type,
and the metrics: a plain tuple, since there are many."""


def _read(log: Log, rows: Iterable[tuple[int, object]], options: LogOptions) -> Iterator[Log]:
    """The logs of a task: one, or one for each filter where these are to be runs."""
    samples: dict[str, dict[str, Sample]] = {}
    reading = _Reading(log, options)
    by_question: dict[str, Sample] = {}
    name: object = None
    for line, row in rows:
        if isinstance(row, dict):
            sample = reading.sample(row, line)
            if sample is not None:
                of_row = row.get("filter", "none")
                if of_row != name:
                    name = of_row
                    by_question = samples.setdefault(str(name), {})
                if reading.question in by_question:
                    log.remark(AGAIN)
                by_question[reading.question] = sample
        elif isinstance(row, Fault):
            log.faults.append(row)
        else:
            log.fault("is no object", "a JSON object per sample", line=line)
    wanted = _filters(log, [*samples], options)
    if wanted and len(wanted) > 1 and "{filter}" in options.run:
        for filter_name in wanted:
            filter_log = Log(
                log.task, log.model, filter_name, log.date, seconds=log.seconds, more=log.more
            )
            if filter_name == wanted[0]:
                filter_log.remarks, filter_log.faults = log.remarks, log.faults
            _fill(filter_log, {filter_name: samples[filter_name]})
            yield filter_log
        return
    log.filter = wanted[0] if len(wanted) == 1 else None
    _fill(log, {name: samples[name] for name in wanted})
    yield log


def _filters(log: Log, there: Sequence[str], options: LogOptions) -> list[str]:
    """The filters that count; a fault where that is not clear."""
    log.filters = there
    unknown = [name for name in options.filter if name not in there]
    if there and unknown:
        problem = f"has no filter {', '.join(unknown)}"
        log.fault(problem, f"the filters of the file: {first_names(there)}")
    if options.filter:
        return [name for name in options.filter if name in there]
    if len(there) > 1:
        problem = f"has samples by {len(there)} filters: {first_names(there)}"
        allowed = "filter: in logs with one of them; or with a list, for a scorer or a run each"
        log.fault(problem, allowed)
        return []
    return list(there)


def _fill(log: Log, samples: Mapping[str, Mapping[str, Sample]]) -> None:
    """Put the samples of one or several filters into a log."""
    if len(samples) == 1:
        _fill_with(log, *samples.values())
        return
    for name, by_question in samples.items():
        for question, sample in by_question.items():
            line, _, unfiltered, targets, text, kind, metrics = sample
            if question not in log.questions:
                log.add_answer(question, line, unfiltered)
            place = f"sample {question}"
            log.add_question(question, line, targets=targets, place=place, text=text, type=kind)
            for metric, value in metrics:
                _add_metric(log, question, line, f"{metric},{name}", value)


def _fill_with(log: Log, by_question: Mapping[str, Sample]) -> None:
    """Put the samples of the only filter into a log, column by column: they may be many."""
    if not by_question:
        return
    lines, answers, _, targets, texts, kinds, metrics = zip(*by_question.values(), strict=True)
    none, no = repeat(None), repeat(False)
    right = (
        tuple(question_targets if len(question_targets) < 2 else dict.fromkeys(question_targets))
        for question_targets in targets
    )
    questions = map(LoggedQuestion, lines, kinds, texts, none, no, right)
    log.questions.update(zip(by_question, questions, strict=True))
    if None in answers:  # perhaps right without a text: see show_untexted
        log.answers.extend(map(LoggedAnswer, by_question, lines, none, none, answers))
        for question, line, of in zip(by_question, lines, metrics, strict=True):
            for scorer, value in of:
                _add_metric(log, question, line, scorer, value)
        return
    question_ids = [*by_question]
    log.columns[ANSWERS] = {"question": question_ids, "line": lines, "answer": answers}
    scored = [
        (question, line, scorer, value)
        for question, line, question_metrics in zip(question_ids, lines, metrics, strict=True)
        for scorer, value in question_metrics
    ]
    finite = [row for row in scored if row[3] is not None and math.isfinite(row[3])]
    if len(finite) < len(scored):  # remarks on the others
        for row in scored:
            if row[3] is None or not math.isfinite(row[3]):
                _add_metric(log, *row)
    if finite:
        named, at, scorers, scores = zip(*finite, strict=True)
        log.columns[VERDICTS_SAID] = {
            "question": named,
            "line": at,
            "rank": [1] * len(finite),
            "scorer": scorers,
            "verdict": [*map(VERDICTS.get, scores)],
            "score": scores,
        }


def _add_metric(log: Log, question: str, line: int, scorer: str, value: float | None) -> None:
    """Put what a metric says of an answer into a log."""
    if value is None:
        log.remark(f"scores of {scorer} that are no number: not scored", "score")
    else:
        log.add_number(question, line, scorer, value)


class _Reading:
    """A file of samples line by line, and what is in the line that it is at."""

    def __init__(self, log: Log, options: LogOptions) -> None:
        self.log, self.options = log, options
        self.row: JsonObject = {}
        self.line, self.question = 0, ""
        self.by_several = len(options.filter) > 1
        self.metrics: list[str] = []

    def sample(self, row: JsonObject, line: int) -> Sample | None:
        """What is kept of a line; None where it has a fault."""
        faults = self.log.faults
        known = len(faults)
        doc_id = row.get("doc_id")
        self.row, self.line, self.question = row, line, str(doc_id)
        if type(doc_id) is not int and not (isinstance(doc_id, str) and doc_id):
            self._fault("has no doc_id", "a number or a text")
        resps = row["filtered_resps"] if "filtered_resps" in row else row.get("resps")
        if not isinstance(resps, list) or not resps:
            self._fault("has no filtered_resps", "a list with an answer, or a number per choice")
        if len(faults) > known:
            return None
        assert isinstance(resps, list)
        answer: str | None
        if len(resps) == 1 and isinstance(resps[0], str) and not self.by_several:  # most samples
            answer, targets = resps[0].strip() or None, self._targets()
            unfiltered = answer
        elif (numbers := _likelihoods(resps)) is None:
            answer, targets = self._text(resps), self._targets()
            unfiltered = answer
            if self.by_several:
                unfiltered = self._text(row.get("resps") or resps, remark=False)
        elif len(numbers) == 1:
            answer, targets = self._most_likely(resps[0], numbers)
            unfiltered = answer
        else:
            answer, targets = self._choice(numbers)
            unfiltered = answer
        if len(faults) > known:
            return None
        kind = None if self.options.type is None else self._type(self.options.type)
        text = self._asked()
        return line, answer, unfiltered, targets, text, kind, self._metrics()

    def _fault(self, problem: str, allowed: str) -> None:
        place = f"sample {self.question}" if "doc_id" in self.row else ""
        self.log.fault(problem, allowed, place=place, line=self.line)

    def _text(self, outputs: object, *, remark: bool = True) -> str | None:
        """The first of some outputs."""
        first = outputs
        while isinstance(first, list):
            if not first:
                return None
            if len(first) > 1 and remark:
                self.log.remark(SEVERAL, "answer")
            first = first[0]
        if isinstance(first, dict) or first is None:
            self._fault("has an output that is no text", "a text")
            return None
        return str(first).strip() or None

    def _arguments(self) -> list[list[object]]:
        """What the model was asked, request by request: a context, and a continuation or options.

        Early versions wrote lists, later ones objects.
        """
        arguments = self.row.get("arguments")
        values = [*arguments.values()] if isinstance(arguments, dict) else arguments
        listed = values if isinstance(values, list) else []
        requests = [
            [*request.values()] if isinstance(request, dict) else request for request in listed
        ]
        return [request for request in requests if isinstance(request, list) and request]

    def _choice(self, numbers: Sequence[float]) -> tuple[str | None, list[str]]:
        """The choice that is most likely, and the right ones, as texts."""
        requests = self._arguments()
        if len(requests) != len(numbers) or any(len(request) < 2 for request in requests):
            problem = f"has {len(numbers)} log-likelihoods for {len(requests)} requests"
            self._fault(problem, "arguments with a context and a continuation for each")
            return None, []
        half = len(numbers) // 2
        if len(numbers) == 2 * half and all(request[0] == "" for request in requests[half:]):
            requests, numbers = requests[:half], numbers[:half]  # the rest: without the question
        continuations = [str(request[1]).strip() for request in requests]
        contexts = [str(request[0]).strip() for request in requests]
        # where contexts differ and what follows does not, the choices stand in the contexts
        texts = continuations if len({*continuations}) > 1 else contexts
        if len({*texts}) < len(texts):
            texts = [f"{number}: {text}" for number, text in enumerate(texts)]
        best = max(range(len(numbers)), key=lambda index: numbers[index])
        right = self._right_choices(texts, best)
        return texts[best], [texts[index] for index in right]

    def _right_choices(self, texts: Sequence[str], best: int) -> list[int]:
        """Which choices are right, by the target: their numbers, or their texts."""
        target = self.row.get("target")
        listed = target if isinstance(target, list) else _as_list(str(target))
        numbers, named = [], []
        for entry in listed or [target]:
            text = str(entry).strip()
            if text.isdecimal() and int(text) < len(texts):
                numbers.append(int(text))
            if text in texts:
                named.append(texts.index(text))
        readings = [reading for reading in (numbers, named) if reading]
        if not readings:
            allowed = "the number of a choice from 0, or its text"
            self._fault(f"has the target {str(target)[:40]!r}, which is no choice", allowed)
            return []
        right = self.row.get("acc")  # says which of two readings is meant
        fitting = [
            reading for reading in readings if right in (0, 1) and (best in reading) == bool(right)
        ]
        return (fitting or readings)[0]

    def _most_likely(self, output: Any, numbers: Sequence[float]) -> tuple[str | None, list[str]]:
        """Whether the target is what the model would have said."""
        is_pair = isinstance(output, list) and isinstance(output[0], list)
        pair = output[0] if is_pair else output
        requests = self._arguments()
        if not isinstance(pair, list) or len(pair) != 2 or not requests or len(requests[0]) < 2:
            problem = f"has the log-likelihood of a whole text ({numbers[0]:g}) and no answer"
            self._fault(problem, "samples with answers or choices")
            return None, []
        target = str(requests[0][1]).strip()
        return target if str(pair[1]) in ("True", "true", "1") else OTHER, [target]

    def _targets(self) -> list[str]:
        """The right answers."""
        target = self.row.get("target")
        if target is None or target == "None":
            return []
        if isinstance(target, str) and not target.startswith("["):
            return [target]
        listed = target if isinstance(target, list) else _as_list(str(target))
        if listed and all(isinstance(entry, str) for entry in listed):
            self.log.remark(LISTED, "target")
            return [*map(str, listed)]
        return [str(target)]

    def _asked(self) -> str | None:
        """What was asked: a field of the document, or the end of the prompt."""
        document = self.row.get("doc")
        if isinstance(document, dict):
            for name in ASKED:
                text = document.get(name)
                if isinstance(text, str) and text.strip():
                    return text
        requests = self._arguments()
        prompt = requests[0][0] if requests else None
        if not isinstance(prompt, str):
            return None
        return prompt if len(prompt) <= PROMPT else f"… {prompt[-PROMPT:]}"

    def _type(self, field: str) -> str | None:
        """The type of the question, where a field of the document has it."""
        document = self.row.get("doc")
        value = document.get(field) if isinstance(document, dict) else None
        if isinstance(value, bool | dict | list):
            problem = f"has doc.{field}, which is no single value"
            self._fault(problem, "a text or a number, as type: asks for it")
            return None
        return None if value is None else str(value)

    def _metrics(self) -> list[tuple[str, float | None]]:
        """The metrics of a sample that are numbers; None where one has no value."""
        row = self.row
        named = row.get("metrics")
        if not isinstance(named, list):
            named = [key for key in row if key not in OURS]
        if named != self.metrics:  # as a rule they are the same in all samples
            self.metrics = [*map(str, named)]
        metrics: list[tuple[str, float | None]] = []
        for name in self.metrics:
            value = row.get(name)
            if type(value) is float:
                metrics.append((name, value))
            elif isinstance(value, int):
                metrics.append((name, float(value) if abs(value) < MOST else None))
            elif value is None:
                metrics.append((name, None))
            else:
                self.log.remark(f"metrics that are no number of one sample: {name} is not read")
        return metrics


def _likelihoods(outputs: Sequence[object]) -> list[float] | None:
    """The log-likelihoods of requests, each beside a flag; None where outputs are texts."""
    numbers = []
    for output in outputs:
        pair = (
            output[0]
            if isinstance(output, list) and output and isinstance(output[0], list)
            else output
        )
        if isinstance(pair, list) and len(pair) == 2 and str(pair[1]) in ("True", "False"):
            try:
                numbers.append(float(pair[0]))
            except (TypeError, ValueError):
                return None
        elif isinstance(pair, int | float) and not isinstance(pair, bool):
            numbers.append(float(pair))
        else:
            return None
    return numbers


def _as_list(text: str) -> list[object] | None:
    """The list that Python wrote as a text, if it is one.

    >>> _as_list("['a', 'b']"), _as_list("[1, 2]"), _as_list("[the end]")
    (['a', 'b'], [1, 2], None)
    """
    if not (text.startswith("[") and text.endswith("]")):
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return None
    return value if isinstance(value, list) else None
