// What Python and this script must agree on, and the charts, each specification once.
const {
  dash: DASH, measure: MEASURE, hues: HUES, rest: REST, ink: INK, leading: LEADING, title: TITLE_LOOK,
} = JSON.parse(document.getElementById("settings").textContent);
const SPECS = (() => {
  const { specs, pool } = JSON.parse(document.getElementById("specs").textContent);
  // What several have in common stands in the pool; a chart changes nothing of its specification.
  const whole = (value) => {
    if (value === null || typeof value !== "object") return value;
    if ("$" in value) return whole(pool[value.$]);
    if (Array.isArray(value)) return value.map(whole);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, whole(inner)]));
  };
  const texts = {};
  return { text: (id) => texts[id] ??= JSON.stringify(whole(specs[id])) };
})();
