"""Which keys to look at first: questions that better runs fail more often."""

from collections.abc import Iterator

from qampaign.agreement.suspects import FEWEST_RUNS
from qampaign.report.blocks import MOST_EXAMPLES, Table, TableColumn, TableColumns, optional_table
from qampaign.report.collection import CollectionResults
from qampaign.report.text import many

COLUMNS: TableColumns = {
    "question": TableColumn("Question", "name"),
    "item_rest": TableColumn(
        "Item-rest correlation", "number", "of getting it right with being right elsewhere"
    ),
    "right_runs": TableColumn("Right runs", "count"),
    "text": TableColumn("Asked", "words"),
    "key": TableColumn("Accepted", "words"),
    "answer": TableColumn("Answer", "words"),
    "verdict": TableColumn("Verdict", "text"),
    "runs": TableColumn("Given by", "count", "ranked runs that gave this answer"),
}


def blocks(collection: CollectionResults) -> Iterator[Table]:
    """The suspect questions with the answers given, the most negative first."""
    suspects = collection.table("suspects", judge=collection.reference)
    if suspects.is_empty():
        return
    number = suspects["question"].n_unique()
    caption = (
        f"On {many(number, collection.noun)}, runs that are better elsewhere fail more often, by "
        f"{collection.reference}: a wrong key or label can cause this. The most negative ones come "
        "first. They are not proven wrong: of questions that good and bad runs get "
        f"right equally often, about one in twenty of {collection.asked:,} would be listed by "
        f"chance. Nothing is listed with fewer than {FEWEST_RUNS} ranked runs."
    )
    yield from optional_table(
        "suspects",
        "Keys to look at first",
        suspects,
        COLUMNS,
        most=MOST_EXAMPLES,
        caption=caption,
        closed=True,
    )
