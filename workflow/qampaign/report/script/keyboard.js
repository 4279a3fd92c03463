// One tab stop for many buttons: the arrow keys move among those that are shown.
const rove = (group, selector) => {
  const all = () => [...group.querySelectorAll(selector)];
  // Whether it is shown depends on styles alone: to ask for its place would have the page laid out.
  const isShown = (button) => (button.checkVisibility ? button.checkVisibility() : button.getClientRects().length > 0);
  const shown = () => all().filter(isShown);
  const stop = (button) => {
    for (const each of all()) each.tabIndex = each === button ? 0 : -1;
  };
  group.addEventListener("focusin", ({ target }) => {
    if (target.matches(selector)) stop(target);
  });
  group.addEventListener("keydown", (event) => {
    if (!event.target.matches(selector) || event.altKey || event.ctrlKey || event.metaKey) return;
    const buttons = shown();
    const at = buttons.indexOf(event.target);
    const next = {
      ArrowDown: at + 1, ArrowRight: at + 1, ArrowUp: at - 1, ArrowLeft: at - 1, Home: 0, End: buttons.length - 1,
    }[event.key];
    if (next === undefined) return;
    event.preventDefault();
    buttons[Math.min(Math.max(next, 0), buttons.length - 1)].focus();
  });
  // Called again when rows are sorted or filtered: the tab stop must not be on one that is hidden.
  const renew = () => {
    const buttons = all();
    const now = buttons.find((button) => button.tabIndex === 0);
    if (!now || !isShown(now)) stop(buttons.find(isShown) ?? buttons[0]);
  };
  stop(all()[0]);
  return renew;
};
