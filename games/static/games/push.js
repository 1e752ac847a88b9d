// Switches web push on and off for this browser. The page's forms do the rest: the keys of the browser are put into
// hidden fields, and the form is sent. [data-push] says the site's public key and the address that it knows of this
// device as a hash; of its [data-when] sentences the one is shown that fits: none, never, denied, off, on.
(() => {
  "use strict";
  const part = document.querySelector("[data-push]");
  if (!part) return;
  const { push: key, known } = part.dataset;
  const form = part.querySelector("form[data-on]"), button = form.querySelector("button");

  const show = (state) => {
    for (const one of part.querySelectorAll("[data-when]")) one.hidden = one.dataset.when !== state;
  };
  const raw = (text) => Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (sign) => sign.charCodeAt(0));
  const hash = async (text) => {
    const sum = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
    return [...new Uint8Array(sum)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };

  const look = async () => {
    if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) return show("never");
    if (Notification.permission === "denied") return show("denied");
    const worker = await navigator.serviceWorker.getRegistration();
    const mine = worker && (await worker.pushManager.getSubscription());
    show(mine && known && (await hash(mine.endpoint)) === known ? "on" : "off");
  };

  const subscribe = async () => {
    const { pushManager } = await navigator.serviceWorker.ready;
    const how = { userVisibleOnly: true, applicationServerKey: raw(key) };
    try {
      return await pushManager.subscribe(how);
    } catch (error) {
      const old = error.name === "InvalidStateError" && (await pushManager.getSubscription());
      if (!old) throw error;
      await old.unsubscribe(); // made with another key of the site
      return pushManager.subscribe(how);
    }
  };

  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      if ((await Notification.requestPermission()) !== "granted") return look();
      const { endpoint, keys } = (await subscribe()).toJSON();
      Object.assign(form.elements.endpoint, { value: endpoint });
      for (const name of ["p256dh", "auth"]) form.elements[name].value = keys[name];
      form.submit();
    } catch {
      show("failed");
    } finally {
      button.disabled = false;
    }
  });

  for (const off of document.querySelectorAll("form[data-off]"))
    off.addEventListener("submit", async () => {
      const worker = await navigator.serviceWorker.getRegistration();
      const mine = worker && (await worker.pushManager.getSubscription());
      if (mine) mine.unsubscribe();
    });

  look().catch(() => show("never"));
})();
