// Elements of the page. Text only ever enters as text.
const DASH = "\u2013";

const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
};

// A name or text of the data, which may run from right to left.
const quote = (text) => element("bdi", {}, String(text));

// A score from 0 to 1, with as much of a mark filled.
const shaded = (score, label) => {
  const made = element("span", { class: "said scored" }, label);
  made.style.setProperty("--score", `${score * 100}%`);
  return made;
};

// An id in two halves where it is long: the first is cut where there is no room, never the second.
const halves = (text) => (text.length <= 20 ? quote(text)
  : element("bdi", { class: "halves", title: text }, element("span", {}, text.slice(0, -8)), element("span", {}, text.slice(-8))));

// A table in a box that scrolls: rows of texts, numbers as texts, or elements. Columns: [label, class].
const table = (title, columns, rows) => element("div", { class: "box", role: "region", tabindex: "0", "aria-label": title },
  element("table", { class: "plain" },
    element("thead", {}, element("tr", {}, ...columns.map(([label, kind]) =>
      element("th", { scope: "col", class: kind ? null : "number" }, label)))),
    element("tbody", {}, ...rows.map((row) => element("tr", {}, ...row.map((value, at) =>
      element("td", { class: columns[at][1] || null }, value ?? DASH)))))));
