// What is said of numbers and of two runs, in the same words as in the terminal (side_by_side.py). Only
// minus signs are true ones here.
const words = {
  fill(template, values) {
    return template.replace(/\{(\w+)\}/g, (_, name) => values[name]);
  },

  // Three places as Python rounds: halves, which only odd sixteenths are, to the even digit. Zero has no sign.
  exact(value) {
    let text = value.toFixed(3);
    if (Math.abs(value * 16) % 2 === 1) {
      const low = Math.floor(Math.abs(value) * 1000);
      text = ((Math.sign(value) * (low + (low % 2))) / 1000).toFixed(3);
    }
    return Number(text) === 0 ? "0.000" : text;
  },

  fixed(value) {
    if (value === null || value === undefined) return DASH;
    const text = words.exact(Math.abs(value));
    return value < 0 && Number(text) > 0 ? `\u2212${text}` : text;
  },

  score(value) {
    return value.toFixed(2);
  },

  percent(share) {
    return `${+(share * 100).toFixed(1)}%`;
  },

  // A correlation, with two places.
  correlation(value) {
    return value.toFixed(2).replace("-", "\u2212");
  },

  range(first, last) {
    if (first === null || first === undefined) return DASH;
    return first === last ? String(first) : `${first}${DASH}${last}`;
  },

  interval(low, high) {
    const known = [low, high].every((end) => end !== null && end !== undefined);
    return known ? `${words.fixed(low)} to ${words.fixed(high)}` : DASH;
  },

  many(number, thing) {
    return `${number.toLocaleString("en-US")} ${thing}${number === 1 ? "" : "s"}`;
  },

  chance(p) {
    return p !== null && p < DATA.smallP ? `<${DATA.smallP}` : words.fixed(p);
  },

  // What is said of a run that a judge has no verdict on, or no score.
  withoutVerdict(judge, run) {
    return words.fill(DATA.words[scoresAlone(judge) ? "no_score" : "no_verdict"], { judge: DATA.judges[judge].judge, run });
  },

  // A name for a sentence: the middle of a long one is left out.
  name(text) {
    const signs = [...text];
    const half = Math.floor(DATA.longest / 2);
    return signs.length <= DATA.longest ? text : `${signs.slice(0, half).join("")}\u2026${signs.slice(1 - half).join("")}`;
  },

  // What the data supports of two runs; `first` and `second` are names. `counts`: questions won and lost by
  // the first answer, if all are here. `unjudged` are those of the two that the judge has no verdict on.
  sentence(first, second, { label, better: wanted }, pair, counts, judge, unjudged) {
    const WORDS = DATA.words;
    const runs = { first: words.name(first), second: words.name(second), label, judge: DATA.judges[judge].judge, things: `${DATA.noun}s` };
    if (unjudged.length) {
      const either = unjudged.length > 1 ? words.fill(WORDS.or, runs) : words.name(unjudged[0]);
      return words.fill(WORDS.unjudged, { unknown: words.withoutVerdict(judge, either) });
    }
    if (pair.difference === null) return words.fill(WORDS.no_value, runs);
    const equal = Math.abs(pair.difference) <= 1e-9;
    if (pair.p === null && !equal) return words.fill(WORDS[pair.untested], runs);
    let { low, high } = pair;
    const { difference } = pair;
    const among = WORDS[pair.family];
    if (equal) {
      const kind = low === null ? "equal" : "equal_within";
      return words.fill(words.withGains(WORDS[kind], pair, counts, judge, false), { ...runs, among, low: words.fixed(low), high: words.fixed(high) });
    }
    const turned = (difference < 0) !== (wanted === "low");
    const [better, worse] = turned ? [runs.second, runs.first] : [runs.first, runs.second];
    if (difference < 0) [low, high] = [-high, -low];
    const by = words.fill(WORDS.by, {
      difference: Math.abs(difference) < DATA.tiny ? WORDS.tiny : words.exact(Math.abs(difference)), label, low: words.fixed(low), high: words.fixed(high), among,
    });
    const p = words.fill(pair.p < DATA.smallP ? WORDS.small_p : WORDS.p, { p: words.exact(pair.p), among });
    const sure = pair.p <= DATA.level + 1e-9;
    const kind = wanted === "none" ? (sure ? "higher" : "open_higher") : sure ? "better" : "open";
    return words.fill(words.withGains(WORDS[kind], pair, counts, judge, turned), { better, worse, by, p });
  },

  // With the questions gained and lost: as the test of the measure counts them, or by the first answer.
  withGains(template, { family, won, lost }, counts, judge, turned) {
    const known = family === null ? counts : { won, lost };
    if (scoresAlone(judge) || !known) return template.replace("; {on}", "");
    const [gained, fewer] = turned ? [known.lost, known.won] : [known.won, known.lost];
    const number = (count) => count.toLocaleString("en-US");
    const on = words.fill(DATA.words[family === null ? "first_gain" : "gain"], {
      gained: number(gained), lost: number(fewer), things: gained === 1 ? DATA.noun : `${DATA.noun}s`,
    });
    return template.replace("{on}", () => on);
  },

  // Whether two runs are equivalent, where that was planned.
  equivalence({ margin, equivalent }) {
    return words.fill(DATA.words[equivalent ? "equivalent" : "not_equivalent"], { margin });
  },

  // Which differences the collection can show.
  size({ label }, { visible }) {
    const template = visible ? DATA.words.visible : DATA.words.too_small;
    return words.fill(template, { visible: words.exact(visible), label });
  },
};
