"""The part of the config that goes to each stage: a change of another part reruns nothing there."""


def to_read():
    """What ingest gets of the config."""
    collections = {
        name: {
            "files": each.files,
            "labels": each.config["labels"],
            "verdicts": {judge: own.get("labels", {}) for judge, own in each.verdicts.items()},
            "task": each.config["task"],
            "unit": each.unit,
            "ranked": bool(each.ranked),
            "needs": each.needs,
            "levels": each.levels,
            "by_line": each.by_line,
            "by_key": bool(each.by_language),
            "language": each.config["language"],
            "reads": each.reads,
            "published": each.published,
            "names": names_of_figures(each),
            "skip_unknown_questions": each.config["unknown_questions"] == "skip",
        }
        for name, each in CAMPAIGN.collections.items()
    }
    shared = {"folder": str(CAMPAIGN.folder), "unpacked_gb": CAMPAIGN.unpacked_gb}
    return {**shared, "collections": collections}


def names_of_figures(collection):
    """The judges, measures and runs that published figures of a collection can name, if it has any."""
    if not collection.published:
        return {"judges": [], "measures": []}
    return {
        "judges": list(collection.judges),
        "measures": [measure.name for measure in collection.measures],
        "runs": None if collection.baselines else list(collection.config["derived"]),
    }


@cache
def raw_files():
    """Collection and path of every raw file, those with published figures too."""
    return [
        (name, CAMPAIGN.folder / file)
        for name, each in CAMPAIGN.collections.items()
        for _, file in resolve(CAMPAIGN.folder, each.files | {"published": each.published})
    ]


def to_judge(wildcards):
    """What a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    own = collection.judges[wildcards.judge]
    return {
        "kind": own["kind"],
        "table": collection.judged_by(wildcards.judge),
        "arguments": collection.arguments(wildcards.judge),
        "derived": collection.config["derived"],
        "by_line": collection.by_line,
    }


def to_score(wildcards):
    """What scoring by a judge gets of the config."""
    return to_count(CAMPAIGN.collections[wildcards.collection], wildcards.judge)


def to_count(collection, judge):
    """What counting and scoring by a judge gets of the config."""
    return {
        "rank_baselines": collection.config["rank_baselines"],
        "measures": [
            {"name": each.name, "measure": each.measure, "options": dict(each.options)}
            for each in collection.measures
        ],
        "evidence": {
            "validation": collection.config["task"] == "validation",
            "correct": collection.judges[judge]["correct"],
            "confidence_map": collection.config["confidence"].get("map"),
            "baselines": collection.baselines,
            "derived": list(collection.config["derived"]),
        },
    }


def to_agree(wildcards):
    """What the comparison of a judge with the reference gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    reference = collection.config["reference"]
    return {
        "seed": CAMPAIGN.seed,
        "reference": reference,
        "judge": to_judge(wildcards),
        "correct": collection.judges[wildcards.judge]["correct"],
        "reference_correct": collection.judges[reference]["correct"],
        "derived": list(collection.config["derived"]),
        **collection.config["studies"]["agreement"],
    }


def state_of_failures(wildcards):
    """The hash of what people filled in, if they did."""
    path = failures(wildcards.collection, wildcards.judge)
    return sha256(path.read_bytes()).hexdigest() if is_changed(path) else ""


def to_correlate(wildcards):
    """What the comparison of rankings gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    shared = ("task", "reference", "nil")
    return {
        "seed": CAMPAIGN.seed,
        **{key: collection.config[key] for key in shared},
        "judges": list(collection.judges),
        "by_line": collection.by_line,
        "score": to_count(collection, collection.config["reference"]),
        **collection.config["studies"]["correlation"],
    }


def to_study(study):
    """What a study gets of the config."""

    def known(wildcards):
        collection = CAMPAIGN.collections[wildcards.collection]
        counting = to_count(collection, wildcards.judge)
        return {
            "seed": CAMPAIGN.seed,
            "study": study,
            "settings": collection.config["studies"][study],
            "measures": counting["measures"],
            "rank_baselines": counting["rank_baselines"],
        }

    return known


def to_pool(wildcards):
    """What the search for answers to be judged gets of the config."""
    config = CAMPAIGN.collections[wildcards.collection].config
    return {"seed": CAMPAIGN.seed, "task": config["task"], "nil": config["nil"]}


def to_publish():
    """What the tables tell of each collection."""
    keys = ("title", "note", "task", "language", "reference", "primary")
    collections = {
        name: {key: each.config.get(key) for key in keys}
        | {
            "judges": {
                judge: (options["kind"], each.threshold(judge))
                for judge, options in each.judges.items()
            },
            "measures": {
                own.name: (own.measure, own.label, dict(own.options)) for own in each.measures
            },
        }
        for name, each in CAMPAIGN.collections.items()
    }
    return {
        "collections": collections,
        "computed": computed(),
        "published": published_figures(),
        "config": CAMPAIGN.effective(),
    }
