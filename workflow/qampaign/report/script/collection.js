// What the reader has chosen in a collection, and what follows it: sentences, leaderboard, charts.
class Collection {
  constructor(section) {
    this.section = section;
    this.name = section.querySelector("h2").textContent;
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
    this.said = [...section.querySelectorAll("[data-said]")];
    this.fixed = [...section.querySelectorAll("[data-fixed]")];
    this.onchange = () => {};

    this.controls.hidden = false;
    this.controls.addEventListener("submit", (event) => event.preventDefault());
    this.controls.addEventListener("input", ({ target }) => {
      this.draw();
      if (target.name !== "column") this.onchange(target.name === "filter");
    });
    this.controls.elements.none.addEventListener("click", () => this.unpickAll());
    const { fold } = this.controls.elements;
    fold.addEventListener("click", () => {
      fold.ariaExpanded = String(this.controls.classList.toggle("open"));
    });
    this.nothing = section.querySelector(".nothing");
    this.nothing.querySelector("button").addEventListener("click", () => this.clearFilter());
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
    return this.viewAt(judge, slice) ?? views.open(this.data.empty);
  }

  // How many questions the view is over; it need not be opened for that.
  get questions() {
    const { judge, slice } = this.choices;
    return (this.data.views[judge]?.[slice] ?? this.data.empty).questions;
  }

  viewAt(judge, slice) {
    return views.open(this.data.views[judge]?.[slice]);
  }

  get filter() {
    return this.controls.elements.filter.value.trim();
  }

  // The choices that are not those that the page opens with.
  get changed() {
    const { judge, slice } = this.choices;
    const now = { judge, slice, measure: this.measure };
    const first = { judge: 0, slice: 0, measure: this.data.primary ?? 0 };
    return Object.keys(now).filter((name) => now[name] !== first[name]);
  }

  // What is chosen, for an address: by name, so that it leads there in later reports too.
  chosen() {
    const { data } = this;
    const { judge, slice } = this.choices;
    const names = { judge: data.judges[judge], slice: data.slices[slice], measure: data.measures[this.measure]?.measure };
    const chosen = new URLSearchParams({ collection: data.collection });
    for (const name of this.changed) chosen.append(name, names[name]);
    for (const run of this.picked) chosen.append("run", data.runs[run].run);
    if (this.filter) chosen.append("filter", this.filter);
    return chosen;
  }

  // Chooses what an address says; names that do not exist are left out.
  restore(chosen) {
    if (String(chosen) === String(this.chosen())) return;
    const { data, controls } = this;
    const choose = (name, names, first) => {
      const index = names.indexOf(chosen.get(name));
      if (controls.elements[name]) controls.elements[name].value = String(index < 0 ? first : index);
    };
    choose("judge", data.judges, 0);
    choose("slice", data.slices, 0);
    choose("measure", data.measures.map(({ measure }) => measure), data.primary ?? 0);
    controls.elements.filter.value = chosen.get("filter") ?? "";
    const indexes = new Map(data.runs.map(({ run }, index) => [run, index]));
    this.picked = new Set(chosen.getAll("run").map((run) => indexes.get(run)).filter((run) => run !== undefined));
    this.draw();
  }

  draw() {
    this.leaderboard.fill();
    const boxes = this.controls.querySelectorAll("[name=column]:checked");
    if (this.controls.elements.column) this.leaderboard.showMeasures(new Set([...boxes].map((box) => box.value)));
    this.say();
    for (const link of this.section.querySelectorAll(":scope > .facts a, .run .drill")) this.lead(link);
    this.arrange();
  }

  // A link to the page of questions leads to the judge and the type that are chosen.
  lead(link, hash = link.getAttribute("href").split("#")[1] ?? "") {
    const { judge, slice } = this.choices;
    const chosen = new URLSearchParams(hash);
    for (const [name, value] of [["judge", judge && this.data.judges[judge]], ["type", slice && this.data.slices[slice]]]) {
      chosen.delete(name);
      if (value) chosen.append(name, value);
    }
    link.href = [link.getAttribute("href").split("#")[0], String(chosen)].filter(Boolean).join("#");
  }

  arrange() {
    const wanted = this.filter.toLowerCase();
    this.shown = this.words.map((words) => words.includes(wanted));
    this.order = this.leaderboard.order(this.order);
    this.leaderboard.arrange();
    this.nothing.hidden = this.shown.some(Boolean) || !this.shown.length;
    this.showFacts();
    for (const figure of this.figures) figure.change();
  }

  // Sentences for the view that is shown; what cannot follow a choice is not shown with it.
  say() {
    const { judge, slice } = this.choices;
    const { said, sentences } = this.data;
    for (const place of this.said) {
      const words = (said[place.dataset.said][judge]?.[slice]?.[this.measure] ?? []).map((index) => sentences[index]);
      if (place.matches("p, h4")) place.textContent = words.join(" ");
      else {
        place.replaceChildren(...words.map((sentence) => {
          const paragraph = document.createElement("p");
          paragraph.className = "sentence";
          paragraph.textContent = sentence;
          return paragraph;
        }));
      }
    }
    const { changed } = this;
    for (const place of this.fixed) {
      place.hidden = place.dataset.fixed.split(" ").some((name) => changed.includes(name));
    }
    for (const topic of this.section.querySelectorAll(".topic")) this.offer(topic);
  }

  // A section of which something is not shown says where that is, and leads there.
  offer(topic) {
    topic.querySelector(".elsewhere")?.remove();
    const hidden = [...topic.querySelectorAll(".blocks > [data-fixed][hidden]")];
    if (!hidden.length) return;
    const { data, changed } = this;
    const needed = changed.filter((name) => hidden.some((block) => block.dataset.fixed.split(" ").includes(name)));
    const words = {
      judge: `judge ${data.judges[0]}`,
      slice: `all ${data.noun}s`,
      measure: data.measures[data.primary ?? 0]?.title,
    };
    const all = hidden.length === topic.querySelectorAll(".blocks > *").length;
    const place = document.createElement("p");
    place.className = "elsewhere";
    place.append(`${all ? "This part is" : "More is"} there for ${needed.map((name) => words[name]).join(", ")}. `);
    const button = place.appendChild(document.createElement("button"));
    button.type = "button";
    button.textContent = "Show";
    button.setAttribute("aria-label", `Show it for ${needed.map((name) => words[name]).join(", ")}`);
    button.addEventListener("click", () => {
      const heading = topic.querySelector("h3");
      for (const name of needed) {
        const field = this.controls.elements[name];
        if (field) field.value = String(name === "measure" ? data.primary ?? 0 : 0);
      }
      this.draw();
      this.onchange(false);
      heading.tabIndex = -1;
      heading.focus();
    });
    topic.querySelector("h3").after(place);
  }

  pick(run) {
    if (!this.picked.delete(run)) this.picked.add(run);
    this.arrange();
    this.onchange(false);
  }

  unpickAll() {
    this.picked.clear();
    this.arrange();
    this.onchange(false);
    this.controls.elements.filter.focus();
  }

  clearFilter() {
    this.controls.elements.filter.value = "";
    this.arrange();
    this.onchange(false);
    this.controls.elements.filter.focus();
  }

  // Brings the first picked run into the window of the leaderboard.
  showPicked() {
    const [run] = this.order.filter((each) => this.picked.has(each));
    if (run !== undefined) this.leaderboard.reveal(run);
  }

  // Leads from one or two picked runs to their answers, on the page of questions.
  offerAnswers() {
    const link = this.controls.querySelector(".drill");
    const picked = [...this.picked].filter((run) => this.data.runs[run].kind !== "baseline");
    link.hidden = picked.length < 1 || picked.length > 2;
    const names = new URLSearchParams(picked.map((run) => ["run", this.data.runs[run].run]));
    this.lead(link, names);
    link.textContent = picked.length === 2 ? "The two side by side" : "Its answers";
  }

  showFacts() {
    const count = (kind, thing) => {
      const of = this.data.runs.flatMap((run, index) => (run.kind === kind ? [index] : []));
      const shown = of.filter((run) => this.shown[run]).length;
      if (!of.length) return [];
      return [shown === of.length ? `${thing}s: ${shown}` : `${thing}s: ${shown} of ${of.length}`];
    };
    const facts = [...count("submitted", "run"), ...count("baseline", "baseline"), ...count("derived", "what-if run"),
      `${this.data.noun}s: ${this.questions}`];
    if (this.picked.size) facts.push(`picked: ${this.picked.size}`);
    this.controls.elements.none.hidden = this.picked.size === 0;
    this.offerAnswers();
    this.controls.querySelector("output").value = facts.join(" \u00b7 ");
  }
}
