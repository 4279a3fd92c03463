// One page of the report at a time, and the address that leads to it: `#id` is a section,
// `#collection=…&judge=…&slice=…&measure=…&run=…&filter=…` what a reader has chosen in a collection.
class Navigation {
  constructor(collections) {
    this.collections = collections;
    this.pages = [...document.querySelectorAll("main > .page")];
    this.links = [...document.querySelectorAll("nav a")];
    this.header = document.querySelector("header.side");
    // With one collection there is nothing to choose: the page shows everything.
    this.paged = collections.length > 1;
    document.documentElement.classList.add("scripted");
    document.documentElement.classList.toggle("paged", this.paged);
    this.landed = null;
    this.foldContents();
    this.bars();
    for (const collection of collections) collection.onchange = (typing) => this.remember(collection, typing);
    window.addEventListener("hashchange", () => this.follow());
    document.addEventListener("click", (event) => this.click(event));
    for (const name of ["wheel", "touchstart", "pointerdown", "keydown"]) {
      window.addEventListener(name, () => { this.landed = null; }, { passive: true, capture: true });
    }
    // What is drawn later must not carry away what the reader came for.
    new ResizeObserver(() => this.landed?.scrollIntoView()).observe(document.querySelector("main"));
    this.follow();
  }

  // A link to where the reader is already leads there again; the skip link leads nowhere else.
  click(event) {
    const link = event.target.closest?.("a[href^='#']");
    if (!link) return;
    if (link.classList.contains("skip")) {
      event.preventDefault();
      document.getElementById("main").focus();
    } else if (link.getAttribute("href") === window.location.hash) {
      event.preventDefault();
      this.follow();
    }
    this.fold(true);
  }

  // The contents fold on narrow screens.
  foldContents() {
    this.button = this.header.querySelector(".fold");
    this.button.hidden = false;
    this.fold(true);
    this.button.addEventListener("click", () => this.fold(this.button.ariaExpanded === "true"));
    this.header.addEventListener("keydown", (event) => {
      if (event.key === "Escape" && this.button.ariaExpanded === "true") {
        this.fold(true);
        this.button.focus();
      }
    });
  }

  fold(folded) {
    this.button.ariaExpanded = String(!folded);
    this.header.classList.toggle("folded", folded);
  }

  // The space that bars at the top take, as they are: a link leads below them.
  bars() {
    const folded = () => getComputedStyle(this.button).display !== "none";
    const measure = () => {
      const bar = folded() ? this.header : this.current?.controls;
      const sticks = bar && getComputedStyle(bar).position === "sticky";
      const height = sticks ? (folded() ? bar.querySelector(".top").getBoundingClientRect().height + 17 : bar.offsetHeight) : 0;
      document.documentElement.style.setProperty("--bars", `${Math.ceil(height)}px`);
    };
    this.measure = measure;
    const observer = new ResizeObserver(measure);
    observer.observe(this.header.querySelector(".top"));
    for (const { controls } of this.collections) observer.observe(controls);
    window.addEventListener("resize", measure);
  }

  show(page) {
    this.page = page;
    this.current = this.collections.find(({ section }) => section === page) ?? (this.paged ? null : this.collections[0]);
    for (const each of this.pages) each.classList.toggle("current", each === page);
    for (const link of this.links) {
      const here = page && link.hash === `#${page.id}`;
      if (here) link.setAttribute("aria-current", "page");
      else link.removeAttribute("aria-current");
      if (!link.closest("ul")) link.parentElement.classList.toggle("current", here);
    }
    this.measure();
  }

  // Shows what the address says, and goes there.
  follow() {
    const hash = window.location.hash.slice(1);
    if (hash.includes("=")) this.restore(new URLSearchParams(hash), true);
    else this.open(hash);
  }

  restore(chosen, land) {
    const collection = this.collections.find(({ data }) => data.collection === chosen.get("collection"));
    if (!collection) {
      this.open("");
      return;
    }
    collection.restore(chosen);
    const there = this.page === collection.section;
    this.show(collection.section);
    if (land && !there) this.land(collection.section);
    collection.showPicked();
  }

  open(id) {
    let target = null;
    try {
      target = document.getElementById(decodeURIComponent(id));
    } catch {
      // not an address of this page
    }
    const page = target?.closest("main > .page") ?? this.pages[0];
    if (!page) return;
    // Back to a section, as it was when the reader left it.
    const chosen = window.history.state?.chosen;
    if (chosen) this.restore(new URLSearchParams(chosen), false);
    this.show(page);
    this.note(this.current ? { chosen: String(this.current.chosen()) } : null);
    if (target && page.contains(target)) this.land(target);
    else window.scrollTo(0, 0);
  }

  land(target) {
    this.landed = null;
    if (target === this.page && this.paged) window.scrollTo(0, 0);
    else target.scrollIntoView();
    this.landed = target === this.page && this.paged ? null : target;
    if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
    target.focus({ preventScroll: true });
  }

  note(state, address) {
    try {
      window.history.replaceState(state, "", address);
    } catch {
      // some browsers refuse to note it for files; the page works without
    }
  }

  // A choice is a step to come back to; letters of a filter are one step together.
  remember(collection, typing) {
    this.show(this.page === collection.section || this.paged ? collection.section : this.page);
    const address = `#${collection.chosen()}`;
    if (address === window.location.hash) return;
    if (typing && this.typed) {
      this.note(null, address);
      return;
    }
    this.typed = typing;
    try {
      window.history.pushState(null, "", address);
    } catch {
      // as above
    }
  }
}
