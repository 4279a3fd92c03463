"""The format of SQuAD 1.1 and 2.0: the dataset, and predictions by id."""

import glob
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from qampaign.input.formats import Fault, Unreadable, check_text
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions
from qampaign.input.logs.table_file import as_text, read_table

TASK = "squad"
GENERIC = ("predictions", "prediction", "predictions_", "preds", "pred")
"""Names of files that say nothing: the folder is the run."""
NOT_IDS = {"id", "problem", "question"}
"""Names in rows of other tables: an object with one of them is no list of predictions."""
LISTED = {"id", "prediction_text"}

ALLOWED = "a dataset (data, paragraphs, qas), or predictions: an object of texts by id"
ALLOWED_PROBABILITY = "a number from 0 to 1, the probability that there is no answer"
NO_PROBABILITY = "predictions without a probability in the file beside: no confidence"
NO_PREDICTION = "probabilities in the file beside without a prediction: not used"
NO_ANSWERS = "questions without answers that are not said to be impossible: no key"


def beside(name: str) -> list[str]:
    """What a file with the probabilities of no answer may be called beside predictions.

    >>> beside("predictions.json"), beside("bert.json")[0]
    (['na_prob.json', 'na_probs.json'], 'bert_na_prob.json')
    """
    stem = Path(name).stem
    if Path(name).suffix != ".json" or "na_prob" in stem:
        return []
    names = ["na_prob", "na_probs"]
    if stem not in GENERIC:
        rest = next((stem.removeprefix(prefix) for prefix in ("predictions", "preds", "pred")
                     if stem.startswith(prefix)), None)  # fmt: skip
        names = [f"{stem}_na_prob", f"{stem}.na_prob", f"na_prob_{stem}"]
        names += [f"na_prob{rest}"] if rest else []
    return [f"{glob.escape(beside_name)}.json" for beside_name in names]


def recognises(file: LogFile) -> bool:
    """Whether a file is a dataset, predictions by id, or probabilities by id."""
    document = file.document
    if isinstance(document, list) or file.first_row is not None:
        first = document[0] if isinstance(document, list) and document else file.first_row
        if isinstance(first, dict) and set(first) >= LISTED:
            return True
    if not isinstance(document, dict) or not document:
        return False
    if _is_dataset(document):
        return True
    if NOT_IDS & set(document) or not all(any(map(str.isdigit, name)) for name in document):
        return False
    values = document.values()
    of_numbers = "na_prob" in file.name and all(_is_number(value) for value in values)
    return of_numbers or all(isinstance(value, str) for value in values)


def _is_dataset(document: object) -> bool:
    data = document.get("data") if isinstance(document, dict) else None
    return isinstance(data, list) and any(
        isinstance(article, dict) and "paragraphs" in article for article in data
    )


def _is_number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


@log_format(
    title="SQuAD",
    files="the dataset (*.json with data and paragraphs), predictions (*.json, a text by id)",
    recognises=recognises,
    beside=beside,
    takes=("type",),
)
def squad(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """The dataset of SQuAD 1.1 or 2.0, and predictions as its evaluation programs take them.

    A file of predictions is a run. It is called by its folder where it is `predictions.json`, else
    by its own name. The dataset is one of the files. Predictions whose ids are not all with a digit
    need `format: squad`.

    | in a file | becomes |
    | --- | --- |
    | `id`, `question` of the dataset | the question, its text |
    | `answers[].text` | literal keys, forms of one answer |
    | `is_impossible` | nil: the right answer is that there is none |
    | a paragraph | the group of its questions |
    | a field of a question, paragraph or article | the question's type, with `type: title` |
    | `{ID: TEXT}`, or a list of `id` and `prediction_text` | the answer; an empty text is NIL |
    | `na_prob.json` beside `predictions.json`, or `NAME_na_prob.json` beside `NAME.json` | \
confidence: of NIL the number, of other answers 1 less the number |
    | `no_answer_probability` in a list | the same |

    ```yaml
    campaign: squad
    collections:
      squad:
        logs: [dev-v2.0.json, runs/*/predictions.json]
        judges: {exact: {kind: exact}}
        measures: [accuracy, mean_score]
    ```

    By the judge `exact`, `accuracy` is SQuAD's exact match and `mean_score` its F1, as shares. A
    question without a prediction counts as 0; the program for 2.0 leaves it out. A key of which its
    comparison leaves nothing, such as "The", is right here if predicted; there it is no key.
    Probabilities outside 0 to 1, such as null odds, are a fault. Intervals and tests draw
    paragraphs, not questions, unless `unit: question` says otherwise.
    """
    check_text(file.content)
    document = file.document
    stem = Path(file.name.removesuffix(".gz")).stem
    log = Log(TASK, file.path.absolute().parent.name if stem in GENERIC else stem)
    if not options.wants(TASK):
        return [log]
    if file.fault:
        raise Unreadable(file.fault)
    if isinstance(document, list) or (file.first_row and set(file.first_row) >= LISTED):
        _add_listed(log, file, options)
    elif isinstance(document, dict) and "data" in document:
        _Dataset(log, options).read(document["data"])
    elif isinstance(document, dict) and document:
        if all(_is_number(value) for value in document.values()):
            allowed = "a name that belongs to predictions, such as NAME_na_prob.json for NAME.json"
            raise Unreadable(Fault("has numbers by id, but no predictions beside it", allowed))
        _add_predictions(log, document, _probabilities(log, file), options)
    else:
        raise Unreadable(Fault("has no predictions and no dataset", ALLOWED))
    return [log]


def _probabilities(log: Log, file: LogFile) -> JsonObject | None:
    """The numbers in the file beside the predictions; None where there is no such file."""
    names = [
        file_name
        for name in beside(file.name)
        for file_name in file.beside
        if file_name == _unescaped(name)
    ]
    if len(names) > 1:
        log.fault(f"has several files of probabilities beside it: {', '.join(names)}", "one")
    if not names:
        return None
    numbers = file.json_beside(names[0])
    if not isinstance(numbers, dict):
        log.fault(f"has {names[0]} beside it, which is no object", "an object of numbers by id")
        return None
    return numbers


def _unescaped(name: str) -> str:
    """A name without the brackets that keep signs in it from being patterns."""
    for sign in "*?[":
        name = name.replace(f"[{sign}]", sign)
    return name


def _add_predictions(
    log: Log, texts: JsonObject, probabilities: JsonObject | None, options: LogOptions
) -> None:
    seen: dict[str, str] = {}
    for number, (identifier, text) in enumerate(texts.items(), start=1):
        item, place = " ".join(identifier.split()), f"prediction of {identifier!r}"
        if not item or seen.setdefault(item, identifier) != identifier:
            log.fault("has an id that is empty or there twice", "each id once", place=place)
            continue
        probability = None
        if probabilities is not None:
            probability = probabilities.pop(identifier, None)
            if probability is None:
                log.remark(NO_PROBABILITY, "confidence")
        _add(log, item, number, text, probability, options, {"place": place})
    if probabilities:
        log.remark(NO_PREDICTION, "confidence", len(probabilities))


def _add_listed(log: Log, file: LogFile, options: LogOptions) -> None:
    """Predictions in a list, or a line each."""
    table = read_table(file)
    log.faults += table.faults
    seen: dict[str, int] = {}
    for line, row in table.rows:
        at = table.at(line)
        try:
            item = as_text(row.get("id"))
        except ValueError:
            item = None
        if item is None:
            log.fault("has no id", "a text or a number as id", **at)
        elif seen.setdefault(item, line) != line:
            log.fault(f"id is there twice: {item}", "each id once", **at)
        else:
            text, number = row.get("prediction_text"), row.get("no_answer_probability")
            _add(log, item, line, text, number, options, at)


def _add(
    log: Log,
    item: str,
    line: int,
    text: Any,
    probability: Any,
    options: LogOptions,
    at: Mapping[str, Any],
) -> None:
    """Add an answer, or note what is wrong with it."""
    known = len(log.faults)
    if not isinstance(text, str):
        shown = "null" if text is None else "a list" if isinstance(text, list) else repr(text)[:40]
        log.fault(f"is no text: {shown}", 'a text, "" where there is no answer', **at)
    if probability is not None and not (_is_number(probability) and 0 <= probability <= 1):
        problem = f"has a probability of no answer that is none: {str(probability)[:40]}"
        log.fault(problem, ALLOWED_PROBABILITY, **at)
    if len(log.faults) > known:
        return
    answer = " ".join(text.split()) or options.nil
    confidence = None
    if probability is not None:
        confidence = float(probability) if answer == options.nil else 1 - float(probability)
    log.add_answer(item, line, answer, confidence=confidence)


class _Dataset:
    """The questions of a dataset, one after the other, into a log."""

    def __init__(self, log: Log, options: LogOptions) -> None:
        self.log, self.options = log, options
        self.number = self.typed = 0

    def read(self, articles: object) -> None:
        """Read all articles."""
        log = self.log
        paragraphs: Counter[str] = Counter()
        for place, article in _objects(log, articles, "article", ""):
            name = str(article.get("title") or place)
            for where, paragraph in _objects(log, article.get("paragraphs"), "paragraph", place):
                paragraphs[name] += 1
                group = f"{name}, paragraph {paragraphs[name]}"
                for at, question in _objects(log, paragraph.get("qas"), "question", where):
                    self._add(question, at, group, (question, paragraph, article))
        if not log.questions and not log.faults:
            log.fault("has no questions", ALLOWED)
        if self.options.type and not self.typed and not log.faults:
            allowed = "type: with a field of questions, paragraphs or articles, such as title"
            log.fault(f"has no {self.options.type}", allowed)

    def _add(
        self,
        question: JsonObject,
        place: str,
        group: str,
        around: tuple[JsonObject, ...],
    ) -> None:
        log = self.log
        self.number += 1
        identifier = question.get("id")
        item = " ".join(str(identifier).split())
        if isinstance(identifier, bool) or not isinstance(identifier, str | int) or not item:
            log.fault("has no id", "a text or a number as id", place=place)
            return
        if item in log.questions:
            log.fault(f"has an id that is there twice: {item}", "each id once", place=place)
            return
        known = len(log.faults)
        impossible = question.get("is_impossible", False)
        if not isinstance(impossible, bool):
            log.fault(f"has is_impossible {impossible!r:.40}", "true or false", place=place)
        texts = self._answers(question.get("answers"), place)
        if impossible is True and texts:
            problem = "is impossible, and has answers"
            log.fault(problem, "answers, or is_impossible: true", place=place)
        kind = self._type(around, place)
        if len(log.faults) > known:
            return
        if not texts and not impossible:
            log.remark(NO_ANSWERS, "answers")
        text = question.get("question")
        log.add_question(
            item,
            self.number,
            targets=texts,
            text=text if isinstance(text, str) else None,
            type=kind,
            group=group,
            nil=impossible is True,
            place=place,
        )

    def _answers(self, answers: object, place: str) -> list[str]:
        listed = [] if answers is None else answers
        if not isinstance(listed, list) or not all(
            isinstance(answer, dict) and isinstance(answer.get("text"), str) for answer in listed
        ):
            problem = "has answers that are no list of objects with a text"
            self.log.fault(problem, '[{"text": …}, …]', place=place)
            return []
        texts = (" ".join(answer["text"].split()) for answer in listed)
        return [text for text in dict.fromkeys(texts) if text]

    def _type(self, around: tuple[JsonObject, ...], place: str) -> str | None:
        """The type of a question: a field of it, of its paragraph, or of the article."""
        name = self.options.type
        holder = (
            next((candidate for candidate in around if name in candidate), None) if name else None
        )
        if holder is None or name is None:
            return None
        try:
            text = as_text(holder[name])
        except ValueError as error:
            allowed = "a text or a number, as type: asks for it"
            self.log.fault(f"has {name}, which {error}", allowed, place=place)
            return None
        self.typed += text is not None
        return text


def _objects(log: Log, values: object, kind: str, within: str) -> Iterator[tuple[str, JsonObject]]:
    """The objects of a list, each with its place; notes what is something else."""
    before = f"{within}, " if within else ""
    if not isinstance(values, list):
        log.fault(f"has no list of {kind}s", f"a list of {kind}s", place=within)
        return
    for number, value in enumerate(values, start=1):
        place = f"{before}{kind} {number}"
        if isinstance(value, dict):
            yield place, value
        else:
            log.fault("is no object", f"an object for each {kind}", place=place)
