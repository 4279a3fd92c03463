"""A judge beside the reference, response by response: every table of their comparison."""

from collections.abc import Collection, Sequence
from functools import partial
from pathlib import Path

import polars as pl

from qampaign.agreement import agreement, failures
from qampaign.agreement.fairness import with_fairness
from qampaign.files import is_changed
from qampaign.input.input_tables import RESPONSE_KEY
from qampaign.input.store import RowReader
from qampaign.judging.declaration import COLUMNS
from qampaign.judging.judges import JUDGES, QUESTIONS
from qampaign.options import Options
from qampaign.studies.resampling import generator, key
from qampaign.studies.units import Unit


def compare_with_reference(
    read: RowReader,
    judgments: pl.DataFrame,
    reference_judgments: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    names: tuple[str, str],
    sheet: Path,
    seed: int,
    reference: str,
    judge: Options,
    correct: Collection[str],
    reference_correct: Collection[str],
    derived: Collection[str],
    thresholds: Sequence[float],
    false_alarms: float,
    sample: int,
    unit: Unit,
) -> tuple[dict[str, pl.DataFrame], list[str]]:
    """The tables by name, and what is worth a line in the terminal.

    `names` are the collection and the judge, `questions` those of the reference, `judge` is what
    the judge was made from, `sheet` the file in which people say why the two differ, `unit` what
    intervals rest on.
    """
    collection, name = names
    pairs = agreement.match(
        judgments,
        reference_judgments,
        questions,
        correct=correct,
        reference_correct=reference_correct,
        without=derived,
        unit=unit,
    )
    keys = read("keys", COLUMNS["keys"])
    responses = read("responses", (*RESPONSE_KEY, "answer"))
    matched_words = JUDGES[judge["kind"]].matcher(
        keys=keys,
        questions=read("questions", QUESTIONS),
        name=f"Collection {collection}, judge {name}",
        **judge["arguments"],
    )
    describe = partial(
        failures.describe,
        responses=responses,
        questions=read("questions", ("question", "text")),
        keys=keys,
        matched_words=matched_words,
    )
    rng = generator(seed, collection, "failures")
    sampled = describe(failures.sample_failures(pairs, rng, size=sample))
    filled, settled = failures.hand_out(sampled, sheet, responses, pairs)
    agreed = with_fairness(
        agreement.agree(pairs, thresholds), pairs, key(seed, collection, "fairness")
    )
    tables = {
        "agreement": agreed.select(pl.lit(reference).alias("reference"), pl.all()),
        "roc": agreement.curve(pairs),
        "recall_bins": agreement.bin_recalls(pairs),
        "thresholds": agreement.choose_thresholds(pairs, false_alarm_rate=false_alarms),
        "disagreements": describe(agreement.disagreements(pairs)).drop("cause"),
        "causes": failures.count_causes(filled),
    }
    messages = [
        settled and f"{settled:,} rows of {sheet} no longer differ and do not count",
        agreement.summary(agreed, name, reference),
        is_changed(sheet) and f"causes of failure are those given in {sheet}",
    ]
    return tables, [message for message in messages if message]
