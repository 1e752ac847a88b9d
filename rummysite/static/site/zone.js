// Fills in the browser's time zone where a form asks for it; without JavaScript the zone is UTC.
for (const input of document.querySelectorAll("[data-time-zone]"))
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone || "";
