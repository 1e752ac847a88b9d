// My hand: what the selection allows. The server decides; this says it sooner. Keys; dragging is in drag.js.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const boxes = () => [...document.querySelectorAll("#hand input[name=card]")];
  const chosen = () => boxes().filter((box) => box.checked);

  // --- buttons: what they would do, or why not. One that cannot be pressed may be: then the server says the rule

  const say = (button, able, text) => {
    if (!button) return;
    if (able) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    button.querySelector("small").textContent = text;
  };

  const chip = (box) => box.nextElementSibling.outerHTML.replace("#", "#m").replace(/ v-[^"]+/, "");

  const meldWord = (legal, words, cards) => {
    const key = cards.map((box) => box.value).sort().join();
    if (!cards.length) return [false, words.select];
    if (cards.length < 3) return [false, words.three];
    if (legal.melds.some((meld) => meld.join() === key)) return [true, words.meld];
    return [false, legal.barred.some((meld) => meld.join() === key) ? words.not_now : words.no_meld];
  };

  const layWord = (words, cards, places, barred) => {
    if (!cards.length) return [false, words.select];
    if (barred) return [false, words.own_first];
    if (!places.size) return [false, words.no_place];
    return [true, places.size > 1 && !document.querySelector("[name=meld]:checked") ? words.places : words.one_place];
  };

  const discardWord = (legal, words, cards) => {
    if (cards.length !== 1) return [false, cards.length ? words.only_one : words.one_card];
    if (legal.discard.includes(cards[0].value)) return [true, words.ends];
    return [false, cards[0].value === legal.taken ? words.taken : words.not_now];
  };

  function update() {
    const cards = chosen(), acts = $("acts");
    if ($("shift")) $("shift").style.visibility = cards.length === 1 ? "" : "hidden";
    if (!acts || !acts.dataset.legal) return;
    const legal = JSON.parse(acts.dataset.legal), words = JSON.parse(acts.dataset.words);
    const places = new Set(cards.flatMap((box) => legal.lay[box.value] || []));
    const [melds, meldText] = meldWord(legal, words, cards);
    say($("do-meld"), melds, meldText);
    $("do-meld")?.classList.toggle("best", melds);
    say($("do-lay"), ...layWord(words, cards, places, legal.own_first));
    say($("do-discard"), ...discardWord(legal, words, cards));
    const spot = document.querySelector("[data-chip]");
    if (spot) spot.innerHTML = cards.length === 1 ? chip(cards[0]) : "";
    const thrown = cards.length === 1 && $(`k${cards[0].value}`); // the same card may be thrown with a knock
    if (thrown) thrown.checked = true;
    for (const meld of document.querySelectorAll(".meld[data-meld]"))
      meld.classList.toggle("fits", !legal.own_first && places.has(Number(meld.dataset.meld)));
  }

  document.addEventListener("change", (event) => event.target.closest("#turn") && update());
  document.addEventListener("htmx:afterSwap", update);
  document.addEventListener("click", (event) => { // a tap on a meld that glows lays off there
    if (event.target.matches(".meld.fits input") && event.detail) $("do-lay").click();
  });

  // --- the order of the hand

  const select = (values) => {
    for (const box of boxes()) box.checked = values.includes(box.value);
    update();
  };

  let soon = 0; // several steps in a row are sent as one order, and no answer to an older one undoes the last
  const send = () => {
    soon = 0;
    const values = { order: boxes().map((box) => box.value) };
    window.htmx.ajax("POST", $("sort-rank").formAction, { source: "#hand", target: "#place", swap: "innerHTML transition:true", values });
  };
  const lay = (wait) => {
    clearTimeout(soon);
    soon = setTimeout(send, wait);
  };
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    if (soon && event.detail.target.id === "hand") event.detail.shouldSwap = false;
  });

  window.hand = { boxes, chosen, select, lay }; // for drag.js
  update();

  // --- keys, as the help of the page lists them; they can be switched off there

  const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };

  const on = $("keys-on");
  on.parentElement.hidden = false;
  on.checked = localStorage.getItem("keys") !== "off";
  on.addEventListener("change", () => localStorage.setItem("keys", on.checked ? "on" : "off"));

  // A card is stepped along, or takes its place among the others: dragging for who has no pointer.
  function step(event, all, from, to) {
    if (event.shiftKey && from !== to) {
      all[to].parentElement[to > from ? "after" : "before"](all[from].parentElement);
      lay(400);
      const words = { card: all[from].getAttribute("aria-label"), n: to + 1, of: all.length };
      $("told").textContent = $("told").dataset.moved.replace(/{(\w+)}/g, (_, name) => words[name]);
      to = from; // it has moved, the focus stays on it
    }
    all[to].focus();
    event.preventDefault();
  }

  document.addEventListener("keydown", (event) => {
    const at = event.target, { key } = event, open = document.querySelector("#room :popover-open");
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    if (at.matches("input:not([type=checkbox], [type=radio]), textarea, select")) return;
    if (STEPS[key] && at.matches("#hand input[name=card]")) {
      const all = boxes(), from = all.indexOf(at);
      step(event, all, from, Math.max(0, Math.min(all.length - 1, from + STEPS[key])));
    } else if (key === "Escape" && !open) {
      if ($("do-back")) $("do-back").click();
      else select([]);
    } else if (on.checked && !event.repeat && key === "?") $("s-help").togglePopover();
    else if (on.checked && !event.repeat && /^[a-z]$/.test(key) && !open) {
      const button = document.querySelector(`#bar [aria-keyshortcuts="${key}"]`);
      if (button) button.click();
    }
  });
})();
