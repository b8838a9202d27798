// Makes docs/schema, a JSON Schema for each report of --json, of the types in wasm/package/command/reports.ts.
//   node scripts/report_schemas.mjs [check]
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import prettier from "prettier";
import { createGenerator } from "ts-json-schema-generator";

const root = resolve(import.meta.dirname, "..");
const folder = join(root, "docs/schema");
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

/** Returns {file name: text}. */
async function schemas() {
  const whole = createGenerator({
    path: join(root, kTypes),
    tsconfig: join(root, "wasm/tsconfig.json"),
    skipTypeCheck: true,
    expose: "all",
    topRef: false,
    additionalProperties: true, // later versions may add members
  }).createSchema("Reports");
  const format = await prettier.resolveConfig(join(folder, "x.json"));
  const files = {};
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
    files[`${name}.schema.json`] = await prettier.format(JSON.stringify(schema), { ...format, parser: "json" });
  }
  return files;
}

const made = await schemas();
const there = readdirSync(folder).filter((name) => name.endsWith(".schema.json"));
if (process.argv[2] === "check") {
  const names = new Set([...there, ...Object.keys(made)]);
  const stale = [...names].filter(
    (name) => !there.includes(name) || readFileSync(join(folder, name), "utf8") !== made[name],
  );
  for (const name of stale) console.log(`docs/schema/${name}: not what scripts/report_schemas.mjs makes of ${kTypes}`);
  console.log(`${names.size - stale.length} passed, ${stale.length} failed`);
  process.exitCode = stale.length > 0 ? 1 : 0;
} else {
  for (const name of there) rmSync(join(folder, name));
  for (const [name, text] of Object.entries(made)) writeFileSync(join(folder, name), text);
}
