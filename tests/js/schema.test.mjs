// Every report of --json is as docs/schema publishes it, and has no member that is not in there.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import Ajv from "ajv";
import { command, data, fixtures, native, root, sample, scratch } from "./support.mjs";

const folder = join(root, "docs/schema");
const validators = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith(".schema.json"))
    .map((name) => [name.replace(".schema.json", ""), JSON.parse(readFileSync(join(folder, name), "utf8"))])
    .map(([name, schema]) => [
      name,
      new Ajv({ allErrors: true }).compile(name === "failure" ? schema : strict(schema)),
    ]),
);
const used = new Set();

// The schema with all members named: the published one allows more, which later versions may add.
function strict(schema) {
  if (Array.isArray(schema)) return schema.map(strict);
  if (typeof schema !== "object" || schema === null) return schema;
  const copy = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, strict(value)]));
  const open = copy.additionalProperties === undefined || JSON.stringify(copy.additionalProperties) === "{}";
  return copy.type === "object" && copy.properties && open ? { ...copy, additionalProperties: false } : copy;
}

// Runs a command line. `name`: of the schema of what was done; what could not be done has its own.
function check(name, args, run = native) {
  const { stdout, status } = run([...args, "--json"], { maxBuffer: 1 << 28 });
  const report = JSON.parse(stdout);
  const schema = report.reports || status < 2 || report.verdict ? name : "failure";
  const valid = validators.get(schema);
  used.add(schema);
  assert.ok(valid(report), `${args.join(" ")}: ${JSON.stringify(valid.errors?.slice(0, 4), null, 1)}`);
  return status;
}

const kLists = ["nodes", "ops", "weights", "inputs", "outputs", "signatures", "functions", "assets", "collections"];

function checkAll(t, path) {
  const out = scratch(t);
  check("inspect", ["inspect", path, "--checksum"]);
  check("validate", ["validate", path]);
  check("validate-fix", ["validate", path, "--fix", "-o", join(out, "fixed.meta"), "--snippet"]);
  for (const what of kLists) check("list", ["list", path, what]);
  check("draw", ["draw", path, "-o", join(out, "m.svg")]);
  check("prune", ["prune", path, "-o", join(out, "p.ckpt"), "--snippet", "--verbose"]);
  check("convert", ["convert", path, "-o", join(out, "c.meta")]);
  check("weights", ["weights", path, "-o", join(out, "w.npz"), "--snippet"]);
  check("freeze", ["freeze", path, "-o", join(out, "f.pb")]);
  check("freeze", [
    "freeze",
    path,
    "-o",
    join(out, "o.pb"),
    "--fold-batch-norm",
    "--fold-constants",
    "--merge-duplicates",
  ]);
  check("edit", ["edit", join(out, "f.pb"), "-o", join(out, "e.pb"), "--rename", "/^/=scope/"]);
  check("unfreeze", ["unfreeze", join(out, "f.pb"), "-o", join(out, "u.ckpt")]);
  check("transfer", ["transfer", "--from", join(out, "w.npz"), "--into", path, "-o", join(out, "t.ckpt")]);
  check("diff", ["diff", path, join(out, "f.pb")]);
  check("compat", ["compat", path]);
}

for (const [name, { path }] of Object.entries(fixtures)) test(`${name}`, (t) => checkAll(t, join(data, path)));
for (const name of readdirSync(join(data, "saved_models")))
  test(`SavedModel ${name}`, (t) => checkAll(t, join(data, "saved_models", name)));

test("faults, explanations, failures and several models", (t) => {
  const invalid = join(data, "invalid");
  for (const name of readdirSync(invalid)) check("validate", ["validate", join(invalid, name)]);
  assert.equal(check("validate-explain", ["validate", "--explain", "cycle"]), 0);
  const meta = join(sample, "model.ckpt.meta");
  assert.equal(check("inspect", ["inspect", "no/such.pb"]), 3);
  assert.equal(check("inspect", ["frobnicate", "a", "b"]), 2);
  assert.equal(check("several", ["inspect", meta, "no/such.pb", join(invalid, "cycle.pb")]), 3);
  assert.equal(check("several", ["validate", meta, join(invalid, "cycle.pb")]), 1);
  const other = join(data, fixtures.ref.path);
  const strictly = ["transfer", "--strict", "--from", other, "--into", meta, "-o", join(scratch(t), "x.ckpt")];
  assert.equal(check("transfer", strictly), 3);
});

test("verify", (t) => {
  const meta = join(sample, "model.ckpt.meta");
  const script = join(scratch(t), "compare.py");
  assert.equal(check("verify", ["verify", meta, meta, "--script", script], command), 0);
  assert.equal(check("verify", ["verify", join(data, fixtures.ref.path), meta], command) > 0, true);
});

test("every schema was used", () => {
  assert.deepEqual([...used].sort(), [...validators.keys()].sort());
});
