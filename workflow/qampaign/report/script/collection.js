// What the reader has chosen in a collection, and all that follows it: leaderboard and charts.
class Collection {
  constructor(section) {
    this.section = section;
    this.data = JSON.parse(section.querySelector("script.data").textContent);
    this.controls = section.querySelector(".controls");
    this.order = this.data.runs.map((_, run) => run);
    this.shown = this.data.runs.map(() => true);
    this.picked = new Set();
    // What a filter looks through: a run's name and all that is known of it.
    this.words = this.data.runs.map((run) =>
      [run.run, ...run.about.map((pair) => pair[1])].join("\n").toLowerCase());
    this.leaderboard = new Leaderboard(section, this);
    this.figures = [...section.querySelectorAll("[data-chart]")].map((box) => new Figure(box, this));

    this.controls.hidden = false;
    this.controls.addEventListener("submit", (event) => event.preventDefault());
    this.controls.addEventListener("input", () => this.draw());
    this.controls.elements.none.addEventListener("click", () => this.pickNone());
    this.tell();
  }

  choice(name) {
    return Number(this.controls.elements[name]?.value ?? 0);
  }

  // The measure that ranks: the one picked, or the only one there is.
  get measure() {
    return this.controls.elements.measure ? this.choice("measure") : this.data.primary ?? 0;
  }

  get title() {
    return this.data.measures[this.measure]?.title ?? "";
  }

  // A judge that has nothing on a slice leaves every cell without a value.
  get view() {
    const view = this.data.views[this.choice("judge")]?.[this.choice("slice")];
    if (view) return view;
    const none = this.data.runs.map(() => null);
    const scores = this.data.measures.map(() => ({ value: none, first: none, last: none, best: null }));
    return { questions: 0, scores, counts: {} };
  }

  draw() {
    this.leaderboard.fill();
    const boxes = this.controls.querySelectorAll("[name=column]:checked");
    const columns = new Set([...boxes].map((box) => box.value));
    if (this.controls.elements.column) this.leaderboard.showColumns(columns);
    this.arrange();
  }

  arrange() {
    const wanted = this.controls.elements.filter.value.trim().toLowerCase();
    this.shown = this.words.map((words) => words.includes(wanted));
    this.order = this.leaderboard.order(this.order);
    this.leaderboard.arrange();
    this.tell();
    for (const figure of this.figures) figure.change();
  }

  pick(run) {
    if (!this.picked.delete(run)) this.picked.add(run);
    this.arrange();
  }

  pickNone() {
    this.picked.clear();
    this.arrange();
    this.controls.elements.filter.focus();
  }

  // Sentences, and tables other than the leaderboard, stay with the view that the page opens with.
  apart() {
    const { judges, measures, primary } = this.data;
    const first = [];
    if (this.choice("judge") !== 0) first.push(`judge ${judges[0]}`);
    if (this.choice("slice") !== 0) first.push("all questions");
    if (this.measure !== (primary ?? 0)) first.push(measures[primary ?? 0].title);
    return first.length ? [`sentences are still about ${first.join(", ")}`] : [];
  }

  tell() {
    const all = this.shown.length;
    const shown = this.shown.filter(Boolean).length;
    const said = [shown === all ? many(all, "run") : `${shown} of ${all} runs`, many(this.view.questions, "question")];
    if (this.picked.size) said.push(`${many(this.picked.size, "run")} picked`);
    said.push(...this.apart());
    this.controls.elements.none.hidden = this.picked.size === 0;
    this.controls.querySelector("output").value = said.join(" \u00b7 ");
  }
}
