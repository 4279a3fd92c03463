// The score of an answer, by a judge that gives scores alone; one that is withheld counts as 0.
const scoreOf = ({ degree, level }, withheld) => {
  const label = degree === null ? "no score" : `score ${degree.toLocaleString("en-US", { minimumFractionDigits: 2, maximumFractionDigits: 4 })}`;
  const said = withheld || degree === null ? element("span", { class: "said unanswered" }, withheld ? `${label}, withheld` : label) : shaded(degree, label);
  return level ? element("span", {}, said, element("small", {}, quote(`level ${level}`))) : said;
};

// One question: what was asked, what is accepted, and every run's answer with what the judges say.
const verdictOf = (judge, { withheld, answer, judges }) => {
  const judged = judges[judge];
  if (!judged?.verdict) return element("span", { class: "none" }, DASH);
  if (scoresAlone(judge) && judged.verdict !== "not_attempted") return scoreOf(judged, withheld);
  const correct = DATA.judges[judge].correct.includes(judged.verdict);
  const counts = correct ? "right" : judged.verdict === "not_attempted" ? "unanswered" : judged.verdict === "unassessed" && !withheld ? "unassessed" : "wrong";
  const label = withheld && answer !== null ? `${judged.verdict}, withheld` : judged.verdict;
  const said = element("span", { class: `said ${counts}${withheld ? " withheld" : ""}` }, label.replace("_", " "));
  const more = [judged.level && `level ${judged.level}`, judged.class && `class ${judged.class}`].filter(Boolean);
  if (judged.degree !== null) more.push(`degree ${judged.degree}`);
  const cell = element("span", {}, said);
  if (judged.matched) cell.append(element("small", {}, "matched: ", quote(judged.matched)));
  if (more.length) cell.append(element("small", {}, quote(more.join(", "))));
  return cell;
};

const answerOf = ({ answer, withheld }) => {
  if (!DATA.open) return element("span", { class: "none" }, "not shown");
  if (answer === null) return element("span", { class: "none" }, "no answer");
  return withheld ? element("span", { class: "withheld" }, quote(answer), " (withheld)") : quote(answer);
};

class QuestionDialog {
  constructor(dialog, state) {
    this.dialog = dialog;
    this.state = state;
    this.onstep = () => {};
    this.onclose = () => {};
    dialog.addEventListener("close", () => this.onclose());
    dialog.addEventListener("click", (event) => {
      if (event.target === dialog) dialog.close();
    });
  }

  show(question) {
    this.fill(question);
    if (!this.dialog.open) this.dialog.showModal();
    this.dialog.scrollTop = 0;
  }

  hide() {
    if (this.dialog.open) this.dialog.close();
  }

  fill(question) {
    const button = (label, step) => {
      const made = element("button", { type: "button", autofocus: !step }, label);
      made.addEventListener("click", () => (step ? this.onstep(step) : this.dialog.close()));
      return made;
    };
    const focused = [...this.dialog.querySelectorAll(".steps button")].indexOf(document.activeElement);
    const facts = [];
    const type = DATA.type[question];
    if (type !== null) facts.push(`type ${DATA.types[type]}`);
    if (DATA.group?.[question]) facts.push(`group ${DATA.group[question]}`);
    const { judge } = this.state;
    if (cells.judged(judge, question)) {
      facts.push(scoresAlone(judge) ? `mean score ${meanScore(judge, question)} of ${words.many(FIELDS[judge].length, "run")}, by ${DATA.judges[judge].judge}` : `${DATA.ranked ? "first answer right" : "right"}: ${+rightRuns(judge).sum[question].toFixed(2)} of ${words.many(FIELDS[judge].length, "run")}, by ${DATA.judges[judge].judge}`);
    }
    const differ = disagreement()[question];
    if (deciding.length > 1) facts.push(differ ? `judges differ on ${words.many(differ, "run")}` : "judges agree");
    const suspect = suspicion(judge, question);
    if (suspect !== null) facts.push(`runs that are right on it are worse on the rest than those that are wrong (correlation ${words.correlation(suspect)})`);
    const steps = element("div", { class: "steps" }, button("Previous", -1), button("Next", 1), button("Close", 0));
    this.dialog.replaceChildren(
      steps,
      element("h2", { id: "question-title" }, quote(DATA.questions[question])),
      ...(DATA.text?.[question] ? [element("p", { class: "asked" }, quote(DATA.text[question]))] : []),
      element("p", { class: "facts" }, quote(facts.join(" \u00b7 "))),
      ...this.details(question),
    );
    if (focused >= 0) steps.children[focused].focus();
  }

  details(question) {
    const rows = answers.of(question);
    if (!rows) {
      const file = answers.file(question);
      return [element("p", {}, element("a", { href: `${file}${window.location.hash}` }, "Its answers are on another page."))];
    }
    const order = [this.state.judge, ...DATA.judges.keys()].filter((judge, at, all) => all.indexOf(judge) === at);
    const picked = new Set(this.state.runs);
    if (this.state.show === "only") picked.add(this.state.only);
    const sorted = [...rows].sort((a, b) => picked.has(b.run) - picked.has(a.run) || a.run - b.run);
    const has = (test) => rows.some(test);
    const columns = [
      ["Run", "name", ({ run }) => element("a", { href: this.state.href({ runs: [run], question: -1 }) }, quote(DATA.runs[run].run))],
      ...(has(({ sample }) => sample !== null) ? [["Sample", "name", ({ sample }) => quote(sample ?? DASH)]] : []),
      ...(has(({ rank }) => rank > 1) ? [["Rank", "", ({ rank }) => String(rank)]] : []),
      ["Answer", "words", answerOf],
      ...(has(({ confidence }) => confidence !== null) ? [["Confidence", "", ({ confidence }) => (confidence === null ? DASH : String(confidence))]] : []),
      ...order.map((judge) => [quote(DATA.judges[judge].judge), "words", (row) => verdictOf(judge, row)]),
    ];
    const heads = columns.map(([label, kind]) => [label, kind]);
    const without = SUBMITTED.filter((run) => !rows.some((row) => row.run === run)).map((run) => DATA.runs[run].run);
    return [
      ...this.keys(question, order),
      element("h3", {}, "Answers"),
      table("Answers", heads, sorted.map((row) => columns.map(([, , cell]) => cell(row)))),
      ...(without.length ? [element("p", { class: "hint" }, "No row: ", quote(without.join(", ")), ".")] : []),
    ];
  }

  keys(question, order) {
    if (!DATA.open) return [element("p", { class: "hint" }, "The texts of answers and keys are not shown: the test set stays secret.")];
    const accepted = answers.accepted(question);
    const rows = order.filter((judge) => deciding.includes(judge) && cells.judged(judge, question)).map((judge) => [
      quote(DATA.judges[judge].judge),
      accepted[judge] === null ? element("span", { class: "none" }, "nothing") : quote(accepted[judge]),
    ]);
    if (!rows.length) return [];
    return [element("h3", {}, "What is accepted"), table("What is accepted", [["Judge", "name"], ["Accepted", "words"]], rows)];
  }
}
