// What Python and this script must agree on, and the charts, each specification once.
const {
  dash: DASH, measure: MEASURE, look: LOOK, hues: HUES, rest: REST, ink: INK, leading: LEADING, title: TITLE_LOOK,
} = JSON.parse(document.getElementById("settings").textContent);
const SPECS = JSON.parse(document.getElementById("specs").textContent);
