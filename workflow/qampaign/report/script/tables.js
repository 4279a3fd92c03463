// The leaderboard: filled for a judge and a slice, ranked by a measure, sorted by any column.
const PARTS = ["right", "wrong", "unanswered"];

class Leaderboard {
  constructor(section, collection) {
    this.collection = collection;
    this.table = section.querySelector(".leaderboard");
    this.headings = [...this.table.querySelectorAll("th[data-key]")];
    this.bodies = [...section.querySelectorAll(".leaderboard tbody, .counts tbody")];
    this.rows = this.bodies.map((body) => [...body.rows]);
    this.sorting = { key: "rank", falling: false };
    for (const heading of this.headings) {
      heading.querySelector("button").addEventListener("click", () => this.sortBy(heading.dataset.key));
    }
    for (const body of this.bodies) {
      body.addEventListener("click", (event) => {
        const button = event.target.closest(".pick");
        if (button) collection.pick(Number(button.closest("tr").dataset.run));
      });
      body.addEventListener("mouseover", ({ target }) => {
        const { measure } = target.dataset;
        if (measure !== undefined) {
          target.title = detail(collection.view.scores[measure], target.closest("tr").dataset.run);
        }
      });
    }
  }

  fill() {
    const { view, measure } = this.collection;
    for (const rows of this.rows) {
      for (const row of rows) this.fillRow(row, view, view.scores[measure], Number(row.dataset.run));
    }
  }

  fillRow(row, view, ranking, run) {
    for (const cell of row.cells) {
      const { measure, count } = cell.dataset;
      if (measure !== undefined) {
        const scores = view.scores[measure];
        const value = scores.value[run];
        cell.textContent = fixed(value);
        cell.classList.toggle("none", value === null);
        cell.classList.toggle("best", value !== null && value === scores.best);
        cell.classList.toggle("primary", Number(measure) === this.collection.measure);
      } else if (count !== undefined) {
        cell.textContent = view.counts[count]?.[run] ?? DASH;
      } else if ("missing" in cell.dataset) {
        cell.textContent = percent(view.missing?.[run] ?? null);
      } else if ("rank" in cell.dataset) {
        cell.textContent = span(ranking?.first[run] ?? null, ranking?.last[run] ?? null);
        cell.title = cell.textContent === DASH ? "not ranked" : "";
      } else if ("interval" in cell.dataset) {
        cell.textContent = between(ranking, run);
      } else if ("range" in cell.dataset) {
        cell.textContent = supported(ranking, run);
      } else if ("group" in cell.dataset) {
        cell.textContent = ranking?.group?.[run] ?? DASH;
      } else if ("shares" in cell.dataset) {
        this.fillShares(cell, view.counts, run);
      }
    }
  }

  fillShares(cell, counts, run) {
    let x = 0;
    for (const part of PARTS) {
      const share = 100 * (counts[part]?.[run] ?? 0) / (counts.questions?.[run] || 1);
      const bar = cell.querySelector(`.${part}`);
      bar.setAttribute("x", x.toFixed(2));
      bar.setAttribute("width", share.toFixed(2));
      x += share;
    }
  }

  // What a column holds for every run: numbers, words, or null; and whether much of it is good.
  column(key) {
    const [kind, which] = key.split(/:(.*)/s);
    const { view, data, measure } = this.collection;
    const none = data.runs.map(() => null);
    if (kind === "measure") return [view.scores[which].value, data.measures[which].better === "high"];
    if (kind === "count") return [view.counts[which] ?? none, which === "right"];
    if (kind === "missing") return [view.missing ?? none, false];
    if (kind === "run") return [data.runs.map((run) => run.run), false];
    if (kind === "info") {
      return [data.runs.map((run) => run.about.find((pair) => pair[0] === which)?.[1] ?? null), false];
    }
    return [view.scores[measure]?.first ?? none, false];
  }

  // The first click on a column brings its best to the top, the next turns it round.
  sortBy(key) {
    const again = this.sorting.key === key;
    this.sorting = { key, falling: again ? !this.sorting.falling : this.column(key)[1] };
    this.collection.arrange();
  }

  order(runs) {
    const { view, data, measure } = this.collection;
    const { key, falling } = this.sorting;
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
    // Equal ones, and those without a rank, stand as the measure that ranks would have them.
    return [...runs].sort((a, b) =>
      nullsLast(values, a, b, falling ? -1 : 1)
      || nullsLast(scores?.first, a, b, 1) || nullsLast(scores?.value, a, b, sign) || a - b);
  }

  arrange() {
    const { order, shown, picked } = this.collection;
    this.bodies.forEach((body, place) => {
      const rows = new Map(this.rows[place].map((row) => [Number(row.dataset.run), row]));
      for (const [run, row] of rows) {
        row.hidden = !shown[run];
        row.classList.toggle("picked", picked.has(run));
        row.querySelector(".pick").setAttribute("aria-pressed", picked.has(run));
      }
      body.append(...order.map((run) => rows.get(run)));
    });
    const { key, falling } = this.sorting;
    for (const heading of this.headings) {
      const sorted = falling ? "descending" : "ascending";
      heading.setAttribute("aria-sort", heading.dataset.key === key ? sorted : "none");
    }
  }

  showColumns(shown) {
    for (const cell of this.table.querySelectorAll("[data-measure]")) cell.hidden = !shown.has(cell.dataset.measure);
    for (const heading of this.headings) {
      const [kind, which] = heading.dataset.key.split(":");
      if (kind === "measure") {
        heading.hidden = !shown.has(which);
        heading.classList.toggle("primary", Number(which) === this.collection.measure);
      }
    }
  }

  exact(cell, row) {
    const { measure } = cell.dataset;
    return measure === undefined ? undefined : this.collection.view.scores[measure].value[row.dataset.run] ?? "";
  }
}

// Any other table: a click on a heading sorts it, numbers by their value.
const makeSortable = (table) => {
  const [head, body] = [table.tHead, table.tBodies[0]];
  if (!head || !body || body.rows.length < 4) return;
  [...head.rows[0].cells].forEach((heading, place) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...heading.childNodes);
    heading.append(button);
    heading.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const falling = heading.getAttribute("aria-sort") === "ascending";
      const value = (row) => {
        const cell = row.cells[place];
        if (cell.dataset.value !== undefined) return Number(cell.dataset.value);
        return cell.textContent === DASH ? null : cell.textContent;
      };
      const compare = (a, b) => (typeof a === "number" && typeof b === "number" ? a - b : collator.compare(a, b));
      const rows = [...body.rows].map((row) => [value(row), row]);
      rows.sort(([a], [b]) => (a === null) - (b === null) || (a === null ? 0 : (falling ? -1 : 1) * compare(a, b)));
      body.append(...rows.map(([, row]) => row));
      for (const each of head.rows[0].cells) each.setAttribute("aria-sort", "none");
      heading.setAttribute("aria-sort", falling ? "descending" : "ascending");
    });
  });
};
