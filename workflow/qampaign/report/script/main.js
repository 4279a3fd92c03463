// The page arrives drawn for its first view, so nothing here is needed to read its tables; text only
// ever enters as text.
const collections = [...document.querySelectorAll("section.collection")].map((each) => new Collection(each));

for (const table of document.querySelectorAll("table[data-table]")) {
  const collection = collections.find((each) => each.section.contains(table));
  const board = collection?.leaderboard;
  const exact = table === board?.table ? (cell, row) => board.exact(cell, row) : undefined;
  downloads.offerTable(table, collection?.data.collection, exact);
  if (table.classList.contains("plain")) makeSortable(table);
}

drawInTurn(collections.flatMap((collection) => collection.figures));
