"""The format of HELM (Holistic Evaluation of Language Models): a folder of files for each run."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime

from qampaign.input.formats import Fault, Unreadable
from qampaign.input.logs.declaration import log_format
from qampaign.input.logs.json_values import JsonObject, at, number_of, text_of
from qampaign.input.logs.log import Log
from qampaign.input.logs.log_file import LogFile
from qampaign.input.logs.options import LogOptions

STATE, SPEC, STATS = "scenario_state.json", "run_spec.json", "per_instance_stats.json"

BESIDE = (
    SPEC,
    STATS,
    "scenario.json",
    "stats.json",
    "instances.json",
    "predictions.json",
    "requests.json",
    "display_predictions.json",
    "display_requests.json",
)
"""The other files in the folder of a run: two that complete it, and those that repeat it."""

NO_SCORES = re.compile(
    r"num_.*|training_.*|inference_.*|batch_size|finish_reason_.*|prompt_truncated|max_prob"
    r"|logprob.*|perplexity|bits_per_byte|predicted_index|estimated_.*|output_length"
)
"""The names of statistics that say what an answer took or looks like, not how good it is."""

OTHER = "(another choice)"
"""What stands for a wrong choice, where the files do not say which one it is."""

ERRORS = "instances whose request failed: missing"
PERTURBED = "instances that were perturbed to test robustness: left out"
SEVERAL = (
    "instances with several completions: the one with the highest log-likelihood is the answer"
)
UNSCORED = f"runs without {STATS} beside them: no verdicts"
UNASKED = f"instances in {STATS} without a request: left out"
BY_FOLDER = f"runs without {SPEC} beside them: the task is the name of the folder"


def recognises(file: LogFile) -> bool:
    """Whether a file is the state of a scenario."""
    return {"adapter_spec", "request_states"} <= file.keys


@log_format(
    title="HELM",
    files=f"{STATE}, with {SPEC} and {STATS} beside it",
    recognises=recognises,
    beside=lambda name: BESIDE if name == STATE else (),
    takes=("type",),
)
def helm(file: LogFile, options: LogOptions) -> Iterable[Log]:
    """Folders of runs of HELM, each with scenario_state.json.

    ```yaml
    campaign: mine
    collections:
      narrative:
        logs: {files: runs/**/scenario_state.json, only: narrative_qa}
        judges: {logged: {kind: logged, scorer: exact_match}, key: {kind: key}}
    ```

    | of the files | becomes |
    | --- | --- |
    | `adapter_spec.model` | the run |
    | `name` of `run_spec.json`, without the model | the task, such as `mmlu:subject=law`: a \
collection has one, or merges several (`only: "mmlu:*"`) |
    | `instance.id`, and `train_trial_index` where there are several | question and sample |
    | `references` with the tag `correct` | literal keys |
    | `result.completions` | the answer; of a multiple choice, the text of the choice |
    | statistics of `per_instance_stats.json`, such as `exact_match` | scorers: 0 and 1 are \
verdicts, too, other numbers scores. What counts tokens, time and the like is left out |
    | `instance.FIELD`, or `instance.extra_data.FIELD` | the question's type, with `type: FIELD` |
    | `num_prompt_tokens`, `num_completion_tokens`, `request_time` | tokens and seconds |

    The other files of a run are found beside `scenario_state.json`.
    Perturbed instances are left out, with a remark; so are requests that failed. Where each choice
    of a question was asked for by itself, the answer is that of `predicted_index`; without it, a
    wrong one is shown as `(another choice)`.
    """
    states = at(file.document, "request_states")
    model = text_of(at(file.document, "adapter_spec", "model")) or text_of(
        at(file.document, "adapter_spec", "model_deployment")
    )
    faults = []
    if not isinstance(states, list) or not states:
        faults.append(Fault("has no request_states", "a list of requests"))
    if not model:
        faults.append(Fault("has no adapter_spec.model", "the name of the model"))
    if faults:
        raise Unreadable(*faults)
    spec = file.json_beside(SPEC)
    name = text_of(at(spec, "name"))
    log = Log(_task(name or file.path.absolute().parent.name), str(model))
    if name is None:
        log.remark(BY_FOLDER)
    if options.wants(log.task):
        _Instances(log, file, options).read(states)
    return [log]


def _task(name: str) -> str:
    """The name of a run without its model.

    >>> _task("mmlu:subject=law,model=openai_gpt2"), _task("narrative_qa:model=openai_gpt2")
    ('mmlu:subject=law', 'narrative_qa')
    >>> _task("boolq"), _task("math:model_deployment=x,model=y,level=1,level=2")
    ('boolq', 'math:level=1,level=2')
    """
    scenario, colon, arguments = name.partition(":")
    kept = [
        argument
        for argument in arguments.split(",")
        if not re.match(r"model(_deployment)?=", argument)
    ]
    return scenario + (colon + ",".join(kept) if any(kept) else "")


class _Instances:
    """The instances of a run, one after the other, into its rows."""

    def __init__(self, log: Log, file: LogFile, options: LogOptions) -> None:
        self.log, self.options = log, options
        self.stats = self._stats(file.json_beside(STATS))
        self.seen: set[tuple[str, str]] = set()
        self.choices: dict[tuple[str, str], tuple[int, JsonObject]] = {}

    def read(self, states: Sequence[object]) -> None:
        """Take over all requests."""
        for line, state in enumerate(states, start=1):
            place = f"request_states[{line - 1}]"
            if not isinstance(state, dict) or not isinstance(state.get("instance"), dict):
                self.log.fault("has no instance", "an instance of each request", place=place)
            else:
                self._add(state, line, place)
        for (question, trial), (line, state) in self.choices.items():
            self._add_choice(question, trial, line, state)
        if unasked := {*self.stats} - self.seen - {*self.choices}:
            self.log.remark(UNASKED, "score", len(unasked))
        self.log.sampled = not {answer.sample for answer in self.log.answers} <= {"1"}
        self.log.show_untexted()
        if not self.log.answers and not self.log.faults:
            self.log.fault("has no request that did not fail", "a run with answers")

    def _stats(self, listed: object) -> dict[tuple[str, str], JsonObject]:
        """The statistics of each instance and trial by name, but those of perturbed ones."""
        if listed is None:
            self.log.remark(UNSCORED, "score")
            return {}
        if not isinstance(listed, list):
            self.log.fault(f"has {STATS} beside it, which is no list", "a list of instances")
            return {}
        stats: dict[tuple[str, str], JsonObject] = {}
        for number, entry in enumerate(listed):
            question, entry_stats = text_of(at(entry, "instance_id")), at(entry, "stats")
            if question is None or not isinstance(entry_stats, list):
                problem = f"{STATS}, [{number}]: has no instance_id or no stats"
                self.log.fault(problem, "both of each instance")
                continue
            if at(entry, "perturbation"):
                continue
            of_instance = stats.setdefault((question, _trial(entry)), {})
            for stat in entry_stats:
                name = text_of(at(stat, "name", "name"))
                if name is not None and not at(stat, "name", "perturbation"):
                    of_instance[name] = stat
        return stats

    def _add(self, state: JsonObject, line: int, place: str) -> None:
        log, instance, trial = self.log, state["instance"], _trial(state)
        question = text_of(instance.get("id"))
        if not question:
            log.fault("has no instance.id", "the id of the instance", place=place)
            return
        if instance.get("perturbation"):
            log.remark(PERTURBED)
            return
        references = _references(instance)
        if references is None:
            log.fault("has references that are no texts", "texts with tags", place=place)
            return
        if state.get("reference_index") is not None:  # a request for each choice
            self.choices.setdefault((question, trial), (line, state))
            return
        if (question, trial) in self.seen:
            log.fault(f"has {question} again", "each instance once in a trial", place=place)
            return
        self.seen.add((question, trial))
        self._add_question(question, line, instance, place)
        completion = self._completion(state)
        if completion is None:
            log.remark(ERRORS)
            return
        mapping = state.get("output_mapping")
        chosen = text_of(at(mapping, completion.strip()))
        self._add_answer(question, trial, line, state, completion if chosen is None else chosen)

    def _add_question(self, question: str, line: int, instance: JsonObject, place: str) -> None:
        right = [text for text, is_right in _references(instance) or () if is_right]
        instance_input = instance.get("input")
        self.log.add_question(
            question,
            line,
            targets=right,
            place=place,
            text=text_of(instance_input) or text_of(at(instance_input, "text")),
            type=self._type(instance, place),
        )

    def _add_choice(self, question: str, trial: str, line: int, state: JsonObject) -> None:
        """An instance of which each choice was asked for by itself."""
        instance, place = state["instance"], f"instance {question}"
        self._add_question(question, line, instance, place)
        stats = self.stats.get((question, trial), {})
        index, right = _value(stats.get("predicted_index")), _value(stats.get("exact_match"))
        references = _references(instance) or []
        if index is not None and index in range(len(references)):
            answer = references[int(index)][0]
        elif right is None:
            self.log.remark(ERRORS)
            return
        else:
            correct = [text for text, is_right in references if is_right]
            answer = correct[0] if right == 1 and correct else OTHER
        self._add_answer(question, trial, line, state, answer)

    def _add_answer(
        self, question: str, trial: str, line: int, state: JsonObject, answer: str
    ) -> None:
        stats = self.stats.get((question, trial), {})
        place = f"instance {question}"
        counts = ("num_prompt_tokens.mean", "num_completion_tokens.mean")
        self.log.add_answer(
            question,
            line,
            answer.strip() or None,
            sample=trial,
            seconds=self.log.amount("seconds", place, (state, "result.request_time")),
            tokens=self.log.amount("tokens", place, *((stats, count) for count in counts)),
        )
        made = number_of(at(state, "result", "request_datetime"))
        if self.log.date is None and made is not None and 0 < made < 1e11:
            self.log.date = datetime.fromtimestamp(made, UTC).date().isoformat()
        for name, stat in stats.items():
            if NO_SCORES.fullmatch(name):
                continue
            value = at(stat, "mean")
            if isinstance(value, int | float):
                self.log.add_number(question, line, name, value, sample=trial)
            elif at(stat, "count"):
                problem, allowed = f"has no mean of {name} in {STATS}", "a number"
                self.log.fault(problem, allowed, place=place)

    def _completion(self, state: JsonObject) -> str | None:
        """What the model said; of several, what it held for most likely, as HELM's metrics do."""
        completions = at(state, "result", "completions")
        if at(state, "result", "success") is False or not isinstance(completions, list):
            return None
        texts = [
            (number_of(at(completion, "logprob")) or 0.0, text)
            for completion in completions
            if (text := text_of(at(completion, "text"))) is not None
        ]
        if len(texts) > 1:
            self.log.remark(SEVERAL, "answer")
        return max(texts, key=lambda candidate: candidate[0])[1] if texts else None

    def _type(self, instance: JsonObject, place: str) -> str | None:
        name = self.options.type
        if name is None:
            return None
        value = instance.get(name)
        value = at(instance, "extra_data", name) if value is None else value
        kind = text_of(value)
        if value is not None and kind is None:
            problem = f"has {name}, which is no single value"
            self.log.fault(problem, "a text, as type: asks for it", place=place)
        return kind


def _trial(entry: object) -> str:
    """Which trial it is, counted from 1."""
    index = at(entry, "train_trial_index")
    return str(index + 1) if isinstance(index, int) else "1"


def _value(stat: object) -> float | None:
    return number_of(at(stat, "mean"))


def _references(instance: JsonObject) -> list[tuple[str, bool]] | None:
    """The references of an instance, and whether each is right; None where they are others."""
    listed = instance.get("references", [])
    if not isinstance(listed, list):
        return None
    references = []
    for reference in listed:
        output, tags = at(reference, "output"), at(reference, "tags")
        text = text_of(output)
        text = text_of(at(output, "text")) if text is None else text
        if text is None or not isinstance(tags, list):
            return None
        references.append((text, "correct" in tags))
    return references
