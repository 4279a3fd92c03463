// A long list of questions of which only the rows in sight exist. One tab stop: the arrow keys move.
const SPARE = 8;

class LongList {
  constructor(box, { row, href, height }) {
    Object.assign(this, { box, row, href, height });
    this.sheet = box.appendChild(element("div", { class: "sheet", role: "list" }));
    this.order = [];
    this.active = 0;
    this.lines = new Map();
    this.onrange = () => {};
    box.addEventListener("scroll", () => {
      const [first, last] = this.range();
      if (first !== this.first || last !== this.last) this.render();
    }, { passive: true });
    box.addEventListener("keydown", (event) => this.move(event));
    this.sheet.addEventListener("focusin", ({ target }) => {
      const line = target.closest(".line");
      if (line) this.activate(Number(line.dataset.at));
    });
    this.onresize = () => {};
    new ResizeObserver(() => {
      if (this.width === box.clientWidth) return;
      this.width = box.clientWidth;
      this.onresize();
      this.show(this.order);
    }).observe(box);
  }

  show(order) {
    this.order = order;
    this.active = Math.min(this.active, Math.max(order.length - 1, 0));
    this.size = this.height();
    this.sheet.style.height = `${order.length * this.size}px`;
    for (const line of this.lines.values()) line.remove();
    this.lines.clear();
    this.render();
  }

  // The first row in sight and the one after the last, with some around them.
  range() {
    const top = this.box.scrollTop;
    return [
      Math.max(0, Math.floor(top / this.size) - SPARE),
      Math.min(this.order.length, Math.ceil((top + this.box.clientHeight) / this.size) + SPARE),
    ];
  }

  // The rows in sight, and always the active one, which may have the focus.
  render() {
    const [first, last] = this.range();
    Object.assign(this, { first, last });
    const wanted = new Set();
    for (let at = first; at < last; at += 1) wanted.add(at);
    if (this.order.length) wanted.add(this.active);
    for (const [at, line] of this.lines) {
      if (!wanted.has(at)) {
        line.remove();
        this.lines.delete(at);
      }
    }
    for (const at of wanted) if (!this.lines.has(at)) this.add(at);
    this.onrange(first, last);
  }

  add(at) {
    const question = this.order[at];
    const link = element("a", { class: "row", href: this.href(question), tabindex: at === this.active ? "0" : "-1" });
    link.append(...this.row(question));
    const line = element("div", {
      class: "line", role: "listitem", "aria-setsize": this.order.length, "aria-posinset": at + 1, "data-at": at,
    }, link);
    line.style.top = `${at * this.size}px`;
    line.style.height = `${this.size}px`;
    this.lines.set(at, line);
    // In the order of the list, for those who read it in the order of the page.
    const after = [...this.lines.keys()].filter((each) => each > at);
    this.sheet.insertBefore(line, after.length ? this.lines.get(Math.min(...after)) : null);
  }

  activate(at) {
    const before = this.lines.get(this.active)?.firstChild;
    if (before) before.tabIndex = -1;
    this.active = at;
    const now = this.lines.get(at)?.firstChild;
    if (now) now.tabIndex = 0;
  }

  move(event) {
    if (!event.target.closest(".line") || event.altKey || event.ctrlKey || event.metaKey) return;
    const page = Math.max(1, Math.floor(this.box.clientHeight / this.size) - 1);
    const to = {
      ArrowDown: this.active + 1, ArrowUp: this.active - 1, PageDown: this.active + page, PageUp: this.active - page,
      Home: 0, End: this.order.length - 1,
    }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.focus(Math.min(Math.max(to, 0), this.order.length - 1));
  }

  focus(at) {
    this.activate(at);
    const head = this.sheet.offsetTop;
    const top = at * this.size;
    const room = this.box.clientHeight - head - this.size;
    if (top < this.box.scrollTop) this.box.scrollTop = top;
    else if (top > this.box.scrollTop + room) this.box.scrollTop = top - room;
    this.render();
    this.activate(at);
    this.lines.get(at)?.firstChild.focus({ preventScroll: true });
  }
}
