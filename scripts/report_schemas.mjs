// Makes docs/schema, a JSON Schema for each report of --json, and docs/reference/reports.md, of the types in
// wasm/package/command/reports.ts.
//   node scripts/report_schemas.mjs [check]
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import prettier from "prettier";
import { createGenerator } from "ts-json-schema-generator";
import { reportManual } from "./report_manual.mjs";

const root = resolve(import.meta.dirname, "..");
const docs = join(root, "docs");
const kManual = "reference/reports.md";
const kTypes = "wasm/package/command/reports.ts";

/** Returns the names of the definitions that a schema refers to, and those that these refer to. */
function needed(schema, definitions, found = new Set()) {
  for (const [, name] of JSON.stringify(schema).matchAll(/"#\/definitions\/([^"]+)"/g)) {
    if (found.has(decodeURIComponent(name))) continue;
    found.add(decodeURIComponent(name));
    needed(definitions[decodeURIComponent(name)], definitions, found);
  }
  return found;
}

/** Returns {path in docs: text}. */
async function made() {
  const whole = createGenerator({
    path: join(root, kTypes),
    tsconfig: join(root, "wasm/tsconfig.json"),
    skipTypeCheck: true,
    expose: "all",
    topRef: false,
    additionalProperties: true, // later versions may add members
  }).createSchema("Reports");
  const format = await prettier.resolveConfig(join(docs, "schema/x.json"));
  const files = { [kManual]: reportManual(whole, needed) };
  for (const [name, type] of Object.entries(whole.properties)) {
    const schema = {
      $schema: whole.$schema,
      title: `cryograph --json: ${name}`,
      $comment: `Made by scripts/report_schemas.mjs of ${kTypes}. Do not edit.`,
      ...type,
      definitions: Object.fromEntries(
        [...needed(type, whole.definitions)].sort().map((each) => [each, whole.definitions[each]]),
      ),
    };
    files[`schema/${name}.schema.json`] = await prettier.format(JSON.stringify(schema), { ...format, parser: "json" });
  }
  return files;
}

const files = await made();
const there = [...readdirSync(join(docs, "schema")).map((name) => `schema/${name}`), kManual];
if (process.argv[2] === "check") {
  const paths = new Set([...there, ...Object.keys(files)]);
  const stale = [...paths].filter(
    (path) => !existsSync(join(docs, path)) || readFileSync(join(docs, path), "utf8") !== files[path],
  );
  for (const path of stale) console.log(`docs/${path}: not what scripts/report_schemas.mjs makes of ${kTypes}`);
  console.log(`${paths.size - stale.length} passed, ${stale.length} failed`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const path of there) rmSync(join(docs, path), { force: true });
  for (const [path, text] of Object.entries(files)) writeFileSync(join(docs, path), text);
}
