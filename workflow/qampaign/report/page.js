// Redraws a collection for another judge, slice, order or filter. The page arrives drawn for its
// first view, so nothing here is needed to read it; text only ever enters as text.
"use strict";
(() => {
  const DASH = "\u2013";
  const PARTS = ["right", "wrong", "unanswered"];
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  const fixed = (value) => {
    if (value === null) return DASH;
    const digits = Math.abs(value).toFixed(3);
    return (value < 0 && Number(digits) !== 0 ? "\u2212" : "") + digits;
  };

  const span = (first, last) => {
    if (first === null) return DASH;
    return last === null || last === first ? String(first) : `${first}${DASH}${last}`;
  };

  const detail = (scores, run) => {
    if (scores.value[run] === null) return "not available";
    const parts = [String(scores.value[run])];
    if (scores.first[run] !== null) parts.push(`rank ${span(scores.first[run], scores.last[run])}`);
    const low = scores.low?.[run] ?? null;
    const high = scores.high?.[run] ?? null;
    if (low !== null && high !== null) parts.push(`95% interval ${fixed(low)} to ${fixed(high)}`);
    return parts.join(" \u00b7 ");
  };

  class Collection {
    constructor(section) {
      this.data = JSON.parse(section.querySelector("script.data").textContent);
      this.controls = section.querySelector(".controls");
      this.headings = [...section.querySelectorAll(".leaderboard th[data-key]")];
      this.bodies = [...section.querySelectorAll(".leaderboard tbody, .counts tbody")];
      this.rows = this.bodies.map((body) => [...body.rows]);
      this.boxes = [...section.querySelectorAll("[data-chart]")];
      this.charts = [];
      this.sorting = { key: "rank", falling: false };
      // What a filter looks through: a run's name and all that is known of it.
      this.words = this.data.runs.map((run) =>
        [run.run, ...run.about.map((pair) => pair[1])].join("\n").toLowerCase());
      this.order = this.data.runs.map((_, run) => run);
      this.shown = this.data.runs.map(() => true);

      this.controls.hidden = false;
      this.controls.addEventListener("submit", (event) => event.preventDefault());
      this.controls.addEventListener("input", () => this.draw());
      for (const heading of this.headings) {
        heading.querySelector("button").addEventListener("click", () => this.sortBy(heading.dataset.key));
      }
      this.tell();
    }

    choice(name) {
      return Number(this.controls.elements[name]?.value ?? 0);
    }

    // A judge that has nothing on a slice leaves every cell without a value.
    get view() {
      const view = this.data.views[this.choice("judge")]?.[this.choice("slice")];
      if (view) return view;
      const none = this.data.runs.map(() => null);
      const counts = new Proxy({}, { get: () => none });
      const scores = this.data.measures.map(() => ({ value: none, first: none, last: none, best: null }));
      return { questions: 0, scores, counts };
    }

    draw() {
      const view = this.view;
      for (const rows of this.rows) {
        for (const row of rows) this.fill(row, view, Number(row.dataset.run));
      }
      this.arrange();
    }

    fill(row, view, run) {
      for (const cell of row.cells) {
        const { measure, count } = cell.dataset;
        if (measure !== undefined) {
          const scores = view.scores[measure];
          const value = scores.value[run];
          cell.textContent = fixed(value);
          cell.title = detail(scores, run);
          cell.classList.toggle("none", value === null);
          cell.classList.toggle("best", value !== null && value === scores.best);
        } else if (count !== undefined) {
          cell.textContent = view.counts[count][run] ?? DASH;
        } else if ("rank" in cell.dataset) {
          const { first, last } = view.scores[this.data.primary] ?? { first: {}, last: {} };
          cell.textContent = span(first[run] ?? null, last[run] ?? null);
          cell.title = cell.textContent === DASH ? "not ranked" : "";
        } else if ("shares" in cell.dataset) {
          let x = 0;
          for (const part of PARTS) {
            const share = 100 * (view.counts[part][run] ?? 0) / (view.counts.questions[run] || 1);
            const bar = cell.querySelector(`.${part}`);
            bar.setAttribute("x", x.toFixed(2));
            bar.setAttribute("width", share.toFixed(2));
            x += share;
          }
        }
      }
    }

    // What a column holds for every run: numbers, words, or null; and whether much of it is good.
    column(key) {
      const [kind, which] = key.split(/:(.*)/s);
      const { view, data } = this;
      if (kind === "measure") return [view.scores[which].value, data.measures[which].better === "high"];
      if (kind === "count") return [view.counts[which], which === "right"];
      if (kind === "run") return [data.runs.map((run) => run.run), false];
      if (kind === "info") {
        return [data.runs.map((run) => run.about.find((pair) => pair[0] === which)?.[1] ?? null), false];
      }
      return [view.scores[data.primary]?.first ?? data.runs.map(() => null), false];
    }

    // The first click on a column brings its best to the top, the next turns it round.
    sortBy(key) {
      const again = this.sorting.key === key;
      this.sorting = { key, falling: again ? !this.sorting.falling : this.column(key)[1] };
      this.arrange();
    }

    arrange() {
      const { key, falling } = this.sorting;
      const [values] = this.column(key);
      const compare = (a, b) => (typeof a === "string" ? collator.compare(a, b) : a - b);
      // Equal ones, and those without a rank, stand as the primary measure would have them.
      const primary = this.data.primary;
      const leading = primary === null ? null : this.view.scores[primary].value;
      const sign = primary !== null && this.data.measures[primary].better === "low" ? 1 : -1;
      const rank = primary === null ? null : this.view.scores[primary].first;
      const nullsLast = (column, a, b, direction) => {
        if (column === null || column[a] === column[b]) return 0;
        if (column[a] === null) return 1;
        if (column[b] === null) return -1;
        return direction * compare(column[a], column[b]);
      };
      this.order.sort((a, b) =>
        nullsLast(values, a, b, falling ? -1 : 1)
        || nullsLast(rank, a, b, 1) || nullsLast(leading, a, b, sign) || a - b);

      const wanted = this.controls.elements.filter.value.trim().toLowerCase();
      this.shown = this.words.map((words) => words.includes(wanted));
      this.bodies.forEach((body, place) => {
        const rows = new Map(this.rows[place].map((row) => [Number(row.dataset.run), row]));
        for (const [run, row] of rows) row.hidden = !this.shown[run];
        body.append(...this.order.map((run) => rows.get(run)));
      });
      for (const heading of this.headings) {
        const sorted = falling ? "descending" : "ascending";
        heading.setAttribute("aria-sort", heading.dataset.key === key ? sorted : "none");
      }
      this.tell();
      for (const chart of this.charts) this.redraw(chart);
    }

    tell() {
      const all = this.shown.length;
      const shown = this.shown.filter(Boolean).length;
      const count = shown === all ? `${all} run${all === 1 ? "" : "s"}` : `${shown} of ${all} runs`;
      const { questions } = this.view;
      this.controls.querySelector("output").value =
        `${count} \u00b7 ${questions} question${questions === 1 ? "" : "s"}`;
    }

    // The rows of the charts; charts.py says what is in them.
    records() {
      const view = this.view;
      const score = (measure, run) => {
        const place = this.data.measures.findIndex((each) => each.measure === measure);
        return place < 0 ? null : view.scores[place].value[run];
      };
      const counts = ["questions", ...PARTS, "withheld_right", "withheld_wrong", "nothing_shown"];
      return this.order.map((run, order) => {
        const { run: name, team, kind } = this.data.runs[run];
        const key = `${run} ${name}`;
        const record = { run: name, key, team: team || DASH, kind, order, shown: this.shown[run] };
        for (const count of counts) record[count] = view.counts[count][run];
        record.share_unanswered = record.questions ? record.unanswered / record.questions : 0;
        record.accuracy = score("accuracy", run);
        record.c_at_1 = score("c_at_1", run);
        return record;
      });
    }

    async drawCharts() {
      for (const box of this.boxes) {
        const spec = JSON.parse(box.querySelector("script").textContent);
        spec.datasets = { runs: this.records() };
        const place = box.appendChild(document.createElement("div"));
        const { view } = await window.vegaEmbed(place, spec, {
          renderer: "svg",
          ast: true, // expressions are interpreted: the page's policy lets nothing be compiled
          actions: { export: true, source: false, compiled: false, editor: false },
          downloadFileName: `${this.data.collection}-${box.dataset.chart}`,
        });
        // A row of bars keeps its height however many are shown.
        const bar = box.dataset.chart === "counts" ? spec.height / this.data.runs.length : null;
        this.charts.push({ box, view, bar });
        // The reader may have chosen another view in the meantime.
        await this.redraw({ box, view, bar });
      }
    }

    redraw({ box, view, bar }) {
      const records = this.records();
      const drawn = bar === null
        ? records.filter((each) => each.accuracy !== null && each.c_at_1 !== null)
        : records.filter((each) => each.shown && each.questions !== null);
      box.hidden = drawn.length === 0;
      if (box.hidden) return view;
      if (bar !== null) view.height(bar * drawn.length);
      return view.data("runs", records).runAsync();
    }
  }

  const collections = [...document.querySelectorAll("section.collection")].map((each) => new Collection(each));
  (async () => {
    for (const collection of collections) await collection.drawCharts();
  })();
})();
