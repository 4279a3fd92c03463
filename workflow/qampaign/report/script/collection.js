// What the reader has chosen in a collection, and what follows it: leaderboard and charts.
class Collection {
  constructor(section) {
    this.section = section;
    this.data = JSON.parse(section.querySelector("script.data").textContent);
    this.controls = section.querySelector(".controls");
    this.order = this.data.runs.map((_, run) => run);
    this.shown = this.data.runs.map(() => true);
    this.picked = new Set();
    // What a filter searches: a run's name and all that is known of it.
    this.words = this.data.runs.map(({ run }, index) =>
      [run, ...Object.values(this.data.about[index])].join("\n").toLowerCase());
    this.leaderboard = new Leaderboard(section, this);
    this.figures = [...section.querySelectorAll("[data-chart]")].map((box) => new Figure(box, this));

    this.controls.hidden = false;
    this.controls.addEventListener("submit", (event) => event.preventDefault());
    this.controls.addEventListener("input", () => this.draw());
    this.controls.elements.none.addEventListener("click", () => this.unpickAll());
    this.showFacts();
  }

  choice(name) {
    return Number(this.controls.elements[name]?.value ?? 0);
  }

  get choices() {
    return { judge: this.choice("judge"), slice: this.choice("slice") };
  }

  // The measure that ranks: the one chosen, or the only one there is.
  get measure() {
    return this.controls.elements.measure ? this.choice("measure") : this.data.primary ?? 0;
  }

  get title() {
    return this.data.measures[this.measure]?.title ?? "";
  }

  get view() {
    const { judge, slice } = this.choices;
    return this.data.views[judge]?.[slice] ?? this.data.empty;
  }

  draw() {
    this.leaderboard.fill();
    const boxes = this.controls.querySelectorAll("[name=column]:checked");
    if (this.controls.elements.column) this.leaderboard.showMeasures(new Set([...boxes].map((box) => box.value)));
    this.arrange();
  }

  arrange() {
    const wanted = this.controls.elements.filter.value.trim().toLowerCase();
    this.shown = this.words.map((words) => words.includes(wanted));
    this.order = this.leaderboard.order(this.order);
    this.leaderboard.arrange();
    this.showFacts();
    for (const figure of this.figures) figure.change();
  }

  pick(run) {
    if (!this.picked.delete(run)) this.picked.add(run);
    this.arrange();
  }

  unpickAll() {
    this.picked.clear();
    this.arrange();
    this.controls.elements.filter.focus();
  }

  // Sentences, and tables other than the leaderboard, stay with the view that the page opens with.
  textFacts() {
    const { reference, measures, primary } = this.data;
    const { judge, slice } = this.choices;
    const first = [];
    if (judge !== 0) first.push(`judge ${reference}`);
    if (slice !== 0) first.push(`all ${this.data.noun}s`);
    if (this.measure !== (primary ?? 0)) first.push(measures[primary ?? 0].title);
    return first.length ? [`the text still describes ${first.join(", ")}`] : [];
  }

  showFacts() {
    const shown = this.shown.filter(Boolean).length;
    const facts = [`rows: ${shown} of ${this.shown.length}`, `${this.data.noun}s: ${this.view.questions}`];
    if (this.picked.size) facts.push(`picked: ${this.picked.size}`);
    facts.push(...this.textFacts());
    this.controls.elements.none.hidden = this.picked.size === 0;
    this.controls.querySelector("output").value = facts.join(" \u00b7 ");
  }
}
