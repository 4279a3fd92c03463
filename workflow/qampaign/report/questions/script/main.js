// What the reader has chosen, its address, and the list of questions that follows from it. An address is
// `#judge=…&type=…&show=…&only=…&sort=…&search=…&run=…&question=…`, by name; two runs stand side by side.
const DEFAULTS = { missing: [], judge: 0, type: -1, show: "all", only: 0, sort: "order", search: "", runs: [], question: -1 };
const suspects = DATA.facts.some(({ item_rest: rest }) => rest);
const noun = DATA.noun;
const SHOW = [["all", `all ${noun}s`]];
const SHOW_RIGHT = DATA.ranked
  ? [["none", "nobody's first answer is right"], ["every", "everybody's first answer is right"], ["only", "only one run's first answer is right:"]]
  : [["none", "nobody is right"], ["every", "everybody is right"], ["only", "only one run is right:"]];
const BY_FIRST = DATA.ranked ? " (first answers)" : "";
const SHOW_JUDGES = deciding.length > 1 ? [["differ", "judges differ"]] : [];
const SHOW_RUN = [["right", "it is right"], ["wrong", "it is not right"]];
const SHOW_PAIR = [["flipped", "one of the two is better"], ["won", "the first is better"], ["lost", "the second is better"]];
const SORT_PAIR = [["gain", "losses of the first run first"]];
const SORT_SCORES = [["gain", "largest deficits first"]];
const SORT = [
  ["order", "by id"],
  ["hard", `hardest first${BY_FIRST}`],
  ["easy", `easiest first${BY_FIRST}`],
  ...(DATA.types.length > 1 ? [["type", "by type"]] : []),
  ...(deciding.length > 1 ? [["differ", "judges differ most first"]] : []),
  ...(suspects ? [["suspect", "suspect keys first"]] : []),
];

const runNumbers = new Map(DATA.runs.map(({ run }, at) => [run, at]));
const questionNumbers = new Map(DATA.questions.map((question, at) => [question, at]));

class State {
  constructor() {
    Object.assign(this, DEFAULTS);
  }

  read(hash) {
    const chosen = new URLSearchParams(hash.replace(/^#/, ""));
    this.missing = [];
    const at = (name, find, otherwise) => {
      const index = chosen.has(name) ? find(chosen.get(name)) ?? -1 : -1;
      if (chosen.has(name) && index < 0) this.lacks(name === "only" ? "run" : name, chosen.get(name));
      return index < 0 ? otherwise : index;
    };
    const word = (name, options) => (options.some(([value]) => value === chosen.get(name)) ? chosen.get(name) : DEFAULTS[name]);
    this.judge = at("judge", (name) => DATA.judges.findIndex(({ judge }) => judge === name), 0);
    this.type = at("type", (name) => DATA.types.indexOf(name), -1);
    this.only = at("only", (name) => runNumbers.get(name), 0);
    this.question = at("question", (name) => questionNumbers.get(name), -1);
    for (const name of chosen.getAll("run")) if (!runNumbers.has(name)) this.lacks("run", name);
    const runs = [...new Set(chosen.getAll("run").map((name) => runNumbers.get(name)).filter((run) => run !== undefined))];
    for (const run of runs.slice(2)) this.missing.push([`no more than two runs are shown; left out: `, DATA.runs[run].run]);
    this.runs = runs.slice(0, 2);
    this.show = word("show", this.shows());
    if (!chosen.has("show")) this.show = this.usual().show;
    this.sort = word("sort", this.sorts());
    if (!chosen.has("sort")) this.sort = this.usual().sort;
    this.search = chosen.get("search") ?? "";
    return this;
  }

  // What an address names, and is not here.
  lacks(what, name) {
    this.missing.push([DATA.silent.includes(name) && what === "run" ? "there are no answers of " : `there is no ${what} `, name]);
  }

  // Whether the judge has verdicts or scores of the chosen runs.
  known() {
    return !this.runs.some((run) => DATA.unjudged[this.judge].includes(run));
  }

  pairs() {
    return this.runs.length === 2 && this.known();
  }

  shows() {
    const scored = scoresAlone(this.judge);
    return [
      ...SHOW, ...(scored ? [] : SHOW_RIGHT), ...SHOW_JUDGES,
      ...(this.runs.length === 1 && !scored && this.known() ? SHOW_RUN : []), ...(this.pairs() ? SHOW_PAIR : []),
    ];
  }

  sorts() {
    return [...(this.pairs() ? (scoresAlone(this.judge) ? SORT_SCORES : SORT_PAIR) : []), ...SORT];
  }

  // Whether the matrix marks the cells about which judges differ.
  marksDisagreement() {
    return [this.show, this.sort].includes("differ");
  }

  // What two runs side by side open with, and all other views.
  usual() {
    return this.pairs() ? { show: "flipped", sort: "gain" } : { show: "all", sort: "order" };
  }

  href(changes = {}) {
    const state = Object.assign(new State(), this, changes);
    const fits = (name, options) => options.some(([value]) => value === state[name]) && state[name] !== state.usual()[name];
    const chosen = new URLSearchParams();
    if (state.judge) chosen.append("judge", DATA.judges[state.judge].judge);
    for (const run of state.runs) chosen.append("run", DATA.runs[run].run);
    if (state.type >= 0) chosen.append("type", DATA.types[state.type]);
    if (fits("show", state.shows())) chosen.append("show", state.show);
    if (state.show === "only") chosen.append("only", DATA.runs[state.only].run);
    if (fits("sort", state.sorts())) chosen.append("sort", state.sort);
    if (state.search) chosen.append("search", state.search);
    if (state.question >= 0) chosen.append("question", DATA.questions[state.question]);
    return `#${chosen}`;
  }
}

class Browse {
  constructor() {
    this.state = new State();
    this.form = document.querySelector(".choices");
    this.about = document.getElementById("about");
    this.section = document.getElementById("list");
    this.build();
    this.list = new LongList(document.getElementById("rows"), {
      row: (question) => this.row(question),
      href: (question) => answers.file(question) + this.state.href({ question }),
      height: () => this.height(),
    });
    this.matrix = new Matrix(this.list, this.state);
    this.dialog = new QuestionDialog(document.getElementById("question"), this.state);
    this.list.onresize = () => this.matrix.layOut(this.state.runs.length === 0);
    const pointed = document.getElementById("pointed");
    this.matrix.onpoint = (cell) => {
      pointed.textContent = cell ? this.pointedAt(cell) : "";
    };
    this.matrix.onpick = ({ question }) => this.open(question);
    this.dialog.onstep = (step) => {
      const at = this.list.order.indexOf(this.state.question) + step;
      if (at >= 0 && at < this.list.order.length) this.open(this.list.order[at]);
    };
    this.dialog.onclose = () => this.closed();
    window.addEventListener("hashchange", () => this.restore());
    window.addEventListener("popstate", () => this.restore());
    document.querySelector(".skip").addEventListener("click", (event) => {
      event.preventDefault();
      document.getElementById("main").focus();
    });
    this.form.hidden = false;
    this.section.hidden = false;
    this.restore();
  }

  // A cell in words: what the judge says, or all judges where they differ.
  pointedAt({ question, run }) {
    const judges = judgesOf(question);
    const outcome = judges.length > 1 && differs(judges, question, run)
      ? judges.map((judge) => `${cells.outcome(judge, question, run)} by ${DATA.judges[judge].judge}`).join("; ")
      : cells.outcome(this.state.judge, question, run);
    return [DATA.runs[run].run, DATA.questions[question], outcome].join(" \u00b7 ");
  }

  // The choices.
  build() {
    const select = (name, label, options) => {
      const field = element("select", { name }, ...options.map(([value, text]) => element("option", { value }, text)));
      return element("label", {}, `${label} `, field);
    };
    const runs = DATA.runs.map(({ run }, at) => [at, run]);
    this.form.append(...[
      DATA.judges.length > 1 ? select("judge", "Judge", DATA.judges.map(({ judge, reference }, at) => [at, `${judge}${reference ? " (reference)" : ""}`])) : null,
      select("run", "Run", [[-1, "all runs"], ...runs]),
      RUNS > 1 ? select("against", "Beside", [[-1, "none"], ...runs]) : null,
      DATA.types.length > 1 ? select("type", "Type", [[-1, "all"], ...DATA.types.map((type, at) => [at, type])]) : null,
      select("show", "Show where", this.state.shows()),
      select("only", "Right run", runs),
      select("sort", "Sort", SORT),
      element("label", {}, "Search ", element("input", { type: "search", name: "search", placeholder: DATA.open ? `${noun}, answer or key` : noun, autocomplete: "off" })),
      element("output", { class: "facts", "aria-live": "polite" }),
    ].filter(Boolean));
    this.form.addEventListener("submit", (event) => event.preventDefault());
    this.form.addEventListener("input", ({ target }) => {
      clearTimeout(this.typing);
      this.typing = setTimeout(() => this.choose(target.name), target.name === "search" ? 150 : 0);
    });
  }

  field(name) {
    return this.form.elements[name];
  }

  choose(name) {
    const { state } = this;
    const number = (field) => Number(this.field(field)?.value ?? DEFAULTS[field] ?? -1);
    const before = state.pairs();
    if (name === "against" && number("run") < 0) this.field("run").value = String(number("against") === 0 ? Math.min(1, RUNS - 1) : 0);
    const runs = [number("run"), number("run") < 0 ? -1 : number("against")].filter((run) => run >= 0);
    Object.assign(state, {
      judge: number("judge"), type: number("type"), only: number("only"), sort: this.field("sort").value,
      missing: [], search: this.field("search").value.trim(), show: this.field("show").value, runs: [...new Set(runs)],
    });
    if (state.pairs() !== before) Object.assign(state, state.usual());
    else if (!state.shows().some(([value]) => value === state.show)) state.show = "all";
    this.remember(name === "search");
    this.draw();
  }

  // A choice is a step to come back to; letters of a search are one step together.
  remember(typing = false) {
    const address = this.state.href();
    if (address === (window.location.hash || "#")) return;
    try {
      if (typing && this.typed) window.history.replaceState(null, "", address);
      else window.history.pushState(null, "", address);
    } catch {
      // some browsers refuse to note it for files; the page works without
    }
    this.typed = typing;
  }

  restore() {
    const { hash } = window.location;
    if (hash === "#main" || hash === this.drawn) return;
    this.state.read(hash);
    const focused = document.activeElement;
    this.draw();
    this.keepFocus(focused);
  }

  // Where what had the focus is gone or hidden, the new heading takes it, and so is read out.
  keepFocus(focused) {
    if (focused === document.body || this.state.question >= 0) return;
    if (focused.isConnected && focused.getClientRects().length && document.activeElement === focused) return;
    const heading = this.about.querySelector("h2") ?? document.getElementById("main");
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    if (heading.matches("h2")) heading.scrollIntoView({ block: "nearest" });
  }

  // What an address asked for in vain.
  note() {
    const { missing } = this.state;
    return missing.length ? [element("p", { class: "note" }, "In this address: ", ...missing.flatMap(([what, name], at) => [at ? "; " : "", what, quote(words.name(name))]), ".")] : [];
  }

  open(question) {
    const file = answers.file(question);
    if (file) {
      window.location.href = file + this.state.href({ question });
      return;
    }
    this.state.question = question;
    this.remember();
    this.drawn = window.location.hash;
    this.dialog.show(question);
  }

  closed() {
    const { question } = this.state;
    if (question < 0) return;
    this.state.question = -1;
    this.remember();
    this.drawn = window.location.hash;
    const at = this.list.order.indexOf(question);
    if (at >= 0) this.list.focus(at);
  }

  draw() {
    const { state } = this;
    this.drawn = window.location.hash;
    this.fillForm();
    this.about.replaceChildren(...this.note(), ...[() => [], aboutRun, aboutPair][state.runs.length](state));
    const box = this.list.box;
    const order = this.order();
    box.hidden = !order.length;
    box.className = `long ${["", "one", "two"][state.runs.length]}`;
    document.getElementById("list-title").textContent = ["What every run answered", "Its answers", "Their answers"][state.runs.length];
    document.getElementById("legend").replaceChildren(...this.legend());
    box.setAttribute("aria-label", document.getElementById("list-title").textContent);
    this.field("search").setAttribute("aria-describedby", "elsewhere");
    this.form.querySelector("output").value = `${order.length.toLocaleString("en-US")} of ${words.many(DATA.asked, noun)}`;
    document.title = [...state.runs.map((run) => DATA.runs[run].run), DATA.title].join(" \u00b7 ");
    this.matrix.layOut(state.runs.length === 0);
    box.scrollTop = 0;
    this.list.active = Math.max(0, order.indexOf(state.question));
    this.list.show(order);
    this.tellElsewhere(order);
    if (state.question >= 0) this.dialog.show(state.question);
    else this.dialog.hide();
  }

  fillForm() {
    const { state } = this;
    for (const [name, options] of [["show", state.shows()], ["sort", state.sorts()]]) {
      this.field(name).replaceChildren(...options.map(([value, text]) => element("option", { value }, text)));
    }
    const values = {
      judge: state.judge, type: state.type, show: state.show, only: state.only, sort: state.sort,
      run: state.runs[0] ?? -1, against: state.runs[1] ?? -1,
    };
    for (const [name, value] of Object.entries(values)) if (this.field(name)) this.field(name).value = String(value);
    if (this.field("search").value.trim() !== state.search) this.field("search").value = state.search;
    this.field("only").closest("label").hidden = state.show !== "only";
  }

  // The questions to show, in their order.
  order() {
    const { state } = this;
    const { judge } = state;
    const { some, sum } = rightRuns(judge);
    const field = FIELDS[judge];
    const share = (question, run) => cells.share(judge, question, run);
    const [first, second] = state.runs;
    const shows = {
      all: () => true,
      none: (question) => some[question] === 0,
      every: (question) => field.length > 0 && sum[question] > field.length - SAME,
      only: (question) => {
        const own = share(question, state.only);
        return own > SAME && some[question] === Number(field.includes(state.only));
      },
      differ: (question) => disagreement()[question] > 0,
      right: (question) => share(question, first) > SAME,
      wrong: (question) => share(question, first) < 1 - SAME,
      flipped: (question) => Math.abs(share(question, first) - share(question, second)) > SAME,
      won: (question) => share(question, first) - share(question, second) > SAME,
      lost: (question) => share(question, first) - share(question, second) < -SAME,
    };
    const wanted = state.search.toLowerCase();
    const found = wanted ? answers.containing(wanted) : null;
    const named = (question) => DATA.questions[question].toLowerCase().includes(wanted)
      || Boolean(DATA.text?.[question]?.toLowerCase().includes(wanted));
    const order = [];
    for (let question = 0; question < QUESTIONS; question += 1) {
      if (!cells.judged(judge, question)) continue;
      if (state.type >= 0 && DATA.type[question] !== state.type) continue;
      if (!shows[state.show](question)) continue;
      if (found && !found.has(question) && !named(question)) continue;
      order.push(question);
    }
    return this.sorted(order);
  }

  sorted(order) {
    const { state } = this;
    const facts = DATA.facts[state.judge];
    const [first, second] = state.runs;
    const last = (value) => value ?? Infinity;
    const types = (question) => DATA.type[question] ?? DATA.types.length;
    const hardness = (question) => -rightRuns(state.judge).sum[question];
    const keys = {
      hard: (question) => -hardness(question),
      easy: hardness,
      type: types,
      differ: (question) => -disagreement()[question],
      suspect: (question) => last(facts.item_rest?.[question]),
      gain: (question) => cells.share(state.judge, question, first) - cells.share(state.judge, question, second),
    };
    const key = keys[state.sort];
    return key ? order.map((question) => [key(question), question]).sort(([a, one], [b, two]) => a - b || one - two).map(([, question]) => question) : order;
  }

  height() {
    return Number.parseFloat(getComputedStyle(this.list.box).getPropertyValue("--row")) || 30;
  }

  row(question) {
    const { state } = this;
    const { judge } = state;
    const id = element("span", { class: DATA.text?.[question] ? "id" : "id alone" }, halves(DATA.questions[question]));
    const text = element("span", { class: "text" }, quote(DATA.text?.[question] ?? ""));
    const suspect = state.sort === "suspect" ? suspicion(judge, question) : null;
    const mark = suspect === null ? [] : [element("span", { class: "share", title: "correlation of being right on it with being right on the rest" },
      words.correlation(suspect), element("span", { class: "unseen" }, " correlation with the rest"))];
    if (!state.runs.length && scoresAlone(judge)) {
      return [id, text, element("span", { class: "share", title: "mean score of the submitted runs" }, meanScore(judge, question),
        element("span", { class: "unseen" }, " mean score"))];
    }
    if (!state.runs.length) {
      const right = +rightRuns(judge).sum[question].toFixed(1);
      return [id, text, ...mark, element("span", { class: "share", title: DATA.ranked ? "submitted runs whose first answer is right" : "submitted runs that are right" }, `${right}/${FIELDS[judge].length}`,
        element("span", { class: "unseen" }, " right"))];
    }
    const rows = answers.of(question);
    const given = (run) => {
      if (!rows) return [element("span", { class: "none" }, "on another page")];
      const own = rows.filter((row) => row.run === run && row.rank === 1);
      if (!own.length) return [element("span", { class: "none" }, "no row")];
      const code = cells.code(judge, question, run);
      const answer = element("span", { class: "answer" }, DATA.open ? quote(own.map((row) => row.answer).filter((each) => each !== null).join(" / ") || "no answer") : "");
      if (scoresAlone(judge)) {
        const outcome = cells.outcome(judge, question, run);
        return [code >= FIRST_SHARE ? shaded(cells.share(judge, question, run), outcome) : element("span", { class: "said unanswered" }, outcome), answer];
      }
      const kind = { 114: "right", 117: "unanswered", 120: "unassessed" }[code] ?? (code >= FIRST_SHARE ? "mixed" : "wrong");
      const withheld = code === 82 || code === 87;
      const label = code < FIRST_SHARE ? own[0].judges[judge].verdict?.replace("_", " ") ?? DASH : cells.outcome(judge, question, run);
      return [
        element("span", { class: `said ${withheld ? `withheld ${code === 82 ? "right" : "wrong"}` : kind}` }, withheld ? `${label}, withheld` : label),
        answer,
      ];
    };
    return [element("span", { class: "asked" }, id, text, ...mark), ...state.runs.map((run) => element("span", { class: "given" }, ...given(run)))];
  }

  legend() {
    if (this.state.runs.length) return [`Every ${noun} is a link to all that is known of it.`];
    const { judge } = this.state;
    const scored = scoresAlone(judge);
    const keys = scored ? {
      x: ["unscored", "without a score, counts as 0"], h: ["kept", "withheld, counts as 0"],
      u: ["unanswered", "unanswered, counts as 0"], ".": ["absent", "no row"],
    } : {
      r: ["right", "right"], w: ["wrong", "wrong"], x: ["unassessed", "without a verdict, counts as wrong"],
      R: ["withheld right", "withheld, would be right"], W: ["withheld wrong", "withheld, would be wrong"],
      u: ["unanswered", "unanswered"], ".": ["absent", "no row"],
    };
    const there = Object.entries(keys).filter(([code]) => DATA.matrix[judge].includes(code));
    const shares = scored ? element("span", { class: "key scored" }, "score from 0 to 1: as much of the cell") : element("span", { class: "key mixed" }, "some samples right: as much of the cell");
    const mixed = /[^ -~]/.test(DATA.matrix[judge]) ? [shares, " "] : [];
    const marked = this.state.marksDisagreement() ? [element("span", { class: "key differ" }, "judges differ")] : [];
    return [
      ...(scored ? mixed : []), ...there.flatMap(([, [kind, label]]) => [element("span", { class: `key ${kind}` }, label), " "]), ...(scored ? [] : mixed), ...marked,
      element("br"), "First answers, by ", quote(DATA.judges[judge].judge), `. ${this.leftOut()}Every ${noun} is a link to all that is known of it.`,
    ];
  }

  // Runs that the judge has no verdict on count neither as right nor as wrong.
  leftOut() {
    const { judge } = this.state;
    const number = SUBMITTED.length - FIELDS[judge].length;
    if (!number) return "";
    return `${words.many(number, "submitted run")} without a ${scoresAlone(judge) ? "score" : "verdict"} ${number === 1 ? "is" : "are"} left out of all counts. `;
  }

  // What is not on this page, and where it is.
  tellElsewhere(order) {
    const place = document.getElementById("elsewhere");
    const said = [];
    if (DATA.asked > QUESTIONS) said.push(`These are the first ${QUESTIONS.toLocaleString("en-US")} of ${words.many(DATA.asked, noun)}; the table answers has all. `);
    if (DATA.pages.length > 1 && this.state.search) {
      said.push("Answers and keys were searched on this page alone; the others: ");
      DATA.pages.forEach(({ file }, at) => {
        if (at !== answers.page) said.push(element("a", { href: file + this.state.href() }, `page ${at + 1}`), " ");
      });
    }
    if (!order.length) said.push(QUESTIONS ? `No ${noun} is like that.` : `There are no ${noun}s.`);
    place.replaceChildren(...said);
    place.hidden = !said.length;
  }
}

if (RUNS && QUESTIONS) new Browse();
else document.getElementById("about").append(element("p", {}, `There are no answers to show.`));
