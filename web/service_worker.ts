// Keeps the page's own files, so that it works without a network. It sees no model: those never leave the page.

/** The version and the files, by scripts/bundle_page.mjs. */
declare const PAGE_VERSION: string;
declare const PAGE_FILES: readonly string[];

interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface Fetching extends Event {
  readonly request: Request;
  respondWith(response: Promise<Response>): void;
}

const kPrefix = "cryograph-";
const kCache = kPrefix + PAGE_VERSION;
const own = new Set(PAGE_FILES.map((name) => new URL(name, location.href).href));

self.addEventListener("install", (event) => {
  (event as Extendable).waitUntil(caches.open(kCache).then((cache) => cache.addAll([...own])));
});

// Open pages keep the version they came with: this one takes over when they are closed.
self.addEventListener("activate", (event) => {
  (event as Extendable).waitUntil(dropOld());
});

async function dropOld(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith(kPrefix) && name !== kCache) await caches.delete(name);
}

self.addEventListener("fetch", (event) => {
  const { request, respondWith } = event as Fetching;
  const { origin, pathname } = new URL(request.url);
  if (request.method === "GET" && own.has(origin + pathname))
    respondWith.call(event, answer(origin + pathname, request));
});

async function answer(url: string, request: Request): Promise<Response> {
  const kept = await (await caches.open(kCache)).match(url);
  return kept ?? fetch(request);
}
