// How numbers look; parts.py and page.py say the same in Python.
const DASH = "\u2013";
const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

const fixed = (value) => {
  if (value === null) return DASH;
  const digits = Math.abs(value).toFixed(3);
  return (value < 0 && Number(digits) !== 0 ? "\u2212" : "") + digits;
};

const percent = (share) => (share === null ? DASH : `${(100 * share).toFixed(0)}%`);

const span = (first, last) => {
  if (first === null) return DASH;
  return last === null || last === first ? String(first) : `${first}${DASH}${last}`;
};

const between = (scores, run) => {
  const low = scores?.low?.[run] ?? null;
  const high = scores?.high?.[run] ?? null;
  return low === null || high === null ? DASH : `${fixed(low)} to ${fixed(high)}`;
};

const supported = (scores, run) => span(scores?.rank_low?.[run] ?? null, scores?.rank_high?.[run] ?? null);

const detail = (scores, run) => {
  if (scores.value[run] === null) return "not available";
  const parts = [String(scores.value[run])];
  if (scores.first[run] !== null) parts.push(`rank ${span(scores.first[run], scores.last[run])}`);
  const interval = between(scores, run);
  if (interval !== DASH) parts.push(`95% interval ${interval}`);
  return parts.join(" \u00b7 ");
};

const many = (number, thing) => `${number} ${thing}${number === 1 ? "" : "s"}`;
