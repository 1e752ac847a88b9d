// Told in time: one socket a page says "match 7 is at 42", and the page asks for what it may see.
// <body data-live="/ws/match/7/" data-badge-url="/badge/">; [data-match] and [data-version] in the page say what it has.
// Sends the event rummy:nudge {match, version} to the body (version null: ask with the one you have), rummy:talk when
// something may have been said at this match, rummy:news when a list of my matches is out of date; keeps
// [data-waiting-count], [data-notices-count], [data-waiting-next] and the title's "(2) ", says body[data-ws=open|closed].
(() => {
  "use strict";
  const body = document.body;
  if (!body.dataset.live) return;
  const SECOND = 1000, MINUTE = 60 * SECOND, HOUR = 60 * MINUTE;
  const POLL = MINUTE, POLL_WITH_SOCKET = 5 * MINUTE, LIFE = 12 * HOUR, LONGEST_WAIT = 5 * MINUTE;
  const GONE = [4401, 4404]; // signed out, may not watch any longer

  const jitter = (time) => time * (0.75 + Math.random() / 2);
  const hidden = () => document.visibilityState === "hidden";
  const said = (name) => parseInt(document.querySelector(`[data-${name}]`)?.dataset[name], 10) || 0;
  const match = () => said("match"), version = () => said("version");

  // --- the page -----------------------------------------------------------------------------------------------------

  let asked = Date.now();

  const send = (name, detail) => body.dispatchEvent(new CustomEvent(name, { bubbles: true, detail }));
  const tell = (news) => send("rummy:nudge", news);

  const ask = () => {
    asked = Date.now();
    if (match()) tell({ match: match(), version: null }, send("rummy:talk"));
    if (document.querySelector("[data-lobby]")) send("rummy:news");
    refresh();
  };

  const hear = (news) => {
    if (news.talk) return news.match === match() && send("rummy:talk");
    if (news.match === match() && news.version > version() && !hidden()) tell(news);
    send("rummy:news");
    if (!news.lobby) refresh();
  };

  // --- the badge: one tab asks, all tabs of the browser show ----------------------------------------------------------

  const tabs = "BroadcastChannel" in window ? new BroadcastChannel("rummy-badge") : null;
  let badge = null, soon = 0;

  const paint = () => {
    if (!badge) return;
    for (const name of ["waiting", "notices"])
      for (const place of document.querySelectorAll(`[data-${name}-count]`)) {
        place.textContent = badge[name];
        place.hidden = !badge[name];
      }
    for (const link of document.querySelectorAll("[data-waiting-next]")) {
      if (badge.next) link.href = badge.next;
      link.hidden = !badge.next;
    }
    const title = document.title.replace(/^\(\d+\) /, "");
    document.title = badge.waiting ? `(${badge.waiting}) ${title}` : title;
  };

  const show = (news) => {
    clearTimeout(soon);
    soon = 0;
    const other = badge && (badge.waiting !== news.waiting || badge.next !== news.next);
    badge = news;
    paint();
    if (other) send("rummy:news"); // nobody told this page: it slept, or has no socket
  };

  const fetchBadge = async () => {
    soon = 0;
    try {
      const answer = await fetch(body.dataset.badgeUrl, { headers: { Accept: "application/json" } });
      if (!answer.ok) return;
      body.dispatchEvent(new CustomEvent("rummy:build", { bubbles: true, detail: answer.headers.get("Rummy-Build") }));
      show(await answer.json());
      if (tabs) tabs.postMessage(badge);
    } catch { /* no network: the next message or poll asks again */ }
  };

  // A hidden tab waits a little longer: what a visible one learns meanwhile spares it the question.
  function refresh() {
    if (body.dataset.badgeUrl && !soon) soon = setTimeout(fetchBadge, hidden() ? jitter(SECOND) : 100);
  }

  if (tabs) tabs.onmessage = (event) => show(event.data);

  // --- the socket -----------------------------------------------------------------------------------------------------

  let socket = null, tries = 0, retry = 0, life = 0, leaving = false;

  // A form that ends the session (sign out, new password) may close the socket before its answer is here: to load this
  // page anew would throw the answer away.
  window.addEventListener("beforeunload", () => {
    leaving = true;
    setTimeout(() => { leaving = false; }, 10 * SECOND);
  });

  const isOpen = () => body.dataset.ws === "open";

  const later = () => {
    body.dataset.ws = "closed";
    socket = null;
    clearTimeout(life);
    clearTimeout(retry);
    retry = setTimeout(connect, jitter(Math.min(LONGEST_WAIT, SECOND * 2 ** tries++)));
  };

  function connect() {
    clearTimeout(retry);
    if (socket) return;
    try {
      const address = new URL(body.dataset.live, location.href);
      address.protocol = location.protocol === "https:" ? "wss:" : "ws:";
      socket = new WebSocket(address);
    } catch {
      return later();
    }
    socket.onopen = () => {
      tries = 0;
      body.dataset.ws = "open";
      life = setTimeout(() => socket && socket.close(), jitter(LIFE));
      ask(); // what happened between the page and the socket
    };
    socket.onmessage = (event) => hear(JSON.parse(event.data));
    socket.onclose = (event) => (GONE.includes(event.code) && isOpen() && !leaving ? location.reload() : later());
  }

  // Somebody looks at the page again: it may have slept.
  const wake = () => {
    if (hidden()) return;
    if (Date.now() - asked > SECOND) ask();
    if (!socket && tries < 8) connect();
  };

  document.addEventListener("visibilitychange", wake);
  window.addEventListener("focus", wake);
  window.addEventListener("online", () => { tries = 0; wake(); });
  window.addEventListener("pageshow", (event) => event.persisted && wake());
  document.addEventListener("htmx:afterSettle", paint);
  document.addEventListener("htmx:beforeSwap", (event) => { // somebody is answering there: the list can wait
    if (event.detail.target.id === "tables" && document.querySelector("#tables details[open]")) event.detail.shouldSwap = false;
  });
  setInterval(() => {
    if (!hidden() && Date.now() - asked >= (isOpen() ? POLL_WITH_SOCKET : POLL)) ask();
  }, 10 * SECOND);

  body.dataset.ws = "closed";
  refresh();
  connect();
})();
