import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import { dirname, extname, join, relative, sep } from "node:path";
import { gzipSync } from "node:zlib";
import type { CommandLine } from "./command_binding.js";
import { failure } from "../base/errors.js";
import type { Report } from "../types/types.js";

const kPort = 8080;
const kTypes: Record<string, string> = {
  ".css": "text/css",
  ".webmanifest": "application/manifest+json",
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".svg": "image/svg+xml",
  ".png": "image/png",
};

/** One file of the page, as served. */
interface PageFile {
  type: string;
  bytes: Buffer;
  etag: string;
  /** Compressed, from the first request on that takes it. */
  gzip?: Buffer;
}

/** `cryograph serve`: the page, to this machine alone, until the process is ended. */
export async function serve({ port }: CommandLine["options"]): Promise<Report & { url: string }> {
  const files = await pageFiles();
  const server = createServer((request, response) => answer(files, request, response));
  const wanted = port === undefined ? null : portOf(String(port));
  let at = wanted ?? kPort;
  while (!(await listens(server, at, wanted !== null))) at++;
  const { port: found } = server.address() as { port: number };
  return { verb: "serve", model: "", diagnostics: [], url: `http://localhost:${found}/` };
}

// The page may not be framed by another, nor read by one.
const kHeaders = {
  "X-Content-Type-Options": "nosniff",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Content-Security-Policy": "frame-ancestors 'none'",
  "X-Frame-Options": "DENY",
};

// Answers from `files` alone: nothing of a request reaches the file system. A Host of another name than this machine's is DNS rebinding.
function answer(files: Map<string, PageFile>, request: IncomingMessage, response: ServerResponse): void {
  const refuse = (status: number, text: string) =>
    void response.writeHead(status, { ...kHeaders, "Content-Type": "text/plain" }).end(`${text}\n`);
  if (!/^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/i.test(request.headers.host ?? ""))
    return refuse(421, "This server answers to localhost only");
  if (request.method !== "GET" && request.method !== "HEAD") return refuse(405, "Only GET and HEAD");
  const file = files.get((request.url ?? "/").replace(/[?#].*$/s, "").slice(1) || "index.html");
  if (!file) return refuse(404, "Not found");
  const headers: Record<string, string | number> = {
    ...kHeaders,
    "Cache-Control": "no-cache",
    ETag: file.etag,
    Vary: "Accept-Encoding",
  };
  if (request.headers["if-none-match"]?.split(/\s*,\s*/).includes(file.etag))
    return void response.writeHead(304, headers).end();
  const body = takesGzip(request) ? (file.gzip ??= gzipSync(file.bytes)) : file.bytes;
  if (body !== file.bytes) headers["Content-Encoding"] = "gzip";
  response
    .writeHead(200, { ...headers, "Content-Type": file.type, "Content-Length": body.length })
    .end(request.method === "HEAD" ? undefined : body);
}

function takesGzip(request: IncomingMessage): boolean {
  return /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/.test(String(request.headers["accept-encoding"] ?? ""));
}

function portOf(text: string): number {
  if (/^\d{1,5}$/.test(text)) return Number(text);
  throw failure(
    "bad-option",
    "the option 'port' takes a whole number",
    "see the options of the verb with --help",
    undefined,
    2,
  );
}

// The page's files by name, of the package cryograph-page.
async function pageFiles(): Promise<Map<string, PageFile>> {
  const folder = pageFolder();
  const files = new Map<string, PageFile>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const name = relative(folder, path).replaceAll(sep, "/");
    files.set(name, pageFile(name, await readFile(path)));
  }
  return files;
}

// Fails with "page-missing". The working folder is not searched: its page would see the models that a person opens.
function pageFolder(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve("cryograph-page/index.html"));
  } catch (error) {
    throw failure(
      "page-missing",
      "the package cryograph-page, which has the page, is not installed next to cryograph",
      "npm install cryograph-page, or npx -p cryograph -p cryograph-page cryograph serve",
      error,
    );
  }
}

function pageFile(name: string, bytes: Buffer): PageFile {
  const etag = `"${createHash("sha256").update(bytes).digest("base64url")}"`;
  return { type: kTypes[extname(name)] ?? "text/plain; charset=utf-8", bytes, etag };
}

// Returns false if another server uses the port.
function listens(server: Server, port: number, only: boolean): Promise<boolean> {
  return new Promise((done, failed) => {
    server.removeAllListeners("error").removeAllListeners("listening");
    server
      .once("listening", () => done(true))
      .once("error", (error: NodeJS.ErrnoException) => {
        if (error.code === "EADDRINUSE" && !only) return done(false);
        failed(
          failure(
            "no-port",
            `port ${port} cannot be had: ${error.message}`,
            "choose another --port, or leave it out",
            error,
          ),
        );
      });
    server.listen(port, "127.0.0.1");
  });
}
