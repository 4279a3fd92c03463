// Tables as CSV, charts as SVG and PNG: made from what the page shows, never fetched.
const downloads = {
  save(name, href) {
    const link = document.createElement("a");
    link.href = href;
    link.download = name;
    link.click();
  },

  saveText(name, text, type) {
    const href = URL.createObjectURL(new Blob([text], { type }));
    downloads.save(name, href);
    setTimeout(() => URL.revokeObjectURL(href), 10000);
  },

  // Values with all their digits where they are known, else the text of the cell; no hidden cells.
  csv(table, exact = () => undefined) {
    const quoted = (text) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const value = (cell, row) => {
      const known = exact(cell, row) ?? cell.dataset.value ?? cell.querySelector("code[title]")?.title
        ?? cell.querySelector("bdi:not(.ranking), pre")?.textContent;
      const text = String(known ?? cell.textContent).trim();
      return quoted(text === DASH ? "" : text);
    };
    const rows = [...table.rows].filter((row) => !row.hidden);
    return rows.map((row) => {
      const cells = [...row.cells].filter((cell) => !cell.hidden && !cell.classList.contains("shares"));
      return `${cells.map((cell) => value(cell, row)).join(",")}\n`;
    }).join("");
  },

  button(label, title, action) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = label;
    button.setAttribute("aria-label", title);
    button.addEventListener("click", action);
    return button;
  },

  // A row of buttons under what they are about: one tab stop.
  bar(box, ...buttons) {
    const bar = document.createElement("div");
    bar.className = "save";
    bar.append(...buttons);
    if (buttons.length > 1) {
      bar.setAttribute("role", "toolbar");
      bar.setAttribute("aria-label", box.getAttribute("aria-label"));
      rove(bar, "button");
    }
    box.after(bar);
    return bar;
  },

  offerTable(table, prefix, exact) {
    const box = table.closest(".box");
    const title = box.getAttribute("aria-label");
    const name = [prefix, table.dataset.table].filter(Boolean).join("-");
    const save = () => downloads.saveText(`${name}.csv`, downloads.csv(table, exact), "text/csv");
    return downloads.bar(box, downloads.button("CSV", `${title}: save as CSV`, save));
  },
};
