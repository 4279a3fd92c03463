// A chart is drawn when it comes near the window, or when the browser is idle, and drawn again when
// its data change: a page with many charts opens as fast as one with few.

// The specification of a chart, in which the measure is named. In an expression the name is a string within a string.
const named = (text, title) => {
  const quoted = JSON.stringify(title);
  const within = JSON.stringify(quoted.slice(1, -1)).slice(1, -1);
  return text.replaceAll(JSON.stringify(MEASURE), () => quoted).replaceAll(MEASURE, () => within);
};

const DRAWN = {
  mode: "vega",
  renderer: "svg",
  ast: true, // interpret expressions: the page's policy forbids compiling them
  actions: false,
  hover: false,
};

class Figure {
  constructor(box, collection) {
    this.box = box;
    this.collection = collection;
    this.specId = box.dataset.spec;
    this.uses = box.dataset.uses.split(" ");
    this.needs = box.dataset.needs?.split(" ") ?? []; // what a run without is not drawn
    this.perRun = Number(box.dataset.perRun) || null;
    this.near = false;
    this.stale = false;
    this.view = null;
    this.about = box.getAttribute("aria-label").replace(/^Chart: /, "");
    this.heading = box.closest("figure")?.querySelector("h4");
    this.finding = this.heading?.textContent;
    this.choices = box.dataset.choices ? collection.data.choices[box.dataset.choices] : null;
    this.choice = Number(box.dataset.choice ?? 0);
    this.offer();
  }

  // One after the other, so that two drawings of a chart never overlap.
  draw() {
    this.drawing = (this.drawing ?? Promise.resolve()).then(() => (this.view ? this.refresh() : this.embed()));
    return this.drawing;
  }

  datasets() {
    return chartData.datasets(this.uses, this.collection, this.choices?.[this.choice]);
  }

  // The measure that the chart is of: its own choice, or the one that ranks.
  get measured() {
    return this.choices ? this.choices[this.choice].label : this.collection.title;
  }

  // A chart with a row per run is as high as the runs that it shows.
  height(datasets) {
    const rows = datasets[this.uses[0]].filter((row) => row.shown);
    return this.perRun * Math.max(1, new Set(rows.map((row) => row.key)).size) + Number(this.box.dataset.extra);
  }

  filled(datasets) {
    this.title = this.measured;
    const spec = JSON.parse(named(SPECS.text(this.specId), this.title));
    for (const source of spec.data) if (source.name in datasets) source.values = datasets[source.name];
    const signal = (name) => spec.signals.find((each) => each.name === name);
    this.flexible = spec.autosize?.type === "fit-x";
    if (this.flexible) spec.width = this.room;
    signal("room").value = this.room;
    if (this.perRun) {
      const height = this.height(datasets);
      if (signal("child_height")) signal("child_height").value = height;
      else spec.height = height;
    }
    return spec;
  }

  // The width that there is for the chart. To read it has the page laid out: it is read for all charts of
  // a collection before one is drawn.
  measure() {
    if (this.room) return;
    const { paddingLeft, paddingRight } = getComputedStyle(this.box);
    this.room = this.box.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight) || SCREEN;
  }

  // A chart is as wide as its box, also when the window changes.
  resize(width) {
    if (!width || !this.room || Math.abs(width - this.room) < 1) return;
    this.room = width;
    if (!this.view || !this.flexible) return;
    this.drawing = this.drawing.then(async () => {
      await this.view.signal("room", this.room).width(this.room).runAsync();
      this.settle();
    });
  }

  // The heading says what is found in the view that the page opens with; in others, what is shown.
  name() {
    if (!this.heading?.dataset.title) return;
    const { choices, measure, data } = this.collection;
    const first = choices.judge === 0 && choices.slice === 0 && measure === (data.primary ?? 0);
    this.heading.textContent = first ? this.finding : this.heading.dataset.title;
  }

  // What can be done with a chart: to see its numbers, to save it, to see the same in another way.
  offer() {
    const save = (kind) => downloads.button(kind.toUpperCase(), `${this.about}: save as ${kind.toUpperCase()}`,
      () => this.save(kind));
    this.table = new ChartTable(this);
    downloads.bar(this.box, this.table.button, save("svg"), save("png"));
    this.offerOther();
    this.offerChoices();
  }

  offerOther() {
    const { first, other, spec, otherSpec } = this.box.dataset;
    if (!other) return;
    const options = [[first, spec], [other, otherSpec]].map(([label, id]) => {
      const button = downloads.button(label, `${this.about}: ${label}`, async () => {
        await this.drawing;
        this.specId = id;
        for (const each of options) each.setAttribute("aria-pressed", each === button);
        this.drawing = this.embed();
      });
      button.setAttribute("aria-pressed", id === spec);
      return button;
    });
    downloads.bar(this.box, ...options).classList.add("switch");
  }

  // The same chart of another measure.
  offerChoices() {
    if (!this.choices || this.choices.length < 2) return;
    const select = document.createElement("select");
    select.append(...this.choices.map(({ label }, index) => new Option(label, index, false, index === this.choice)));
    select.addEventListener("input", async () => {
      await this.drawing;
      this.choice = Number(select.value);
      this.heading.textContent = this.choices[this.choice].heading;
      this.drawing = this.embed();
    });
    const label = document.createElement("label");
    label.append("Measure ", select);
    const bar = downloads.bar(this.box, label);
    bar.classList.add("switch");
  }

  async embed() {
    this.stale = false;
    for (const figure of this.collection.figures) figure.measure();
    const datasets = this.datasets();
    this.name();
    if (this.empty(datasets)) {
      this.box.dataset.drawn = "";
      return;
    }
    const spec = this.filled(datasets);
    const container = document.createElement("div");
    this.view?.finalize();
    this.container?.remove();
    this.container = this.box.appendChild(container);
    const { view } = await window.vegaEmbed(container, spec, DRAWN);
    view.addEventListener("click", (_, item) => this.pick(item));
    this.view = view;
    this.facets = "layout" in spec;
    this.box.style.minHeight = "";
    this.box.dataset.drawn = "";
    this.settle();
  }

  // What follows a drawing: its numbers below it, and a tab stop where the chart scrolls.
  settle() {
    this.table.fill();
    if (!this.near) return;
    const { scrollWidth, clientWidth, scrollHeight, clientHeight } = this.box;
    this.box.tabIndex = scrollWidth > clientWidth || scrollHeight > clientHeight ? 0 : -1;
  }

  async refresh() {
    if (!this.stale) return;
    const titled = SPECS.text(this.specId).includes(MEASURE) && this.title !== this.measured;
    if (titled || this.facets) {
      await this.embed();
      return;
    }
    this.stale = false;
    this.name();
    const datasets = this.datasets();
    if (this.empty(datasets)) return;
    for (const [name, rows] of Object.entries(datasets)) this.view.data(name, rows);
    if (this.perRun) this.view.height(this.height(datasets));
    await this.view.runAsync();
    this.settle();
  }

  empty(datasets) {
    const drawn = (row) => row.shown !== false && this.needs.every((name) => row[name] != null);
    this.box.hidden = !Object.values(datasets).some((rows) => rows.some(drawn));
    return this.box.hidden;
  }

  change() {
    this.stale = true;
    if (this.near && this.view) this.draw();
    else if (this.box.hidden) this.empty(this.datasets()); // what is hidden never comes near by itself
  }

  // A click on a mark picks its run, as does one on the run's name at an axis.
  pick(item) {
    const datum = item?.datum ?? {};
    const index = datum.index ?? (this.perRun && typeof datum.value === "string" ? parseInt(datum.value, 10) : NaN);
    if (Number.isInteger(index)) this.collection.pick(index);
  }

  // What a saved figure was made from. Studies are of the reference judge, whatever is chosen.
  source() {
    const { data, view, choices } = this.collection;
    const [title, runs, made] = data.source;
    const name = (key) => key.slice(key.indexOf(" ") + 1);
    const follows = ["title", "said"].some((name) => name in (this.heading?.dataset ?? {}));
    const judge = follows ? name(view.judge) : data.reference;
    const slice = follows && choices.slice ? [name(view.slice)] : [];
    const asked = (follows ? view : this.collection.viewAt(0, 0) ?? view).questions;
    const source = [title, judge && `judge ${judge}`, runs, ...slice, `${asked} ${data.noun}${asked === 1 ? "" : "s"}`, made];
    return source.filter(Boolean).join(" \u00b7 ");
  }

  // A saved figure says what it shows and what it was made from.
  async save(kind) {
    await this.draw();
    const spec = this.filled(this.datasets());
    const width = this.container.clientWidth || 400;
    const lines = (text, letters) => text.split(" ").reduce((all, word) => {
      const line = `${all.at(-1)} ${word}`.trim();
      return line.length > letters ? [...all, word] : [...all.slice(0, -1), line];
    }, [""]);
    spec.title = {
      ...TITLE_LOOK,
      text: lines(this.heading?.textContent ?? this.about, width / 6),
      subtitle: lines(this.source(), width / 4.5),
    };
    if (this.flexible) Object.assign(spec, { width: this.view.width(), autosize: "pad" });
    const container = this.box.appendChild(document.createElement("div"));
    container.hidden = true;
    const { view } = await window.vegaEmbed(container, spec, DRAWN);
    const href = await view.toImageURL(kind, kind === "png" ? 2 : 1);
    view.finalize();
    container.remove();
    downloads.save(`${this.collection.data.collection}-${this.box.dataset.chart}.${kind}`, href);
  }
}

// The width of a chart whose box is hidden.
const SCREEN = 600;

// So many milliseconds are spent on charts before the page is shown with them, and hears the reader.
const SLICE = 100;

// Charts near the window first, then those of the collection that is shown, for which a reader waits,
// all others when there is time, so that a printed page has them all.
const drawInTurn = (figures) => {
  const byBox = new Map(figures.map((figure) => [figure.box, figure]));
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const figure = byBox.get(target);
      figure.near = isIntersecting;
      if (isIntersecting) figure.draw().then(() => figure.settle());
    }
  }, { rootMargin: "300px" });
  const widths = new ResizeObserver((entries) => {
    for (const { target, contentRect } of entries) byBox.get(target).resize(contentRect.width);
  });
  for (const { box } of figures) {
    observer.observe(box);
    widths.observe(box);
  }
  const idle = window.requestIdleCallback ?? ((action) => setTimeout(action, 50));
  const waiting = [...figures];
  let shownAt = 0;
  const next = async () => {
    const shown = waiting.findIndex(({ collection }) => collection.section.classList.contains("current"));
    const [figure] = waiting.splice(Math.max(shown, 0), 1);
    if (!figure) {
      document.documentElement.dataset.drawn = "";
      return;
    }
    await figure.draw();
    if (shown < 0) idle(next);
    else if (performance.now() - shownAt < SLICE) await next();
    else setTimeout(() => { shownAt = performance.now(); next(); });
  };
  idle(next);
};
