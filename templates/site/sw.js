// Shows the offline page when a page cannot be fetched. Keeps that page and what it is drawn with, and nothing else:
// no other page, no part of one, no answer. What is sent (POST) and what htmx asks for never passes through here.
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
