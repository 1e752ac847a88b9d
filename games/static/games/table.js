// The table: an older answer never overwrites a newer one, none moves what I am touching, focus stays, cards travel,
// what is new is said.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const read = (version) => version.split(".").map(Number); // match, draft, order of the hand
  const news = (one, other) => { // positive: one is newer than the other; 0: the same
    const at = one.findIndex((n, i) => n !== other[i]);
    return at < 0 ? 0 : one[at] - other[at];
  };
  const known = () => read($("board").dataset.version);
  const ask = () => document.body.dispatchEvent(new CustomEvent("rummy:nudge", { bubbles: true }));

  // --- what others did waits while a finger is down, a sheet is open or text is being marked

  let down = false, waiting = false, marked = 0;
  const busy = () => down || (Date.now() - marked < 10000 && String(getSelection())) || document.querySelector("#room :popover-open");
  const release = () => {
    if (waiting && !busy()) ask(waiting = false);
  };
  const up = () => { down = false; setTimeout(release, 300); };
  document.addEventListener("pointerdown", () => { down = true; });
  document.addEventListener("pointerup", up);
  document.addEventListener("pointercancel", up);
  document.addEventListener("pointermove", (event) => { if (down && !event.buttons) up(); });
  document.addEventListener("selectionchange", () => { marked = Date.now(); });
  document.addEventListener("htmx:beforeRequest", (event) => {
    if (event.detail.elt.id !== "live" || !busy()) return;
    waiting = true;
    event.preventDefault();
  });

  // --- answers

  let kept = [], scrolled = 0;
  document.addEventListener("htmx:beforeSwap", (event) => {
    scrolled = $("main").scrollTop;
    const { target, serverResponse, xhr, requestConfig } = event.detail;
    if (target.id !== "place" || xhr.status !== 200 || !serverResponse || xhr.getResponseHeader("HX-Reswap")) return;
    const found = /id="board" data-version="([\d.]+)"/.exec(serverResponse);
    if (!found) return location.reload(event.detail.shouldSwap = false); // another page stands here now
    const asked = requestConfig.verb === "get", ahead = news(read(found[1]), known());
    // what was asked for and is here already, by the answer to my own act, would only take my selection away
    if (ahead < 0 || (ahead === 0 && asked)) event.detail.shouldSwap = false;
    else if (asked && busy()) event.detail.shouldSwap = !(waiting = true);
    else {
      kept = asked ? [...document.querySelectorAll("#turn :checked")].map((box) => box.id) : [];
      travel(serverResponse);
    }
  });

  // A card that comes from a hidden place travels from there: what I draw from the stock, the rest from who was to move.
  function travel(answer) {
    const own = /data-from="stock">.*?(v-\w+-\d)/.exec(answer);
    const places = [...document.querySelectorAll(".seat.moving .fan .card, .seat.moving .face > .disc")].filter((one) => one.getClientRects().length);
    for (const [name] of answer.matchAll(/\bv-[A-Z0-9]{2}-\d/g)) {
      if (document.querySelector(`.${name}`)) continue;
      // not a card that is taken back: then no pile can be pressed
      const place = own && name === own[1] ? document.querySelector("button#stock .heap") : places.pop();
      if (place) place.style.viewTransitionName = name.replace("v", "c");
    }
  }

  document.addEventListener("htmx:beforeTransition", (event) => {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches || document.documentElement.dataset.motion === "off") event.preventDefault();
  });

  // Two answers close to each other: the second swap cuts the first one's motion short, which is no fault.
  addEventListener("unhandledrejection", (event) => {
    if (/^AbortError.*transition/i.test(event.reason)) event.preventDefault();
  });

  document.addEventListener("htmx:afterSwap", () => {
    $("room").className = `room ${$("board").dataset.state}`;
    for (const box of kept.map($)) if (box) box.checked = true;
    kept = [];
    $("main").scrollTop = scrolled;
  });

  // News that came while an act of mine was under way are asked for when it is done.
  let heard = 0;
  document.body.addEventListener("rummy:nudge", (event) => { heard = Math.max(heard, event.detail?.version || 0); });
  document.addEventListener("htmx:afterSettle", () => {
    if (heard <= known()[0]) return;
    heard = 0;
    setTimeout(ask, 50);
  });

  // --- focus: a button that is disabled while it works, or replaced, would lose it

  let focused = null;
  document.addEventListener("htmx:beforeRequest", () => {
    const at = document.activeElement;
    focused = at && at.closest("#turn") ? at.id || "hand" : null;
  });
  document.addEventListener("htmx:afterSettle", () => {
    const at = document.activeElement;
    if (focused === null || (at && at !== document.body)) return;
    const next = $(focused) && $(focused).matches("input, button:not(:disabled), a") ? $(focused) : null;
    const place = next || document.querySelector("#hand .new input, #hand input[name=card], #acts button:not(:disabled), #acts a");
    if (place) place.focus({ preventScroll: true });
    focused = null;
  });

  // --- the live region: only what is new, once

  const lines = () => [...document.querySelectorAll("#log li")];
  const number = (line) => Number(line.dataset.n); // grows with all that happens in a match
  const top = () => Math.max(0, ...lines().map(number));

  let last = top(), called = $("board").dataset.call;
  document.addEventListener("htmx:afterSettle", () => {
    const { call } = $("board").dataset;
    const news = lines().filter((line) => number(line) > last).reverse().map((line) => line.innerHTML.replace(/<i .*?<\/i> /, ""));
    if (call !== called) news.push(call);
    $("told").insertAdjacentHTML("beforeend", news.map((line) => (line ? `<p>${line}</p>` : "")).join(""));
    while ($("told").childElementCount > 12) $("told").firstChild.remove(); // lines soon after one another are all heard
    [last, called] = [top(), call];
  });

  // --- no answer, or one for somebody else

  const lost = (event) => {
    const { requestConfig, xhr } = event.detail;
    if (requestConfig.verb === "post") $("said").replaceChildren($(xhr.status === 403 ? "other-session" : "no-answer").content.cloneNode(true));
  };
  document.addEventListener("htmx:sendError", lost);
  document.addEventListener("htmx:responseError", lost);

  // --- the clock

  const unit = (n, name) => new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit: name, unitDisplay: "narrow" }).format(n);

  function left(seconds) {
    const days = Math.floor(seconds / 86400), hours = Math.floor(seconds / 3600) % 24, minutes = Math.floor(seconds / 60) % 60;
    if (days) return `${unit(days, "day")} ${unit(hours, "hour")}`;
    if (hours) return `${unit(hours, "hour")} ${unit(minutes, "minute")}`;
    return `${minutes}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;
  }

  const tick = () => {
    const time = $("left");
    if (!time) return;
    const text = left(Math.max(0, (Date.parse(time.dateTime) - Date.now()) / 1000));
    if (time.textContent !== text) time.textContent = text;
  };
  setInterval(() => { tick(release()); }, 1000);
  document.addEventListener("htmx:afterSwap", tick);
  tick();
})();
