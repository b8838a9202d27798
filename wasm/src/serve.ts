import { readdir, readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { extname } from "node:path";
import type { CommandLine } from "./command.js";
import { failure } from "./errors.js";
import { opsBeside } from "./ops.js";
import type { Report } from "./types.js";

const kPort = 8080;
const kTypes: Record<string, string> = {
  ".css": "text/css", ".webmanifest": "application/manifest+json", ".html": "text/html; charset=utf-8", ".js": "text/javascript", ".svg": "image/svg+xml", ".png": "image/png",
};

/** `cryograph serve`: the page, to this machine alone, until the process is ended. */
export async function serve({ port }: CommandLine["options"]): Promise<Report & { url: string }> {
  const files = await pageFiles();
  const server = createServer((request, response) => {
    const name = new URL(request.url ?? "/", "http://localhost").pathname.slice(1) || "index.html";
    const body = files.get(name);
    if (!body) return void response.writeHead(404).end("Not found\n");
    const type = kTypes[extname(name)] ?? "text/plain; charset=utf-8";
    response.writeHead(200, { "Content-Type": type, "Content-Length": body.length, "Cache-Control": "no-store" }).end(body);
  });
  const wanted = port === undefined ? null : portOf(String(port));
  let at = wanted ?? kPort;
  while (!(await listens(server, at, wanted !== null))) at++;
  const { port: found } = server.address() as { port: number };
  return { verb: "serve", model: "", diagnostics: [], url: `http://localhost:${found}/` };
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw failure("bad-option", "the option 'port' takes a whole number", "see the options of the verb with --help", undefined, 2);
}

// The page's files, whole: scripts/pack_page.mjs left out what lies beside it.
async function pageFiles(): Promise<Map<string, Buffer>> {
  const [wasm, ops] = await Promise.all([packedCore(), opsBeside()]);
  const folder = new URL("page/", import.meta.url);
  const files = new Map<string, Buffer>();
  for (const name of ["LICENSE", "THIRD-PARTY-NOTICES.md"]) files.set(name, await readFile(new URL(`../${name}`, import.meta.url)));
  for (const name of await readdir(folder)) {
    const bytes = await readFile(new URL(name, folder));
    const isScript = name.endsWith(".js");
    files.set(name, isScript ? Buffer.from(bytes.toString().replaceAll("@core.wasm@", wasm).replaceAll("@ops.bin@", ops)) : bytes);
  }
  return files;
}

// As inline.js has it: nothing else there is so long.
async function packedCore(): Promise<string> {
  const script = await readFile(new URL("inline.js", import.meta.url), "utf8");
  return /[\w+/=]{100000,}/.exec(script)![0];
}

// false: somebody else is there.
function listens(server: Server, port: number, only: boolean): Promise<boolean> {
  return new Promise((done, failed) => {
    server.removeAllListeners("error").removeAllListeners("listening");
    server.once("listening", () => done(true)).once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE" && !only) return done(false);
      failed(failure("no-port", `port ${port} cannot be had: ${error.message}`, "choose another --port, or leave it out", error));
    });
    server.listen(port, "127.0.0.1");
  });
}
