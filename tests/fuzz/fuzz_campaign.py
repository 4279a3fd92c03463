"""A campaign that uses every option whose results could depend on more than its rows say.

Five small collections: answers with confidences under four kinds of judges; ranked answers with
levels and in samples; items to validate; logs of another program, with the files that stand beside
them; and a judge that people's labels correct. It runs in a warm process, or by the real command.
"""

import shutil
from pathlib import Path

from tests.helpers.logs import (
    inspect_json,
    inspect_sample,
    json_lines,
    lm_eval_results,
    lm_eval_sample,
)
from tests.helpers.tiny_campaign import Tiny, copy_code
from tests.helpers.warm import Warm

DATE = "2026-01-21T03-44-18.458309"
"""In the names of the files of lm-evaluation-harness."""

CONFIG = """\
campaign: fuzzed
title: A campaign that changes
seed: 3
defaults:
  studies: &studies
    stability: {trials: 10, fuzziness: [0.05]}
    swap: {trials: 10}
    sizes: {trials: 5}
    significance: {resamples: 20}
    correlation: {resamples: 20, draws: 20}
collections:
  alpha:
    questions: alpha/questions.csv
    runs: alpha/runs/*
    run_info: alpha/run_info.csv
    assessments: [alpha/assessments/*]
    keys: alpha/keys/*
    patterns: alpha/patterns.csv
    published: alpha/published/*.csv
    labels: {R: right, W: wrong, U: unsupported, X: inexact}
    ties: [right]
    judges:
      people: {kind: assessments}
      key: {kind: key, threshold: 0.5}
      regex: {kind: patterns, unassessed: wrong}
      within: {kind: contains, learned_from: people, unassessed: wrong}
      gpt: {kind: verdicts, files: alpha/gpt.csv, labels: {A: right, B: wrong}, unassessed: wrong}
    reference: people
    measures:
      - c_at_1
      - accuracy
      - cws: {ties: file}
      - brier
    derived:
      a1-unsure: {from: a1, where: "line <= 4", set: {confidence: 0}}
    studies: {judges: [people], <<: *studies}
  beta:
    runs: beta/runs.csv
    assessments: beta/assessments.csv
    unassessed: wrong
    measures:
      - mrr: {cutoff: 3}
      - q_measure: {gains: {S: 3, A: 1}}
      - majority_vote
    baselines: [answers_nothing]
    studies: &few
      significance: {resamples: 20}
      correlation: {resamples: 20, draws: 20}
  gamma:
    task: validation
    questions: gamma/questions.csv
    runs: gamma/runs/*.csv
    assessments: gamma/assessments.csv
    measures: [f, accuracy, auc]
    baselines: [all_yes]
    studies: *few
  logged:
    logs: logged/**/*
    judges:
      logged: {kind: logged, scorer: exact_match}
      key: {kind: key}
    studies: {}
  labelled:
    questions: labelled/questions.csv
    runs: labelled/runs.csv
    assessments: labelled/sheet.csv
    judges:
      gpt: {kind: verdicts, files: labelled/gpt.csv, corrected_by: people}
      people: {kind: assessments}
    measures: [accuracy, c_at_1]
    studies: {}
"""

# The first collection alone, with as little as the ways need in which it could go out of date.
SMALL_CONFIG = """\
campaign: fuzzed
seed: 3
collections:
  alpha:
    questions: alpha/questions.csv
    runs: alpha/runs/*
    assessments: alpha/assessments/*
    keys: alpha/keys/*
    published: alpha/published/*.csv
    labels: {R: right, W: wrong, U: unsupported, X: inexact}
    ties: [right]
    judges:
      people: {kind: assessments}
      key: {kind: key, threshold: 0.5}
    measures: [accuracy, cws: {ties: file}]
    derived:
      a1-unsure: {from: a1, where: "line <= 4", set: {confidence: 0}}
    studies:
      significance: {resamples: 20}
      correlation: {resamples: 20, draws: 20}
"""

# What results can depend on besides answers and labels, each with as little else as it needs:
# costs, teams, trials, juries, means of measures, rankings over collections and conditions; samples
# and weights of questions; labels that correct a judge.
FEATURES_CONFIGS = {
    "rankings": """\
campaign: fuzzed
seed: 3
collections:
  alpha: &alpha
    questions: alpha/questions.csv
    runs: alpha/runs/*
    run_info: alpha/run_info.csv
    assessments: alpha/assessments/*
    keys: alpha/keys/*
    labels: {R: right, W: wrong, U: unsupported, X: inexact}
    ties: [right]
    judges:
      people: {kind: assessments}
      key: {kind: key, threshold: 0.5}
      gpt: {kind: verdicts, files: alpha/gpt.csv, labels: {A: right, B: wrong}, unassessed: wrong}
      jury: {kind: jury, of: [people, gpt], ties: [wrong, unsupported], unassessed: wrong}
    measures:
      - accuracy
      - c_at_1
      - accuracy: {average: type, name: macro}
      - composite: {of: [macro, accuracy], name: both, weights: [2, 1]}
    comparisons: [[a1, a2]]
    studies: {significance: {resamples: 20}}
  twin:
    <<: *alpha
    judges: {people: {kind: assessments}}
    measures: [accuracy]
    ties: [wrong, inexact]
    comparisons: []
overall: {collections: [alpha, twin], measure: accuracy}
gate: [accuracy of a1 >= 0.5]
""",
    "samples": """\
campaign: fuzzed
seed: 3
collections:
  beta:
    questions: beta/questions.csv
    runs: beta/runs.csv
    assessments: beta/assessments.csv
    unassessed: wrong
    measures: [accuracy, majority_vote, consistency]
    studies: {significance: {resamples: 20}}
""",
    "labels": """\
campaign: fuzzed
seed: 3
collections:
  labelled:
    questions: labelled/questions.csv
    runs: labelled/runs.csv
    assessments: labelled/sheet.csv
    judges:
      gpt: {kind: verdicts, files: labelled/gpt.csv, corrected_by: people}
      people: {kind: assessments}
    measures: [accuracy, c_at_1]
    studies: {}
""",
}

LABELLED = 40
"""The questions of which people have labelled all but the last five, some with a probability."""


def _labelled() -> dict[str, str]:
    """Two runs, a judge that errs at every seventh question, and labels by people."""
    numbers = range(LABELLED)
    given = {"l1": lambda number: number % 3 > 0, "l2": lambda number: number % 2 > 0}
    runs = [f"{run},s{n},{'good' if is_good(n) else 'bad'}"
            for run, is_good in given.items() for n in numbers]  # fmt: skip
    judged = [f"s{n},{answer},{'right' if (answer == 'good') != (n % 7 == 0) else 'wrong'}"
              for n in numbers for answer in ("good", "bad")]  # fmt: skip
    sheet = [f"s{n},{answer},{'right' if answer == 'good' else 'wrong'},{'0.5' if n % 4 else ''}"
             for n in range(LABELLED - 5) for answer in ("good", "bad")]  # fmt: skip
    return {
        "labelled/questions.csv": "\n".join(["question", *(f"s{n}" for n in numbers), ""]),
        "labelled/runs.csv": "\n".join(["run,question,answer", *runs, ""]),
        "labelled/gpt.csv": "\n".join(["question,answer,label", *judged, ""]),
        "labelled/sheet.csv": "\n".join(["question,answer,label,probability", *sheet, ""]),
    }


# alpha: equal confidences, in an order of rows that is not that of the questions; q2 has keys in
# both files, and its key judge differs from people.
FILES = {
    "alpha/questions.csv": """\
question,type,nil,text
q1,factoid,,Where is the tower?
q2,factoid,,How far was it?
q3,definition,,What is the Nile?
q4,factoid,true,Who was it?
q5,definition,,What is a rock?
q6,factoid,,Which year?
""",
    "alpha/runs/a1.csv": """\
question,answer,confidence,answered
q3,a river,0.5,true
q1,Paris,0.5,true
q2,42 km,0.5,true
q4,NIL,0.5,true
q6,1912,0.9,true
q5,a stone,0.2,false
""",
    "alpha/runs/a2.csv": """\
question,answer,confidence,answered
q1,Lyon,0.7,true
q2,1912,0.7,true
q3,the river,0.7,true
q4,Bob,0.1,true
q5,a rock,0.7,true
q6,1911,0.3,true
""",
    "alpha/runs/a3.csv": """\
question,answer,confidence,answered
q6,1912,0.4,true
q5,a stone,0.4,true
q2,forty km,0.4,true
q1,Paris,0.4,true
""",
    "alpha/run_info.csv": """\
run,team,category,size,cost
a1,Team A,open,7,1.5
a2,Team B,open,70,9
a3,Team A,closed,7,
""",
    "alpha/assessments/1.csv": """\
question,answer,assessor,label
q1,Paris,ana,R
q1,Lyon,ana,W
q2,42 km,ana,R
q2,1912,ana,W
q2,forty km,ana,R
q3,a river,ana,R
q3,the river,ana,X
q4,Bob,ana,W
q5,a stone,ana,R
q5,a rock,ana,U
q6,1912,ana,R
q6,1911,ana,W
""",
    "alpha/assessments/2.csv": """\
question,answer,assessor,label
q1,Paris,bob,R
q1,Lyon,bob,R
q1,Lyon,adjudicated,W
q2,42 km,bob,R
q2,1912,bob,W
q2,forty km,bob,W
q3,a river,bob,R
q3,the river,bob,R
q4,Bob,bob,W
q5,a stone,bob,W
q5,a rock,bob,U
q6,1912,bob,R
q6,1911,bob,W
""",
    "alpha/keys/1.csv": """\
question,key
q1,Paris; the capital
q2,42 km
q3,a river
q5,a rock | a big stone
""",
    "alpha/keys/2.csv": """\
question,key
q2,1912
q6,1912
q5,a pebble
q3,a stream
""",
    "alpha/patterns.csv": """\
question,pattern
q1,Par.s
q2,\\b42\\b
q2,forty
q3,riv
q5,stone|rock
q6,191.
""",
    "alpha/gpt.csv": """\
question,run,rank,label,trial
q1,a1,1,A,1
q1,a1,1,A,2
q1,a1,1,B,3
q2,a1,1,B,
q3,a1,1,A,
q1,a2,1,B,1
q1,a2,1,B,2
q2,a2,1,B,
q5,a2,1,A,
q6,a3,1,A,
q2,a3,1,A,
""",
    "alpha/f1.csv": """\
question,run,rank,score
q1,a1,1,0.9
q2,a1,1,0.5
q3,a1,1,0.1
q1,a2,1,0.5
q5,a2,1,0.9
q6,a3,1,0.9
""",
    "alpha/published/paper.csv": """\
source,table,column,measure,run,slice,published
Paper 1,scores,value,accuracy,a1,all,0.83
Paper 1,scores,value,cws,a2,all,0.21
""",
    "beta/runs.csv": """\
run,question,sample,rank,answer
b1,p1,,1,one
b1,p1,,2,two
b1,p2,,1,three
b2,p1,,1,two
b2,p2,,1,four
b2,p2,,2,three
b2,p3,,1,five
b3,p3,x,1,six
b3,p3,x,2,five
b3,p3,y,1,five
b3,p1,x,1,one
""",
    "beta/questions.csv": """\
question,weight
p1,1
p2,2
p3,0.5
""",
    "beta/assessments.csv": """\
question,answer,label,level,class
p1,one,right,S,c1
p1,two,right,A,c2
p2,three,right,A,c1
p2,four,wrong,,
p3,five,right,S,c1
""",
    "gamma/questions.csv": """\
question,group
i1,g1
i2,g1
i3,g2
i4,g2
i5,g3
i6,g3
""",
    "gamma/runs/v1.csv": """\
question,answer,score
i1,yes,0.9
i2,no,0.3
i3,yes,0.8
i4,no,0.3
i5,no,0.2
i6,yes,0.6
""",
    "gamma/runs/v2.csv": """\
question,answer,score
i1,yes,0.5
i2,yes,0.5
i3,no,0.5
i4,no,0.1
i5,yes,0.7
""",
    "gamma/assessments.csv": """\
question,label
i1,yes
i2,no
i3,yes
i4,no
i5,no
i6,yes
""",
    f"logged/one/samples_sums_{DATE}.jsonl": json_lines(
        [lm_eval_sample(0), lm_eval_sample(1, "5", "7"), lm_eval_sample(2, "6", "6")]
    ),
    f"logged/one/results_{DATE}.json": lm_eval_results("org/one"),
    f"logged/two/samples_sums_{DATE}.jsonl": json_lines(
        [lm_eval_sample(0), lm_eval_sample(1, "7", "7"), lm_eval_sample(2, "4", "6")]
    ),
    "inspect/one.json": inspect_json([inspect_sample(1), inspect_sample(2, "I", "Lyon")]),
    "inspect/two.json": inspect_json(
        [inspect_sample(1, "P", "Paris, Texas"), inspect_sample(2)], model="mock/two"
    ),
    **_labelled(),
}


class Fuzzed(Tiny):
    """The campaign in a folder: project/ has the code, data/ the raw files, work/ the results."""

    def __init__(self, folder: Path, warm: Warm, *, project: Path | None = None) -> None:
        super().__init__(folder, warm)
        self.project = project or self.project
        self.results = self.work / "results" / "fuzzed"

    def create(self, config: str = CONFIG) -> "Fuzzed":
        """Copy the code, and write the raw files and a config."""
        copy_code(self.project)
        self.work.mkdir(parents=True)
        for name, text in FILES.items():
            self.write(name, text)
        self.write("config.yaml", config)
        return self

    def copy_of_inputs(self, folder: Path) -> "Fuzzed":
        """The same raw files at another place, with times of now, and nothing computed."""
        copy = Fuzzed(folder, self.warm, project=self.project)
        shutil.copytree(self.data, copy.data, copy_function=shutil.copyfile)
        copy.work.mkdir()
        return copy
