// Every exported function, and every method of what they return, is called with every wrong value in each place. It works or fails
// with a CryographError of its own, and models that are open stay good.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import vm from "node:vm";
import * as here from "cryograph";
import * as inline from "cryograph/inline";
import * as verifying from "cryograph/verify";
import * as worker from "cryograph/worker";
import { filesIn, sample, scratch } from "./support.mjs";

const meta = join(sample, "model.ckpt.meta");
const frozenBytes = readFileSync(meta);
// Codes that say that something broke.
const kBroken = ["core-lost", "internal-error", "out-of-memory", "worker-failed", "worker-lost", "unknown"];

function detached(value) {
  structuredClone(value, { transfer: [value.buffer ?? value] });
  return value;
}

const kWrong = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  "a number": () => 3,
  NaN: () => NaN,
  "a negative number": () => -1,
  "a bigint": () => 1n,
  "a text": () => "no/such",
  "an empty text": () => "",
  "a symbol": () => Symbol("wrong"),
  "a function": () => () => {},
  "a list": () => [],
  "a list of nothing": () => [undefined, null],
  "a record": () => ({ wrong: 1n }),
  "an object without prototype": () => Object.create(null),
  "an object of another realm": () => vm.runInNewContext("({ outputs: [3] })"),
  "a list of another realm": () => vm.runInNewContext("[1, 2]"),
  "bytes of another realm": () => vm.runInNewContext("new Uint8Array(10)"),
  "a detached array": () => detached(new Uint8Array(8)),
  "a detached buffer": () => detached(new ArrayBuffer(8)),
  "shared memory": () => new SharedArrayBuffer(8),
  "a view": () => new DataView(new ArrayBuffer(8)),
  "a map": () => new Map([[3, 3]]),
  "a date": () => new Date(0),
  "a promise": () => Promise.resolve(),
  "a signal that is none": () => ({ signal: 3 }),
  "progress to no function": () => ({ onProgress: "often" }),
  "a bigint in options": () => ({ outputs: [1n], set: { a: Symbol("b") } }),
  "a cycle in options": () => {
    const cycle = { outputs: [] };
    cycle.outputs.push(cycle);
    return cycle;
  },
};

// Methods that the types of the package do not have.
const kInternal = ["constructor", "draw", "checkUnchanged", "run", "columns", "texts", "toJSON", "verify"];

// Returns the arguments of calls that are right.
function rightArguments(other) {
  const name = {
    node: ["image"],
    weight: ["conv1/weights"],
    statistics: ["conv1/weights"],
    list: ["nodes"],
    explain: ["cycle"],
  };
  return {
    ...name,
    diff: [other],
    transfer: [{ from: other }],
    open: [meta],
    init: [{}],
    find: ["image"],
    save: [undefined],
  };
}

function methodsOf(object) {
  const names = new Set();
  for (let at = Object.getPrototypeOf(object); at !== Object.prototype && at; at = Object.getPrototypeOf(at))
    for (const name of Object.getOwnPropertyNames(at)) names.add(name);
  return [...names].filter((name) => ![...kInternal, "close"].includes(name) && typeof object[name] === "function");
}

async function tryCall(call, what) {
  try {
    const result = await call();
    if (typeof result?.close === "function") result.close();
  } catch (error) {
    assert.ok(error.name === "CryographError", `${what}: ${error.stack}`);
    assert.ok(!kBroken.includes(error.code), `${what}: ${error.code}: ${error.message}`);
    assert.ok(
      error.diagnostics.find(({ severity }) => severity === "error").fix.length > 0,
      `${what}: no fix: ${error.message}`,
    );
  }
}

async function tryAll(object, names, right, label) {
  for (const name of names) {
    const own = right[name] ?? [];
    for (let place = 0; place <= Math.max(own.length, object[name].length); place++) {
      for (const [what, make] of Object.entries(kWrong)) {
        const all = [...own];
        all[place] = make();
        await tryCall(() => object[name](...all), `${label}.${name}, argument ${place}: ${what}`);
      }
    }
  }
}

for (const [label, entry] of Object.entries({
  cryograph: here,
  "cryograph/worker": worker,
  "cryograph/inline": inline,
})) {
  test(`${label}: no wrong argument breaks anything`, async (t) => {
    process.chdir(scratch(t));
    t.after(() => process.chdir("/"));
    const input = label === "cryograph/inline" ? { "model.ckpt.meta": frozenBytes } : meta;
    const [bystander, model, other] = [await entry.open(input), await entry.open(input), await entry.open(input)];
    const before = await bystander.inspect();
    const right = rightArguments(other);
    await tryAll(entry, ["open", "explain", "init"], right, label);
    await entry.init();
    await tryAll(model, methodsOf(model), right, label);
    const [file] = await model.write({ as: "pb" });
    await tryAll(file, methodsOf(file), right, `${label} OutputFile`);
    await tryAll(await model.nodes(), methodsOf(await model.nodes()), right, `${label} NodeTable`);
    await tryAll(await model.picture(), methodsOf(await model.picture()), right, `${label} Picture`);
    assert.deepEqual(await bystander.inspect(), before);
    assert.deepEqual(await model.inspect(), before);
    for (const each of [bystander, model, other]) each.close();
  });
}

test("cryograph/verify: no wrong argument breaks anything", async () => {
  const model = await here.open(meta);
  const options = { outputs: "probabilities" };
  for (const [what, make] of Object.entries(kWrong))
    for (const all of [
      [make(), model, options],
      [model, make(), options],
      [model, model, make()],
    ])
      if (all[2] !== undefined) await tryCall(() => verifying.verify(...all), `verify: ${what}`);
  assert.ok(model.inspect().nodes > 0);
});

test("models of different modules are not for one call", async () => {
  const models = [await here.open(meta), await worker.open(meta)];
  for (const [a, b] of [models, [...models].reverse()]) {
    for (const wrong of [() => a.diff(b), () => a.transfer({ from: b }), () => a.picture({ against: b })])
      await assert.rejects(async () => wrong(), { name: "CryographError", code: "bad-argument" });
  }
});

test("a model may be closed by a callback of its own call", async () => {
  const model = await here.open(meta);
  const report = await model.validate({ checksum: true, onProgress: () => model.close() });
  assert.equal(report.valid, true);
  assert.throws(() => model.inspect(), { code: "model-closed" });
  assert.ok((await here.open(meta)).inspect().nodes > 0);
});

test("bytes that are transferred later are an error of the calls that need them", async () => {
  const files = Object.fromEntries(
    Object.entries(filesIn(sample)).map(([name, bytes]) => [name, new Uint8Array(bytes)]),
  );
  const frozen = await (await here.open(files)).freeze({ outputs: "probabilities" });
  const [file] = await frozen.write({ as: "pb" });
  structuredClone(0, { transfer: Object.values(files).map(({ buffer }) => buffer) });
  for (const call of [() => file.bytes(), () => frozen.statistics("conv1/weights"), () => file.save("never.pb")])
    await assert.rejects(call, { name: "CryographError", code: "read-failed" });
  assert.ok((await here.open(meta)).inspect().nodes > 0);
});

test("out of memory ends one instance of the core; models of another live on", async () => {
  const first = await here.open(meta);
  const before = first.inspect();
  await here.init();
  const second = await here.open(meta);
  const { grow } = WebAssembly.Memory.prototype;
  WebAssembly.Memory.prototype.grow = () => {
    throw new RangeError("no more");
  };
  try {
    assert.throws(
      () => {
        const many = [];
        for (;;) many.push(second.inspect({ verbose: "x".repeat(1 << 24) }));
      },
      (error) => error.name === "CryographError" && ["out-of-memory", "core-lost"].includes(error.code),
    );
  } finally {
    WebAssembly.Memory.prototype.grow = grow;
  }
  assert.throws(() => second.inspect(), { name: "CryographError" });
  assert.deepEqual(first.inspect(), before);
  assert.deepEqual((await here.open(meta)).inspect(), before);
});
