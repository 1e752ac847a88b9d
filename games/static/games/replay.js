// The replay of a deal by itself: presses "Next move" until the end, as quickly as cards move for this reader.
(() => {
  "use strict";
  const PAUSE = { off: 1600, slow: 2600, normal: 1600, fast: 900 };
  const pause = PAUSE[document.documentElement.dataset.motion] || PAUSE.normal;
  let timer = 0;
  const show = () => {
    const button = document.querySelector("[data-play]");
    if (!button) return;
    button.hidden = !document.querySelector('[data-replay] a[rel="next"]');
    button.setAttribute("aria-pressed", String(timer !== 0));
  };
  const stop = () => { clearTimeout(timer); timer = 0; show(); };
  const step = () => {
    const next = document.querySelector('[data-replay] a[rel="next"]');
    if (!next) { stop(); return; }
    next.click();
    timer = setTimeout(step, pause);
  };
  // Whatever else its reader presses ends it.
  document.addEventListener("click", (event) => {
    if (!event.isTrusted) return;
    if (event.target.closest("[data-play]") && !timer) { timer = setTimeout(step, 300); show(); }
    else if (timer) stop();
  });
  document.addEventListener("keydown", (event) => { if (timer && event.key !== "Tab" && event.key !== " " && event.key !== "Enter") stop(); });
  document.addEventListener("visibilitychange", () => { if (document.hidden && timer) stop(); });
  document.body.addEventListener("htmx:afterSettle", show);
  show();
})();
