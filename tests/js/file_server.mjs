// A server of the files of a folder, which counts the bytes that it sends.
import { createReadStream, statSync } from "node:fs";
import { createServer } from "node:http";
import { join, normalize } from "node:path";
import { pipeline } from "node:stream";

/**
 * Serves a folder until the test ends. Returns {url, sent, requests, stampOf}. `ranges`: false for a server that sends files
 * whole; `hidden`: true for one that hides Content-Range, as one of another origin does from a page.
 */
export async function serveFiles(t, folder, { ranges = true, hidden = false } = {}) {
  const state = { sent: 0, requests: 0, stamp: '"first"' };
  const server = createServer((request, response) => {
    state.requests++;
    answer(request, response, { folder, ranges, hidden, state });
  });
  await new Promise((done) => server.listen(0, "127.0.0.1", done));
  t.after(() => server.close());
  return Object.assign(state, { url: `http://127.0.0.1:${server.address().port}/` });
}

function answer(request, response, { folder, ranges, hidden, state }) {
  const path = join(folder, normalize(decodeURIComponent(new URL(request.url, "http://localhost").pathname)));
  const status = statSync(path, { throwIfNoEntry: false });
  if (!status?.isFile()) return response.writeHead(404).end();
  const headers = { ETag: state.stamp, "Accept-Ranges": "bytes" };
  const range = ranges && /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
  const [start, end] = range ? [Number(range[1]), Math.min(Number(range[2]), status.size - 1)] : [0, status.size - 1];
  if (range && start >= status.size) return response.writeHead(416, headers).end();
  if (range && !hidden) headers["Content-Range"] = `bytes ${start}-${end}/${status.size}`;
  response.writeHead(range ? 206 : 200, { ...headers, "Content-Length": Math.max(0, end - start + 1) });
  if (request.method === "HEAD" || status.size === 0) return response.end();
  const bytes = createReadStream(path, { start, end }).on("data", (chunk) => (state.sent += chunk.length));
  pipeline(bytes, response, () => {});
}
