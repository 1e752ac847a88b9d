// My hand: what the selection allows, keys, cards dragged into an own order. The server decides; this says it sooner.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const boxes = () => [...document.querySelectorAll("#hand input[name=card]")];
  const chosen = () => boxes().filter((box) => box.checked);

  // --- buttons: what they would do, or why not. One that cannot be pressed may be: then the server says the rule -----

  const say = (button, able, text) => {
    if (!button) return;
    if (able) button.removeAttribute("aria-disabled");
    else button.setAttribute("aria-disabled", "true");
    button.querySelector("small").textContent = text;
  };

  const chip = (box) => {
    const [file, face] = box.parentElement.querySelector("use").getAttribute("href").split("#");
    const suit = face[1].toLowerCase();
    const svg = (id, ten) => `<svg${ten ? ' class="ten"' : ""}><use href="${file}#${id}"/></svg>`;
    return `<span class="cc ${suit}" aria-hidden="true">${svg(`r${face[0]}`, face[0] === "T")}${svg(suit)}</span>`;
  };

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
    if ($("shift")) $("shift").hidden = cards.length !== 1;
    if (!acts || !acts.dataset.legal) return;
    const legal = JSON.parse(acts.dataset.legal), words = JSON.parse(acts.dataset.words);
    const places = new Set(cards.flatMap((box) => legal.lay[box.value] || []));
    const [melds, meldText] = meldWord(legal, words, cards);
    say($("do-meld"), melds, meldText);
    $("do-meld").classList.toggle("best", melds);
    say($("do-lay"), ...layWord(words, cards, places, legal.own_first));
    say($("do-discard"), ...discardWord(legal, words, cards));
    document.querySelector("[data-chip]").innerHTML = cards.length === 1 ? chip(cards[0]) : "";
    for (const meld of document.querySelectorAll(".meld[data-meld]"))
      meld.classList.toggle("fits", !legal.own_first && places.has(Number(meld.dataset.meld)));
  }

  document.addEventListener("change", (event) => event.target.closest("#turn") && update());
  document.addEventListener("htmx:afterSwap", update);
  document.addEventListener("htmx:oobAfterSwap", update);
  document.addEventListener("click", (event) => { // a tap on a meld that glows lays off there
    if (event.target.matches(".meld.fits input") && event.detail) $("do-lay").click();
  });

  // --- keys ---------------------------------------------------------------------------------------------------------

  const KEYS = { d: "do-draw", t: "do-take", m: "do-meld", l: "do-lay", x: "do-discard", u: "do-undo", r: "sort-rank", s: "sort-suit" };
  const STEPS = { ArrowLeft: -1, ArrowRight: 1, Home: -99, End: 99 };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const at = event.target;
    if (STEPS[event.key] && at.matches("#hand input[name=card]")) {
      const all = boxes(), to = all.indexOf(at) + STEPS[event.key];
      all[Math.max(0, Math.min(all.length - 1, to))].focus();
      event.preventDefault();
    } else if (KEYS[event.key] && !at.matches("input:not([type=checkbox], [type=radio]), textarea, select")) {
      if ($(KEYS[event.key])) $(KEYS[event.key]).click();
    }
  });

  // --- dragging: pointer events from the document, so that a swap of the hand needs no new listeners ------------------

  let drag = null;

  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#hand .hc");
    if (card && !event.button && $("sort-rank")) drag = { card, x: event.clientX, y: event.clientY, id: event.pointerId, on: false };
  });

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const dx = event.clientX - drag.x, dy = event.clientY - drag.y;
    if (!drag.on) {
      if (Math.abs(dx) < 8) return; // a tap stays a tap
      drag.on = true;
      drag.card.setPointerCapture(drag.id);
      drag.card.classList.add("drag");
    }
    drag.card.style.translate = `${dx}px ${Math.max(-24, Math.min(8, dy)) - 8}px`;
    for (const other of drag.card.parentElement.children) {
      const box = other.getBoundingClientRect();
      if (other === drag.card || event.clientX < box.left || event.clientX > box.left + Math.min(box.width, 44)) continue;
      if (event.clientY < box.top || event.clientY > box.bottom) continue;
      const { offsetLeft, offsetTop } = drag.card;
      const forward = drag.card.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
      other[forward ? "after" : "before"](drag.card);
      drag.x += drag.card.offsetLeft - offsetLeft; // the place moved, the finger did not
      drag.y += drag.card.offsetTop - offsetTop;
      drag.card.style.translate = `${event.clientX - drag.x}px -8px`;
      break;
    }
  });

  const drop = (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    if (drag.on) {
      drag.card.classList.remove("drag");
      drag.card.style.translate = "";
      const eat = (click) => { click.preventDefault(); click.stopPropagation(); }; // the click after a drag selects nothing
      addEventListener("click", eat, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", eat, true), 50);
      const order = boxes().map((box) => box.value);
      const how = { source: "#hand", target: "#board", swap: "outerHTML", values: { order } };
      window.htmx.ajax("POST", $("sort-rank").formAction, how);
    }
    drag = null;
  };
  document.addEventListener("pointerup", drop);
  document.addEventListener("pointercancel", drop);
  update();
})();
