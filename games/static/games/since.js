// The replay by keys: arrows, Home and End press the buttons that say so.
(() => {
  "use strict";
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const button = document.querySelector(`[data-replay] a[aria-keyshortcuts="${CSS.escape(event.key)}"]`);
    if (!button) return;
    event.preventDefault();
    button.click();
  });
  // The button under the finger is there after the swap as well: focus stays on it.
  let at = "";
  document.body.addEventListener("htmx:beforeSwap", () => { at = document.activeElement ? document.activeElement.id : ""; });
  document.body.addEventListener("htmx:afterSettle", () => {
    const kept = at && document.getElementById(at);
    if (kept) kept.focus({ preventScroll: true });
  });
})();
