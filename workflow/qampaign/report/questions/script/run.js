// A run by itself: where it stands, what it wins and loses against the field, how well it knows itself.
const standing = (run) => {
  const rows = DATA.measures.flatMap(({ label }, measure) => DATA.judges.map(({ judge }, at) => {
    const scores = DATA.scores[at][measure];
    const of = (name) => scores[name]?.[run] ?? null;
    return [quote(label), quote(judge), words.fixed(of("value")), words.interval(of("low"), of("high")),
      words.range(of("rank_first"), of("rank_last")), words.range(of("rank_low"), of("rank_high"))];
  }));
  const columns = [["Measure", "name"], ["Judge", "name"], ["Value", ""], ["95% interval", ""], ["Rank", ""], ["Rank range", ""]];
  const ranged = rows.some((row) => row.at(-1) !== DASH) ? columns.length : columns.length - 1;
  return [
    element("h3", {}, "Values and ranks"),
    table("Values and ranks", columns.slice(0, ranged), rows.map((row) => row.slice(0, ranged))),
  ];
};

// A half, as far as shares are held.
const HALF = { low: 0.5 - 1 / SHARE_UNITS, high: 0.5 + 1 / SHARE_UNITS };

// Won: right where most others of the field are not; lost: not right where most are.
const againstField = (judge, run) => {
  const others = FIELDS[judge].filter((each) => each !== run);
  const whose = FIELDS[judge].length < SUBMITTED.length ? `submitted runs that have ${scoresAlone(judge) ? "scores" : "verdicts"}` : "submitted runs";
  const counts = new Map();
  const add = (type, won, lost, share, field) => {
    const count = counts.get(type) ?? [0, 0, 0, 0, 0];
    [1, share, field, won, lost].forEach((value, at) => { count[at] += value; });
    counts.set(type, count);
  };
  for (let question = 0; question < QUESTIONS; question += 1) {
    if (!cells.judged(judge, question)) continue;
    const share = cells.share(judge, question, run);
    const field = others.reduce((sum, other) => sum + cells.share(judge, question, other), 0) / Math.max(others.length, 1);
    const won = Number(share > HALF.high && field < HALF.low);
    const lost = Number(share < HALF.low && field > HALF.high);
    add("all", won, lost, share, field);
    if (DATA.type[question] !== null) add(DATA.types[DATA.type[question]], won, lost, share, field);
  }
  const scored = scoresAlone(judge);
  const rows = [...counts].sort(([a], [b]) => (b === "all") - (a === "all") || (a < b ? -1 : 1))
    .map(([type, [number, share, field, won, lost]]) => [
      quote(type), number.toLocaleString("en-US"), words.fixed(share / number), words.fixed(field / number),
      ...(scored ? [] : [won.toLocaleString("en-US"), lost.toLocaleString("en-US")]),
    ]);
  if (!others.length) return [];
  const shown = rows.length > 2 ? rows : rows.slice(0, 1);
  if (scored) {
    return [
      element("h3", {}, "Against the field"),
      element("p", { class: "hint" }, `By the first answer, with the scores of ${DATA.judges[judge].judge}. The field: the other ${whose}.`),
      table("Against the field", [["Type", "name"], [NOUNS, ""], ["Mean score", ""], ["Field", ""]], shown),
    ];
  }
  return [
    element("h3", {}, "Against the field"),
    element("p", { class: "hint" }, `By the first answer, judged by ${DATA.judges[judge].judge}. Won: right where more than half of the other ${whose} are not; lost: not right where more than half of them are.`),
    table("Against the field", [["Type", "name"], [NOUNS, ""], ["Share right", ""], ["Field", ""], ["Won", ""], ["Lost", ""]], shown),
  ];
};

const calibration = (judge, run) => {
  const bins = DATA.reliability[judge][run];
  if (!bins.length) return [];
  const number = (value) => (Number.isInteger(value) ? value.toLocaleString("en-US") : String(+value.toFixed(2)));
  const rows = bins.map(([bin, confidence, accuracy, count]) => [
    `${(bin / 10).toFixed(1)} to ${((bin + 1) / 10).toFixed(1)}`, number(count), words.fixed(confidence), words.fixed(accuracy),
    confidence === null || accuracy === null ? DASH : words.fixed(accuracy - confidence),
  ]);
  return [
    element("h3", {}, "Calibration"),
    element("p", { class: "hint" }, `By ${DATA.judges[judge].judge}. A calibrated run is right as often as it is confident; below 0 in the last column it is too sure.`),
    table("Calibration", [["Confidence", "name"], ["Answers", ""], ["Mean confidence", ""], ["Share right", ""], ["Right less confidence", ""]], rows),
  ];
};

// How good a run is by its first answers, in a sentence.
const howRight = (judge, run) => {
  if (DATA.unjudged[judge].includes(run)) return words.fill(DATA.words[scoresAlone(judge) ? "as_zero" : "as_wrong"], { unknown: words.withoutVerdict(judge, DATA.runs[run].run) });
  let [right, judged, mixed, absent] = [0, 0, false, false];
  for (let question = 0; question < QUESTIONS; question += 1) {
    if (!cells.judged(judge, question)) continue;
    judged += 1;
    right += cells.share(judge, question, run);
    mixed ||= cells.code(judge, question, run) >= FIRST_SHARE;
    absent ||= cells.outcome(judge, question, run) === OUTCOMES["."];
  }
  const by = `by ${DATA.judges[judge].judge}.`;
  if (!judged) return `None of the ${DATA.noun}s shown here is judged ${by}`;
  const asked = `${words.many(judged, DATA.noun)}${DATA.asked > QUESTIONS ? " shown here" : ""}`;
  if (scoresAlone(judge)) return `Its mean score is ${words.fixed(right / judged)} on ${asked}, ${by}`;
  if (mixed) return `On average over ${asked}, ${words.percent(right / judged)} of its samples are right${absent ? " (none of a question without a row)" : ""}, ${by}`;
  return `Its first answer is right on ${right.toLocaleString("en-US")} of ${asked}, ${by}`;
};

const aboutRun = (state) => {
  const [run] = state.runs;
  const { judge } = state;
  const known = !DATA.unjudged[judge].includes(run);
  return [
    element("h2", {}, quote(DATA.runs[run].run), DATA.runs[run].kind === "submitted" ? "" : ` (${DATA.runs[run].kind === "derived" ? "what-if run" : DATA.runs[run].kind})`),
    element("p", { class: "sentence" }, quote(howRight(judge, run))),
    element("div", { class: "parts" },
      ...[standing(run), ...(known ? [againstField(judge, run)] : []), ...(known && !scoresAlone(judge) ? [calibration(judge, run)] : [])].filter((part_) => part_.length)
        .map((part_) => element("div", {}, ...part_))),
  ];
};
