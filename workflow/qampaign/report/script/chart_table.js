// The numbers of a chart as a table below it: what pointing at its marks shows, for those who do not
// point. It is made when it is opened, from the marks that are drawn.
class ChartTable {
  constructor(figure) {
    this.figure = figure;
    this.place = document.createElement("div");
    this.place.className = "numbers";
    this.place.hidden = true;
    this.button = downloads.button("Table", `${figure.about}: numbers as a table`, () => this.toggle());
    this.button.setAttribute("aria-expanded", "false");
  }

  async toggle() {
    this.place.hidden = !this.place.hidden;
    this.button.setAttribute("aria-expanded", String(!this.place.hidden));
    if (!this.place.isConnected) this.figure.box.parentElement.append(this.place);
    await this.figure.draw();
    this.fill();
  }

  // Every set of tooltips once; those that say the same things of different marks share a table.
  rows() {
    const kinds = new Map();
    const visit = ({ tooltip, items }) => {
      if (tooltip && typeof tooltip === "object") {
        const names = Object.keys(tooltip).join("\n");
        if (!kinds.has(names)) kinds.set(names, new Map());
        kinds.get(names).set(JSON.stringify(tooltip), tooltip);
      }
      for (const item of items ?? []) visit(item);
    };
    visit(this.figure.view.scenegraph().root);
    return [...kinds.values()].map((rows) => [...rows.values()]);
  }

  fill() {
    if (this.place.hidden || !this.figure.view) return;
    const kinds = this.figure.box.hidden ? [] : this.rows();
    this.place.replaceChildren(...kinds.map((rows) => this.make(rows)));
    if (!kinds.length) this.place.textContent = "Nothing is drawn.";
    for (const [index, table] of this.place.querySelectorAll("table").entries()) {
      makeSortable(table);
      table.dataset.table = `${this.figure.box.dataset.chart}-numbers${index || ""}`;
      downloads.offerTable(table, this.figure.collection.data.collection);
    }
  }

  make(rows) {
    const box = document.createElement("div");
    box.className = "box";
    box.tabIndex = 0;
    box.setAttribute("role", "region");
    box.setAttribute("aria-label", `Numbers of the chart: ${this.figure.about}`);
    const table = box.appendChild(document.createElement("table"));
    table.className = "plain";
    const names = Object.keys(rows[0]);
    const number = (text) => text === "" || text === DASH || Number.isFinite(ChartTable.value(text));
    const numeric = new Set(names.filter((name) => rows.every((row) => number(String(row[name])))));
    const add = (row, tag, name, text) => {
      const cell = row.appendChild(document.createElement(tag));
      cell.className = numeric.has(name) ? "number" : "text";
      if (tag === "th") cell.scope = "col";
      else if (numeric.has(name) && text !== DASH) cell.dataset.value = ChartTable.value(text);
      cell.appendChild(document.createElement("bdi")).textContent = text;
    };
    const head = table.createTHead().insertRow();
    for (const name of names) add(head, "th", name, name);
    const body = table.createTBody();
    for (const row of rows) {
      const line = body.insertRow();
      for (const name of names) add(line, "td", name, String(row[name]));
    }
    return box;
  }

  // Vega writes a minus sign, and percents.
  static value(text) {
    const plain = text.replaceAll("\u2212", "-").replaceAll(",", "");
    return plain.endsWith("%") ? Number(plain.slice(0, -1)) / 100 : Number(plain || NaN);
  }
}
