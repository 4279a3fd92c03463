// The cells of the rows in sight, drawn: a column for each run, in the order of the leaderboard.
const GAP = 1;
const WIDEST = 26;
const MARK = 4; // above and below what judges differ about

class Matrix {
  constructor(list, state) {
    this.list = list;
    this.state = state;
    this.canvas = element("canvas", { "aria-hidden": "true" });
    this.names = element("div", { class: "names" });
    list.box.prepend(this.names);
    list.sheet.prepend(this.canvas);
    list.onrange = (first, last) => this.draw(first, last);
    this.onpoint = () => {};
    this.onpick = () => {};
    this.canvas.addEventListener("pointermove", (event) => this.onpoint(this.at(event)));
    this.canvas.addEventListener("pointerleave", () => this.onpoint(null));
    this.canvas.addEventListener("click", (event) => {
      const cell = this.at(event);
      if (cell) this.onpick(cell);
    });
    window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
      this.colours = null;
      list.render();
    });
  }

  // How wide the columns are; none where the view shows answers instead.
  layOut(shown) {
    this.shown = shown && RUNS > 0;
    const { box, sheet } = this.list;
    const narrow = box.clientWidth < 640;
    const least = narrow ? 148 : Math.round(Math.min(620, box.clientWidth * 0.45));
    const label = Math.max(least, box.clientWidth - RUNS * WIDEST - 4);
    this.cell = Math.max(6, Math.min(WIDEST, Math.floor((box.clientWidth - label - 4) / Math.max(RUNS, 1))));
    this.label = label;
    box.style.setProperty("--label", this.shown ? `${label}px` : "100%");
    sheet.style.minWidth = this.shown ? `${label + RUNS * this.cell}px` : "";
    this.names.hidden = !this.shown;
    this.canvas.hidden = !this.shown;
    box.classList.toggle("cells", this.shown);
    if (this.shown) this.name();
  }

  name() {
    const named = this.cell >= 14;
    this.names.style.minWidth = `${this.label + RUNS * this.cell}px`;
    this.names.classList.toggle("few", named);
    if (!named) {
      this.names.replaceChildren(element("span", {}, `${words.many(RUNS, "run")} in the order of the leaderboard; point at a cell to see which`));
      return;
    }
    this.names.replaceChildren(...DATA.runs.map(({ run, short }, at) => {
      const link = element("a", { href: this.state.href({ runs: [at], question: -1 }), title: run, tabindex: at ? "-1" : "0" }, quote(short ?? run));
      link.style.left = `${this.label + at * this.cell}px`;
      link.style.width = `${this.cell}px`;
      return link;
    }));
    if (!this.roving) {
      this.roving = true;
      rove(this.names, "a");
    }
  }

  palette() {
    const style = getComputedStyle(this.list.box);
    const names = ["right", "wrong", "withheld-right", "withheld-wrong", "nothing", "unanswered", "card", "ink"];
    return this.colours ??= Object.fromEntries(names.map((name) => [name, style.getPropertyValue(`--${name}`).trim()]));
  }

  draw(first, last) {
    if (!this.shown) return;
    const { order, size } = this.list;
    const scale = window.devicePixelRatio || 1;
    const [width, height] = [RUNS * this.cell, Math.max(last - first, 0) * size];
    const { canvas } = this;
    this.first = first;
    canvas.width = Math.ceil(width * scale);
    canvas.height = Math.ceil(height * scale);
    Object.assign(canvas.style, { width: `${width}px`, height: `${height}px`, left: `${this.label}px`, top: `${first * size}px` });
    const pen = canvas.getContext("2d");
    pen.scale(scale, scale);
    const colours = this.palette();
    const judge = this.state.judge;
    const [wide, high] = [this.cell - (this.cell > 8 ? 2 * GAP : GAP), size - 2 * GAP];
    for (let at = first; at < last; at += 1) {
      const y = (at - first) * size + GAP;
      const judges = this.state.marksDisagreement() ? judgesOf(order[at]) : [];
      for (let run = 0; run < RUNS; run += 1) {
        const x = run * this.cell;
        Matrix.paint(pen, colours, cells.code(judge, order[at], run), scoresAlone(judge), x, y, wide, high);
        if (judges.length > 1 && differs(judges, order[at], run)) {
          pen.fillStyle = colours.ink;
          pen.fillRect(x, y, wide, MARK);
          pen.fillRect(x, y + high - MARK, wide, MARK);
        }
      }
    }
  }

  static paint(pen, colours, code, scored, x, y, wide, high) {
    const box = (colour, top = y, tall = high) => {
      pen.fillStyle = colour;
      pen.fillRect(x, top, wide, tall);
    };
    const edged = (fill, edge) => {
      box(fill);
      pen.strokeStyle = edge;
      pen.strokeRect(x + 0.5, y + 0.5, wide - 1, high - 1);
    };
    if (code >= FIRST_SHARE) {
      const share = (code - FIRST_SHARE) / SHARE_UNITS;
      box(scored ? colours["withheld-right"] : colours.wrong);
      box(colours.right, y + high * (1 - share), high * share);
      return;
    }
    switch (String.fromCharCode(code)) {
      case "r": box(colours.right); break;
      case "w": box(colours.wrong); break;
      case "x":
        box(scored ? colours.unanswered : colours.wrong);
        pen.fillStyle = colours.card;
        pen.fillRect(x + wide / 2 - 1.5, y + high / 2 - 1.5, 3, 3);
        break;
      case "R": edged(colours["withheld-right"], colours.right); break;
      case "W": edged(colours["withheld-wrong"], colours.wrong); break;
      case "h": edged(colours.card, colours.right); break;
      case "u": edged(colours.nothing, colours.unanswered); break;
      case ".":
        pen.fillStyle = colours.unanswered;
        pen.fillRect(x + wide / 2 - 1.5, y + high / 2 - 1.5, 3, 3);
        break;
      default:
    }
  }

  // The question and the run under the pointer.
  at({ offsetX, offsetY }) {
    const run = Math.floor(offsetX / this.cell);
    const question = this.list.order[this.first + Math.floor(offsetY / this.list.size)];
    return run < RUNS && question !== undefined ? { run, question } : null;
  }
}
