import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import { connect } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { command, filesIn, root } from "./support.mjs";

/** `cryograph serve`, ended after the test; what it prints first. */
async function serving(t, ...args) {
  const child = spawn(process.execPath, [join(root, "dist/cli.js"), "serve", ...args]);
  t.after(() => child.kill());
  const [text] = await once(child.stdout, "data");
  return String(text);
}

test("serve shows the page from the package, as it is built", async (t) => {
  const report = JSON.parse(await serving(t, "--json"));
  assert.match(report.url, /^http:\/\/localhost:\d+\/$/);
  for (const [name, bytes] of Object.entries(filesIn(join(root, "build/web")))) {
    const response = await fetch(report.url + name);
    assert.equal(response.status, 200, name);
    assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), name);
  }
  assert.match(await (await fetch(report.url)).text(), /<html/);
  for (const other of ["no/such", "..%2fcli.js", "%2e%2e/cli.js", "%ff"])
    assert.equal((await fetch(report.url + other)).status, 404, other);
});

test("a port that was asked for is that port or none; else the next that is free", async (t) => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  t.after(() => taken.close());
  const { status, stderr } = command(["serve", "--port", String(taken.address().port)]);
  assert.equal(status, 3);
  assert.match(stderr, /--port/);
  assert.match(await serving(t), /^http:\/\/localhost:\d+\/\n$/);
  assert.match(await serving(t), /^http:\/\/localhost:\d+\/\n$/);
  assert.equal(command(["serve", "--port", "x"]).status, 2);
});

/** The answer to a request with these headers: no compression and no Host are added, as fetch does. */
async function asked(url, path, headers, method = "GET") {
  const [response] = await once(request(url, { path, headers, method }).end(), "response");
  const chunks = [];
  for await (const chunk of response) chunks.push(chunk);
  return { status: response.statusCode, headers: response.headers, body: Buffer.concat(chunks) };
}

/** Returns the server's answer to these raw bytes, until it closes. */
async function answerTo(port, bytes) {
  const socket = connect(port, "127.0.0.1");
  socket.end(bytes);
  let text = "";
  for await (const chunk of socket) text += chunk;
  return text;
}

test("no request ends the server, and it answers to this machine's name alone", async (t) => {
  const { url } = JSON.parse(await serving(t, "--json"));
  const { port } = new URL(url);
  for (const line of [
    "GET //[ HTTP/1.1",
    "GET http://[ HTTP/1.1",
    "GET /%zz HTTP/1.1",
    "OPTIONS * HTTP/1.1",
    "GET / HTTP/9.9",
    "\0\0\0",
  ]) {
    assert.match(
      await answerTo(port, `${line}\r\nHost: localhost\r\nConnection: close\r\n\r\n`),
      /^HTTP\/1\.1 4\d\d /,
      line,
    );
  }
  for (const host of ["evil.example", `evil.example:${port}`, "localhost.evil.example", "127.0.0.1.evil.example"])
    assert.equal((await asked(url, "/", { host })).status, 421, host);
  for (const host of [`localhost:${port}`, `127.0.0.1:${port}`, `[::1]:${port}`, "LOCALHOST"])
    assert.equal((await asked(url, "/", { host })).status, 200, host);
  assert.equal((await asked(url, "/", {}, "POST")).status, 405);
  const { headers } = await asked(url, "/?x=1", {});
  assert.equal(headers["x-content-type-options"], "nosniff");
  assert.match(headers["content-security-policy"], /frame-ancestors 'none'/);
});

test("serve compresses, and sends nothing that the browser has", async (t) => {
  const { url } = JSON.parse(await serving(t, "--json"));
  const plain = await asked(url, "/index.html", {});
  const small = await asked(url, "/index.html", { "accept-encoding": "br, gzip" });
  assert.equal(plain.headers["content-encoding"], undefined);
  assert.equal(small.headers["content-encoding"], "gzip");
  assert.ok(gunzipSync(small.body).equals(plain.body) && small.body.length < plain.body.length);
  assert.equal(
    (await asked(url, "/index.html", { "accept-encoding": "gzip;q=0" })).headers["content-encoding"],
    undefined,
  );
  const again = await asked(url, "/index.html", { "if-none-match": plain.headers.etag });
  assert.equal(again.status, 304);
  assert.equal(again.body.length, 0);
  const head = await asked(url, "/index.html", {}, "HEAD");
  assert.deepEqual(
    [head.status, head.body.length, Number(head.headers["content-length"])],
    [200, 0, plain.body.length],
  );
});
