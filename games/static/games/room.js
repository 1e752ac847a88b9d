// The waiting room: loads itself anew when somebody sits down or the cards are dealt, and copies the link.
(() => {
  "use strict";
  const room = document.getElementById("room");
  if (!room) return;

  document.body.addEventListener("rummy:nudge", async () => {
    if (document.activeElement && document.activeElement.matches("#cut_typed")) return; // somebody is typing
    const answer = await fetch(`${room.dataset.parts}?have=${room.dataset.version}`);
    if (answer.ok && answer.status !== 204) location.reload();
  });

  const button = document.querySelector("[data-copy]");
  if (!button || !navigator.clipboard) return; // the field can be selected
  button.hidden = false;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
})();
