// A new version of the site: a page that hears of it says so in one quiet line, and reloads only when it is told to.
// <body data-build> is the build of the page; each answer names its own in the header Rummy-Build. htmx's answers are
// heard here; live.js passes on that of the badge by the event rummy:build.
(() => {
  "use strict";
  const line = document.querySelector("[data-fresh]");
  if (!line) return;
  let over = false;

  const hear = (build) => {
    if (over || !build || build === document.body.dataset.build) return;
    over = true;
    line.hidden = false;
  };

  document.addEventListener("htmx:afterRequest", (event) => hear(event.detail.xhr.getResponseHeader("Rummy-Build")));
  document.addEventListener("rummy:build", (event) => hear(event.detail));
  line.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button) return;
    if (button.dataset.refresh !== undefined) location.reload();
    line.hidden = true;
  });
})();
