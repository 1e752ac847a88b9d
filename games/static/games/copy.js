// A button that copies a field. Without a clipboard it stays hidden and the field can be selected.
(() => {
  "use strict";
  const show = () => {
    if (!navigator.clipboard) return;
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
  };
  document.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    await navigator.clipboard.writeText(document.getElementById(button.dataset.copy).value);
    button.textContent = button.dataset.done;
  });
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
