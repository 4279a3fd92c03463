"""How much of a score's uncertainty is due to the questions, and how much to the samples of each.

A question's value in a sample is taken as the question's own plus what differs from sample to
sample: a one-way layout with random effects (Searle, Casella & McCulloch 1992, 3.6). With variance
`between` of the questions' own values and `within` of the samples, the mean over q questions of n
samples each has the variance (between + within / n) / q. More samples lower the second part alone,
more questions both. A question without a row was not sampled: it is left out.
"""

from collections.abc import Sequence

import numpy as np
import polars as pl

from qampaign.arrays import Array, Flags
from qampaign.measures.cells import Cells
from qampaign.measures.evidence import EVIDENCE, OVER_SAMPLES
from qampaign.measures.sample_cells import by_sample
from qampaign.measures.scoring import Configured
from qampaign.tables import schema_of

SAMPLES = schema_of("samples", "collection", "judge")


def sample_variances(cells: Cells, measures: Sequence[Configured]) -> pl.DataFrame:
    """The variance between questions and within them, by measure and run.

    For measures that are means over questions and have a value in each sample. Gives measure, run,
    questions (those with a row), repeated (those with more than one sample), samples, between,
    within; empty where there are no samples.
    """
    tables = [pl.DataFrame(schema=SAMPLES)]
    used = [
        configured
        for configured in measures
        if configured.mean and not _is_over_samples(configured)
    ]
    if not cells.sampled or not used:
        return tables[0]
    laid_out, there = by_sample(cells)
    has_row = np.zeros(cells.shape, dtype=bool)
    has_row.flat[cells.cell] = True
    numbers = {
        "questions": has_row.sum(axis=1),
        "repeated": (there.sum(axis=2) > 1).sum(axis=1),
    }
    for measure in used:
        wanted = {column.key: column for column in measure.columns().values()}
        sums = {
            key: EVIDENCE[column.name](laid_out, **column.options).astype(np.float64)
            for key, column in wanted.items()
        }
        values = measure.of_sums(sums).reshape(there.shape)
        rows = [
            components(run_values[known], samples[known])
            for run_values, samples, known in zip(values, there, has_row, strict=True)
        ]
        columns = dict(zip(("samples", "between", "within"), zip(*rows, strict=True), strict=True))
        frame = pl.DataFrame({"run": cells.runs, **numbers, **columns}).with_columns(
            pl.selectors.float().fill_nan(None), measure=pl.lit(measure.name)
        )
        tables.append(frame.select(*SAMPLES).cast(SAMPLES))  # type: ignore[arg-type]
    return pl.concat(tables)


def _is_over_samples(measure: Configured) -> bool:
    return any(name in OVER_SAMPLES for name in measure.declared.columns)


def components(values: Array, there: Flags) -> tuple[float, float, float]:
    """The samples of a question, and the variance between questions and within them, not biased.

    `values` are by question and sample, `there` says which samples there are. The samples are the
    harmonic mean over questions, so that between + within / samples is the variance of the
    questions' means. NaN where there is no telling: within one sample each, between one question,
    or without any. An estimate of the variance between questions can be below 0. Right, wrong of
    one question, right, right of another: the means 1/2 and 1 have the variance 1/8; within are
    (1/4 + 1/4) / 2, so that 1/8 − 1/4 / 2 = 0 are left between them.

    >>> components(np.array([[1.0, 0.0], [1.0, 1.0]]), np.ones((2, 2), dtype=bool))
    (2.0, 0.0, 0.25)
    """
    number = there.sum(axis=1)
    if not len(number):
        return np.nan, np.nan, np.nan
    samples = float(1 / (1 / number).mean())
    means = np.where(there, values, 0.0).sum(axis=1) / number
    apart = np.where(there, values - means[:, None], 0.0)
    freedom = int((number - 1).sum())
    within = float((apart**2).sum() / freedom) if freedom else np.nan
    spread = float(means.var(ddof=1)) if len(means) > 1 else np.nan
    between = spread - within / samples
    return round(samples, 9), round(between, 12), round(within, 12)
