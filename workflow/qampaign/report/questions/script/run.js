// A run by itself: where it stands, what it wins and loses against the field, how well it knows itself.
const standing = (run) => {
  const rows = DATA.measures.flatMap(({ label }, measure) => DATA.judges.map(({ judge }, at) => {
    const scores = DATA.scores[at][measure];
    const of = (name) => scores[name]?.[run] ?? null;
    return [quote(label), quote(judge), words.fixed(of("value")), words.interval(of("low"), of("high")),
      words.range(of("rank_first"), of("rank_last")), words.range(of("rank_low"), of("rank_high"))];
  }));
  return [
    element("h3", {}, "Values and ranks"),
    table("Values and ranks", [["Measure", "name"], ["Judge", "name"], ["Value", ""], ["95% interval", ""], ["Rank", ""], ["Rank range", ""]], rows),
  ];
};

// Won: right where most others of the field are not; lost: not right where most are.
const againstField = (judge, run) => {
  const others = FIELD.filter((each) => each !== run);
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
    const won = Number(share > 0.5 && field < 0.5);
    const lost = Number(share < 0.5 && field > 0.5);
    add("all", won, lost, share, field);
    if (DATA.type[question] !== null) add(DATA.types[DATA.type[question]], won, lost, share, field);
  }
  const rows = [...counts].sort(([a], [b]) => (b === "all") - (a === "all") || (a < b ? -1 : 1))
    .map(([type, [number, share, field, won, lost]]) => [
      quote(type), number.toLocaleString("en-US"), words.fixed(share / number), words.fixed(field / number),
      won.toLocaleString("en-US"), lost.toLocaleString("en-US"),
    ]);
  if (!others.length) return [];
  return [
    element("h3", {}, "Against the field"),
    element("p", { class: "hint" }, `By the first answer, judged by ${DATA.judges[judge].judge}. Won: right where more than half of the other submitted runs are not; lost: not right where more than half of them are.`),
    table("Against the field", [["Type", "name"], [NOUNS, ""], ["Share right", ""], ["Field", ""], ["Won", ""], ["Lost", ""]], rows.length > 2 ? rows : rows.slice(0, 1)),
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

const aboutRun = (state) => {
  const [run] = state.runs;
  const { judge } = state;
  let [right, judged] = [0, 0];
  for (let question = 0; question < QUESTIONS; question += 1) {
    if (!cells.judged(judge, question)) continue;
    judged += 1;
    right += cells.share(judge, question, run);
  }
  const part = DATA.asked > QUESTIONS ? " shown here" : "";
  return [
    element("h2", {}, quote(DATA.runs[run].run), DATA.runs[run].kind === "submitted" ? "" : ` (${DATA.runs[run].kind === "derived" ? "what-if run" : DATA.runs[run].kind})`),
    element("p", { class: "sentence" }, `Its first answer is right to ${(+right.toFixed(2)).toLocaleString("en-US")} of ${words.many(judged, DATA.noun)}${part}, by ${DATA.judges[judge].judge}.`),
    element("div", { class: "parts" },
      ...[standing(run), againstField(judge, run), calibration(judge, run)].filter((part_) => part_.length)
        .map((part_) => element("div", {}, ...part_))),
  ];
};
