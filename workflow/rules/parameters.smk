"""The slice of the config that goes to each rule: a change elsewhere in the config does not rerun it."""

from qampaign.config.ingest_params import collection_files


def ingest_params():
    """What ingest gets of the config."""
    return [files.params() for files in collection_files(CAMPAIGN)]


def judge_params(wildcards):
    """What a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    return {
        "kind": collection.judges[wildcards.judge]["kind"],
        "table": collection.judged_by(wildcards.judge),
        "arguments": collection.arguments(wildcards.judge),
        "derived": collection.config["derived"],
        "by_line": collection.by_line,
    }


def score_params(wildcards):
    """What scoring by the job's judge gets of the config."""
    return scoring_by(wildcards.judge, CAMPAIGN.collections[wildcards.collection])


def scoring_by(judge, collection):
    """What counting and scoring by a judge gets of the config."""
    return {
        "rank_baselines": collection.config["rank_baselines"],
        "measures": [
            {"name": measure.name, "measure": measure.measure, "options": dict(measure.options)}
            for measure in collection.measures
        ],
        "evidence": {
            "validation": collection.config["task"] == "validation",
            "correct": collection.judges[judge]["correct"],
            "confidence_map": collection.config["confidence"].get("map"),
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
    config = CAMPAIGN.collections[wildcards.collection].config
    return {"seed": CAMPAIGN.seed, "task": config["task"], "nil": config["nil"]}


def tabulate_params(wildcards):
    """What the tables say about a collection."""
    collection = CAMPAIGN.collections[wildcards.collection]
    keys = ("title", "note", "task", "language", "reference", "primary", "unit")
    described = {key: collection.config.get(key) for key in keys} | {
        "judges": {
            judge: (options["kind"], collection.threshold(judge))
            for judge, options in collection.judges.items()
        },
        "measures": {
            measure.name: (measure.measure, measure.label, dict(measure.options))
            for measure in collection.measures
        },
    }
    return {
        "described": described,
        "computed": computed(wildcards.collection),
        "figures": published_figures(wildcards.collection),
    }


def draw_params(wildcards):
    """What the report of a collection gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    return {
        "open": CAMPAIGN.open,
        "methods": {
            "judges": {
                judge: {"kind": options["kind"], "correct": list(options["correct"])}
                | {"options": collection.own_arguments(judge)}
                for judge, options in collection.judges.items()
            },
            "measures": {measure.name: measure.measure for measure in collection.measures},
            "studies": collection.config["studies"],
        },
    }


def publish_params():
    """What the tables say about the campaign."""
    return {
        "config": CAMPAIGN.effective(),
        "is_open": CAMPAIGN.open,
        "folder": str(CAMPAIGN.folder),
        "figures": [file for name in CAMPAIGN.collections for file in published_figures(name)],
    }
