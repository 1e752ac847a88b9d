// The waiting room: loads itself anew when somebody sits down or the cards are dealt, and hands the link on.
(() => {
  "use strict";
  const room = document.getElementById("room");
  if (!room) return;

  // Somebody is typing, or is being asked: the page waits for the next word.
  const busy = () => {
    const at = document.activeElement;
    return Boolean((at && at.matches("input[type=text]:not([readonly])") && at.value) || room.querySelector("details[open] form"));
  };

  document.body.addEventListener("rummy:nudge", async () => {
    if (busy()) return;
    const answer = await fetch(`${room.dataset.parts}?have=${room.dataset.version}`);
    if (answer.ok && answer.status !== 204) location.reload();
    if (answer.status === 404) location.reload();
  });

  const address = (button, name) => document.getElementById(button.dataset[name]).value;

  const share = document.querySelector("[data-share]");
  if (share && navigator.share) {
    share.hidden = false;
    share.addEventListener("click", () => {
      navigator.share({ title: share.dataset.title, url: address(share, "share") }).catch(() => { /* thought better of it */ });
    });
  }

  const copy = document.querySelector("[data-copy]");
  if (copy && navigator.clipboard) { // else the field can be selected
    copy.hidden = false;
    copy.classList.toggle("fill", !navigator.share);
    copy.addEventListener("click", async () => {
      await navigator.clipboard.writeText(address(copy, "copy"));
      copy.textContent = copy.dataset.done;
    });
  }
})();
