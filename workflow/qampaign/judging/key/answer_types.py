"""What an answer holds: a person, a place, a date, a number, by rules and dictionaries.

Numbers, percentages, money, measures and dates are read as by `numbers`, `units` and `dates`.
Persons and places are told by capitals, by words that stand beside them (President, Mount, in) and
by lists of given names and places; only in the languages that have such words here.
"""

import re
from collections.abc import Callable
from datetime import date
from functools import cache

from qampaign.judging.key import dates, numbers
from qampaign.judging.key.demonyms import DEMONYMS
from qampaign.judging.key.number_words import spell
from qampaign.judging.key.stems import dictionary_of
from qampaign.judging.key.stopwords import STOP_WORDS
from qampaign.judging.key.units import is_measure, is_money

NAMED_TYPES = ("person", "place")
"""The types that need the words of a language."""

TITLES = {
    "de": "herr frau dr prof präsident kanzler kanzlerin könig königin kaiser papst fürst graf",
    "en": "mr mrs ms miss dr prof professor sir lady lord dame president king queen emperor pope "
    "prince princess senator governor general captain colonel judge saint mayor minister sultan",
    "es": "sr sra don doña dr presidente presidenta rey reina papa emperador príncipe general",
    "fr": "m mme mlle monsieur madame dr président présidente roi reine empereur pape prince",
    "it": "sig signor signora dott presidente re regina papa imperatore principe generale",
    "nl": "dhr mevr meneer mevrouw dr president koning koningin keizer paus prins prinses",
    "pt": "sr sra dom dona dr presidente rei rainha papa imperador príncipe general",
    "ro": "dl dna domnul doamna dr președintele regele regina împăratul papa prințul",
}
"""What stands before a person's name."""

GIVEN_NAMES = frozenset(
    """
    aaron abigail abraham adam adolf adrian agatha ahmed aisha alan albert aldous alejandro
    alessandro alex alexander alexandra alexei alfred ali alice alicia allen amanda amelia amy ana
    anastasia andrea andreas andrei andrew andrzej andy angela anita ann anna anne anthony antoine
    anton antonia antonio arnold arthur astrid audrey augusto barack barbara beatrice benito
    benjamin bernard bertrand bill bob boris brian bruce carl carla carlos carmen carol caroline
    catherine cecilia charles charlotte chris christian christina christopher clara claude claudia
    colin cristina daniel daniela david deborah dennis diana diego dieter dmitri donald dorothy
    douglas dwight edgar edith edmund eduardo edward edwin eleanor elena elisabeth elizabeth ella
    ellen elsa emil emily emma enrico enrique eric erich erik ernest ernst esther eugene eva evelyn
    fatima federico felipe fernando fidel fiona florence frances francesca francesco francis
    francisco franklin franz frederick friedrich fritz gabriel gary george georg georges gerald
    gerhard gilbert giorgio giovanni giuseppe gloria gordon grace graham gregory guglielmo guido
    guillaume gustav hannah hans harold harriet harry hassan heinrich helen helena helmut henri
    henry herbert hermann hiroshi howard hugo humphrey hussein ian ibrahim igor immanuel indira
    ingrid irene isaac isabel isabella ivan jack jackie jacob jacqueline jacques jaime james jan
    jane janet javier jean jeffrey jennifer jeremy jerry jessica jesus jim jimmy joan joanna joe
    johann johanna johannes john jonathan jorge josef joseph joshua josé juan judith julia julian
    julie julius juri jürgen karen karl katherine kathleen keith kenneth kevin klaus konrad kurt
    larry laura lawrence lech leo leon leonardo leonid leonard lewis liam linda lisa lorenzo louis
    louise lucia lucy ludwig luigi luis luke lyndon mahatma manfred manuel marc marcel marco
    margaret maria marie marilyn mario marion mark marlene martha martin mary matthew maurice max
    michael michelangelo michel michelle miguel mikhail mohammed monica muhammad nancy naomi
    napoleon neil nelson nicholas nicolas niels nikita nikolai nora oliver olga olivia oscar otto
    pablo pamela patricia patrick paul paula pedro peter philip philippe pierre rachel ralph ramón
    raymond rebecca rené ricardo richard rita robert roberto rodrigo roger roland ronald rosa
    rudolf ruth salvador sam samuel sandra sara sarah sebastian sergei sergio sharon sigmund
    silvio simon simone sofia sophia sophie stalin stanley stefan stephanie stephen steve steven
    stuart susan sylvia teresa theodore theresa thomas tim timothy tom tony toni tatiana ulrich
    ursula valentina vasco victor victoria vincent virginia vladimir walt walter warren wendy
    werner wilhelm william willy winston wolfgang woodrow xavier yasser yuri yves zachary
    """.split()  # noqa: SIM905
)
"""Common ones, of people that answers are often about; capitals and other rules find the rest."""

PLACES = frozenset(
    """
    afghanistan africa alabama alaska albania alexandria algeria alps amazon america amsterdam andes
    angola ankara antarctica argentina arizona arkansas armenia asia athens atlanta atlantic
    auckland australia austria azerbaijan baghdad bangkok bangladesh barcelona bavaria beijing
    beirut belarus
    belfast belgium belgrade berlin bermuda bolivia bombay bosnia boston brasília brazil britain
    brooklyn brussels bucharest budapest bulgaria burma cairo calcutta california cambodia cameroon
    canada canberra caracas caribbean casablanca ceylon chad chicago chile china cologne colombia
    colorado congo connecticut copenhagen crete crimea croatia cuba cyprus czechoslovakia dakar
    dallas damascus delaware delhi denmark denver detroit dresden dublin ecuador edinburgh egypt
    england estonia ethiopia europe everest fiji finland florence florida france frankfurt gaza
    geneva genoa georgia germany ghana glasgow greece greenland guatemala haiti hamburg hanoi havana
    hawaii helsinki himalayas hiroshima holland hollywood honduras houston hungary iceland idaho
    illinois india indiana indonesia iowa iran iraq ireland israel istanbul italy jakarta jamaica
    japan jerusalem johannesburg jordan kabul kansas karachi kashmir kazakhstan kentucky kenya kiev
    korea kosovo kuwait kyiv kyoto lagos laos latvia lebanon liberia libya lima lisbon lithuania
    liverpool london louisiana luxembourg lyon macedonia madagascar madrid maine malaysia maldives
    mali malta manchester manhattan manila mars marseille maryland massachusetts mecca mediterranean
    melbourne mexico miami michigan milan minnesota mississippi missouri moldova monaco mongolia
    montana montenegro montreal morocco moscow mozambique mumbai munich myanmar nagasaki nairobi
    namibia naples nebraska nepal netherlands nevada niagara nicaragua niger nigeria nile norway
    nuremberg odessa ohio oklahoma ontario oregon oslo ottawa oxford pacific pakistan palestine
    panama paraguay paris pennsylvania persia peru philadelphia philippines phoenix poland polynesia
    portugal prague prussia pyrenees qatar quebec rangoon rhine riga romania rome rotterdam russia
    rwanda sahara salzburg samoa sarajevo saigon scandinavia scotland seattle senegal seoul serbia
    seville shanghai siberia sicily singapore slovakia slovenia sofia somalia spain stockholm
    strasbourg sudan suez sweden switzerland sydney syria taipei taiwan tanzania tasmania tehran
    tennessee texas thailand tibet tokyo toronto tunisia turin turkey uganda ukraine uruguay utah
    vancouver vatican venezuela venice vermont versailles vienna vietnam virginia wales warsaw
    wisconsin wyoming yemen yugoslavia zagreb zambia zimbabwe zurich
    """.split()  # noqa: SIM905
)
"""Names of one word in English, and those that other languages share."""

LOCAL_PLACES = {
    "de": "deutschland österreich schweiz frankreich italien spanien england rom wien münchen köln "
    "mailand venedig moskau europa afrika asien amerika russland polen ungarn griechenland türkei",
    "es": "españa francia italia alemania inglaterra méxico perú brasil londres roma parís europa "
    "áfrica asia américa rusia polonia grecia turquía sevilla japón egipto suiza moscú",
    "fr": "france espagne italie allemagne angleterre londres rome europe afrique asie amérique "
    "russie pologne grèce turquie japon égypte suisse moscou bruxelles genève autriche pérou",
    "it": "italia francia spagna germania inghilterra londra roma parigi europa africa asia "
    "america russia polonia grecia turchia giappone egitto svizzera mosca milano firenze venezia "
    "napoli",
    "nl": "nederland duitsland frankrijk italië spanje engeland londen rome parijs europa afrika "
    "azië amerika rusland polen griekenland turkije japan egypte zwitserland moskou brussel",
    "pt": "portugal espanha frança itália alemanha inglaterra londres roma paris europa áfrica "
    "ásia américa rússia polónia grécia turquia japão egito suíça moscovo moscou lisboa brasil",
    "ro": "românia franța italia spania germania anglia londra roma paris europa africa asia "
    "america rusia polonia grecia turcia japonia egipt elveția moscova bucurești ungaria",
}

GENERIC = {
    "de": "berg see fluss stadt insel straße platz meer bezirk",
    "en": "mount lake river city island islands street avenue road square ocean sea bay cape "
    "county province republic states kingdom mountains mountain valley desert peninsula gulf "
    "strait town "
    "village district port fort park beach falls coast canal state",
    "es": "monte lago río ciudad isla islas calle plaza océano mar bahía provincia república",
    "fr": "mont lac fleuve rivière ville île îles rue place océan mer baie province république",
    "it": "monte lago fiume città isola isole via piazza oceano mare baia provincia repubblica",
    "nl": "berg meer rivier stad eiland eilanden straat plein oceaan zee baai provincie",
    "pt": "monte lago rio cidade ilha ilhas rua praça oceano mar baía província república",
    "ro": "muntele lacul râul orașul insula strada piața oceanul marea provincia republica",
}
"""What is a part of a place's name."""

PREPOSITIONS = {
    "de": "in aus nach bei",
    "en": "in at near from",
    "es": "en desde cerca_de",
    "fr": "à en au aux dans",
    "it": "in a da presso",
    "nl": "in uit naar te",
    "pt": "em no na desde",
    "ro": "în din la lângă",
}
"""What stands before a place: a word with a capital after it is one, but no month or day."""

NO_PERSON = {
    "de": "firma gesellschaft universität partei ag gmbh krieg",
    "en": "university college company corporation inc corp ltd association institute party war "
    "agency department committee council union bank times club church museum school hospital "
    "foundation league cup prize award act treaty battle bowl series olympics",
    "es": "universidad empresa compañía partido guerra banco instituto premio tratado",
    "fr": "université société compagnie parti guerre banque institut prix traité",
    "it": "università società compagnia partito guerra banca istituto premio trattato",
    "nl": "universiteit bedrijf partij oorlog bank instituut prijs verdrag",
    "pt": "universidade empresa companhia partido guerra banco instituto prémio prêmio tratado",
    "ro": "universitatea compania partidul războiul banca institutul premiul tratatul",
}
"""What a name is no person's with."""

WEEKDAYS = {
    "de": "montag dienstag mittwoch donnerstag freitag samstag sonntag",
    "en": "monday tuesday wednesday thursday friday saturday sunday",
    "es": "lunes martes miércoles jueves viernes sábado domingo",
    "fr": "lundi mardi mercredi jeudi vendredi samedi dimanche",
    "it": "lunedì martedì mercoledì giovedì venerdì sabato domenica",
    "nl": "maandag dinsdag woensdag donderdag vrijdag zaterdag zondag",
    "pt": "segunda-feira sábado domingo",
    "ro": "luni marți miercuri joi vineri sâmbătă duminică",
}

LANGUAGES = tuple(sorted(TITLES))
"""The languages in which persons and places are told."""

CAPITAL = r"[^\W\d_a-zß-öø-ÿ][\w'\u2019-]*"
INITIAL = r"[^\W\d_a-zß-öø-ÿ]\."
PARTICLE = "de|del|della|di|da|dos|van|von|der|den|ter|la|le|el|al|bin|ibn|y|und|zu"
NAME = re.compile(
    rf"(?<![\w'\u2019])(?:{INITIAL}|{CAPITAL})(?:(?:[ ]|(?<=\.))(?:(?:{PARTICLE})[ ]){{0,2}}"
    rf"(?:{INITIAL}|{CAPITAL})){{0,5}}"
)
"""Words with capitals side by side, initials and particles between them."""

CENTURY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)[ -]century|1\d{2}0s|20\d0s|siglo [IVX]+|siècle|\d{1,2}\. "
    r"Jahrhundert|secolo|século|eeuw|secol(?:ul)?)\b",
    re.IGNORECASE,
)


def holds(name: str, text: str, language: str, today: date | None = None) -> bool:
    """Whether a normalised answer holds something of a type.

    >>> [holds("place", text, "en") for text in ("born in Virginia", "Abraham Lincoln")]
    [True, False]
    >>> [holds("person", text, "en") for text in ("born in Virginia", "Abraham Lincoln")]
    [False, True]
    """
    return CHECKS[name](text, language, today)


def _holds_date(text: str, language: str, today: date | None) -> bool:
    spelled = spell(text, language)
    return bool(CENTURY.search(text)) or any(True for _ in dates.find(spelled, language, today))


def _holds_number(
    counts: Callable[[str], bool],
) -> Callable[[str, str, date | None], bool]:
    """Whether a number is held whose unit counts."""

    def check(text: str, language: str, _: date | None) -> bool:
        measured = numbers.find_measured(spell(text, language), language)
        return any(counts(number.unit) for amount in measured for number in amount.readings)

    return check


def _holds_person(text: str, language: str, _: date | None) -> bool:
    lexicon = _lexicon(language)
    if text in (text.lower(), text.upper()):  # nothing to go by but lists
        words = re.findall(r"[^\W\d_]+", text.lower())
        return any(word in GIVEN_NAMES or word in lexicon["titles"] for word in words)
    return any(_is_person(match, text, language) for match in NAME.finditer(text))


def _is_person(match: re.Match[str], text: str, language: str) -> bool:
    lexicon = _lexicon(language)
    words = [word.rstrip(".").lower() for word in match[0].split()]
    words = [word.removesuffix("'s").removesuffix("\u2019s") for word in words]
    while words and words[0] in lexicon["stop"]:
        words.pop(0)
    if not words:
        return False
    if words[0] in lexicon["titles"]:
        return True
    before = re.search(r"([^\W\d_]+)\.? \Z", text[max(0, match.start() - 20) : match.start()])
    if before and before[1].lower() in lexicon["titles"]:
        return True
    if any(word in lexicon["no person"] or word in lexicon["generic"] for word in words):
        return False
    if words[0] in GIVEN_NAMES and (len(words) > 1 or words[0] not in PLACES):
        return not _in_place(match, text, lexicon)
    if (
        words[-1] in lexicon["places"]
        or words[0] in lexicon["places"]
        or words[0] in lexicon["peoples"]
    ):
        return False
    if len(words) == 1 and (_is_common(words[0], language) or match[0].isupper()):
        return False
    return not _in_place(match, text, lexicon)


def _in_place(match: re.Match[str], text: str, lexicon: dict[str, frozenset[str]]) -> bool:
    """Whether what stands beside a name makes it a place: in Lincoln, Nebraska."""
    before = re.search(r"([^\W\d_]+) \Z", text[max(0, match.start() - 12) : match.start()])
    after = re.match(rf", ({CAPITAL})", text[match.end() : match.end() + 40])
    return bool(before and before[1].lower() in lexicon["prepositions"]) or bool(
        after and after[1].lower() in lexicon["places"]
    )


def _holds_place(text: str, language: str, _: date | None) -> bool:
    lexicon = _lexicon(language)
    words = re.findall(r"[^\W\d_]+", text)
    shouting = text in (text.lower(), text.upper())
    if any(
        word.lower() in lexicon["places"] and (shouting or word[0].isupper())
        for word in words
        if word.lower() not in GIVEN_NAMES or len(words) == 1
    ):
        return True
    for match in NAME.finditer(text):
        named = [word.lower() for word in match[0].split()]
        if len(named) > 1 and any(word in lexicon["generic"] for word in named):
            return True
        may_be_place = named[0] not in lexicon["stop"] and named[0] not in lexicon["no place"]
        if may_be_place and _in_place(match, text, lexicon):
            return True
    return False


def _is_common(word: str, language: str) -> bool:
    """Whether a word is in the dictionary in small letters, or is a noun of German: no name."""
    dictionary = dictionary_of(language)
    return word in dictionary or (language == "de" and word.capitalize() in dictionary)


@cache
def _lexicon(language: str) -> dict[str, frozenset[str]]:
    months = dates.CALENDARS[language].months.replace(",", " ").split()
    peoples = frozenset(DEMONYMS.get(language, {}))
    no_place = [*months, *WEEKDAYS[language].split(), *(GIVEN_NAMES - PLACES), *peoples]
    return {
        "titles": frozenset(TITLES[language].split()),
        "places": PLACES | frozenset(LOCAL_PLACES.get(language, "").split()),
        "generic": frozenset(GENERIC[language].split()),
        "prepositions": frozenset(
            word.rpartition("_")[2] for word in PREPOSITIONS[language].split()
        ),
        "no person": frozenset(
            [*NO_PERSON[language].split(), *months, *WEEKDAYS[language].split()]
        ),
        "no place": frozenset(no_place),
        "peoples": peoples,
        "stop": frozenset(STOP_WORDS[language].split()),
    }


CHECKS: dict[str, Callable[[str, str, date | None], bool]] = {
    "person": _holds_person,
    "place": _holds_place,
    "date": _holds_date,
    "number": _holds_number(lambda unit: unit not in ("th", numbers.OCLOCK_UNIT)),
    "percent": _holds_number(lambda unit: unit == "%"),
    "money": _holds_number(is_money),
    "measure": _holds_number(is_measure),
}
