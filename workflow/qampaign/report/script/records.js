// The rows of the charts for what the reader has chosen; records.py makes them for the first view
// and theme.py says what is in them.
const records = {
  who(collection) {
    const { data, shown, picked } = collection;
    const place = new Map(collection.order.map((run, order) => [run, order]));
    return data.runs.map(({ run, team, kind, colour }, index) => ({
      index,
      run,
      key: `${index} ${run}`,
      team: team || DASH,
      kind,
      colour,
      order: place.get(index),
      shown: shown[index],
      lit: picked.size === 0 || picked.has(index),
      picked: picked.has(index),
    }));
  },

  runs(collection) {
    const { view, data } = collection;
    const scores = view.scores[collection.measure];
    const columns = ["value", "low", "high", "first", "last", "group"];
    return records.who(collection).map((row) => {
      for (const [name, values] of Object.entries(view.counts)) row[name] = values[row.index];
      data.measures.forEach((each, place) => {
        row[`value_${each.measure}`] = view.scores[place].value[row.index];
      });
      for (const name of columns) row[name] = scores?.[name]?.[row.index] ?? null;
      return row;
    });
  },

  slices(collection) {
    const { data, measure } = collection;
    const who = records.who(collection);
    return data.slices.flatMap((slice, place) => {
      const view = place && data.views[collection.choice("judge")]?.[place];
      if (!view) return [];
      const { value } = view.scores[measure];
      const name = `${place} ${slice} (${view.questions})`;
      return who.map((row) => ({ ...row, slice: name, value: value[row.index] }));
    });
  },

  judges(collection) {
    const { data, measure } = collection;
    const who = records.who(collection);
    return data.judges.flatMap((judge, place) => {
      const scores = data.views[place]?.[collection.choice("slice")]?.scores[measure];
      if (!scores) return [];
      return who
        .filter((row) => scores.first[row.index] !== null)
        .map((row) => ({
          ...row,
          judge: `${place} ${judge}`,
          rank: (scores.first[row.index] + scores.last[row.index]) / 2,
        }));
    });
  },

  // A table is embedded as columns; a run in it is its place among the runs.
  table(collection, name) {
    const columns = Object.entries(collection.data.tables[name]);
    const who = "index" in collection.data.tables[name] ? records.who(collection) : null;
    return columns[0][1].map((_, at) => {
      const row = Object.fromEntries(columns.map(([column, values]) => [column, values[at]]));
      return who ? { ...who[row.index], ...row } : row;
    });
  },

  named(collection, name) {
    if (name in collection.data.tables) return records.table(collection, name);
    return records[name](collection);
  },
};
