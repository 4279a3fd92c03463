// Two runs side by side: the same tables and the same sentence as `qampaign compare`.
const tested = new Map();
const pairOf = (judge, measure, first, second) => {
  const columns = DATA.pairs[judge][measure];
  const value = (run) => DATA.scores[judge][measure].value?.[run] ?? null;
  const [one, two] = [value(first), value(second)];
  const none = {
    difference: one === null || two === null ? null : one - two, low: null, high: null, p: null, family: null, visible: null,
    margin: null, untested: whyUntested(judge, first, second),
  };
  if (!columns) return none;
  const name = `${judge} ${measure}`;
  if (!tested.has(name)) tested.set(name, new Map(columns.a.map((a, at) => [a * RUNS + columns.b[at], at])));
  const find = (a, b) => tested.get(name).get(a * RUNS + b);
  const turned = find(first, second) === undefined;
  const at = turned ? find(second, first) : find(first, second);
  if (at === undefined) return none;
  const of = (column) => columns[column]?.[at] ?? null;
  const sign = (number) => (turned && number !== null ? -number : number);
  return {
    difference: sign(of("difference")) ?? none.difference,
    low: turned ? sign(of("high")) : of("low"),
    high: turned ? sign(of("low")) : of("high"),
    p: of("p_adjusted"),
    family: columns.planned.includes(at) ? "planned" : "all",
    visible: of("visible"),
    untested: of("p") === null ? "no_test" : "no_measure",
    won: of(turned ? "lost" : "won"),
    lost: of(turned ? "won" : "lost"),
    margin: of("margin"),
    equivalent: of("equivalent"),
  };
};

// Of very many ranked runs, which all were tested, the tables do not have all pairs.
const whyUntested = (judge, first, second) => {
  const ranges = DATA.scores[judge][0]?.rank_low;
  const ranked = ranges?.filter((rank) => rank !== null).length ?? 0;
  const both = ranked > DATA.tabled && ranges[first] !== null && ranges[second] !== null;
  return DATA.untested[judge] === "not_tested" && both ? "not_tabled" : DATA.untested[judge];
};

// Questions won, lost and tied by the first answer: over all, and by type.
const countPair = (judge, first, second) => {
  const counts = new Map([["all", { won: 0, lost: 0, tied: 0, unassessed: 0 }]]);
  for (let question = 0; question < QUESTIONS; question += 1) {
    if (!cells.judged(judge, question)) continue;
    const gain = cells.share(judge, question, first) - cells.share(judge, question, second);
    const outcome = gain > SAME ? "won" : gain < -SAME ? "lost" : "tied";
    counts.get("all")[outcome] += 1;
    if (outcome !== "tied" && [first, second].some((run) => isUnassessed(judge, question, run))) counts.get("all").unassessed += 1;
    const type = DATA.type[question] === null ? null : DATA.types[DATA.type[question]];
    if (type !== null) {
      if (!counts.has(type)) counts.set(type, { won: 0, lost: 0, tied: 0 });
      counts.get(type)[outcome] += 1;
    }
  }
  const [all, ...typed] = counts;
  typed.sort(([a], [b]) => (a < b ? -1 : 1));
  return typed.length > 1 ? [all, ...typed] : [all];
};

const aboutPair = (state) => {
  const { judge, runs: [first, second] } = state;
  const [one, two] = [first, second].map((run) => DATA.runs[run].run);
  const pairs = DATA.measures.map((_, measure) => pairOf(judge, measure, first, second));
  const counts = countPair(judge, first, second);
  const whole = DATA.asked === QUESTIONS;
  const unjudged = [first, second].filter((run) => DATA.unjudged[judge].includes(run)).map((run) => DATA.runs[run].run);
  const known = !unjudged.length;
  const decided = known && !scoresAlone(judge); // scores alone win no question
  const value = (measure, run) => DATA.scores[judge][measure].value?.[run] ?? null;
  const among = { all: "all pairs", planned: "planned" };
  const rows = DATA.measures.map(({ label }, measure) => {
    const { difference, low, high, p, family } = pairs[measure];
    return [quote(label), words.fixed(value(measure, first)), words.fixed(value(measure, second)), words.fixed(difference),
      ...(known ? [words.interval(low, high), words.chance(p), difference === null ? "no value" : p === null ? "not tested" : among[family]] : [])];
  });
  const sentences = DATA.measures.length ? [words.sentence(one, two, DATA.measures[0], pairs[0], whole && decided ? counts[0][1] : null, judge, unjudged)] : [];
  if (known && DATA.measures.length && (pairs[0].equivalent ?? null) !== null) sentences.push(words.equivalence(pairs[0]));
  if (known && DATA.measures.length && pairs[0].visible !== null && pairs[0].p !== null) {
    sentences.push(words.size(DATA.measures[0], pairs[0]));
  }
  const number = (count) => count.toLocaleString("en-US");
  const { won, lost, unassessed } = counts[0][1];
  const unknown = unassessed
    ? ` One of the two is better on ${words.many(won + lost, DATA.noun)}. ${words.fill(DATA.words.unassessed, { number: number(unassessed), judge: DATA.judges[judge].judge })}` : "";
  return [
    element("h2", {}, quote(one), " and ", quote(two)),
    ...sentences.map((sentence) => element("p", { class: "sentence" }, quote(sentence))),
    element("div", { class: "parts" },
      element("div", {}, element("h3", {}, "Differences"),
        element("p", { class: "hint" }, `By ${DATA.judges[judge].judge}; the first less the second.${known ? " The interval and p hold for all pairs, or all planned ones, together." : ""}`),
        table("Differences", [["Measure", "name"], [quote(one), ""], [quote(two), ""], ["Difference", ""], ...(known ? [["95% interval", ""], ["p", ""], ["Interval and p among", "name"]] : [])], rows)),
      ...(!decided ? [] : [element("div", {}, element("h3", {}, `${NOUNS} won and lost`),
        element("p", { class: "hint" }, `By the first answer${whole ? "" : `, of the ${QUESTIONS.toLocaleString("en-US")} ${DATA.noun}s shown here`}.${unknown}`),
        table("Won and lost", [["Type", "name"], [element("span", {}, quote(one), " better"), ""], [element("span", {}, quote(two), " better"), ""], ["Equal", ""]],
          counts.map(([type, { won, lost, tied }]) => [quote(type), number(won), number(lost), number(tied)])))])),
  ];
};
