"""The tables of the database that logs fill, beside the responses.

What a collection needs of them is put together from all its logs: see
:mod:`qampaign.input.logs.merging`.
"""

from qampaign.input.input_tables import FLAG, ID, NUMBER, TEXT, WHOLE, InputColumn, InputTable

LOGS = "logs"
"""The table with a row for each task and model of a file: what is read of a log begins here."""

BESIDE = "logs/beside"
"""What files are filed under that only complete a log beside them: they give no rows."""

LOG_TABLES = {
    LOGS: InputTable(
        config_key="logs",
        title="Logs",
        row="a task and a model in a log",
        columns=(
            InputColumn("task", ID, "the task"),
            InputColumn("model", ID, "the model"),
            InputColumn("run", ID, "what the run is called; empty where there are no answers"),
            InputColumn("used", FLAG, "whether the collection takes this task"),
            InputColumn("date", TEXT, "when it was made"),
            InputColumn("cost", NUMBER, "what it cost, where its answers do not say so"),
            InputColumn("seconds", NUMBER, "how long it took, likewise"),
            InputColumn("tokens", NUMBER, "how many tokens it took, likewise"),
            InputColumn("more", TEXT, "what else is shown about the run, as JSON"),
        ),
    ),
    "logged_questions": InputTable(
        config_key="logs",
        title="Questions in logs",
        row="a question in a log",
        columns=(
            InputColumn("question", ID, "its id"),
            InputColumn("type", TEXT, "its type"),
            InputColumn("text", TEXT, "what was asked"),
            InputColumn("group", TEXT, "what belongs together"),
            InputColumn("nil", FLAG, "whether there is no answer"),
            InputColumn("targets", TEXT, "the right answers, as a JSON list"),
        ),
    ),
    "logged": InputTable(
        config_key="logs",
        title="Verdicts in logs",
        row="what a scorer said of an answer",
        columns=(
            InputColumn("question", ID, "the question"),
            InputColumn("run", ID, "the run"),
            InputColumn("sample", ID, "the sample"),
            InputColumn("rank", WHOLE, "the rank"),
            InputColumn("scorer", ID, "who said so"),
            InputColumn("verdict", TEXT, "the verdict, where it is one"),
            InputColumn("level", TEXT, "its level"),
            InputColumn("score", NUMBER, "the number, where it is one"),
        ),
    ),
    "logged_figures": InputTable(
        config_key="logs",
        title="Figures in logs",
        row="what a scorer gave on average, as the log says",
        columns=(
            InputColumn("run", ID, "the run"),
            InputColumn("slice", TEXT, "the questions: all, or those of a type"),
            InputColumn("scorer", ID, "the scorer"),
            InputColumn("value", NUMBER, "the mean over the questions"),
            InputColumn("origin", TEXT, "where it stands"),
            InputColumn("questions", WHOLE, "how many questions it is over"),
        ),
    ),
    "supported": InputTable(
        config_key="logs",
        title="Labels of answers by where they were found",
        row="a label for an answer that was found somewhere",
        columns=(
            InputColumn("question", ID, "the question"),
            InputColumn("answer", TEXT, "the answer"),
            InputColumn("support", TEXT, "where it was found"),
            InputColumn("label", TEXT, "the verdict"),
            InputColumn("level", TEXT, "its level"),
            InputColumn("class", TEXT, "its class"),
        ),
    ),
}
"""Tables that only logs fill, by their names in the database."""
