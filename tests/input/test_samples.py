"""A column `sample`: what its rows may be, and what labels say of them."""

from pathlib import Path

import pytest

from qampaign.input import sources, store
from qampaign.input.column_names import with_our_names
from qampaign.input.file_options import FileOptions
from qampaign.input.formats import Unreadable
from tests.helpers.toy_campaign import Campaign
from tests.input.test_rows import good, messages, rows_of

pytestmark = pytest.mark.slow


THREE = "question,sample,answer\nq1,1,Paris\nq1,2,Rome\nq2,1,blue\nq2,2,red\n"


def test_samples_are_ids_of_their_own_and_need_no_rank() -> None:
    frame = good("responses", "question,sample,answer\nq1,2.0,x\nq1,1.0,x\nq2,first,y\n")
    assert frame["sample"].to_list() == ["2", "1", "first"]
    assert frame["rank"].to_list() == [1, 1, 1]


def test_ranks_are_counted_within_a_sample() -> None:
    text = "question,sample,rank,answer\nq1,a,1,x\nq1,a,2,y\nq1,b,1,x\n"
    assert good("responses", text)["rank"].to_list() == [1, 2, 1]
    twice = rows_of("responses", "question,sample,rank,answer\nq1,a,1,x\nq1,a,1,y\nq1,b,2,x\n")
    assert messages(twice) == [
        "a.csv, line 3, column rank: '1' occurs twice for its run, question and sample; allowed: "
        "each rank once",
        "a.csv, line 4, column rank: '2' leaves a gap in the ranks of its question; allowed: "
        "1, 2, 3, …",
    ]


def test_two_rows_of_a_sample_without_a_rank_are_refused() -> None:
    rows = rows_of("responses", "question,sample,answer\nq1,a,x\nq1,a,y\n")
    assert messages(rows) == [
        "a.csv, line 3, column question: 'q1' occurs again in its run and sample, without a rank; "
        "allowed: one row for each run, question and sample, or a column rank"
    ]
    ranked = good("responses", "question,sample,answer\nq1,a,x\nq1,b,x\nq1,a,y\n", ranked=True)
    assert ranked["rank"].to_list() == [1, 1, 2]


def test_a_run_has_a_sample_in_every_row_or_in_none() -> None:
    text = "run,question,sample,answer\na,q1,1,x\na,q2,,x\nb,q1,,x\n"
    assert messages(rows_of("responses", text)) == [
        "a.csv, line 3, column sample: '' is empty, though the run has samples; allowed: a sample "
        "in every row of a run, or in none"
    ]


def test_an_epoch_is_a_sample() -> None:
    source = sources.parse(b"question,epoch,answer\nq1,1,x\n", Path("a.csv"))
    assert with_our_names("responses", source, FileOptions())[0].frame.columns == [
        "question",
        "sample",
        "answer",
    ]
    both = sources.parse(b"question,epoch,sample,answer\nq1,1,1,x\n", Path("a.csv"))
    with pytest.raises(Unreadable) as unreadable:
        with_our_names("responses", both, FileOptions())
    (fault,) = unreadable.value.faults
    assert fault.problem == "has a column sample and a column epoch, and each can be its sample"
    assert with_our_names("questions", both, FileOptions())[0] is both  # questions have no samples


def test_labels_of_a_run_with_samples_name_the_sample(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    labels = "question,run,rank,label\nq1,a,1,R\n"
    campaign.write(
        {
            "questions.csv": "question\nq1\nq2\n",
            "runs/a.csv": THREE,
            "runs/b.csv": "question,answer\nq1,Rome\nq2,x\n",
            "assessments.csv": labels,
            "info.csv": "run,team\na,Alpha\n",
        }
    )
    assert "column sample: is empty, but run a has samples" in "\n".join(campaign.refusal())
    campaign.write({"assessments.csv": "question,run,sample,rank,label\nq1,a,2,1,R\nq1,b,,1,W\n"})
    campaign.ingest()
    rows = store.read(campaign.database, "toy", "assessments", ("run", "sample", "rank"))
    assert rows.rows() == [("a", "2", 1), ("b", None, 1)]
    # the same for one sample twice conflicts, for two samples not
    campaign.write({"assessments.csv": "question,run,sample,rank,label\nq1,a,1,1,R\nq1,a,2,1,W\n"})
    campaign.ingest()
    campaign.write({"assessments.csv": "question,run,sample,rank,label\nq1,a,1,1,R\nq1,a,1,1,W\n"})
    assert any("sample 1, rank 1" in line for line in campaign.refusal())


def test_unequal_numbers_of_samples_are_remarked_on_once(tmp_path: Path) -> None:
    campaign = Campaign(tmp_path)
    campaign.write(
        {
            "questions.csv": "question\nq1\nq2\n",
            "runs/a.csv": THREE,
            "runs/b.csv": "question,sample,answer\nq1,x,Rome\nq2,x,x\nq2,y,x\n",
            "assessments.csv": "question,answer,label\nq1,Paris,R\n",
            "info.csv": "run,team\na,Alpha\n",
        }
    )
    campaign.ingest()
    found = "SELECT remark FROM remarks WHERE remark LIKE 'unequal%'"
    assert campaign.rows(found) == [
        (
            "unequal numbers of samples: a run has from 1 to 2 answers to a question, fewer than 2 "
            "in 1 of 4 cases",
        )
    ]
    campaign.write({"runs/b.csv": "question,sample,answer\nq1,x,Rome\nq1,y,Rome\nq2,x,x\nq2,y,x\n"})
    campaign.ingest()
    assert campaign.rows(found) == []
