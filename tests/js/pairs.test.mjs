import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { command, data, filesIn, native, scratch } from "./support.mjs";

const meta = join(data, "ref/model.ckpt.meta");
const frozen = join(data, "ref/frozen.pb");

for (const [where, opened] of [
  ["here", open],
  ["in a worker", openInWorker],
]) {
  test(`weights of one model go into the variables of another, ${where}`, async () => {
    const [into, from] = [await opened(meta), await opened(frozen)];
    const made = await into.transfer({ from, exclude: "b" });
    const { matched, excluded, mismatched, unmatched } = made.report;
    assert.deepEqual(
      excluded.map(({ name }) => name),
      ["b"],
    );
    assert.deepEqual(
      matched.map(({ name }) => name),
      ["w"],
    );
    const { variables } = await into.inspect();
    assert.equal(matched.length + excluded.length + mismatched.length + unmatched.length, variables.count);
    const files = await made.write({ as: "checkpoint", out: "x.ckpt" });
    assert.equal(files.length, 3);
    for (const file of files) assert.ok((await file.bytes()).length > 0);
    assert.equal((await made.diff(into)).equal, true);
  });

  test(`weights of several models are put together, or averaged, ${where}`, async () => {
    const alone = await (await opened(meta)).weights();
    const renamed = await alone.weights({ rename: "**=other/**" });
    const names = ({ report }) => report.converted.map(({ name }) => name);
    const both = await alone.weights({ with: [renamed] });
    assert.equal(names(both).length, 2 * names(alone).length);
    const mean = await alone.weights({ with: [alone, alone], average: true });
    assert.equal((await mean.diff(alone, { weights: true })).equal, true);
    assert.ok((await (await mean.write({ as: "npz" }))[0].bytes()).length > 0);
    await assert.rejects(alone.weights({ with: [alone] }), { code: "weight-in-several" });
    await assert.rejects(alone.weights({ average: true }), { code: "bad-option" });
    await assert.rejects(alone.weights({ with: [alone, renamed], average: true }), { code: "average-mismatch" });
    const whole = await alone.weights({ salvage: true });
    assert.deepEqual(whole.report.lost, []);
    alone.close();
    await assert.rejects(renamed.weights({ with: [alone] }), { code: "model-closed" });
  });

  test(`a difference is a report, and no error, ${where}`, async () => {
    const [a, b] = [await opened(meta), await opened(frozen)];
    const report = await a.diff(b);
    assert.equal(report.equal, false);
    assert.deepEqual(report.weights.differing, []);
    assert.ok(report.weights.equal.length > 0);
    assert.equal((await a.diff(a)).equal, true);
    b.close();
    await assert.rejects(a.diff(b), { name: "CryographError" });
  });
}

test("a weight goes by the names of its tensor and of its read; arrays of a model with a graph are its weights", async () => {
  const model = await open(meta);
  const { data } = await model.weight("w");
  for (const name of ["w:0", "w/read", "w/read:0"]) assert.deepEqual((await model.weight(name)).data, data);
  const [file] = await model.write({ as: "npz" });
  assert.deepEqual((await (await open(await file.bytes())).weight("w")).data, data);
  await assert.rejects(
    model.weights({ variables: "nope" }),
    (error) => error.diagnostics.at(-1).code === "glob-unused",
  );
  await assert.rejects(model.freeze({ outputs: [] }), (error) => error.diagnostics.at(-1).code === "no-outputs");
});

test("a transfer into a graph without values takes its initial values, or the matched alone", async () => {
  const [into, from] = [await open(join(data, "meta_only/model.meta")), await open(frozen)];
  const { report } = await into.transfer({ from });
  assert.deepEqual(
    report.initial.map(({ name }) => name),
    report.unmatched.map(({ name }) => name),
  );
  const part = await into.transfer({ from, partial: true });
  assert.deepEqual(
    (await part.list("weights")).weights.map(({ name }) => name),
    ["b", "w"],
  );
});

test("a model made of two outlives both, also in another worker", async () => {
  const [into, from] = [await openInWorker(meta), await openInWorker(frozen)];
  const made = await into.transfer({ from });
  into.close();
  from.close();
  const now = new AbortController();
  const aborted = made.freeze({ signal: now.signal });
  queueMicrotask(() => now.abort());
  await assert.rejects(aborted, { name: "AbortError" });
  assert.ok((await made.inspect()).nodes > 0);
  const [file] = await (await made.freeze()).write({ as: "pb" });
  assert.ok((await file.bytes()).length > 0);
});

test("the native program and the npm command transfer, compare and take weights alike", (t) => {
  const folders = [scratch(t), scratch(t)];
  for (const args of [
    ["transfer", "--from", frozen, "--into", meta, "-o", "out.ckpt"],
    ["transfer", "--from", frozen, "--into", meta, "-o", "out.ckpt", "--force", "--json", "--match", "value,shape"],
    ["transfer", "--from", frozen, "-o", "out.ckpt"],
    ["transfer", "--from", frozen, "--into", join(data, "meta_only/model.meta"), "-o", "alone.ckpt", "--exclude", "b"],
    ["diff", meta, frozen],
    ["diff", meta, frozen, "--json", "--checksum"],
    ["diff", meta, meta, "--verbose"],
    ["diff", meta],
    ["diff", meta, "nothing.pb"],
    ["weights", meta, "-o", "arrays/", "--as", "npy"],
    ["weights", meta, "-o", "more/arrays", "--as", "npy"],
    ["weights", meta, "-o", "w.npy", "--variables", "w"],
    ["weights", meta, "-o", "several.npy", "--exclude", "w"],
    ["weights", meta, "-o", "w.npz", "--variables", "**/Momentum,x", "--json"],
    ["weights", meta, "-o", "read.npz", "--variables", "w/read,b:0"],
    ["weights", meta, "-o", "typo.npz", "--rename", "**=**/ExponentialMovinAverage"],
    ["weights", meta, "-o", "half.ckpt", "--cast", "float32=bfloat16"],
    ["convert", meta, "-o", "converted.npz"],
    ["transfer", "--from", frozen, "--into", meta, "-o", "part.ckpt", "--partial", "--exclude", "b"],
    ["inspect", meta, "--signature", "nope"],
    ["freeze", meta, "-o", "port.pb", "--outputs", "y:4"],
    ["frezze", meta, "-o", "z.pb"],
    ["transfer", "--help"],
    ["diff", "--help"],
  ]) {
    const ours = command(args, { cwd: folders[0] });
    const theirs = native(args, { cwd: folders[1] });
    assert.equal(ours.status, theirs.status, `${args.join(" ")}: ${ours.stderr}${theirs.stderr}`);
    assert.equal(ours.stdout, theirs.stdout, args.join(" "));
    assert.equal(ours.stderr, theirs.stderr, args.join(" "));
  }
  assert.deepEqual(filesIn(folders[0]), filesIn(folders[1]));
});
