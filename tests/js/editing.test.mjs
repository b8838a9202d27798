// edit and the optimizations of freeze, from JavaScript: records of values, refusals, the native program's bytes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import * as worker from "cryograph/worker";
import { native, root, scratch } from "./support.mjs";

const kGraph = join(root, "tests/data/frozen_convnet/graph.pb");

async function bytesOf(model) {
  const [file] = await model.write({ as: "pb" });
  return Buffer.from(await file.bytes());
}

function nativeBytes(t, ...args) {
  const out = join(scratch(t), "out.pb");
  assert.equal(native([...args, "-o", out]).status, 0);
  return readFileSync(out);
}

for (const [where, load] of Object.entries({ here: open, "in a worker": worker.open }))
  test(`edit takes records of values (${where})`, async (t) => {
    const model = await load(kGraph);
    t.after(() => model.close());
    const edited = await model.edit({
      placeholder: { x: "uint8[2,8,8,1]" },
      constant: { "mul/y": 3 },
      rename: "conv/**=first/**",
    });
    const changes = edited.report.changes.map(({ change }) => change);
    assert.deepEqual(new Set(changes), new Set(["placeholder", "constant", "renamed"]));
    const options = ["--placeholder", "x=uint8[2,8,8,1]", "--constant", "mul/y=3", "--rename", "conv/**=first/**"];
    assert.deepEqual(await bytesOf(edited), nativeBytes(t, "edit", kGraph, ...options));
    const sizes = await model.edit({ placeholder: { x: [4, 8, 8, 1] } });
    assert.deepEqual((await sizes.inspect()).inputs[0].shape, [4, 8, 8, 1]);
    edited.close();
    sizes.close();
  });

test("an added signature is listed, and gives the native program's bytes", async (t) => {
  const model = await open(kGraph);
  t.after(() => model.close());
  const options = ["--add-signature", "score=image=x->y", "--add-signature", "first=x->y"];
  const edited = await model.edit({ addSignature: ["score=image=x->y", "first=x->y"] });
  const keys = edited.report.changes.map(({ node }) => node);
  assert.deepEqual(keys, ["score", "first"]);
  const [file] = await edited.write({ as: "meta" });
  const out = join(scratch(t), "out.meta");
  assert.equal(native(["edit", kGraph, ...options, "-o", out]).status, 0);
  assert.deepEqual(Buffer.from(await file.bytes()), readFileSync(out));
  // The command line refuses it, too: a graph alone has no signatures.
  await assert.rejects(edited.write({ as: "pb" }), { name: "CryographError", code: "bad-option" });
  const again = { name: "CryographError", code: "signature-exists" };
  await assert.rejects(edited.edit({ addSignature: "first=x->y" }), again);
  edited.close();
});

for (const [where, load] of Object.entries({ here: open, "in a worker": worker.open }))
  test(`a second model is joined, and gives the native program's bytes (${where})`, async (t) => {
    const model = await load(kGraph);
    const second = await load(kGraph);
    t.after(() => (model.close(), second.close()));
    const joined = await model.edit({ join: second, connect: { "pre/x": "x" }, scope: "pre" });
    assert.deepEqual(
      joined.report.changes.map(({ change }) => change),
      ["joined", "connected"],
    );
    assert.equal(joined.report.joined, second.report.model);
    assert.equal((await joined.inspect()).nodes, 40);
    const options = ["--join", kGraph, "--connect", "pre/x=x", "--scope", "pre"];
    assert.deepEqual(await bytesOf(joined), nativeBytes(t, "edit", kGraph, ...options));
    joined.close();
    for (const [bad, code] of [
      [{ join: second }, "bad-option"],
      [{ join: second, connect: "x=x" }, "name-taken"],
      [{ connect: "x=x" }, "bad-option"],
      [{ join: second, connect: "y=x", scope: "a b" }, "bad-option"],
      [{ join: "model.pb", connect: "y=x" }, "bad-argument"],
    ])
      await assert.rejects(
        Promise.resolve().then(() => model.edit(bad)),
        { name: "CryographError", code },
      );
  });

for (const [where, load] of Object.entries({ here: open, "in a worker": worker.open }))
  test(`a redacted model has no names and the native program's bytes (${where})`, async (t) => {
    const model = await load(kGraph);
    t.after(() => model.close());
    const redacted = await model.edit({ redact: true });
    assert.ok(redacted.report.redacted.names > 0 && redacted.report.redacted.tensors > 0);
    assert.deepEqual(redacted.report.changes, []);
    assert.deepEqual(await bytesOf(redacted), nativeBytes(t, "edit", kGraph, "--redact"));
    const names = ({ nodes }) => nodes.map(({ name }) => name);
    const [before, after] = await Promise.all([model.list("nodes"), redacted.list("nodes")]);
    assert.deepEqual(
      names(before).filter((name) => names(after).includes(name)),
      [],
    );
    redacted.close();
    const both = Promise.resolve().then(() => model.edit({ redact: true, batch: 8 }));
    await assert.rejects(both, { name: "CryographError", code: "bad-option" });
  });

test("optimizations are reported, and give the native program's bytes", async (t) => {
  const model = await open(kGraph);
  const small = await model.freeze({ outputs: "y", quantizeWeights: true, foldConstants: true, mergeDuplicates: true });
  assert.ok(small.report.changes.some(({ change }) => change === "stored-smaller"));
  const options = ["--outputs", "y", "--quantize-weights", "--fold-constants", "--merge-duplicates"];
  assert.deepEqual(await bytesOf(small), nativeBytes(t, "freeze", kGraph, ...options));
  model.close();
});

test("an edit that makes no sense is refused, and the model remains good", async () => {
  const model = await open(kGraph);
  for (const [options, code] of [
    [{}, "bad-option"],
    [{ placeholder: { x: null } }, "bad-option"],
    [{ placeholder: 3 }, "bad-option"],
    [{ batch: "many" }, "bad-option"],
    [{ placeholder: { y: [1] } }, "not-a-placeholder"],
    [{ placeholder: { x: [1, 8] } }, "edit-refused"],
    [{ constant: { x: 1 } }, "not-a-constant"],
    [{ addSignature: "score=x,y" }, "bad-option"],
    [{ addSignature: { score: "x->y" } }, "bad-option"],
    [{ addSignature: ["score=x->z"] }, "not-in-graph"],
  ])
    await assert.rejects(model.edit(options), { name: "CryographError", code }, JSON.stringify(options));
  assert.equal((await model.inspect()).nodes, 20);
  model.close();
});
