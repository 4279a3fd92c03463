// What the page holds: the matrix as text, a character a cell (cells.py), and chunks of answers that
// are opened when they are needed.
const holder = document.getElementById("data");
const DATA = JSON.parse(holder.textContent);
const RUNS = DATA.runs.length;
const QUESTIONS = DATA.questions.length;
const NOUNS = DATA.noun === "item" ? "Items" : "Questions";
const SAME = 1e-6; // shares are held in units of 1/50,000
const FIRST_SHARE = 0x1000;
const SHARE_UNITS = 50000;
const scoresAlone = (judge) => !DATA.judges[judge].verdicts;
const OUTCOMES = {
  r: "right", w: "wrong", x: "unassessed", R: "withheld, right", W: "withheld, wrong", u: "unanswered", ".": "no row", " ": "not judged",
};
const WITHOUT_SCORE = { ...OUTCOMES, x: "no score", h: "withheld" };

const cells = {
  code(judge, question, run) {
    return DATA.matrix[judge].charCodeAt(question * RUNS + run);
  },

  // The share of right first answers: 0 or 1 unless there are samples; or the score, by a judge without verdicts.
  share(judge, question, run) {
    const code = cells.code(judge, question, run);
    if (code === 114) return 1;
    return code < FIRST_SHARE ? 0 : (code - FIRST_SHARE) / SHARE_UNITS;
  },

  judged(judge, question) {
    return RUNS > 0 && cells.code(judge, question, 0) !== 32;
  },

  outcome(judge, question, run) {
    const code = cells.code(judge, question, run);
    if (code < FIRST_SHARE) return (scoresAlone(judge) ? WITHOUT_SCORE : OUTCOMES)[String.fromCharCode(code)];
    if (scoresAlone(judge)) return `score ${words.score(cells.share(judge, question, run))}`;
    return `${Math.round(((code - FIRST_SHARE) / SHARE_UNITS) * 100)}% of samples right`;
  },
};

// The runs that were submitted; by judge, those that count as the field: not those it has no verdict on.
const SUBMITTED = DATA.runs.flatMap(({ kind }, run) => (kind === "submitted" ? [run] : []));
const FIELDS = DATA.judges.map((_, judge) => SUBMITTED.filter((run) => !DATA.unjudged[judge].includes(run)));

// By judge: how many runs of the field have a question right, wholly or in part; or the sum of their scores.
const counted = DATA.judges.map(() => null);
const rightRuns = (judge) => counted[judge] ??= (() => {
  const some = new Int32Array(QUESTIONS);
  const sum = new Float64Array(QUESTIONS);
  for (let question = 0; question < QUESTIONS; question += 1) {
    for (const run of FIELDS[judge]) {
      const share = cells.share(judge, question, run);
      sum[question] += share;
      if (share > SAME) some[question] += 1;
    }
  }
  return { some, sum };
})();

// The mean score of the field on a question.
const meanScore = (judge, question) => (FIELDS[judge].length ? words.score(rightRuns(judge).sum[question] / FIELDS[judge].length) : DASH);

// Where an answer is unassessed although its character says withheld, or how many samples are right.
const hiddenUnassessed = DATA.unassessed.map((numbers) => new Set(numbers));
const isUnassessed = (judge, question, run) => cells.code(judge, question, run) === 120 || hiddenUnassessed[judge].has(question * RUNS + run);

// How far right runs are worse on the other questions than wrong ones: a correlation below 0, or null.
const suspicion = (judge, question) => {
  const rest = DATA.facts[judge].item_rest?.[question] ?? null;
  return rest !== null && rest < 0 ? rest : null;
};

// Judges that give verdicts, and those of them that judge a question.
const deciding = DATA.judges.flatMap((_, judge) => (scoresAlone(judge) ? [] : [judge]));
const judgesOf = (question) => deciding.filter((judge) => cells.judged(judge, question));

// Whether those of these judges that have a verdict differ about a run's first answer, given or withheld.
const differs = (judges, question, run) => {
  const shares = judges.flatMap((judge) => {
    const outcome = cells.outcome(judge, question, run);
    if (outcome === OUTCOMES.x) return [];
    return [outcome === OUTCOMES.R ? 1 : cells.share(judge, question, run)];
  });
  return shares.length > 1 && Math.max(...shares) - Math.min(...shares) > SAME;
};

// On how many runs judges differ, question by question.
let differing = null;
const disagreement = () => differing ??= Int32Array.from({ length: QUESTIONS }, (_, question) => {
  const judges = judgesOf(question);
  if (judges.length < 2) return 0;
  let runs = 0;
  for (let run = 0; run < RUNS; run += 1) if (differs(judges, question, run)) runs += 1;
  return runs;
});

const answers = (() => {
  const page = Number(holder.dataset.page);
  const chunks = [...document.querySelectorAll("script.chunk")].map((script) => ({
    script, first: Number(script.dataset.first), end: Number(script.dataset.first) + Number(script.dataset.questions),
  }));

  const open = (chunk) => {
    if (!chunk.content) {
      chunk.content = JSON.parse(chunk.script.textContent);
      chunk.starts = [0];
      for (const rows of chunk.content.rows) chunk.starts.push(chunk.starts.at(-1) + rows);
      chunk.withheld = new Set(chunk.content.withheld);
    }
    return chunk;
  };

  const holding = (question) => chunks.find(({ first, end }) => first <= question && question < end);

  // The file that has the answers to a question; empty: this page.
  const file = (question) => {
    const at = DATA.pages.findIndex(({ end }) => question < end);
    return at === page ? "" : DATA.pages[at].file;
  };

  const text = (chunk, column, row) => {
    const number = column?.[row];
    return number === null || number === undefined ? null : chunk.content.texts[number];
  };

  // Every answer to a question; null where another page has them.
  const of = (question) => {
    const found = holding(question);
    if (!found) return null;
    const chunk = open(found);
    const { content, starts } = chunk;
    const at = question - chunk.first;
    const rows = [];
    for (let row = starts[at]; row < starts[at + 1]; row += 1) {
      rows.push({
        run: content.run ? content.run[row] : row % RUNS,
        sample: text(chunk, content.sample, row),
        rank: content.rank?.[row] ?? 1,
        answer: text(chunk, content.answer, row),
        withheld: chunk.withheld.has(row),
        confidence: content.confidence?.[row] ?? null,
        judges: content.judges.map((judge) => ({
          verdict: judge.verdict[row] === " " ? null : DATA.verdicts[Number(judge.verdict[row])],
          degree: judge.degree?.[row] ?? null,
          matched: text(chunk, judge.matched, row),
          level: text(chunk, judge.level, row),
          class: text(chunk, judge.class, row),
        })),
      });
    }
    return rows;
  };

  // What each judge accepts.
  const accepted = (question) => {
    const chunk = open(holding(question));
    return DATA.judges.map((_, judge) => text(chunk, chunk.content.keys[judge], question - chunk.first));
  };

  // The questions whose answers or keys contain some words.
  const containing = (wanted) => {
    const found = new Set();
    for (const closed of chunks) {
      const chunk = open(closed);
      const { content, starts } = chunk;
      chunk.lower ??= content.texts.map((each) => each.toLowerCase());
      const hits = new Uint8Array(content.texts.length);
      if (!chunk.lower.reduce((some, each, at) => (each.includes(wanted) ? (hits[at] = 1) : some), 0)) continue;
      const hit = (number) => number !== null && number !== undefined && hits[number] === 1;
      for (let at = 0; at + 1 < starts.length; at += 1) {
        let here = content.keys.some((column) => hit(column?.[at]));
        for (let row = starts[at]; !here && row < starts[at + 1]; row += 1) here = hit(content.answer?.[row]);
        if (here) found.add(chunk.first + at);
      }
    }
    return found;
  };

  return { of, accepted, containing, file, page };
})();
