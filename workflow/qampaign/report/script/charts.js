// A chart is drawn when it comes near the window, or when the browser has nothing else to do, and
// drawn again when what it shows has changed: a page of many charts opens as fast as one of few.
const LOOK = JSON.parse(document.getElementById("look").textContent);
const TITLE = '"{measure}"'; // leaderboard.py: stands for the label of the picked measure

class Figure {
  constructor(box, collection) {
    this.box = box;
    this.collection = collection;
    this.spec = box.querySelector("script").textContent;
    this.uses = box.dataset.uses.split(" ");
    this.perRun = Number(box.dataset.perRun) || null;
    this.near = false;
    this.stale = false;
    this.view = null;
    this.about = box.getAttribute("aria-label").replace(/^Chart: /, "");
    const save = (kind) => downloads.button(kind.toUpperCase(), `${this.about}: save as ${kind.toUpperCase()}`,
      () => this.save(kind));
    downloads.bar(box, save("svg"), save("png"));
  }

  // One after the other: two drawings of a chart must not cross.
  draw() {
    this.drawing = (this.drawing ?? Promise.resolve()).then(() => (this.view ? this.refresh() : this.embed()));
    return this.drawing;
  }

  datasets() {
    return Object.fromEntries(this.uses.map((name) => [name, records.named(this.collection, name)]));
  }

  // The height of a chart of rows is that of the runs it shows.
  height(datasets) {
    const rows = datasets[this.uses[0]].filter((row) => row.shown);
    return this.perRun * Math.max(1, new Set(rows.map((row) => row.key)).size) + Number(this.box.dataset.extra);
  }

  async embed() {
    this.stale = false;
    this.title = this.collection.title;
    const spec = JSON.parse(this.spec.replaceAll(TITLE, () => JSON.stringify(this.title)));
    const datasets = this.datasets();
    spec.datasets = { ...spec.datasets, ...datasets };
    if (this.perRun) (spec.spec ?? spec).height = this.height(datasets);
    this.empty(datasets);
    const place = document.createElement("div");
    this.view?.finalize();
    this.place?.remove();
    this.place = this.box.appendChild(place);
    const { view } = await window.vegaEmbed(place, spec, {
      renderer: "svg",
      config: LOOK,
      ast: true, // expressions are interpreted: the page's policy lets nothing be compiled
      actions: false,
    });
    view.addEventListener("click", (_, item) => this.pick(item));
    this.view = view;
    this.facets = "facet" in spec;
    this.box.style.minHeight = "";
    this.box.dataset.drawn = "";
  }

  async refresh() {
    if (!this.stale) return;
    const titled = this.spec.includes(TITLE) && this.title !== this.collection.title;
    if (titled || this.facets) {
      await this.embed();
      return;
    }
    this.stale = false;
    const datasets = this.datasets();
    if (this.empty(datasets)) return;
    for (const [name, rows] of Object.entries(datasets)) this.view.data(name, rows);
    if (this.perRun) this.view.height(this.height(datasets));
    await this.view.runAsync();
  }

  empty(datasets) {
    this.box.hidden = Object.values(datasets).every((rows) => rows.length === 0);
    return this.box.hidden;
  }

  change() {
    this.stale = true;
    if (this.near && this.view) this.draw();
  }

  // A mark belongs to a run, and so does the name of a run at an axis.
  pick(item) {
    const datum = item?.datum ?? {};
    const index = datum.index ?? (this.perRun && typeof datum.value === "string" ? parseInt(datum.value, 10) : NaN);
    if (Number.isInteger(index)) this.collection.pick(index);
  }

  async save(kind) {
    await this.draw();
    const href = await this.view.toImageURL(kind, kind === "png" ? 2 : 1);
    downloads.save(`${this.collection.data.collection}-${this.box.dataset.chart}.${kind}`, href);
  }
}

// Those near the window first, all others when there is time: a page that is printed has them all.
const drawInTurn = (figures) => {
  const byBox = new Map(figures.map((figure) => [figure.box, figure]));
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) {
      const figure = byBox.get(target);
      figure.near = isIntersecting;
      if (isIntersecting) figure.draw();
    }
  }, { rootMargin: "300px" });
  for (const { box } of figures) observer.observe(box);
  const idle = window.requestIdleCallback ?? ((action) => setTimeout(action, 50));
  const waiting = [...figures];
  const next = async () => {
    const figure = waiting.shift();
    if (!figure) {
      document.documentElement.dataset.drawn = "";
      return;
    }
    await figure.draw();
    idle(next);
  };
  idle(next);
};
