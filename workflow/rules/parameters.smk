"""The part of the config that goes to each stage: a change of another part reruns nothing there."""


def to_read():
    """What ingest gets of the config."""
    collections = {
        name: {
            "files": each.files,
            "labels": each.config["labels"],
            "task": each.config["task"],
            "unit": each.unit,
            "needs": each.needs,
            "levels": each.levels,
            "skip_unknown_questions": each.config["unknown_questions"] == "skip",
        }
        for name, each in CAMPAIGN.collections.items()
    }
    return {"folder": str(CAMPAIGN.folder), "collections": collections}


@cache
def raw_files():
    """Collection, table, path, size and time of every raw file."""
    found = []
    for name, each in CAMPAIGN.collections.items():
        for table, file in resolve(CAMPAIGN.folder, each.files):
            try:
                status = CAMPAIGN.folder.joinpath(file).stat()
            except OSError:
                continue  # ingest says so in its own words
            found.append((name, table, file, status.st_size, status.st_mtime_ns))
    return found


def state_of_files(wildcards):
    """Size and time of every raw file: any change of them, to newer or older, is worth a look."""
    return sha256(repr(raw_files()).encode()).hexdigest()


def to_judge(wildcards):
    """What a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    options = dict(collection.judges[wildcards.judge])
    kind = options.pop("kind")
    shared = {key: collection.config[key] for key in ("task", "derived")}
    return {**shared, "kind": kind, "options": {**options, "nil": collection.config["nil"]}}


def to_score(wildcards):
    """What scoring by a judge gets of the config."""
    collection = CAMPAIGN.collections[wildcards.collection]
    shared = {key: collection.config[key] for key in ("task", "rank_baselines")}
    return {
        **shared,
        "measures": [
            {"name": each.name, "measure": each.measure, "options": dict(each.options)}
            for each in collection.measures
        ],
        "correct": collection.judges[wildcards.judge]["correct"],
        "confidence_map": collection.config["confidence"].get("map"),
        "baselines": collection.baselines,
        "derived": list(collection.config["derived"]),
    }


def to_publish():
    """What the tables tell of each collection."""
    keys = ("title", "note", "task", "language", "reference", "primary")
    collections = {
        name: {key: each.config.get(key) for key in keys}
        | {
            "judges": {judge: options["kind"] for judge, options in each.judges.items()},
            "measures": {
                own.name: (own.measure, own.label, dict(own.options)) for own in each.measures
            },
        }
        for name, each in CAMPAIGN.collections.items()
    }
    return {"collections": collections, "config": CAMPAIGN.effective()}
