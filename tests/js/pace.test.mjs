// Long calls of this thread let other work run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { open } from "cryograph";
import { writeArray } from "./arrays.mjs";

const kElements = 16 << 20; // 64 MB
const model = await open({ "array.npy": writeArray(Float32Array.from({ length: kElements }, (_, i) => i % 1000)) });
const [{ name }] = model.list("weights").weights;

async function drain(stream) {
  let bytes = 0;
  for await (const chunk of stream) bytes += chunk.length;
  return bytes;
}

const kCalls = {
  statistics: (options) => model.statistics(name, options),
  weight: (options) => model.weight(name, options),
  bytes: async (options) => (await model.write({ as: "npz" }))[0].bytes(options),
  stream: async (options) => drain((await model.write({ as: "npz" }))[0].stream(options)),
};

for (const [what, call] of Object.entries(kCalls)) {
  test(`${what} of 64 MB lets timers run`, async (t) => {
    let [turns, last, longest] = [0, performance.now(), 0];
    const timer = setInterval(() => {
      turns++;
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    });
    await call();
    clearInterval(timer);
    t.diagnostic(`${turns} turns, the longest wait ${longest.toFixed(0)} ms`);
    assert.ok(turns >= 1, "no turn");
  });

  test(`${what} of 64 MB hears its signal`, async () => {
    await assert.rejects(call({ signal: AbortSignal.timeout(5) }), { name: "TimeoutError" });
  });
}
