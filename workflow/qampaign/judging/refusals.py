"""Answers that say that there is none, such as "I don't know": refusals, by patterns.

A pattern is a regular expression that matches the whole answer, or the whole of its first sentence,
in any case; punctuation at the end does not count. So "I don't know. Sorry." is a refusal, and "I
Don't Know How But They Found Me" is none. What a judge finds right stays right.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from qampaign.judging import expressions
from qampaign.judging.judgments import Verdict
from qampaign.options import Options
from qampaign.problems import Refused

DEFAULTS: dict[str, tuple[str, ...]] = {
    "en": (
        r"(?:(?:i'm |i am )?sorry,? (?:but )?)?i (?:do not|don't|dont|really don't) know"
        r"(?: the answer| that| this)?(?: to (?:this|that|the|your) question)?",
        r"(?:(?:i'm |i am )?sorry,? (?:but )?)?i (?:cannot|can't|can not|could not|couldn't) "
        r"(?:answer|say|tell|determine)(?: (?:this|that|it|the|your))?(?: question)?",
        r"(?:(?:i'm |i am )?sorry,? (?:but )?)?(?:i'm|i am) unable to "
        r"(?:answer|say|tell|determine)(?: (?:this|that|it|the|your))?(?: question)?",
        r"(?:(?:i'm |i am )?sorry,? (?:but )?)?i (?:cannot|can't) (?:help|assist)(?: you)?"
        r"(?: with (?:this|that))?(?: request| question)?",
        r"(?:(?:i'm |i am )?not sure|(?:i have )?no idea|idk|don't know|do not know|unknown)",
        r"(?:no answer|no answer found|cannot be determined|n/a)",
    ),
    "de": (
        r"(?:tut mir leid,? (?:aber )?)?(?:ich )?wei(?:ß|ss) (?:ich |es |das )?"
        r"(?:leider )?(?:es |das )?nicht",
        r"(?:tut mir leid,? (?:aber )?)?(?:ich )?kann (?:ich )?"
        r"(?:die frage |diese frage |das |es )?(?:leider )?nicht (?:beantworten|sagen)",
        r"(?:das )?(?:weiß|weiss) ich (?:leider )?nicht",
        r"(?:keine ahnung|unbekannt|keine antwort|nicht bekannt|(?:ich bin )?(?:mir )?"
        r"nicht sicher|k\. ?a)",
    ),
    "fr": (
        r"(?:désolée?,? )?(?:mais )?je (?:ne )?(?:le )?sais pas(?: répondre)?",
        r"(?:désolée?,? )?(?:mais )?je (?:ne )?(?:peux|sais) pas (?:répondre|le dire)"
        r"(?: à (?:cette|la|votre) question)?",
        r"(?:aucune idée|je n'en ai aucune idée|je n'en sais rien|inconnue?|pas de réponse|"
        r"aucune réponse|je ne suis pas sûre?)",
    ),
    "es": (
        r"(?:lo siento,? )?(?:pero )?(?:yo )?no (?:lo )?(?:sé|se)(?: la respuesta)?",
        r"(?:lo siento,? )?(?:pero )?no puedo (?:responder|contestar|decirlo)"
        r"(?: (?:a )?(?:esta|esa|la) pregunta)?",
        r"(?:no tengo (?:ni )?idea|ni idea|desconocid[oa]|sin respuesta|no estoy segur[oa]|ns/nc)",
    ),
    "it": (
        r"(?:mi dispiace,? )?(?:ma )?(?:io )?non (?:lo )?so(?: la risposta| rispondere)?",
        r"(?:mi dispiace,? )?(?:ma )?non posso (?:rispondere|dirlo)"
        r"(?: a (?:questa|quella) domanda| alla domanda)?",
        r"(?:non ne ho idea|nessuna idea|sconosciut[oa]|nessuna risposta|non sono sicur[oa])",
    ),
    "pt": (
        r"(?:desculpe,? )?(?:mas )?(?:eu )?não (?:o )?sei(?: a resposta| responder)?",
        r"(?:desculpe,? )?(?:mas )?(?:eu )?não posso responder"
        r"(?: a (?:esta|essa) pergunta| à pergunta)?",
        r"(?:não faço ideia|não tenho ideia|desconhecid[oa]|sem resposta|"
        r"não tenho certeza|não tenho a certeza)",
    ),
    "nl": (
        r"(?:sorry,? )?(?:maar )?(?:ik )?weet (?:ik )?(?:het |dat )?(?:helaas )?niet",
        r"(?:sorry,? )?(?:maar )?(?:dat )?weet ik (?:helaas )?niet",
        r"(?:sorry,? )?(?:maar )?ik kan (?:deze vraag |de vraag |dat |het )?(?:helaas )?"
        r"niet (?:beantwoorden|zeggen)",
        r"(?:geen idee|onbekend|geen antwoord|(?:ik ben )?(?:er )?niet zeker)",
    ),
}
"""The patterns that can be switched on, by language; in small letters, apostrophes straight."""


def complete(setting: bool | Options | Sequence[str]) -> dict[str, Any]:
    """What the config says of refusals, spelled out: whether the defaults count, and patterns.

    >>> complete(True), complete(["keine angabe"])
    ({'defaults': True, 'patterns': []}, {'defaults': False, 'patterns': ['keine angabe']})
    """
    if isinstance(setting, bool):
        return {"defaults": setting, "patterns": []}
    if isinstance(setting, Mapping):
        return {
            "defaults": setting.get("defaults", False),
            "patterns": [*setting.get("patterns", [])],
        }
    return {"defaults": False, "patterns": [*setting]}


def fault(pattern: str) -> str | None:
    """What is wrong with a pattern, or None; it must stand by itself, and among others."""
    return expressions.fault(pattern) or expressions.fault(_anchored([pattern]))


def mark(
    judged: pl.DataFrame,
    questions: pl.DataFrame,
    refusals: Options | None,
    *,
    name: str,
) -> pl.DataFrame:
    """Judged responses of which those that refuse are not attempted, unless they are right.

    `refusals` are as :func:`complete` gives them, with the `language` of the questions; these may
    name languages of their own. Raises :class:`Refused` where the defaults are
    wanted for a language that has none.
    """
    if refusals is None:
        return judged
    language = refusals["language"]
    languages = questions.select(
        pl.col("question").cast(judged.schema["question"]),
        language=pl.col("language").fill_null(language) if "language" in questions.columns
        else pl.lit(language),
    )  # fmt: skip
    spoken = languages["language"].unique().sort()
    if refusals["defaults"]:
        _require([code for code in spoken if code not in DEFAULTS], name)
    answers = judged.select("question", "answer").drop_nulls().unique()
    with_language = answers.join(languages, on="question", how="left")
    parts = []
    for code in spoken:
        default_patterns = DEFAULTS[code] if refusals["defaults"] else ()
        of_language = with_language.filter(pl.col("language") == code)
        holds = is_refusal(of_language["answer"], [*default_patterns, *refusals["patterns"]])
        parts.append(of_language.filter(holds).select("question", "answer", refused=pl.lit(True)))
    marked = judged.join(
        pl.concat(parts), on=["question", "answer"], how="left", maintain_order="left"
    )
    right = (pl.col("verdict") == "right").fill_null(False)
    verdict = (
        pl.when(pl.col("refused").fill_null(False) & ~right)
        .then(pl.lit("not_attempted", Verdict))
        .otherwise("verdict")
    )
    return marked.with_columns(verdict=verdict).drop("refused")


def is_refusal(answers: pl.Series, patterns: Sequence[str]) -> pl.Series:
    """Whether each answer, or its first sentence, is as one of the patterns says.

    >>> said = ["I don't know.", "I don't know. Rome?", "I Don't Know How But They Found Me"]
    >>> is_refusal(pl.Series(said), DEFAULTS["en"]).to_list()
    [True, True, False]
    """
    plain = (
        answers.str.normalize("NFKC")
        .str.to_lowercase()
        .str.replace_all("[\u2018\u2019\u02bc`]", "'")
        .str.replace_all(r"\s+", " ")
    )
    first = plain.str.extract(r"^(.*?[.!?…])(?: |$)", 1).fill_null(plain)
    expression = _anchored(patterns)
    refused = pl.repeat(False, len(answers), eager=True)
    for text in (plain, first):
        bare = text.str.strip_chars(" .!?…\"'«»“”„()*_")
        refused |= bare.str.contains(expression).fill_null(False)
    return refused


def _anchored(patterns: Sequence[str]) -> str:
    """One expression for all of the patterns, which matches a text as a whole, in any case."""
    return "(?i)^(?:" + "|".join(f"(?:{pattern})" for pattern in patterns) + ")$"


def _require(without: Sequence[str], name: str) -> None:
    if without:
        raise Refused(f"{name}: refusals: {allowed(without)}")


def allowed(without: Sequence[str]) -> str:
    """Languages that have no default patterns, and those that have."""
    lack = "language" if len(without) == 1 else "languages"
    return (
        f"there is no default list for the {lack} {', '.join(without)}; there are lists for "
        f"{', '.join(DEFAULTS)}; else give patterns of your own"
    )


def describe(judgments: pl.DataFrame, judge: str) -> str:
    """A line for the terminal: how many answers were taken for refusals.

    >>> verdicts = ["right", "not_attempted", "not_attempted"]
    >>> describe(pl.DataFrame({"verdict": verdicts, "empty": [False, False, True]}), "key")
    '1 of 2 answers is a refusal by key: not attempted'
    """
    silent = pl.col("verdict").cast(pl.String) == "not_attempted"
    answered = judgments.filter(~pl.col("empty"))
    number = answered.filter(silent).height
    are = "is a refusal" if number == 1 else "are refusals"
    return f"{number:,} of {answered.height:,} answers {are} by {judge}: not attempted"
