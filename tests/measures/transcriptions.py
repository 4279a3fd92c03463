"""Each measure a second time: the paper's formula, written out slowly in plain Python.

Nothing here comes from the package. `look` judges a run by hand, question by question; every other
function is a formula over what it saw, None where the formula has no value. TRANSCRIBED maps the id
of each measure to its transcription.
"""

import math
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations, permutations, product
from typing import Any

GAINS = {"S": 3, "A": 2, "B": 1}


@dataclass(frozen=True)
class Answer:
    """An answer as it was judged."""

    rank: int
    line: int
    given: bool
    """The system really gives it: not withheld, not empty."""
    shown: bool
    """There is a text, given or withheld."""
    right: bool
    repeated: bool
    level: str | None
    nil: bool
    confidence: float | None
    """As the run says it."""
    probability: float | None
    """The same, mapped to 0..1 where the collection says how."""
    said: str | None = None
    """Yes or no, where items are validated."""
    means: str | None = None
    """What it says, by class or text."""
    verdict: str | None = None
    """What people say of it."""


@dataclass(frozen=True)
class Question:
    """A question as one run answered it."""

    id: str
    type: str | None
    group: str | None
    nil: bool
    known: int
    levels: Mapping[str, list[str | None]]
    """By known answer (its class, else its text) the levels of its variants."""
    positive: bool
    """The item to validate is right."""
    answers: list[Answer]
    rated: bool
    """The run says how sure it is, here or elsewhere."""

    @property
    def given(self) -> list[Answer]:
        return [each for each in self.answers if each.given]

    @property
    def first(self) -> Answer | None:
        """The answer at the first rank, if it is given."""
        return next((each for each in self.given if each.rank == 1), None)

    @property
    def candidate(self) -> Answer | None:
        """What is shown at the first rank but withheld."""
        for each in self.answers:
            if each.rank == 1 and each.shown and not each.given:
                return each
        return None

    @property
    def right(self) -> bool:
        return self.first is not None and self.first.right


def look(rows: Any, run: str) -> list[Question]:
    """Judge a run of a collection by hand."""
    own = [row for row in rows.response_rows if row["run"] == run]
    number = "score" if rows.validation else "confidence"
    told = {id(row): row[number] for row in own if row[number] is not None}
    mapped = dict(zip(told, unit(list(told.values()), rows.confidence_map), strict=True))
    questions = []
    for about in sorted(rows.question_rows, key=lambda row: row["question"]):
        words = [row for row in rows.assessment_rows if row["question"] == about["question"]]
        here = [row for row in own if row["question"] == about["question"]]
        levels: dict[str, list[str | None]] = defaultdict(list)
        for word in words:
            if word["verdict"] in rows.correct and not rows.validation:
                levels[_meaning(word["answer"], word["class"])].append(word["level"])
        if about["nil"]:
            levels = {"NIL": [None]}
        positive = rows.validation and any(word["verdict"] in rows.correct for word in words)
        answers, had, sample = [], set(), None
        for row in sorted(here, key=lambda row: (row["sample"] or "", row["rank"])):
            had, sample = had if row["sample"] == sample else set(), row["sample"]
            word = next((w for w in words if w["answer"] == row["answer"]), {})
            meaning = row["answer"] and _meaning(row["answer"], word.get("class"))
            is_nil = row["answer"] == "NIL"
            right = word.get("verdict") in rows.correct
            if is_nil:
                right = about["nil"]
            if rows.validation:
                is_nil, right = False, row["answer"] == ("yes" if positive else "no")
            given = row["answered"] and row["answer"] is not None
            repeated = not rows.validation and meaning in had
            if given and right:
                had.add(meaning)
            answers.append(
                Answer(
                    rank=row["rank"],
                    line=row["line"],
                    given=given,
                    shown=row["answer"] is not None,
                    right=right and not repeated and row["answer"] is not None,
                    repeated=repeated and row["answer"] is not None,
                    level=word.get("level"),
                    nil=is_nil,
                    confidence=row[number],
                    probability=mapped.get(id(row)),
                    said=row["answer"] if rows.validation else None,
                    means=row["answer"] if rows.validation else meaning,
                    verdict="right"
                    if right and (is_nil or rows.validation)
                    else "wrong"
                    if is_nil or rows.validation
                    else word.get("verdict"),
                )
            )
        questions.append(
            Question(
                id=about["question"],
                type=about["type"],
                group=about["group"],
                nil=about["nil"],
                known=len(levels) if about["known"] is None else about["known"],
                levels=levels,
                positive=positive,
                answers=answers,
                rated=False,
            )
        )
    given = [answer for question in questions for answer in question.answers if answer.given]
    rated = not given or any(answer.confidence is not None for answer in given)
    return [replace(question, rated=rated) for question in questions]


def _meaning(answer: str, of_class: str | None) -> str:
    return f"text {answer.lower()}" if of_class is None else f"class {of_class}"


def unit(confidences: list[float], how: str | None) -> list[float]:
    """A run's confidences as numbers from 0 to 1."""
    if how == "logistic":
        return [1 / (1 + math.exp(-each)) for each in confidences]
    if how == "rank":  # equal ones share the mean of their places
        places = [
            sum(other < each for other in confidences)
            + (sum(other == each for other in confidences) + 1) / 2
            for each in confidences
        ]
        return unit(places, "minmax")
    if how == "minmax":
        low, high = min(confidences, default=0), max(confidences, default=0)
        return [(each - low) / (high - low) if high > low else 0.0 for each in confidences]
    return confidences


def mean(values: Iterable[float]) -> float:
    values = list(values)
    return math.fsum(values) / len(values)


def divide(part: float, whole: float) -> float | None:
    return part / whole if whole else None


# Systems that may decline to answer (Peñas & Rodrigo 2011)


def contingency(questions: list[Question]) -> tuple[int, int, int, int]:
    """n_ac, n_aw, n_u, n of Table 1."""
    right = sum(each.right for each in questions)
    silent = sum(each.first is None for each in questions)
    return right, len(questions) - right - silent, silent, len(questions)


def accuracy(questions: list[Question]) -> float:
    n_ac, _, _, n = contingency(questions)
    return n_ac / n


def utility(questions: list[Question]) -> float:
    """(1): the mean of 1, 0, −1."""
    return mean(0 if each.first is None else (1 if each.right else -1) for each in questions)


def confidence_target(questions: list[Question], t: float = 0.75) -> float:
    """Kalai et al. 2025: 1 for a right answer, -t / (1 - t) for a wrong one, 0 for none."""
    points = [
        0 if each.first is None else 1 if each.first.right else -t / (1 - t) for each in questions
    ]
    return mean(points)


def mean_score(questions: list[Question]) -> None:
    """People say what is right, not how right it is; SQuAD's F1 is transcribed in test_degrees."""


def conciseness(questions: list[Question]) -> None:
    """People compare no words with a key; test_conciseness has it by hand."""


def hallucination_rate(questions: list[Question]) -> float | None:
    """Incorrect / (incorrect + partly right + abstained), where nothing is partly right."""
    failed = [each for each in questions if not each.right]
    return mean(each.first is not None for each in failed) if failed else None


def utility_half(questions: list[Question]) -> float:
    """(2): 0.5 · UF + 0.5."""
    return 0.5 * utility(questions) + 0.5


def c_at_1(questions: list[Question]) -> float:
    """(4)."""
    n_ac, _, n_u, n = contingency(questions)
    return n_ac / n + n_ac / n * n_u / n


def unanswered_as_right(questions: list[Question]) -> float:
    """(3) with P(C/¬A) = 1."""
    n_ac, _, n_u, n = contingency(questions)
    return n_ac / n + 1 * n_u / n


def precision_answered(questions: list[Question]) -> float | None:
    """(5)."""
    n_ac, n_aw, _, _ = contingency(questions)
    return divide(n_ac, n_ac + n_aw)


def inverse_credit(questions: list[Question]) -> float | None:
    """(6)."""
    n_ac, n_aw, n_u, n = contingency(questions)
    failed = divide(n_aw, n_ac + n_aw)
    return None if failed is None else n_ac / n + failed * n_u / n


def answered(questions: list[Question]) -> float:
    return mean(each.first is not None for each in questions)


def f_attempted(questions: list[Question]) -> float:
    """The harmonic mean of the share right of those attempted, and of all (SimpleQA)."""
    attempted, overall = precision_answered(questions), accuracy(questions)
    if not attempted or not overall:
        return 0.0
    return 2 / (1 / attempted + 1 / overall)


def withheld_wrong_rate(questions: list[Question]) -> float | None:
    candidates = [each.candidate for each in questions if each.candidate]
    return divide(sum(not each.right for each in candidates), len(candidates))


def accuracy_if_all_answered(questions: list[Question]) -> float:
    return mean(
        each.right or (each.candidate is not None and each.candidate.right) for each in questions
    )


# Systems that say how sure they are (Herrera, Peñas & Verdejo 2004; Peñas & Rodrigo 2011, 5)


def _sure(answer: Answer) -> float:
    return answer.probability or 0.0


def k(questions: list[Question]) -> float | None:
    """(1) of the pilot paper."""
    if not questions[0].rated:
        return None
    total = 0.0
    for each in questions:
        summed = 0.0
        for answer in each.given:
            evaluation = 1 if answer.right else 0 if answer.repeated else -1
            summed += _sure(answer) * evaluation
        if each.given:
            total += summed / max(each.known, len(each.given))
    return total / len(questions)


def k1(questions: list[Question]) -> float | None:
    """(12): scores of the right first answers, less those of the other first answers, by n."""
    if not questions[0].rated:
        return None
    firsts = [each.first for each in questions if each.first]
    right = math.fsum(_sure(each) for each in firsts if each.right)
    wrong = math.fsum(_sure(each) for each in firsts if not each.right)
    return (right - wrong) / len(questions)


def confidence_correlation(questions: list[Question]) -> float | None:
    """(3) of the pilot paper: covariance by the product of the deviations, in exact fractions."""
    if not questions[0].rated:
        return None
    answers = [answer for each in questions for answer in each.given]
    if not answers:
        return None
    x = [Fraction(answer.confidence or 0.0) for answer in answers]
    y = [Fraction(int(answer.right)) for answer in answers]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    covariance = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True)) / len(x)
    variances = [
        sum((each - middle) ** 2 for each in values) / len(values)
        for values, middle in ((x, mean_x), (y, mean_y))
    ]
    squares = [sum(each**2 for each in values) / len(values) for values in (x, y)]
    for variance, square in zip(variances, squares, strict=True):
        if variance <= square * Fraction(1, 10**12):
            return None
    return float(covariance) / math.sqrt(variances[0] * variances[1])


def _orders(groups: Sequence[Sequence[bool]]) -> Iterator[list[bool]]:
    """Every order of the questions that keeps that of the groups."""
    for order in product(*(permutations(each) for each in groups)):
        yield [right for each in order for right in each]


def _by_confidence(questions: list[Question], ties: str) -> list[list[bool]] | None:
    """Whether the answered questions are right, by falling confidence, equal ones together."""
    firsts = [each.first for each in questions if each.first]
    if not any(each.confidence for each in firsts):
        return None
    lowest = -math.inf  # an answer without a confidence comes last among the answered
    keys = [lowest if each.confidence is None else each.confidence for each in firsts]
    if ties == "file":
        order = sorted(zip(keys, firsts, strict=True), key=lambda each: (-each[0], each[1].line))
        return [[first.right] for _, first in order]
    return [
        [first.right for key, first in zip(keys, firsts, strict=True) if key == value]
        for value in sorted(set(keys), reverse=True)
    ]


def _cws(order: list[bool], n: int) -> float:
    """(9) and (10) of the c@1 paper; what is not in the order comes last and is not correct."""
    correct = order + [False] * (n - len(order))
    total = 0.0
    for i in range(1, n + 1):
        total += sum(correct[j - 1] for j in range(1, i + 1)) / i
    return total / n


def cws(questions: list[Question], ties: str = "average") -> float | None:
    """The mean over every order of equal confidences."""
    groups = _by_confidence(questions, ties)
    if groups is None:
        return None
    return mean(_cws(order, len(questions)) for order in _orders(groups))


def risk_coverage(questions: list[Question]) -> float | None:
    """Error rate among the i surest answers, averaged over i; the mean over orders of ties."""
    groups = _by_confidence(questions, "average")
    if groups is None:
        return None
    return mean(
        mean(1 - sum(order[:i]) / i for i in range(1, len(order) + 1)) for order in _orders(groups)
    )


def augrc(questions: list[Question]) -> float | None:
    """The area, by trapezoids from (0, 0), under the curve of (i / a, errors among the first i / a)."""
    groups = _by_confidence(questions, "average")
    if groups is None:
        return None
    areas = []
    for order in _orders(groups):
        number = len(order)
        height = [sum(1 - right for right in order[:i]) / number for i in range(number + 1)]
        areas.append(sum((height[i] + height[i + 1]) / 2 / number for i in range(number)))
    return mean(areas)


def _rated(questions: list[Question], validation: bool) -> list[tuple[float, bool]]:
    """Probability and outcome of every answer that comes with a confidence."""
    return [
        (answer.probability, each.positive if validation else answer.right)
        for each in questions
        for answer in each.given
        if answer.probability is not None
    ]


def brier(questions: list[Question], validation: bool = False) -> float | None:
    pairs = _rated(questions, validation)
    return mean((sure - right) ** 2 for sure, right in pairs) if pairs else None


def calibration_error(questions: list[Question], validation: bool = False) -> float | None:
    """Σ over bins of the bin's share · |accuracy − mean confidence|."""
    pairs = _rated(questions, validation)
    bins: dict[int, list[tuple[float, bool]]] = defaultdict(list)
    for sure, right in pairs:
        bins[min(int(sure * 10), 9)].append((sure, right))
    if not pairs:
        return None
    return math.fsum(
        len(each) / len(pairs) * abs(mean(s for s, _ in each) - mean(r for _, r in each))
        for each in bins.values()
    )


# Ranked answers (Sakai 2004; Peñas & Rodrigo 2011, (11))


def mrr(questions: list[Question], cutoff: int = 5) -> float:
    def reciprocal(question: Question) -> float:
        ranks = [each.rank for each in question.given if each.right and each.rank <= cutoff]
        return 1 / min(ranks) if ranks else 0.0

    return mean(reciprocal(each) for each in questions)


def nq_correct_1(questions: list[Question]) -> float:
    """1 where the reciprocal rank is 1."""
    return mean(mrr([each]) == 1 for each in questions)


def nq_correct_5(questions: list[Question]) -> float:
    """1 where the reciprocal rank is not 0."""
    return mean(mrr([each]) > 0 for each in questions)


def average_precision(questions: list[Question]) -> float:
    """(11): (1/R) Σ I(r) C(r)/r."""

    def of(question: Question) -> float:
        right = {each.rank for each in question.given if each.right}
        total = 0.0
        for r in range(1, max(right, default=0) + 1):
            total += (r in right) * len([rank for rank in right if rank <= r]) / r
        return total / question.known if question.known else 0.0

    return mean(of(each) for each in questions)


def _gain(level: str | None, gains: Mapping[str, float]) -> float:
    return gains.get(level, min(gains.values()))


def q_measure(
    questions: list[Question],
    gains: Mapping[str, float] = GAINS,
    beta: float = 1,
    cutoff: int | None = None,
) -> float:
    """(3) of QAC2 with its g, cg, cig, bg and cbg; beta 1 and no cutoff are the paper's."""

    def of(question: Question) -> float:
        ideal = [
            max(_gain(level, gains) for level in variants) for variants in question.levels.values()
        ]
        ideal = sorted((each for each in ideal if each > 0), reverse=True)
        by_rank = {each.rank: each for each in question.given if each.right}

        def g(r: int) -> float:
            return _gain(by_rank[r].level, gains) if r in by_rank else 0.0

        def bg(r: int) -> float:
            return beta * g(r) + 1 if g(r) > 0 else 0.0

        def cbg(r: int) -> float:
            return bg(r) + (cbg(r - 1) if r > 1 else 0.0)

        def cig(r: int) -> float:
            return sum(ideal[:r])

        last = max(by_rank, default=0) if cutoff is None else cutoff
        total = sum(cbg(r) / (beta * cig(r) + r) for r in range(1, last + 1) if g(r) > 0)
        most = len(ideal) if cutoff is None else min(len(ideal), cutoff)
        return total / most if most else 0.0

    return mean(of(each) for each in questions)


def credit(questions: list[Question], gains: Mapping[str, float] = GAINS) -> float:
    """The level of the first answer counts whatever its verdict; NIL has that of its question."""

    def of(first: Answer | None) -> float:
        if first is None or (not first.right and (first.level is None or first.nil)):
            return 0.0
        return _gain(first.level, gains)

    return mean(of(each.first) for each in questions)


# Lists, and NIL (Herrera, Peñas & Verdejo 2004, Table 2; Sakai 2004, 5)


def _instances(questions: list[Question]) -> tuple[int, int, int]:
    """Distinct right answers, answers given, answers known."""
    right = sum(answer.right for each in questions for answer in each.given)
    given = sum(len(each.given) for each in questions)
    return right, given, sum(each.known for each in questions)


def list_precision(questions: list[Question]) -> float | None:
    right, given, _ = _instances(questions)
    return divide(right, given)


def list_recall(questions: list[Question]) -> float | None:
    right, _, known = _instances(questions)
    return divide(right, known)


def list_f(questions: list[Question]) -> float:
    """The mean of each question's harmonic mean of precision and recall."""

    def of(question: Question) -> float:
        right, given, known = _instances([question])
        if not right:
            return 0.0
        precision, recall = right / given, right / known
        return 2 * precision * recall / (precision + recall)

    return mean(of(each) for each in questions)


def nil_precision(questions: list[Question]) -> float | None:
    """Of the NIL answers given, those that are right; a repeated one is not."""
    nils = [answer for each in questions for answer in each.given if answer.nil]
    return divide(sum(each.right for each in nils), len(nils))


def nil_recall(questions: list[Question]) -> float | None:
    nil = [each for each in questions if each.nil]
    return divide(sum(any(a.nil for a in each.given) for each in nil), len(nil))


# Validation (Rodrigo, Peñas & Verdejo 2009; AVE 2007; PAN 2020)


def confusion(questions: list[Question], unanswered: str = "no") -> tuple[int, int, int, int]:
    """TP, FP, FN, TN; an unanswered item is not validated, or left out."""
    matrix = defaultdict(int)
    for each in questions:
        said = each.first.said if each.first else "unanswered"
        if said == "unanswered" and unanswered == "skip":
            continue
        matrix[said == "yes", each.positive] += 1
    return matrix[True, True], matrix[True, False], matrix[False, True], matrix[False, False]


def precision(questions: list[Question]) -> float:
    """(4); 0 where nothing is validated."""
    tp, fp, _, _ = confusion(questions)
    return divide(tp, tp + fp) or 0.0


def recall(questions: list[Question], unanswered: str = "no") -> float | None:
    """(5), which is (2)."""
    tp, _, fn, _ = confusion(questions, unanswered)
    return divide(tp, tp + fn)


def fp_rate(questions: list[Question], unanswered: str = "no") -> float | None:
    """(3)."""
    _, fp, _, tn = confusion(questions, unanswered)
    return divide(fp, fp + tn)


def f(questions: list[Question], beta: float = 1, unanswered: str = "no") -> float:
    """(6)."""
    p, r = precision(questions), recall(questions, unanswered)
    if not p or not r:
        return 0.0
    return (beta**2 + 1) * r * p / (beta**2 * p + r)


def auc_point(questions: list[Question], unanswered: str = "no") -> float | None:
    """The area of the trapezia under (0, 0), (fp, tp), (1, 1)."""
    x, y = fp_rate(questions, unanswered), recall(questions, unanswered)
    if x is None or y is None:
        return None
    return x * (0 + y) / 2 + (1 - x) * (y + 1) / 2


def auc(questions: list[Question]) -> float | None:
    """The share of pairs in which the right item scores higher."""
    scores: dict[bool, list[float]] = {True: [], False: []}
    for each in questions:
        if not each.answers or each.answers[0].confidence is None:
            return None
        scores[each.positive].append(each.answers[0].confidence)
    pairs = [(right, wrong) for right in scores[True] for wrong in scores[False]]
    won = sum((right > wrong) + (right == wrong) / 2 for right, wrong in pairs)
    return divide(won, len(pairs))


def f_05_u(questions: list[Question]) -> float:
    """PAN 2020: (1 + 0.5²) TP / ((1 + 0.5²) TP + 0.5² (FN + n_u) + FP)."""
    tp, fp, fn, _ = confusion(questions, "skip")
    n_u = sum(each.first is None for each in questions)
    return divide(1.25 * tp, 1.25 * tp + 0.25 * (fn + n_u) + fp) or 0.0


def _ave(questions: list[Question]) -> tuple[float, float]:
    """Share of groups whose selected item is right, and of those rightly rejected as a whole."""
    groups: dict[str | None, list[Question]] = defaultdict(list)
    for each in questions:
        groups[each.group].append(each)
    selected = rejected = 0
    for items in groups.values():
        validated = [each for each in items if each.first and each.first.said == "yes"]
        if validated:
            scores = [
                -math.inf if each.first.confidence is None else each.first.confidence
                for each in validated
            ]
            selected += validated[scores.index(max(scores))].positive
        elif not any(each.positive for each in items):
            rejected += 1
    return selected / len(groups), rejected / len(groups)


def qa_accuracy(questions: list[Question]) -> float:
    return _ave(questions)[0]


def estimated_qa(questions: list[Question]) -> float:
    """a + r · a."""
    selected, rejected = _ave(questions)
    return selected + rejected * selected


# Samples


def _samples(question: Question) -> list[Answer]:
    """The first answer of each sample."""
    return [each for each in question.answers if each.rank == 1]


def _of_choices(questions: list[Question], k: int, passes: Callable[..., bool]) -> float | None:
    """The share of all choices of k samples that pass, one choice after the other."""
    shares = []
    for each in questions:
        firsts = _samples(each)
        chosen = list(combinations([one.given and one.right for one in firsts], k))
        if not chosen and any(one.given for one in firsts):
            return None
        shares.append(mean(map(passes, chosen)) if chosen else 0.0)
    return mean(shares)


def pass_at_k(questions: list[Question], k: int = 2) -> float | None:
    return _of_choices(questions, k, any)


def pass_all_k(questions: list[Question], k: int = 2) -> float | None:
    return _of_choices(questions, k, all)


def majority_vote(questions: list[Question]) -> float:
    shares = []
    for each in questions:
        votes: dict[str | None, list[bool]] = defaultdict(list)
        for one in _samples(each):
            if one.given:
                votes[one.means].append(one.right)
        most = max(map(len, votes.values()), default=0)
        shares.append(mean([mean(own) for own in votes.values() if len(own) == most] or [0.0]))
    return mean(shares)


def consistency(questions: list[Question]) -> float | None:
    shares = []
    for each in questions:
        said = [one.verdict if one.given else "nothing" for one in _samples(each)]
        said = ["wrong" if one == "unassessed" else one for one in said]
        pairs = [a == b for a, b in combinations(said, 2)]
        if pairs:
            shares.append(mean(pairs))
    return mean(shares) if shares else None


TRANSCRIBED: dict[str, Callable[..., float | None]] = {
    each.__name__: each
    for each in (
        accuracy,
        utility,
        confidence_target,
        hallucination_rate,
        mean_score,
        conciseness,
        utility_half,
        c_at_1,
        unanswered_as_right,
        precision_answered,
        inverse_credit,
        answered,
        f_attempted,
        withheld_wrong_rate,
        accuracy_if_all_answered,
        k,
        k1,
        confidence_correlation,
        cws,
        risk_coverage,
        augrc,
        brier,
        calibration_error,
        mrr,
        nq_correct_1,
        nq_correct_5,
        average_precision,
        q_measure,
        credit,
        list_precision,
        list_recall,
        list_f,
        nil_precision,
        nil_recall,
        precision,
        recall,
        fp_rate,
        f,
        auc_point,
        auc,
        f_05_u,
        qa_accuracy,
        estimated_qa,
        pass_at_k,
        pass_all_k,
        majority_vote,
        consistency,
    )
} | {"tp_rate": recall}
