// The leaderboard: filled for a judge and a slice, ranked by a measure, sorted by any column.
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

class Leaderboard {
  constructor(section, collection) {
    this.collection = collection;
    this.table = section.querySelector(".leaderboard");
    // The table of counts follows the leaderboard, row by row.
    this.tables = [...section.querySelectorAll(".leaderboard, .counts")].map((table) => ({
      body: table.tBodies[0],
      rows: [...table.tBodies[0].rows],
      keys: [...table.tHead.rows[0].cells].map((heading) => heading.dataset.key),
    }));
    this.headings = [...this.table.tHead.rows[0].cells];
    this.sortable = this.headings.filter((heading) => heading.ariaSort);
    this.sorting = { key: "text:rank", descending: false };
    for (const heading of this.sortable) {
      heading.querySelector("button").addEventListener("click", () => this.sortBy(heading.dataset.key));
    }
    this.about = section.querySelector(".about");
    // Headings and runs of a table are two tab stops; the arrow keys move among them.
    const heads = this.table.tHead.querySelector("button") ? [rove(this.table.tHead, "button")] : [];
    this.renew = heads.concat(this.tables.filter(({ rows }) => rows.length).map(({ body }) => rove(body, ".pick")));
    this.table.tBodies[0].addEventListener("focusin", ({ target }) => {
      const row = target.closest("tr");
      if (row) this.describe(Number(row.dataset.run));
    });
    for (const { body } of this.tables) {
      body.addEventListener("click", (event) => {
        const button = event.target.closest(".pick");
        if (button) collection.pick(Number(button.closest("tr").dataset.run));
      });
    }
    this.table.tBodies[0].addEventListener("mouseover", ({ target }) => {
      const scores = target.matches("td") && this.scores(target);
      if (scores) target.title = Leaderboard.detail(scores, target.closest("tr").dataset.run);
    });
  }

  // What pointing at a run and its values shows, for those who do not point.
  describe(run) {
    const { data, view, measure } = this.collection;
    const scores = view.scores[measure];
    const words = [data.runs[run].run, ...Object.entries(data.about[run]).map(([name, value]) => `${name}: ${value}`)];
    if (scores) words.push(`${this.collection.title}: ${Leaderboard.detail(scores, run)}`);
    this.about.textContent = words.join(" \u00b7 ");
  }

  // Scrolls a run into the window of the table, not the page.
  reveal(run) {
    const row = this.tables[0].rows.find((each) => Number(each.dataset.run) === run);
    const box = this.table.closest(".box");
    const head = this.table.tHead.getBoundingClientRect().height;
    box.scrollTop = row.offsetTop - head - 80;
  }

  // A value with all its digits, its rank and its interval.
  static detail({ value, rank, text }, run) {
    if (value[run] === null) return "not available";
    const words = [value[run]];
    if (rank[run] !== null) words.push(`rank ${text.rank[run]}`);
    if (text.interval && text.interval[run] !== DASH) words.push(`95% interval ${text.interval[run]}`);
    return words.join(" \u00b7 ");
  }

  // The scores that a cell of the leaderboard shows, if it is in the column of a measure.
  scores(cell) {
    const [kind, name] = this.headings[cell.cellIndex].dataset.key.split(":");
    if (kind === "value") return this.collection.view.scores[this.collection.measure];
    return kind === "measure" ? this.collection.view.scores[name] : undefined;
  }

  // Fills every cell, and names the measure in the headings that are about it.
  fill() {
    const { title, measure, view } = this.collection;
    for (const name of this.table.querySelectorAll("th .ranking")) name.textContent = title;
    this.headings.forEach((heading, index) => {
      const [kind, name] = heading.dataset.key.split(":");
      if (kind === "value") {
        const own = this.headings.find(({ dataset }) => dataset.key === `measure:${measure}`);
        heading.title = own.title;
        heading.classList.toggle("lower", own.classList.contains("lower"));
      } else if (kind === "measure") this.showColumn(index, Number(name) !== measure);
      else if (kind === "text" && name !== "rank") this.showColumn(index, Boolean(view.scores[measure]?.text[name]));
    });
    for (const { rows, keys } of this.tables) {
      const columns = keys.map((key) => this.filler(key));
      for (const row of rows) {
        const run = Number(row.dataset.run);
        const { cells } = row;
        columns.forEach((fillCell, index) => fillCell?.(cells[index], run));
      }
    }
  }

  showColumn(index, shown) {
    for (const row of this.table.rows) row.cells[index].hidden = !shown;
  }

  // What fills the cells of a column, if it follows what is chosen.
  filler(key) {
    const [kind, name] = key.split(/:(.*)/s);
    const { view, measure } = this.collection;
    switch (kind) {
      case "measure":
      case "value": {
        const { text, value, best } = view.scores[kind === "value" ? measure : name];
        const bold = new Set(best);
        return (cell, run) => {
          cell.textContent = text.value[run];
          cell.classList.toggle("none", value[run] === null);
          cell.classList.toggle("best", bold.has(run));
        };
      }
      case "text": {
        const texts = view.scores[measure]?.text[name];
        return (cell, run) => {
          cell.textContent = texts?.[run] ?? DASH;
          if (name === "rank") cell.title = cell.textContent === DASH ? "not ranked" : "";
        };
      }
      case "count": return (cell, run) => { cell.textContent = view.counts[name][run] ?? DASH; };
      case "missing": return (cell, run) => { cell.textContent = view.missing?.[run] ?? DASH; };
      case "shares": return (cell, run) => {
        for (const bar of cell.querySelectorAll("i")) bar.style.flexGrow = view.counts[bar.className][run] ?? 0;
      };
      default: return null;
    }
  }

  // What a column holds for every run (numbers, text, or null), and whether high values are good.
  column(key) {
    const [kind, name] = key.split(/:(.*)/s);
    const { view, data, measure } = this.collection;
    switch (kind) {
      case "value": return [view.scores[measure].value, data.measures[measure].better !== "low"];
      case "measure": return [view.scores[name].value, data.measures[name].better !== "low"];
      case "count": return [view.counts[name], name === "right"];
      case "missing": return [view.missing, false];
      case "run": return [data.runs.map((run) => run.run), false];
      case "info": return [data.about.map((about) => about[name] ?? null), false];
      default: return [view.scores[measure]?.rank, false];
    }
  }

  // The first click on a column brings its best to the top, the next reverses the order.
  sortBy(key) {
    const again = this.sorting.key === key;
    this.sorting = { key, descending: again ? !this.sorting.descending : this.column(key)[1] };
    this.collection.arrange();
  }

  order(runs) {
    const { view, data, measure } = this.collection;
    const { key, descending } = this.sorting;
    const [values] = this.column(key);
    const scores = view.scores[measure];
    const sign = data.measures[measure]?.better === "low" ? 1 : -1;
    const nullsLast = (column, a, b, direction) => {
      if (!column || column[a] === column[b]) return 0;
      if (column[a] === null) return 1;
      if (column[b] === null) return -1;
      const compared = typeof column[a] === "string" ? collator.compare(column[a], column[b]) : column[a] - column[b];
      return direction * compared;
    };
    // Runs that are equal, or have no rank, are sorted by the measure that ranks.
    return [...runs].sort((a, b) =>
      nullsLast(values, a, b, descending ? -1 : 1)
      || nullsLast(scores?.rank, a, b, 1) || nullsLast(scores?.value, a, b, sign) || a - b);
  }

  arrange() {
    const { order, shown, picked } = this.collection;
    const focused = document.activeElement;
    const hues = chartData.hues(this.collection);
    const swatch = (run) => (hues.has(run) ? `hue-${hues.get(run)}` : picked.has(run) ? "ink" : "rest");
    for (const { body, rows } of this.tables) {
      const byRun = new Map(rows.map((row) => [Number(row.dataset.run), row]));
      for (const [run, row] of byRun) {
        row.hidden = !shown[run];
        const colour = row.querySelector(".colour");
        if (colour) colour.style.background = `var(--${swatch(run)})`;
        row.classList.toggle("picked", picked.has(run));
        row.querySelector(".pick").setAttribute("aria-pressed", picked.has(run));
      }
      // Rows that stay where they are keep the focus.
      if (order.some((run, index) => body.rows[index] !== byRun.get(run))) body.append(...order.map((run) => byRun.get(run)));
    }
    if (focused !== document.activeElement && this.table.contains(focused)) focused.focus();
    for (const renew of this.renew) renew();
    const { key, descending } = this.sorting;
    for (const heading of this.sortable) {
      const direction = descending ? "descending" : "ascending";
      heading.ariaSort = heading.dataset.key === key ? direction : "none";
    }
  }

  showMeasures(shown) {
    this.headings.forEach((heading, index) => {
      const [kind, name] = heading.dataset.key.split(":");
      if (kind === "measure") this.showColumn(index, shown.has(name) && Number(name) !== this.collection.measure);
    });
  }

  exact(cell, row) {
    const scores = cell.matches("td") ? this.scores(cell) : undefined;
    return scores && (scores.value[row.dataset.run] ?? "");
  }
}

// Any other table: a click on a heading sorts it, numbers by value.
const makeSortable = (table) => {
  const [head, body] = [table.tHead, table.tBodies[0]];
  if (!head || !body || body.rows.length < 4) return;
  const headings = [...head.rows[0].cells];
  headings.forEach((heading, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    if (index === headings.length - 1) rove(head, "button");
    table.closest(".box").removeAttribute("tabindex"); // its headings are reached by keyboard
    button.addEventListener("click", () => {
      const descending = heading.getAttribute("aria-sort") === "ascending";
      const numeric = heading.classList.contains("number");
      const value = (row) => {
        const text = row.cells[index].dataset.value ?? row.cells[index].textContent;
        return text === DASH ? null : text;
      };
      const compare = (a, b) => (numeric ? a - b : collator.compare(a, b));
      const rows = [...body.rows].map((row) => [value(row), row]);
      rows.sort(([a], [b]) => (a === null) - (b === null) || (a === null ? 0 : (descending ? -1 : 1) * compare(a, b)));
      body.append(...rows.map(([, row]) => row));
      for (const other of headings) other.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    });
  });
};
