"""The papers that the methods cite, as entries of BibTeX."""

import re

from qampaign.report.paper.markup import cite

Entry = tuple[str, dict[str, str]]


def _article(author: str, title: str, journal: str, year: str, **more: str) -> Entry:
    return "article", {"author": author, "title": title, "journal": journal, "year": year, **more}


def _paper(author: str, title: str, booktitle: str, year: str, **more: str) -> Entry:
    fields = {"author": author, "title": title, "booktitle": booktitle, "year": year}
    return "inproceedings", {**fields, **more}


def _book(author: str, title: str, publisher: str, year: str) -> Entry:
    fields = {"author": author, "title": title, "publisher": publisher, "year": year}
    return "book", fields


REFERENCES: dict[str, Entry] = {
    "angelopoulos2023": _article(
        "Angelopoulos, Anastasios N. and Duchi, John C. and Zrnic, Tijana",
        "{PPI}++: Efficient Prediction-Powered Inference",
        "arXiv preprint arXiv:2311.01453",
        "2023",
    ),
    "bevendorff2020": _paper(
        "Bevendorff, Janek and others",
        "Overview of {PAN} 2020: Authorship Verification, Celebrity Profiling, Profiling Fake News"
        " Spreaders on {Twitter}, and Style Change Detection",
        "Experimental IR Meets Multilinguality, Multimodality, and Interaction ({CLEF} 2020)",
        "2020",
    ),
    "breck2000": _article(
        "Breck, Eric J. and Burger, John D. and Ferro, Lisa and Hirschman, Lynette and House, David"
        " and Light, Marc and Mani, Inderjeet",
        "How to Evaluate Your Question Answering System Every Day ... and Still Get Real Work Done",
        "arXiv:cs/0004008",
        "2000",
    ),
    "brier1950": _article(
        "Brier, Glenn W.",
        "Verification of Forecasts Expressed in Terms of Probability",
        "Monthly Weather Review",
        "1950",
        volume="78",
        number="1",
        pages="1--3",
    ),
    "buckley2000": _paper(
        "Buckley, Chris and Voorhees, Ellen M.",
        "Evaluating Evaluation Measure Stability",
        "Proceedings of {SIGIR} 2000",
        "2000",
        pages="33--40",
    ),
    "chen2021": _article(
        "Chen, Mark and others",
        "Evaluating Large Language Models Trained on Code",
        "arXiv:2107.03374",
        "2021",
    ),
    "cohen1960": _article(
        "Cohen, Jacob",
        "A Coefficient of Agreement for Nominal Scales",
        "Educational and Psychological Measurement",
        "1960",
        volume="20",
        number="1",
        pages="37--46",
    ),
    "cohen1968": _article(
        "Cohen, Jacob",
        "Weighted Kappa: Nominal Scale Agreement with Provision for Scaled Disagreement or Partial"
        " Credit",
        "Psychological Bulletin",
        "1968",
        volume="70",
        number="4",
        pages="213--220",
    ),
    "efron1993": _book(
        "Efron, Bradley and Tibshirani, Robert J.",
        "An Introduction to the Bootstrap",
        "Chapman \\& Hall",
        "1993",
    ),
    "efronmorris1973": _article(
        "Efron, Bradley and Morris, Carl",
        "Stein's Estimation Rule and Its Competitors: An Empirical {Bayes} Approach",
        "Journal of the American Statistical Association",
        "1973",
        volume="68",
        number="341",
        pages="117--130",
    ),
    "fleiss1971": _article(
        "Fleiss, Joseph L.",
        "Measuring Nominal Scale Agreement among Many Raters",
        "Psychological Bulletin",
        "1971",
        volume="76",
        number="5",
        pages="378--382",
    ),
    "geifman2017": _paper(
        "Geifman, Yonatan and El-Yaniv, Ran",
        "Selective Classification for Deep Neural Networks",
        "Advances in Neural Information Processing Systems 30",
        "2017",
    ),
    "hemerik2020": _article(
        "Hemerik, Jesse and Goeman, Jelle J. and Finos, Livio",
        "Robust Testing in Generalized Linear Models by Sign Flipping Score Contributions",
        "Journal of the Royal Statistical Society: Series B",
        "2020",
        volume="82",
        number="3",
        pages="841--864",
    ),
    "herrera2004": _paper(
        "Herrera, Jes{\\'u}s and Pe{\\~n}as, Anselmo and Verdejo, Felisa",
        "Question Answering Pilot Task at {CLEF} 2004",
        "Working Notes for the {CLEF} 2004 Workshop",
        "2004",
    ),
    "holm1979": _article(
        "Holm, Sture",
        "A Simple Sequentially Rejective Multiple Test Procedure",
        "Scandinavian Journal of Statistics",
        "1979",
        volume="6",
        number="2",
        pages="65--70",
    ),
    "jackson2025": _article(
        "Jackson, Declan and Keating, William and Cameron, George and Hill-Smith, Micah",
        "{AA}-Omniscience: Evaluating Cross-Domain Knowledge Reliability in Large Language Models",
        "arXiv:2511.13029",
        "2025",
    ),
    "kalai2025": _article(
        "Kalai, Adam Tauman and Nachum, Ofir and Vempala, Santosh S. and Zhang, Edwin",
        "Why Language Models Hallucinate",
        "arXiv:2509.04664",
        "2025",
    ),
    "kendall1938": _article(
        "Kendall, Maurice G.",
        "A New Measure of Rank Correlation",
        "Biometrika",
        "1938",
        volume="30",
        number="1/2",
        pages="81--93",
    ),
    "krippendorff2004": _book(
        "Krippendorff, Klaus",
        "Content Analysis: An Introduction to Its Methodology",
        "Sage",
        "2004",
    ),
    "liang1986": _article(
        "Liang, Kung-Yee and Zeger, Scott L.",
        "Longitudinal Data Analysis Using Generalized Linear Models",
        "Biometrika",
        "1986",
        volume="73",
        number="1",
        pages="13--22",
    ),
    "naeini2015": _paper(
        "Naeini, Mahdi Pakdaman and Cooper, Gregory F. and Hauskrecht, Milos",
        "Obtaining Well Calibrated Probabilities Using {Bayesian} Binning",
        "Proceedings of {AAAI} 2015",
        "2015",
        pages="2901--2907",
    ),
    "noreen1989": _book(
        "Noreen, Eric W.",
        "Computer-Intensive Methods for Testing Hypotheses: An Introduction",
        "Wiley",
        "1989",
    ),
    "penas2008": _paper(
        "Pe{\\~n}as, Anselmo and Rodrigo, {\\'A}lvaro and Verdejo, Felisa",
        "Overview of the Answer Validation Exercise 2007",
        "Advances in Multilingual and Multimodal Information Retrieval ({CLEF} 2007)",
        "2008",
        pages="237--248",
    ),
    "penas2011": _paper(
        "Pe{\\~n}as, Anselmo and Rodrigo, {\\'A}lvaro",
        "A Simple Measure to Assess Non-response",
        "Proceedings of {ACL-HLT} 2011",
        "2011",
        pages="1415--1424",
    ),
    "rajpurkar2016": _paper(
        "Rajpurkar, Pranav and Zhang, Jian and Lopyrev, Konstantin and Liang, Percy",
        "{SQuAD}: 100,000+ Questions for Machine Comprehension of Text",
        "Proceedings of {EMNLP} 2016",
        "2016",
        pages="2383--2392",
    ),
    "rodrigo2009": _article(
        "Rodrigo, {\\'A}lvaro and Pe{\\~n}as, Anselmo and Verdejo, Felisa",
        "Comparaci{\\'o}n de Enfoques para Evaluar la Validaci{\\'o}n de Respuestas",
        "Procesamiento del Lenguaje Natural",
        "2009",
    ),
    "rogan1978": _article(
        "Rogan, Walter J. and Gladen, Beth",
        "Estimating Prevalence from the Results of a Screening Test",
        "American Journal of Epidemiology",
        "1978",
        volume="107",
        number="1",
        pages="71--76",
    ),
    "romano2005": _article(
        "Romano, Joseph P. and Wolf, Michael",
        "Exact and Approximate Stepdown Methods for Multiple Hypothesis Testing",
        "Journal of the American Statistical Association",
        "2005",
        volume="100",
        number="469",
        pages="94--108",
    ),
    "rubin1981": _article(
        "Rubin, Donald B.",
        "The {Bayesian} Bootstrap",
        "The Annals of Statistics",
        "1981",
        volume="9",
        number="1",
        pages="130--134",
    ),
    "sakai2004": _article(
        "Sakai, Tetsuya",
        "A Note on the Reliability of {Japanese} Question Answering Evaluation",
        "{IPSJ} {SIG} Technical Reports",
        "2004",
    ),
    "traub2024": _paper(
        'Traub, Jeremias and Bungert, Till J. and L{\\"u}th, Carsten T. and Baumgartner, Michael'
        " and Maier-Hein, Klaus H. and Maier-Hein, Lena and Jaeger, Paul F.",
        "Overcoming Common Flaws in the Evaluation of Selective Classification Systems",
        "Advances in Neural Information Processing Systems 37",
        "2024",
    ),
    "voorhees2001": _paper(
        "Voorhees, Ellen M.",
        "Overview of the {TREC} 2001 Question Answering Track",
        "Proceedings of {TREC} 2001",
        "2001",
    ),
    "voorhees2002": _paper(
        "Voorhees, Ellen M.",
        "Overview of the {TREC} 2002 Question Answering Track",
        "Proceedings of {TREC} 2002",
        "2002",
    ),
    "voorheesbuckley2002": _paper(
        "Voorhees, Ellen M. and Buckley, Chris",
        "The Effect of Topic Set Size on Retrieval Experiment Error",
        "Proceedings of {SIGIR} 2002",
        "2002",
        pages="316--323",
    ),
    "voorheestice1999": _paper(
        "Voorhees, Ellen M. and Tice, Dawn M.",
        "The {TREC}-8 Question Answering Track Evaluation",
        "Proceedings of {TREC}-8",
        "1999",
    ),
    "wang2023": _paper(
        "Wang, Xuezhi and Wei, Jason and Schuurmans, Dale and Le, Quoc and Chi, Ed and Narang,"
        " Sharan and Chowdhery, Aakanksha and Zhou, Denny",
        "Self-Consistency Improves Chain of Thought Reasoning in Language Models",
        "Proceedings of {ICLR} 2023",
        "2023",
    ),
    "wei2024": _article(
        "Wei, Jason and others",
        "Measuring Short-Form Factuality in Large Language Models",
        "arXiv:2411.04368",
        "2024",
    ),
    "westfall1993": _book(
        "Westfall, Peter H. and Young, S. Stanley",
        "Resampling-Based Multiple Testing: Examples and Methods for p-Value Adjustment",
        "Wiley",
        "1993",
    ),
    "yao2024": _article(
        "Yao, Shunyu and Shinn, Noah and Razavi, Pedram and Narasimhan, Karthik",
        "$\\tau$-bench: A Benchmark for Tool-Agent-User Interaction in Real-World Domains",
        "arXiv:2406.12045",
        "2024",
    ),
}
"""Every paper that a text can cite, by its key."""

OF_MEASURES = {
    "Bevendorff et al. 2020": "bevendorff2020",
    "Breck et al. 2000": "breck2000",
    "Brier 1950": "brier1950",
    "Chen et al. 2021": "chen2021",
    "Geifman & El-Yaniv 2017": "geifman2017",
    "Herrera, Peñas & Verdejo 2004": "herrera2004",
    "Jackson et al. 2025": "jackson2025",
    "Kalai et al. 2025": "kalai2025",
    "Naeini et al. 2015": "naeini2015",
    "Peñas & Rodrigo 2011": "penas2011",
    "Peñas et al. 2008": "penas2008",
    "Rajpurkar et al. 2016": "rajpurkar2016",
    "Rodrigo, Peñas & Verdejo 2009": "rodrigo2009",
    "Sakai 2004": "sakai2004",
    "Traub et al. 2024": "traub2024",
    "Voorhees & Tice 1999": "voorheestice1999",
    "Voorhees 2001": "voorhees2001",
    "Voorhees 2002": "voorhees2002",
    "Wang et al. 2023": "wang2023",
    "Wei et al. 2024": "wei2024",
    "Yao et al. 2024": "yao2024",
}
"""How measures name their sources, with their keys."""

OF_JUDGES = {"key": "breck2000", "exact": "rajpurkar2016"}
"""The papers that kinds of judges go back to."""


def source(citation: str | None) -> str:
    """What a text says of the source of a measure: a citation, or the source's own words.

    >>> source("Voorhees 2002; Peñas & Rodrigo 2011, (9)") == cite("voorhees2002", "penas2011")
    True
    >>> source("Somebody 1999"), source("partial credit"), source(None)
    (' (Somebody 1999)', '', '')
    """
    keys, others = [], []
    for work in re.split(r";\s*", citation or ""):
        key = next((key for name, key in OF_MEASURES.items() if work.startswith(name)), None)
        if key:
            keys.append(key)
        elif re.search(r"\b\d{4}\b", work):
            others.append(work)
    return (f" ({'; '.join(others)})" if others else "") + (cite(*keys) if keys else "")
