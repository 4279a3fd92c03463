// The page arrives complete for its first view: its tables can be read without this script. Text
// only ever enters as text.
const collections = [...document.querySelectorAll("section.collection")].map((section) => new Collection(section));

for (const table of document.querySelectorAll("table[data-table]")) {
  const collection = collections.find(({ section }) => section.contains(table));
  const leaderboard = collection?.leaderboard;
  const exact = table === leaderboard?.table ? (cell, row) => leaderboard.exact(cell, row) : undefined;
  downloads.offerTable(table, collection?.data.collection, exact);
  if (table.classList.contains("plain")) makeSortable(table);
}

const search = document.querySelector(".search");
if (search) new Search(search, collections);
new Navigation(collections);
drawInTurn(collections.flatMap((collection) => collection.figures));

// A box that scrolls sideways shows at its edge that there is more.
const showEdge = (box) => box.classList.toggle("more", box.scrollLeft + box.clientWidth < box.scrollWidth - 1);
const edges = new ResizeObserver((entries) => { for (const { target } of entries) showEdge(target); });
for (const box of document.querySelectorAll(".box")) edges.observe(box);
document.addEventListener("scroll", ({ target }) => { if (target.classList?.contains("box")) showEdge(target); }, true);
