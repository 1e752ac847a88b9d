// Each person cuts the pack on sitting down: 128 random bits, made here so that the site cannot choose them.
(() => {
  "use strict";
  const cut = () => {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  // Made when the form is sent: a page that comes back from the browser's cache makes a new one.
  document.addEventListener("submit", (event) => {
    for (const field of event.target.elements) if (field.name === "cut") field.value = cut();
  }, true);
})();
