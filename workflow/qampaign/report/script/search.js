// Finds collections and runs by name; what is found is links, so that each opens as any other does.
const MOST_FOUND = 30;

class Search {
  constructor(form, collections) {
    this.collections = collections;
    this.field = form.querySelector("input");
    this.results = form.querySelector("#found");
    form.hidden = false;
    this.field.addEventListener("input", () => this.show());
    form.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.clear();
      if (event.key === "Enter" && event.target === this.field) this.results.querySelector("a")?.click();
    });
    this.results.addEventListener("click", ({ target }) => {
      if (target.closest("a")) this.clear();
    });
  }

  clear() {
    this.field.value = "";
    this.results.replaceChildren();
  }

  *found(wanted) {
    for (const { section, name, data } of this.collections) {
      if (`${name}\n${data.collection}`.toLowerCase().includes(wanted)) yield [name, "collection", `#${section.id}`];
    }
    for (const { name, data, words } of this.collections) {
      for (const [index, { run }] of data.runs.entries()) {
        if (words[index].includes(wanted)) {
          yield [run, name, `#${new URLSearchParams({ collection: data.collection, run })}`];
        }
      }
    }
  }

  show() {
    const wanted = this.field.value.trim().toLowerCase();
    const found = wanted ? [...this.found(wanted)] : [];
    const list = document.createElement("ul");
    for (const [label, about, href] of found.slice(0, MOST_FOUND)) {
      const item = list.appendChild(document.createElement("li"));
      const link = item.appendChild(document.createElement("a"));
      link.href = href;
      link.appendChild(document.createElement("bdi")).textContent = label;
      const more = item.appendChild(document.createElement("small"));
      more.appendChild(document.createElement("bdi")).textContent = about;
    }
    const words = document.createElement("p");
    words.className = "hint";
    if (wanted && !found.length) words.textContent = "No run or collection has this in its name.";
    if (found.length > MOST_FOUND) words.textContent = `The first ${MOST_FOUND} of ${found.length}.`;
    this.results.replaceChildren(...(found.length ? [list] : []), ...(words.textContent ? [words] : []));
  }
}
