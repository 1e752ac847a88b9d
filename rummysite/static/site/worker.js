// Registers the worker behind the offline page (templates/site/sw.js) once the page has loaded and is quiet.
// Its address names the language: another language is another worker, and brings its own offline page.
window.addEventListener("load", () => {
  const { worker } = document.body.dataset;
  if (!worker || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(worker, { updateViaCache: "none" }).catch(() => { /* the site works without */ });
});
