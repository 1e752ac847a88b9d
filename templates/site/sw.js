// Shows the offline page when a page cannot be fetched. Keeps that page and what it is drawn with, and nothing else:
// no other page, no part of one, no answer. What is sent (POST) and what htmx asks for never passes through here.
// Shows what is pushed ({title, body, url, tag}: games/notices/push.py) and opens the table that it is about.
"use strict";
const KEPT = "{{ kept|escapejs }}", PAGE = "{{ page|escapejs }}";
const FILES = [{% for file in files %}"{{ file|escapejs }}"{% if not forloop.last %}, {% endif %}{% endfor %}];

const keep = async () => {
  const cache = await caches.open(KEPT);
  await cache.addAll([PAGE, ...FILES].map((url) => new Request(url, { credentials: "omit", cache: "no-cache" })));
};

const tidy = async () => {
  for (const name of await caches.keys()) if (name !== KEPT) await caches.delete(name);
  if (self.registration.navigationPreload) await self.registration.navigationPreload.enable();
  await self.clients.claim();
};

const kept = async (url) => (await (await caches.open(KEPT)).match(url)) || Response.error();

const page = async (event) => {
  try {
    return (await event.preloadResponse) || (await fetch(event.request));
  } catch {
    return kept(PAGE);
  }
};

const here = (url) => {
  const address = new URL(url || "/", self.location.origin);
  return address.origin === self.location.origin ? address : new URL("/", self.location.origin);
};

const tabs = () => self.clients.matchAll({ type: "window", includeUncontrolled: true });
const shows = (tab, address) => new URL(tab.url).pathname === address.pathname;

const tell = async (event) => {
  let news = null;
  try {
    news = event.data.json();
  } catch { /* empty: something has happened, the site knows what */ }
  const { title, body, url, tag } = news || { title: "Rummysite", body: "{{ news|escapejs }}", url: "{{ start|escapejs }}" };
  const address = here(url);
  if ((await tabs()).some((tab) => tab.focused && shows(tab, address))) return; // its reader sees it happen
  const look = { icon: "{{ icon|escapejs }}", lang: "{{ language|escapejs }}", data: { url: address.href } };
  await self.registration.showNotification(title, { ...look, body, tag, renotify: !!tag });
};

const open = async (address) => {
  const tab = (await tabs()).find((other) => shows(other, address));
  return tab ? tab.focus() : self.clients.openWindow(address.href);
};

// The browser has ended its subscription, and perhaps made another: the site hears of it, if it tells this device.
const renew = async (event) => {
  const place = "{{ again|escapejs }}", credentials = "same-origin";
  const asked = await fetch(place, { credentials });
  if (!asked.ok) return;
  const { key, token } = await asked.json();
  const how = { userVisibleOnly: true, applicationServerKey: key };
  const { endpoint, keys } = (event.newSubscription || (await self.registration.pushManager.subscribe(how))).toJSON();
  const body = new URLSearchParams({ endpoint, p256dh: keys.p256dh, auth: keys.auth });
  await fetch(place, { method: "POST", credentials, headers: { "X-CSRFToken": token }, body });
};

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(keep());
});
self.addEventListener("activate", (event) => event.waitUntil(tidy()));
self.addEventListener("fetch", (event) => {
  const { method, mode, url } = event.request;
  if (method !== "GET") return;
  if (mode === "navigate") return event.respondWith(page(event));
  const path = new URL(url).pathname;
  if (FILES.includes(path)) event.respondWith(fetch(event.request).catch(() => kept(path)));
});
self.addEventListener("push", (event) => event.waitUntil(tell(event)));
self.addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)));
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(open(here(event.notification.data && event.notification.data.url)));
});
