// Errors of a core or worker that cannot be loaded.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { init, open } from "cryograph";
import * as worker from "cryograph/worker";
import { serveFiles } from "./file_server.mjs";
import { sample, scratch } from "./support.mjs";

async function failureOf(entry, options) {
  await entry.init(options);
  const error = await entry.open(sample).catch((failed) => failed);
  await entry.init();
  assert.equal(error.name, "CryographError");
  return error;
}

for (const [name, entry] of Object.entries({ "this thread": { init, open }, "a worker": worker })) {
  test(`a core that is not one is reported with its address, what came from there and what to do, in ${name}`, async (t) => {
    const folder = scratch(t);
    writeFileSync(join(folder, "index.html"), "<!doctype html><title>a page</title>");
    const { url } = await serveFiles(t, folder);
    const page = await failureOf(entry, { wasmUrl: `${url}index.html` });
    assert.equal(page.code, "core-not-loaded");
    assert.match(
      page.message,
      /http:\/\/.*index\.html, .* is not WebAssembly: 36 bytes that begin with "<!doctype html>/,
    );
    assert.match(page.message, /init\(\{ wasmUrl \}\).*optimizeDeps: \{ exclude: \["cryograph"\] \}/);
    assert.match((await failureOf(entry, { wasmUrl: `${url}core.wasm` })).message, /core\.wasm gave HTTP status 404/);
    assert.match(
      (await failureOf(entry, { wasmUrl: "http://127.0.0.1:9/core.wasm" })).message,
      /127\.0\.0\.1:9\/core\.wasm could not/,
    );
    assert.match((await failureOf(entry, { wasmBinary: new Uint8Array(8) })).message, /is not WebAssembly: 8 bytes/);
    const model = await entry.open(sample);
    assert.ok((await model.inspect()).nodes > 0);
    model.close();
  });
}

test("a worker that cannot be made is an error of the call", async () => {
  const wrong = () => {
    throw new TypeError("no workers here");
  };
  const error = await failureOf(worker, { worker: wrong });
  assert.deepEqual([error.code, error.cause.message], ["worker-lost", "no workers here"]);
});
