"""What the judge `learned` goes by: features of a question, its key and an answer, from 0 to 1.

Breck et al. (2000), section 5.1, name the type of the question and the matches of bigrams and
trigrams; the others are what people who judge look at. An answer is compared with the form of the
key that fits it best by the judge `key`. Words are as the judge `exact` compares them.
"""

import numpy as np
import numpy.typing as npt
import polars as pl

from qampaign.judging.exact import plain, spelled_out
from qampaign.judging.judgments import encode
from qampaign.judging.key.key_judge import key

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

FEATURES = {
    "recall": "the share of the best form's words that the answer has, numbers and dates compared "
    "as such; a form is one spelling of an accepted answer",
    "all_words": "the answer has all words of the form: 1, else 0",
    "no_word": "the answer has no word of it: 1, else 0",
    "precision": "the share of the answer's words, less stop words, that are in the form",
    "bigrams": "the share of the form's pairs of neighbouring words that the answer has",
    "trigrams": "the same for three words",
    "exact": "the answer is a form of the key, as the judge exact compares them: 1, else 0",
    "contains": "the answer contains a form of the key as the judge contains finds it: 1, else 0",
    "letters": "the share of a form's sequences of three letters that the answer has, by the form "
    "of which it has most",
    "position": "where the form's words begin: 1 at the start of the answer, towards 0 at its end, "
    "0 where there are none",
    "length": "how long the answer is: the logarithm of its number of words, 1 for 63 and more",
    "form_length": "how long the form is: the logarithm of its number of words, 1 for 15 and more",
    "number_equal": "the share of the form's numbers, years apart, that the answer has",
    "number_near": "the share of them of which it has one within a tenth",
    "number_other": "the share of them of which it has neither, but other numbers",
    "date_equal": "the share of the form's years that the answer has",
    "date_near": "the share of them of which it has one within two years",
    "date_other": "the share of them of which it has neither, but other years",
    "asks_who": "the question asks for a person: 1, else 0",
    "asks_when": "it asks for a time",
    "asks_where": "it asks for a place",
    "asks_how_many": "it asks for a number",
    "answer_type": "the answer has something of the type that is asked for: a name for a person or "
    "a place, a number, a time",
    "negation": "the answer has a word such as not or never that the form has not: 1, else 0",
    "capitals": "the share of the answer's words that begin with a capital or are numbers",
    "of_question": "the share of the answer's words that the question has, too",
}
"""Every feature with its meaning."""

NEAR, NEAR_YEARS = 0.1, 2.0
"""How far off a number is near, as a share of the form's, and how many years are."""

NUMBER = r"\d+(?:[.,]\d+)*"

ASKED: dict[str, dict[str, str]] = {
    "asks_how_many": {
        "en": r"how (?:many|much|old|far|tall|long|often|big|large|high|fast|deep|wide|heavy)|"
        r"what (?:is the )?(?:number|population|percentage|distance|age|height|length)",
        "de": r"wie ?viele?n?|wie (?:alt|weit|hoch|lang|gro(?:ß|ss)|schwer|oft|schnell|tief)",
        "fr": r"combien|quelle est la (?:population|distance|hauteur|longueur)",
        "es": r"cu[aá]nt[oa]s?|qu[eé] (?:altura|distancia|edad|población)",
        "it": r"quant[oaie]",
        "pt": r"quant[oa]s?",
        "nl": r"hoeveel|hoe (?:oud|ver|hoog|lang|groot|zwaar|vaak|snel|diep)",
    },
    "asks_when": {
        "en": r"when|(?:what|which) (?:\w+ )?(?:year|date|day|month|century|decade|time)",
        "de": r"wann|(?:welche[snrm]?) (?:jahr|datum|tag|monat|jahrhundert)",
        "fr": r"quand|(?:quelle?) (?:ann[eé]e|date|jour|mois|siècle)",
        "es": r"cu[aá]ndo|(?:qu[eé]) (?:a[nñ]o|fecha|d[ií]a|mes|siglo)",
        "it": r"quando|(?:quale|che) (?:anno|data|giorno|mese|secolo)",
        "pt": r"quando|(?:que|qual) (?:ano|data|dia|m[eê]s|século)",
        "nl": r"wanneer|(?:welk|welke) (?:jaar|datum|dag|maand|eeuw)",
    },
    "asks_where": {
        "en": r"where|(?:what|which) (?:\w+ )?(?:country|city|state|place|town|continent|county)",
        "de": r"wo|woher|wohin|welche[snrm]? (?:land|stadt|ort|kontinent|staat)",
        "fr": r"où|quelle? (?:pays|ville|lieu|continent|[eé]tat)",
        "es": r"d[oó]nde|qu[eé] (?:pa[ií]s|ciudad|lugar|continente|estado)",
        "it": r"dove|(?:quale|che) (?:paese|citt[aà]|luogo|continente|stato)",
        "pt": r"onde|(?:que|qual) (?:pa[ií]s|cidade|lugar|continente|estado)",
        "nl": r"waar|welke? (?:land|stad|plaats|werelddeel|staat)",
    },
    "asks_who": {
        "en": r"who|whom|whose",
        "de": r"wer|wen|wem|wessen",
        "fr": r"qui",
        "es": r"qui[eé]n(?:es)?",
        "it": r"chi",
        "pt": r"quem",
        "nl": r"wie|wiens",
    },
}
"""What a question asks for, by the words that it then has, by language; the first that fits."""

TYPES = {
    "asks_who": r"who|person|people|human|hum|individual|author|agent",
    "asks_when": r"when|date|time|year|temporal|day|period",
    "asks_where": r"where|place|location|loc|city|country|geo",
    "asks_how_many": r"how.?many|how.?much|number|num|count|quantity|measure|amount|money|percent",
}
"""The same by the type that the questions' file gives."""

NEGATIONS = {
    "en": "not no never none neither nor without isnt wasnt arent werent doesnt didnt dont cannot "
    "cant couldnt wont",
    "de": "nicht kein keine keiner keines nie niemals weder ohne",
    "fr": "ne pas jamais aucun aucune ni sans",
    "es": "no nunca jamás ningún ninguno ninguna ni sin",
    "it": "non mai nessuno nessuna né senza",
    "pt": "não nunca jamais nenhum nenhuma nem sem",
    "nl": "niet geen nooit noch zonder",
}
TIMES = (
    "january february march april may june july august september october november december "
    "monday tuesday wednesday thursday friday saturday sunday spring summer autumn winter century "
    "januar februar märz mai juni juli oktober dezember jahrhundert janvier février mars avril mai "
    "juin juillet août septembre octobre novembre décembre siècle enero febrero marzo abril mayo "
    "junio julio agosto septiembre octubre noviembre diciembre siglo gennaio febbraio aprile "
    "maggio giugno luglio settembre ottobre dicembre secolo"
)
COUNTS = (
    "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty "
    "sixty seventy eighty ninety hundred thousand million billion dozen eins zwei drei vier fünf "
    "sechs sieben acht neun zehn hundert tausend million deux trois quatre cinq sept huit neuf dix "
    "cent mille dos tres cuatro cinco seis siete ocho nueve diez cien mil due tre quattro"
)
FLAGS = ("capital", "negation", "time", "count", "name")


def describe(
    answers: pl.DataFrame,
    keys: pl.DataFrame,
    questions: pl.DataFrame,
    *,
    name: str,
    nil: str,
    language: str,
) -> pl.DataFrame:
    """The features of answers to questions that have a key.

    `answers` have question and answer, `questions` their text, too. Gives a row for each in their
    order: the features, all null where there is no key; recall, precision and form of the best.
    """
    fitted = _fit(answers, keys, questions, name=name, nil=nil, language=language)
    coded, coded_questions, keys = encode(answers.with_columns(run=pl.lit("")), questions, keys)
    forms = spelled_out(keys)
    question = coded["question"].to_physical().cast(pl.Int64).to_numpy()
    forms = forms.sort("question", maintain_order=True)
    of_form = forms["question"].to_physical().cast(pl.Int64).to_numpy()
    ends = np.searchsorted(of_form, np.arange(coded_questions.height + 1))
    best = _place(fitted["form"], question, forms)
    texts = _Texts.of(coded["answer"], forms["form"], coded_questions["text"])
    values = {"recall": fitted["recall"].fill_null(0.0).to_numpy()}
    values["precision"] = fitted["precision"].fill_null(0.0).to_numpy()
    values["all_words"] = (values["recall"] > 1 - 1e-9).astype(float)
    values["no_word"] = (values["recall"] <= 0).astype(float)
    values |= _sequences(texts, question, ends, best)
    values["letters"] = _letters(coded["answer"], forms["form"], question, ends)
    values |= _numbers(coded["answer"], forms["form"], best)
    kinds = asked_for(coded_questions, language)[question]
    values |= {kind: (kinds == number).astype(float) for number, kind in enumerate(ASKED)}
    values |= _words(texts, coded["answer"], question, kinds, best, language)
    has_key = fitted["recall"].is_not_null()
    return pl.DataFrame({feature: values[feature] for feature in FEATURES}).select(
        *(pl.when(has_key).then(feature).alias(feature) for feature in FEATURES),
        key_recall=fitted["recall"],
        key_precision=fitted["precision"],
        form=fitted["form"],
    )


def _fit(
    answers: pl.DataFrame, keys: pl.DataFrame, questions: pl.DataFrame, **options: str
) -> pl.DataFrame:
    """Recall, precision and best form of each answer by the judge `key`."""
    nothing = pl.lit(None, pl.Float64)
    rows = answers.select(
        "question",
        "answer",
        run=pl.lit("answers"),
        rank=pl.int_range(1, pl.len() + 1, dtype=pl.Int64),
        confidence=nothing,
        score=nothing,
        answered=True,
    )
    judged = key(
        rows, keys, questions, numbers=True, dates=True, unassessed="wrong", **options
    ).judgments
    return judged.sort("rank").select("recall", "precision", "form")


def _place(form: pl.Series, question: Ints, forms: pl.DataFrame) -> Ints:
    """The number of each answer's best form among all; −1 where there is none."""
    numbered = forms.select(
        question=pl.col("question").to_physical().cast(pl.Int64), form="form"
    ).with_row_index("number")
    first = numbered.unique(["question", "form"], keep="first", maintain_order=True)
    wanted = pl.DataFrame({"question": question, "form": form})
    placed = wanted.join(first, on=["question", "form"], how="left", maintain_order="left")
    return placed["number"].cast(pl.Int64).fill_null(-1).to_numpy()


class _Texts:
    """Texts as the codes of their words: answers, forms, what is asked."""

    def __init__(self, vocabulary: pl.Series, codes: list[Ints], starts: list[Ints]) -> None:
        self.vocabulary = vocabulary
        """The words as they stand, by code."""
        self.lower = _lowered(vocabulary)
        """The code of each word that is the same but for capitals, by code."""
        self.cased = codes
        self.starts = starts
        self.codes = [self.lower[text_codes] for text_codes in codes]

    @classmethod
    def of(cls, *texts: pl.Series) -> "_Texts":
        """What is between spaces comes again and again: it is cut into words once."""
        kind = pl.Categorical(pl.Categories.random())
        lists = [text_column.fill_null("").str.split(" ") for text_column in texts]
        running = [split_texts.explode().cast(kind) for split_texts in lists]
        pieces = pl.concat([of_text.unique() for of_text in running]).unique()
        cut = plain(pl.lit(pieces.cast(pl.String)), keep_case=True).str.split(" ")
        cut = cut.list.filter(pl.element() != "")
        words = pl.select(cut).to_series()
        all_words = words.explode(empty_as_null=False)
        vocabulary = all_words.unique().sort()
        code = all_words.cast(pl.Enum(vocabulary)).to_physical().cast(pl.Int64).to_numpy()
        sizes = words.list.len().cast(pl.Int64).to_numpy()
        number = pieces.to_physical().to_numpy()
        first, size = np.zeros((2, number.max(initial=0) + 1), dtype=np.int64)
        first[number], size[number] = sizes.cumsum() - sizes, sizes
        codes, starts = [], []
        for column, running_pieces in zip(lists, running, strict=True):
            piece = running_pieces.to_physical().to_numpy()
            ends = np.r_[0, size[piece].cumsum()]
            codes.append(
                code[np.repeat(first[piece] - ends[:-1], size[piece]) + np.arange(ends[-1])]
            )
            starts.append(ends[np.r_[0, column.list.len().cast(pl.Int64).to_numpy().cumsum()]])
        return cls(vocabulary, codes, starts)

    def sizes(self, number: int) -> Ints:
        return np.diff(self.starts[number])

    def flags(self, language: str) -> Floats:
        """By code what kind of word it is, in the order of FLAGS."""
        words = self.vocabulary.to_frame("word").with_columns(low=pl.col("word").str.to_lowercase())
        first = pl.col("word").str.head(1)
        is_capital = first != first.str.to_lowercase()
        is_number = pl.col("word").str.contains(r"^\d")
        negations = NEGATIONS.get(language, "").split()
        return (
            words.select(
                capital=is_capital | is_number,
                negation=pl.col("low").is_in(negations),
                time=pl.col("low").is_in(TIMES.split())
                | pl.col("word").str.contains(r"^\d{4}s?$|^\d{1,2}(?:st|nd|rd|th)$"),
                count=is_number | pl.col("low").is_in(COUNTS.split()),
                name=is_capital,
            )
            .cast(pl.Float64)
            .to_numpy()
        )


def _lowered(vocabulary: pl.Series) -> Ints:
    low = vocabulary.str.to_lowercase()
    kind = pl.Enum(low.unique(maintain_order=True))
    return low.cast(kind).to_physical().cast(pl.Int64).to_numpy()


def _sequences(texts: _Texts, question: Ints, ends: Ints, best: Ints) -> dict[str, Floats]:
    from qampaign.judging.feature_loops import compare_sequences

    features = np.zeros((len(question), 5))
    compare_sequences(
        texts.codes[0], texts.starts[0], texts.codes[1], texts.starts[1],
        ends[question], ends[question + 1], best, features,
    )  # fmt: skip
    names = ("bigrams", "trigrams", "position", "contains", "exact")
    return dict(zip(names, features.T, strict=True))


def _letters(answers: pl.Series, forms: pl.Series, question: Ints, ends: Ints) -> Floats:
    from qampaign.judging.feature_loops import compare_letters

    shares = np.zeros(len(answers))
    seen = np.zeros(2**24, dtype=np.int32)
    texts = (*_bytes(answers), *_bytes(forms))
    compare_letters(*texts, ends[question], ends[question + 1], seen, shares)
    return shares


def _bytes(texts: pl.Series) -> tuple[npt.NDArray[np.uint8], Ints]:
    """Texts in small letters, a space for all else, one after the other; where each starts."""
    from qampaign.judging.feature_loops import keep_letters

    texts = texts.fill_null("")
    others = (texts.str.len_bytes() != texts.str.len_chars()).arg_true()
    if len(others):  # letters beyond ASCII
        small = texts.gather(others).str.to_lowercase().str.replace_all(r"[^\p{L}\p{N}]+", " ")
        texts = texts.clone().scatter(others, small)
    sizes = texts.str.len_bytes().cast(pl.Int64).to_numpy()
    joined = texts.str.join("").item() if len(texts) else ""
    starts = np.r_[0, np.cumsum(sizes)].astype(np.int64)
    return keep_letters(np.frombuffer(joined.encode(), np.uint8), starts)


def _numbers(answers: pl.Series, forms: pl.Series, best: Ints) -> dict[str, Floats]:
    from qampaign.judging.feature_loops import compare_numbers

    features = np.zeros((len(best), 6))
    compare_numbers(*_values(answers), *_values(forms), best, NEAR, NEAR_YEARS, features)
    names = [f"{what}_{how}" for what in ("number", "date") for how in ("equal", "near", "other")]
    return dict(zip(names, features.T, strict=True))


def _values(texts: pl.Series) -> tuple[Floats, npt.NDArray[np.bool_], Ints]:
    """The numbers in texts, one after the other, which of them are years, and where each starts."""
    lists = texts.fill_null("").str.extract_all(NUMBER)
    sizes = lists.list.len().cast(pl.Int64).to_numpy()
    written = lists.explode().drop_nulls()
    plain_number = (
        written.str.replace_all(r"[.,](\d{3})\b", "$1")
        .str.replace(",", ".")
        .str.replace_all(r"\.(\d+)\..*", ".$1")
    )
    values = plain_number.cast(pl.Float64, strict=False).fill_null(0.0).to_numpy()
    years = written.str.contains(r"^(?:1\d|20)\d\d$").to_numpy()
    return values, years, np.r_[0, np.cumsum(sizes)].astype(np.int64)


def asked_for(questions: pl.DataFrame, language: str) -> Ints:
    """The number of what each question asks for in ASKED; −1: something else, or nobody knows.

    A type that says so goes before the text, and the language of a question before `language`.

    >>> rows = {"text": ["When did it end?", "Name it", None], "type": [None, None, "person"]}
    >>> list(ASKED).index("asks_when"), asked_for(pl.DataFrame(rows), "en").tolist()
    (1, [1, -1, 3])
    """
    text = (
        pl.col("text").str.to_lowercase()
        if "text" in questions.columns
        else pl.lit(None, pl.String)
    )
    spoken = pl.lit(language)
    if "language" in questions.columns:
        spoken = pl.col("language").fill_null(language)
    kind = pl.col("type").cast(pl.String).str.to_lowercase()
    by_type = pl.lit(None, pl.Int64)
    by_text = pl.lit(None, pl.Int64)
    for number, (what, patterns) in reversed(list(enumerate(ASKED.items()))):
        type_matches = kind.str.contains(rf"(?:^|[^\p{{L}}])(?:{TYPES[what]})(?:[^\p{{L}}]|$)")
        by_type = pl.when(type_matches).then(number).otherwise(by_type)
        for code, pattern in patterns.items():
            asks = (spoken == code) & text.str.contains(
                rf"(?:^|[^\p{{L}}])(?:{pattern})(?:[^\p{{L}}]|$)"
            )
            by_text = pl.when(asks).then(number).otherwise(by_text)
    kinds = questions.select(pl.coalesce(by_type, by_text, -1).cast(pl.Int64).alias("asked"))
    return kinds["asked"].to_numpy()


def _words(
    all_texts: _Texts,
    answers: pl.Series,
    question: Ints,
    kinds: Ints,
    best: Ints,
    language: str,
) -> dict[str, Floats]:
    """The features that count words of the answer."""
    from qampaign.judging.feature_loops import count_shared, count_words

    flags = all_texts.flags(language)
    of_answer = np.zeros((len(answers), len(FLAGS)))
    count_words(all_texts.cased[0], all_texts.starts[0], flags, of_answer)
    of_form = np.zeros((len(all_texts.starts[1]) - 1, len(FLAGS)))
    count_words(all_texts.cased[1], all_texts.starts[1], flags, of_form)
    sizes = np.maximum(all_texts.sizes(0), 1)
    capital, negation, time, count, name = of_answer.T
    form_negation = np.where(best >= 0, of_form[best, FLAGS.index("negation")], 0)
    present = {"asks_how_many": count, "asks_when": time, "asks_where": name, "asks_who": name}
    has_type = np.zeros(len(answers))
    for number, what in enumerate(ASKED):
        has_type = np.where(kinds == number, present[what] > 0, has_type)
    echoed = np.zeros(len(answers))
    texts, starts = _sorted_texts(all_texts, 2)
    count_shared(all_texts.codes[0], all_texts.starts[0], texts, starts, question, echoed)
    form_sizes = (
        np.where(best >= 0, all_texts.sizes(1)[best], 0) if len(all_texts.sizes(1)) else 0 * best
    )
    return {
        "length": np.minimum(np.log2(1 + all_texts.sizes(0)) / 6, 1.0),
        "form_length": np.minimum(np.log2(1 + form_sizes) / 4, 1.0),
        "answer_type": has_type.astype(float),
        "negation": ((negation > 0) & (form_negation == 0)).astype(float),
        "capitals": capital / sizes,
        "of_question": echoed / sizes,
    }


def _sorted_texts(texts: _Texts, number: int) -> tuple[Ints, Ints]:
    """The words of some texts, each text in rising order."""
    starts = texts.starts[number]
    text = np.repeat(np.arange(len(starts) - 1), np.diff(starts))
    order = np.lexsort((texts.codes[number], text))
    return texts.codes[number][order], starts
