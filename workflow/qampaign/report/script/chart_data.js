// The rows of the charts for what the reader has chosen, from the columns that the page embeds;
// chart_data.py makes them for the figures.
const chartData = {
  datasets(names, collection, choice) {
    const { data } = collection;
    const { judge, slice } = collection.choices;
    const shown = {
      runs: () => [collection.view],
      slices: () => data.slices.slice(1).map((_, index) => collection.viewAt(judge, index + 1)),
      judges: () => data.judges.map((_, index) => collection.viewAt(index, slice)),
    };
    const runs = chartData.runs(collection);
    const rows = (name) => {
      if (name in data.tables) return chartData.tableRows(chartData.chosen(data.tables[name], choice), runs);
      const all = shown[name]().filter(Boolean).flatMap((view) => chartData.viewRows(view, collection, runs));
      return name === "judges" ? all.filter((row) => row.rank !== null) : all;
    };
    // What comes later is drawn over what came before: runs with a name come last.
    const sorted = (name) => rows(name).sort((a, b) => (a.named ?? false) - (b.named ?? false));
    return Object.fromEntries(names.map((name) => [name, sorted(name)]));
  },

  // A table of several measures has columns of its own for each, in whole parts of its unit; a chart
  // shows one of them.
  chosen(table, choice) {
    if (!choice) return table;
    const { index, size } = table;
    const value = (part) => (part === null ? null : part / choice.parts);
    const of = Object.entries(choice.columns).map(([name, column]) => [name, table[column].map(value)]);
    const bounds = Object.entries(choice.bounds).map(([name, value]) => [name, index.map(() => value)]);
    return Object.fromEntries([["index", index], ["size", size], ...of, ...bounds]);
  },

  // The hue of each run: of those picked, which keep theirs until they are unpicked; else of the first.
  hues(collection) {
    const { data, picked } = collection;
    if (picked.size === 0) {
      const named = data.runs.length <= HUES.length ? data.runs.length : LEADING;
      collection.hues = new Map();
      return new Map(data.runs.slice(0, named).map((_, run) => [run, run]));
    }
    const hues = collection.hues ??= new Map();
    for (const run of hues.keys()) if (!picked.has(run)) hues.delete(run);
    const taken = new Set(hues.values());
    for (const run of picked) {
      if (hues.has(run)) continue;
      const free = HUES.map((_, hue) => hue).filter((hue) => !taken.has(hue));
      const hue = free.includes(run) ? run : free[0];
      if (hue === undefined) break;
      taken.add(hue);
      hues.set(run, hue);
    }
    return hues;
  },

  // More runs than there are hues can be picked: those beyond are as dark as text.
  colour(hue, picked) {
    return HUES[hue] ?? (picked ? INK : REST);
  },

  // What charts show of each run, whatever the view.
  runs(collection) {
    const { data, order, shown, picked } = collection;
    const hues = chartData.hues(collection);
    const positions = new Map(order.map((run, position) => [run, position]));
    return data.runs.map((run, index) => ({
      ...run,
      order: positions.get(index),
      shown: shown[index],
      lit: picked.size === 0 || picked.has(index),
      picked: picked.has(index),
      named: hues.has(index) || picked.has(index),
      colour: chartData.colour(hues.get(index), picked.has(index)),
    }));
  },

  // A row per run: its counts, its value by every measure, its scores by the one that ranks.
  viewRows(view, { data, measure }, runs) {
    const columns = { ...view.counts };
    data.measures.forEach((row, index) => { columns[`value_${row.measure}`] = view.scores[index].value; });
    const { value, rank, low, high, leading, if_wrong, if_right } = view.scores[measure] ?? {};
    const scored = { value, rank, low, high, leading, if_wrong, if_right };
    const named = Object.entries(Object.assign(columns, scored));
    return runs.map((run, index) => {
      const row = { ...run, judge: view.judge, slice: view.slice };
      for (const [name, column] of named) row[name] = column?.[index] ?? null;
      return row;
    });
  },

  // A table as rows, each with what is known of its run.
  tableRows(table, runs) {
    const columns = Object.entries(table);
    return columns[0][1].map((_, index) => {
      const row = Object.fromEntries(columns.map(([name, column]) => [name, column[index]]));
      return "index" in row ? { ...runs[row.index], ...row } : row;
    });
  },
};
