"""The rankings of a collection beside each other: by its measures, its judges, its assessors."""

from collections.abc import Mapping, Sequence

import polars as pl

from qampaign.agreement import assessors, correlation
from qampaign.agreement.paired_scores import Draws, pair_others, pair_with_reference
from qampaign.input.store import RowReader
from qampaign.judging.declaration import COLUMNS
from qampaign.judging.judges import QUESTIONS, response_columns
from qampaign.judging.single_assessor import assessors_of, describe_crowd, judge_alone
from qampaign.measures.evidence import Evidence
from qampaign.measures.question_weights import weigh, weights_of
from qampaign.measures.scoring import Configured, collect_evidence, configure
from qampaign.options import Options
from qampaign.studies.resampling import generator, key
from qampaign.studies.units import Unit, Units


def compare_rankings(
    read: RowReader,
    evidence: Mapping[str, Evidence],
    questions: pl.DataFrame,
    known_answers: pl.LazyFrame,
    comparisons: pl.DataFrame | None,
    *,
    collection: str,
    seed: int,
    task: str,
    reference: str,
    nil: str,
    by_line: bool,
    score: Options,
    resamples: int,
    draws: int,
    unit: Unit,
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The tables by name, and what is worth a line in the terminal.

    `evidence` is that of each judge, `questions` and `known_answers` are those of the reference,
    `score` is what its scores were made from, `comparisons` what the study of significance by it
    finds, if there is one. `unit` is what is drawn.
    """
    measures = [configure(measure) for measure in score["measures"]]
    ranked = {"reference": reference, "rank_baselines": score["rank_baselines"]}
    drawn = Draws.of(
        Units.of(evidence[reference].questions, unit), resamples, key(seed, collection, "tau")
    )
    paired = pair_with_reference(evidence, measures, drawn, **ranked)
    others = pair_others(evidence, measures, drawn, **ranked)

    labels = read("assessments", COLUMNS["assessments"])
    by_assessor = _collect_by_assessor(
        read, labels, questions, known_answers, measures, task, nil, score, by_line=by_line
    )
    single = correlation.correlate_single_assessors(
        evidence[reference],
        by_assessor,
        measures,
        generator(seed, collection, "correlation", "assessors"),
        draws=draws,
        **ranked,
    )
    counted = {"correct": score["evidence"]["correct"], "validation": task == "validation"}
    gains = next(
        (measure.options["gains"] for measure in measures if "gains" in measure.options), None
    )
    tables = {
        "correlation": pl.concat(
            [
                correlation.correlate(paired, others, key=key(seed, collection, "tau", "runs")),
                single,
            ]
        ),
        "misordered": correlation.find_misordered(paired, comparisons),
        "assessors": assessors.compare(
            labels, evidence[reference].questions, gains=gains, unit=unit, **counted
        ),
        "disputed": assessors.disputed(labels, **counted),
    }
    message = describe_crowd(labels)
    return tables, [message] if message else []


def _collect_by_assessor(
    read: RowReader,
    labels: pl.DataFrame,
    questions: pl.DataFrame,
    known_answers: pl.LazyFrame,
    measures: Sequence[Configured],
    task: str,
    nil: str,
    score: Options,
    *,
    by_line: bool,
) -> dict[str, Evidence]:
    """The evidence of each assessor as a judge; none where there is only one of them."""
    people = assessors_of(labels)
    if len(people) < 2:
        return {}
    inputs = (
        read("responses", response_columns(by_line=by_line)),
        labels,
        read("questions", QUESTIONS),
    )
    options = {"correct": score["evidence"]["correct"], "nil": nil, "task": task}
    weights = read("questions", ["question", "weight"])
    evidence = {}
    for person in people:
        judged = judge_alone(*inputs, assessor=person, **options)
        alone = collect_evidence(
            judged.judgments,
            judged.questions,
            measures,
            reference=questions,
            known_answers=known_answers,
            **score["evidence"] | {"degrees": False, "verdicts": True},  # people say what is right
        )
        evidence[person] = weigh(alone, weights_of(alone.questions, weights))
    return evidence
