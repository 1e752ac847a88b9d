// Dragging by mouse, pen and finger: cards to another place in the hand, onto a meld, the table or the discards; a pile
// into the hand. Dropped anywhere else nothing has happened. Each has a button and a key that do the same.
(() => {
  "use strict";
  const $ = (id) => document.getElementById(id);
  const { boxes, chosen, select, lay } = window.hand;
  let drag = null;

  document.addEventListener("pointerdown", (event) => {
    if (event.button || !event.isPrimary) return;
    end(false);
    const card = event.target.closest("#hand .hc"), pile = event.target.closest("button.pile");
    if (pile || (card && $("sort-rank"))) drag = { card, pile, x: event.clientX, y: event.clientY, id: event.pointerId };
  });

  function start() {
    const { card, pile } = drag, order = boxes().map((box) => box.parentElement), selected = chosen();
    drag.order = order;
    drag.selected = selected.map((box) => box.value);
    drag.moved = pile ? [pile.querySelector(".heap")] : [card];
    if (card) {
      const own = card.querySelector("input");
      if (own.checked) drag.moved = selected.map((box) => box.parentElement); // the whole selection goes along
      else select([own.value]); // the melds that take it glow
    }
    for (const one of drag.moved) one.classList.add("drag");
    (card || pile).setPointerCapture(drag.id);
  }

  const place = (x, y) => {
    const at = document.elementFromPoint(x, y);
    if (!at) return null;
    if (drag.pile) return at.closest(".dock");
    return at.closest(".dock") || ($("do-meld") && (at.closest(".meld[data-meld]") || at.closest("#discards") || at.closest(".felt")));
  };

  // Over the hand a single card makes its place at once.
  function reorder({ clientX, clientY }) {
    const { card } = drag;
    for (const other of card.parentElement.children) {
      const box = other.getBoundingClientRect();
      if (other === card || clientX < box.left || clientX > box.left + Math.min(box.width, 44)) continue;
      if (clientY < box.top || clientY > box.bottom) continue;
      const { offsetLeft, offsetTop } = card;
      const forward = card.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
      other[forward ? "after" : "before"](card);
      drag.x += card.offsetLeft - offsetLeft; // the place moved, the finger did not
      drag.y += card.offsetTop - offsetTop;
      return;
    }
  }

  document.addEventListener("pointermove", (event) => {
    if (!drag || event.pointerId !== drag.id) return;
    const far = Math.hypot(event.clientX - drag.x, event.clientY - drag.y);
    if (!drag.moved && far < 8) return; // a tap stays a tap
    if (!drag.moved) start();
    const over = place(event.clientX, event.clientY);
    if (over !== drag.over) {
      if (drag.over) drag.over.classList.remove("aim");
      if (over) over.classList.add("aim");
      drag.over = over;
    }
    if (over && !drag.pile && drag.moved.length === 1 && over.matches(".dock")) reorder(event);
    for (const one of drag.moved) one.style.translate = `${event.clientX - drag.x}px ${event.clientY - drag.y}px`;
  });

  function onTable({ over, moved }) {
    if (over.matches(".felt") && moved.length < 3) return false;
    const meld = over.querySelector("input[name=meld]");
    if (over.dataset.meld) meld.checked = true;
    $(over.id === "discards" ? "do-discard" : over.dataset.meld ? "do-lay" : "do-meld").click();
    return true;
  }

  function end(dropped) {
    const was = drag;
    drag = null;
    if (!was || !was.moved) return;
    for (const one of was.moved) {
      one.classList.remove("drag");
      one.style.translate = "";
    }
    if (was.over) was.over.classList.remove("aim");
    const over = dropped && was.over, home = over && over.matches(".dock");
    if (was.pile) {
      if (home) was.pile.click();
    } else if (home) {
      if (boxes().some((box, i) => box.parentElement !== was.order[i])) lay(0);
      select(was.selected);
    } else {
      was.order[0].parentElement.append(...was.order);
      if (!over || !onTable(was)) select(was.selected);
    }
    const eat = (click) => { click.preventDefault(); click.stopPropagation(); }; // the click after a drag selects nothing
    addEventListener("click", eat, { capture: true, once: true });
    setTimeout(() => removeEventListener("click", eat, true), 50);
  }
  document.addEventListener("pointerup", (event) => { if (drag && event.pointerId === drag.id) end(true); });
  document.addEventListener("pointercancel", () => end(false));
  document.addEventListener("keydown", (event) => { if (event.key === "Escape") end(false); });
})();
