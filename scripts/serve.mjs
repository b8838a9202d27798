// Serves a folder of static files to this machine alone.
//   node scripts/serve.mjs FOLDER [PORT]     without PORT: 8080, or the next that is free
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, resolve, sep } from "node:path";

const types = {
  ".css": "text/css",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".json": "application/json",
  ".mjs": "text/javascript",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};
const folder = resolve(process.argv[2]);
const wanted = process.argv[3];

// The file an address means; null where there is none, or none that is inside the folder.
async function find(url) {
  let file;
  try {
    file = resolve(join(folder, decodeURIComponent(new URL(url, "http://localhost").pathname)));
    if (file !== folder && !file.startsWith(folder + sep)) return null;
    let info = await stat(file);
    if (info.isDirectory()) info = await stat((file = join(file, "index.html")));
    return { file, size: info.size };
  } catch {
    return null;
  }
}

const server = createServer(async (request, response) => {
  const found = await find(request.url);
  if (!found) return response.writeHead(404).end("Not found\n");
  response.writeHead(200, {
    "Content-Type": types[extname(found.file)] ?? "application/octet-stream",
    "Content-Length": found.size,
    "Cache-Control": "no-store",
  });
  createReadStream(found.file).on("error", () => response.destroy()).pipe(response);
});

let port = Number(wanted ?? 8080);
server.on("error", (error) => {
  if (error.code !== "EADDRINUSE" || wanted) throw error;
  server.listen(++port, "127.0.0.1");
});
server.on("listening", () => console.log(`http://localhost:${server.address().port}/`));
server.listen(port, "127.0.0.1");
