// The rows of the charts for what the reader has chosen, from the columns that the page embeds;
// chart_data.py makes them for the figures.
const chartData = {
  datasets(names, collection) {
    const { data } = collection;
    const { judge, slice } = collection.choices;
    const views = {
      runs: () => [collection.view],
      slices: () => data.views[judge]?.slice(1) ?? [],
      judges: () => data.views.map((ofJudge) => ofJudge[slice]),
    };
    const runs = chartData.runs(collection);
    const rows = (name) => {
      if (name in data.tables) return chartData.tableRows(data.tables[name], runs);
      const all = views[name]().filter(Boolean).flatMap((view) => chartData.viewRows(view, collection, runs));
      return name === "judges" ? all.filter((row) => row.rank !== null) : all;
    };
    return Object.fromEntries(names.map((name) => [name, rows(name)]));
  },

  // What charts show of each run, whatever the view.
  runs({ data, order, shown, picked }) {
    const positions = new Map(order.map((run, position) => [run, position]));
    return data.runs.map((run, index) => ({
      ...run,
      order: positions.get(index),
      shown: shown[index],
      lit: picked.size === 0 || picked.has(index),
      picked: picked.has(index),
    }));
  },

  // A row per run: its counts, its value by every measure, its scores by the one that ranks.
  viewRows(view, { data, measure }, runs) {
    const columns = { ...view.counts };
    data.measures.forEach((row, index) => { columns[`value_${row.measure}`] = view.scores[index].value; });
    const { value, rank, low, high, leading } = view.scores[measure] ?? {};
    const named = Object.entries(Object.assign(columns, { value, rank, low, high, leading }));
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
