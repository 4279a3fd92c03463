// The page embeds the numbers of a view once; here they become the ranks and the text that views.py
// makes of them for the template.
const views = {
  // Three places, halves away from zero.
  fixed(value) {
    if (value === null) return DASH;
    const text = Math.abs(value).toFixed(3);
    return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
  },

  // A rank, or the range of ranks that equal runs share.
  span(first, last) {
    if (first === null) return DASH;
    return first === last ? String(first) : `${first}${DASH}${last}`;
  },

  // What is embedded is made whole when it is first shown.
  open(view) {
    if (!view || view.whole) return view;
    for (const scores of view.scores) views.openScores(scores);
    return Object.assign(view, { whole: true });
  },

  openScores(scores) {
    const { value, first, rank, low, high, leading, range, own, if_wrong, if_right } = scores;
    const interval = (end, run) => (end === null || high[run] === null ? DASH : `${views.fixed(end)} to ${views.fixed(high[run])}`);
    const filled = (column) => (column?.some((text) => text !== DASH) ? column : null);
    scores.rank = first.map((at, run) => rank[run] ?? at);
    scores.text = {
      value: value.map(views.fixed),
      rank: first.map((at, run) => views.span(at, 2 * scores.rank[run] - at)),
      interval: filled(low?.map(interval)),
      range,
      own,
      leading: filled(leading?.map((leads) => (leads ? "yes" : DASH))),
      if_wrong: filled(if_wrong?.map(views.fixed)),
      if_right: filled(if_right?.map(views.fixed)),
    };
  },
};
