"""The slice of the config that goes to each rule: a change elsewhere in the config does not rerun it."""

from qampaign.config.defaults import WIDTH
from qampaign.config.gate import runs_asked
from qampaign.config.ingest_params import collection_files
from qampaign.judging.judges import JUDGES as KINDS_OF_JUDGES
from qampaign.measures.scoring import deepest


def ingest_params():
    """What ingest gets of the config."""
    return [files.params() for files in collection_files(CAMPAIGN)]


def judge_params(wildcards):
    """What a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    kind = collection.judges[wildcards.judge]["kind"]
    teacher = collection.teacher(wildcards.judge)
    learning = {"seed": CAMPAIGN.seed} if KINDS_OF_JUDGES[kind].takes_seed else {}
    if teacher is not None:
        learning["teacher_correct"] = collection.judges[teacher]["correct"]
    return learning | {
        "kind": kind,
        "table": collection.judged_by(wildcards.judge),
        "jury": collection.jury(wildcards.judge),
        "arguments": collection.arguments(wildcards.judge),
        "derived": collection.config["derived"],
        "by_line": collection.by_line,
    }


def score_params(wildcards):
    """What scoring by the job's judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    unassessed = collection.judges[wildcards.judge].get("unassessed")
    return scoring_by(wildcards.judge, collection) | {"bounds": unassessed == "bounds"}


def scoring_by(judge, collection):
    """What counting and scoring by a judge gets of the config."""
    return {
        "rank_baselines": collection.config["rank_baselines"],
        "measures": [measure.as_params() for measure in collection.measures],
        "evidence": {
            "validation": collection.config["task"] == "validation",
            "correct": collection.judges[judge]["correct"],
            "confidence_map": collection.config["confidence"].get("map"),
            "degrees": collection.gives_degrees(judge),
            "verdicts": collection.gives_verdicts(judge),
            "missing": collection.config["missing"],
            "baselines": collection.baselines,
            "derived": list(collection.config["derived"]),
        },
    }


def agreement_params(wildcards):
    """What the comparison of a judge with the reference gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    reference = collection.config["reference"]
    return {
        "seed": CAMPAIGN.seed,
        "reference": reference,
        "judge": judge_params(wildcards),
        "correct": collection.judges[wildcards.judge]["correct"],
        "reference_correct": collection.judges[reference]["correct"],
        "derived": list(collection.config["derived"]),
        "unit": collection.config["unit"],
        **collection.config["studies"]["agreement"],
    }


def correct_params(wildcards):
    """What the correction of a judge by another one gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    by = collection.corrected[wildcards.judge]
    return {
        "seed": CAMPAIGN.seed,
        "corrected_by": by,
        "labels": collection.judged_by(by),
        "assessor": collection.judges[by].get("assessor"),
        "measures": scoring_by(wildcards.judge, collection)["measures"],
        "unit": collection.config["unit"],
        "planned": collection.planned,
        "derived": collection.config["derived"],
        "by_line": collection.by_line,
    }


def digest_of_filled_sheet(wildcards):
    """The hash of the sheet of failures once people have filled it in, else nothing."""
    path = RESULTS / "failures" / wildcards.collection / f"{wildcards.judge}.csv"
    return sha256(path.read_bytes()).hexdigest() if is_changed(path) else ""


def correlate_params(wildcards):
    """What the comparison of rankings gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    shared = ("task", "reference", "nil", "unit")
    return {
        "seed": CAMPAIGN.seed,
        **{key: collection.config[key] for key in shared},
        "judges": list(collection.judges),
        "repeated": list(collection.verdicts),
        "by_line": collection.by_line,
        "score": scoring_by(collection.config["reference"], collection),
        **collection.config["studies"]["correlation"],
    }


def study_params(study):
    """A function that gives what a study gets of the config."""

    def params(wildcards):
        collection = CAMPAIGN.collections[wildcards.collection]
        scoring = scoring_by(wildcards.judge, collection)
        return {
            "seed": CAMPAIGN.seed,
            "study": study,
            "settings": collection.config["studies"][study],
            "unit": collection.config["unit"],
            "compared": (
                {"primary": collection.config["primary"], "planned": collection.planned}
                if study == "significance"
                else {}
            ),
            "measures": scoring["measures"],
            "rank_baselines": scoring["rank_baselines"],
        }

    return params


def pool_params(wildcards):
    """What the search for answers to be judged gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    config, judge = collection.config, collection.sampled_for
    sample = judge and {
        "judge": judge,
        "width": config["pool"].get("width", WIDTH),
        "unit": config["unit"],
        "correct": collection.judges[judge]["correct"],
        "last_rank": deepest(measure.last_rank for measure in collection.measures),
        "labels_correct": collection.judges[collection.corrected[judge]]["correct"],
    }
    return {"seed": CAMPAIGN.seed, "task": config["task"], "nil": config["nil"], "sample": sample}


def tabulate_params(wildcards):
    """What the tables say about a collection."""
    collection = CAMPAIGN.collections[wildcards.collection]
    keys = ("title", "note", "task", "language", "reference", "primary", "unit")
    described = {key: collection.config.get(key) for key in keys} | {
        "judges": {
            judge: (options["kind"], collection.threshold(judge))
            for judge, options in collection.judges.items()
        },
        "measures": [measure.described() for measure in collection.measures],
    }
    return {
        "described": described,
        "computed": computed(wildcards.collection),
        "judged": [
            (judge, result(wildcards.collection, "judgments", judge), list(options["correct"]))
            for judge, options in collection.judges.items()
        ],
        "figures": published_figures(wildcards.collection),
        "logged": collection.logged_scorers,
    }


def draw_params(wildcards):
    """What the report of a collection gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    return {
        "open": CAMPAIGN.open,
        "methods": {
            "judges": {
                judge: {"kind": options["kind"], "correct": list(options["correct"])}
                | {"ties": list(options.get("ties", []))}
                | {"options": collection.own_arguments(judge)}
                for judge, options in collection.judges.items()
            },
            "walks": {measure.name: measure.walks for measure in collection.measures},
            "studies": collection.config["studies"],
        },
    }


def overall_params(wildcards):
    """What the leaderboard over collections gets of the config."""
    given = CAMPAIGN.overall
    members = []
    for name in given["collections"]:
        collection = CAMPAIGN.collections[name]
        (measure,) = (m for m in collection.measures if m.name == given["measures"][name])
        members.append(
            {
                "collection": name,
                "measure": measure.as_params(),
                "unit": collection.config["unit"],
                "draws": collection.config["studies"]["significance"]["draws"],
            }
        )
    return {"seed": CAMPAIGN.seed, "weights": given["weights"], "members": members}


def report_params():
    """What the page gets of the config."""
    return {"title": CAMPAIGN.title, "seed": CAMPAIGN.seed} | (
        {"overall": described_overall()} if CAMPAIGN.overall else {}
    )


def described_overall():
    """What people are told of the leaderboard over collections."""
    given = CAMPAIGN.overall
    members = [
        {
            "title": collection.config["title"],
            "reference": collection.config["reference"],
            "label": measure.label,
            "better": measure.better,
        }
        for name in given["collections"]
        for collection in [CAMPAIGN.collections[name]]
        for measure in collection.measures
        if measure.name == given["measures"][name]
    ]
    return {"weights": given["weights"], "members": members}


def browse_params(wildcards):
    """What the pages of a collection's questions get of the config."""
    judges = CAMPAIGN.collections[wildcards.collection].judges
    return {
        "is_open": CAMPAIGN.open,
        "correct": {judge: list(options["correct"]) for judge, options in judges.items()},
    }


def publish_params():
    """What the tables say about the campaign."""
    return {
        "config": CAMPAIGN.effective(),
        "is_open": CAMPAIGN.open,
        "gate": list(CAMPAIGN.gate),
        "folder": str(CAMPAIGN.folder),
        "figures": [file for name in CAMPAIGN.collections for file in published_figures(name)],
    }
