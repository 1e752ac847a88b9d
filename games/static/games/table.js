// The table: an older answer never overwrites a newer one, focus stays, cards travel, the clock runs.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const read = (version) => version.split(".").map(Number); // match, draft, order of the hand
  const news = (one, other) => { // positive: one is newer than the other; 0: the same
    const at = one.findIndex((n, i) => n !== other[i]);
    return at < 0 ? 0 : one[at] - other[at];
  };
  const known = () => read($("board").dataset.version);

  // --- answers ------------------------------------------------------------------------------------------------------

  document.addEventListener("htmx:beforeSwap", (event) => {
    const { target, serverResponse, xhr, requestConfig } = event.detail;
    if (target.id !== "board" || xhr.status !== 200 || !serverResponse) return;
    const found = /id="board" data-version="([\d.]+)"/.exec(serverResponse);
    if (!found) { // another page stands here now
      event.detail.shouldSwap = false;
      location.reload();
      return;
    }
    const ahead = news(read(found[1]), known());
    // what was asked for and is here already, by the answer to my own act, would only take my selection away
    if (ahead < 0 || (ahead === 0 && requestConfig.verb === "get")) event.detail.shouldSwap = false;
    else comesFromStock(serverResponse);
  });

  // A card that I draw travels from the stock: its heap takes the card's name until the swap.
  function comesFromStock(answer) {
    const card = /data-from="stock"><input[^>]*? value="([^"]+)"/.exec(answer);
    const heap = document.querySelector("#stock .heap");
    if (!card || !heap || $("stock").tagName !== "BUTTON") return; // only a draw, not a card taken back
    const [face, copy] = card[1].split("#");
    heap.style.viewTransitionName = `c-${face}-${copy || 1}`;
  }

  const still = matchMedia("(prefers-reduced-motion: reduce)");
  document.addEventListener("htmx:beforeTransition", (event) => {
    if (still.matches || document.documentElement.dataset.motion === "off") event.preventDefault();
  });

  // Two answers close to each other: the second swap cuts the first one's motion short, which is no fault.
  addEventListener("unhandledrejection", (event) => {
    if (event.reason && event.reason.name === "AbortError" && /transition/i.test(event.reason.message)) event.preventDefault();
  });

  const dress = () => { $("room").className = `room ${$("board").dataset.state}`; };
  document.addEventListener("htmx:afterSwap", dress);

  // News that came while an act of mine was under way are asked for when it is done.
  let heard = 0;
  document.body.addEventListener("rummy:nudge", (event) => { heard = Math.max(heard, (event.detail && event.detail.version) || 0); });
  document.addEventListener("htmx:afterSettle", () => {
    if (heard <= known()[0]) return;
    heard = 0;
    setTimeout(() => document.body.dispatchEvent(new CustomEvent("rummy:nudge", { bubbles: true })), 50);
  });

  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);
  function lost(event) {
    if (event.detail.requestConfig.verb !== "post") return;
    const sentence = document.createElement("p");
    sentence.className = "no";
    sentence.textContent = $("said").dataset.lost;
    $("said").replaceChildren(sentence);
  }

  // --- focus: a button that is disabled while it works, or replaced, would lose it --------------------------------------

  let focused = null;
  document.addEventListener("htmx:beforeRequest", () => {
    const at = document.activeElement;
    focused = at && at.closest("#turn") ? at.id || "hand" : null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const at = document.activeElement;
    if (focused === null || (at && at !== document.body)) return;
    const next = $(focused) && $(focused).matches("input, button, a") ? $(focused) : null;
    const place = next || document.querySelector("#hand .new input, #hand input[name=card], #acts button, #acts a");
    if (place) place.focus({ preventScroll: true });
    focused = null;
  });

  // --- the clock ----------------------------------------------------------------------------------------------------

  const unit = (n, name) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: name, unitDisplay: "narrow" }).format(n);

  function left(seconds) {
    const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
    if (days) return `${unit(days, "day")} ${unit(hours, "hour")}`;
    if (hours) return `${unit(hours, "hour")} ${unit(minutes, "minute")}`;
    return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  }

  setInterval(() => {
    const time = $("left");
    if (!time) return;
    const text = left(Math.max(0, (Date.parse(time.dateTime) - Date.now()) / 1000));
    if (time.textContent !== text) time.textContent = text;
  }, 1000);
})();
