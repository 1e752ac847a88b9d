// The lobby follows what happens: rows come, change and go where they stand, at most once a second.
// A row with the focus, or under the pointer, is never moved away: it says that it is taken, and goes when it is left.
(() => {
  "use strict";
  const SECOND = 1000, MINUTE = 60 * SECOND;
  const list = document.getElementById("list"), rows = document.getElementById("rows");
  const taken = document.getElementById("taken");
  if (!list) return;

  const held = (row) => row.contains(document.activeElement) || row.matches(":hover");

  const markTaken = (row) => {
    if (row.classList.contains("taken")) return;
    row.classList.add("taken");
    const button = row.querySelector("form, .btn");
    const focused = button && button.contains(document.activeElement);
    const said = taken.content.firstElementChild.cloneNode(true);
    if (button) button.replaceWith(said);
    if (focused) { // the focus stays where it was
      said.tabIndex = -1;
      said.focus({ preventScroll: true });
    }
  };

  // Tokens against forgery differ in each answer and say nothing.
  const shown = (row) => row.innerHTML.replace(/name="csrfmiddlewaretoken" value="[^"]*"/g, "");

  const change = (row, news) => {
    if (row.classList.contains("taken")) return row.replaceWith(news);
    if (shown(row) === shown(news)) return;
    const button = row.querySelector("form .btn, .btn");
    if (row.contains(document.activeElement) && document.activeElement === button) {
      for (const part of [".meta", ".tags"]) row.querySelector(part).replaceWith(news.querySelector(part));
    } else if (!row.contains(document.activeElement)) {
      row.replaceWith(news);
    }
  };

  const merge = (fresh) => {
    const coming = [...fresh.querySelectorAll("#rows > li")];
    const known = new Set(coming.map((row) => row.id));
    for (const row of [...rows.children]) {
      if (known.has(row.id)) continue;
      if (held(row)) markTaken(row); else row.remove();
    }
    let before = null;
    for (const news of coming) {
      const row = document.getElementById(news.id);
      if (row) change(row, news);
      else if (before) before.after(news);
      else rows.prepend(news);
      before = document.getElementById(news.id);
    }
    for (const id of ["how-many", "nobody"]) {
      const place = document.getElementById(id), news = fresh.querySelector(`#${id}`);
      if (place.outerHTML !== news.outerHTML) place.replaceWith(news);
    }
    if (rows.querySelector(".taken")) document.getElementById("nobody").hidden = true;
  };

  let soon = 0, last = 0, asking = false;

  const ask = async () => {
    soon = 0;
    asking = true;
    last = Date.now();
    try {
      const answer = await fetch(location.href, { headers: { "HX-Request": "true" } });
      if (answer.ok) merge(new DOMParser().parseFromString(await answer.text(), "text/html"));
    } catch { /* no network: the next word or minute asks again */ }
    asking = false;
  };

  const later = () => {
    if (soon || document.visibilityState === "hidden") return;
    soon = setTimeout(() => { if (asking) { soon = 0; later(); } else ask(); }, Math.max(0, last + SECOND - Date.now()));
  };

  document.body.addEventListener("rummy:news", later);
  if (!document.body.dataset.live) setInterval(later, MINUTE / 2); // a stranger has no socket
  // A taken row that is left goes.
  rows.addEventListener("focusout", () => setTimeout(() => rows.querySelectorAll(".taken").forEach((row) => held(row) || row.remove())));
  rows.addEventListener("pointerleave", () => rows.querySelectorAll(".taken").forEach((row) => held(row) || row.remove()));
})();
