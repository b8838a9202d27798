// Makes dist/, the npm package's files, of wasm/package and of the core that Emscripten built; build/web, the page; and
// build/packages, the npm packages of the page and of the inlined core.
//   node scripts/bundle.mjs [folder of core.mjs and core.wasm]
import { build } from "esbuild";
import { existsSync, readFileSync } from "node:fs";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bundledPackages, corePlugin, gzippedOps, gzippedReleases, inventory } from "./bundle_core.mjs";
import { inputsKey, outputsKey, scriptsKey } from "./bundle_key.mjs";
import { bundlePage } from "./bundle_page.mjs";
import { bundlePackages } from "./bundle_packages.mjs";
import { bundleTypes } from "./bundle_types.mjs";

const root = resolve(import.meta.dirname, "..");
const core = resolve(process.argv[2] ?? join(root, "build/wasm/wasm"));
const source = join(root, "wasm/package/entries");
const dist = join(root, "dist");

const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));

const common = {
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  outdir: dist,
  external: ["@tensorflow/*"],
  define: { CRYOGRAPH_VERSION: JSON.stringify(version), CRYOGRAPH_CHECKS: "true" },
  logLevel: "warning",
};
const plugins = [corePlugin(root, core, { ops: "./ops.js", releases: "./releases.js" }), inventory];

function entries(names) {
  return names.map((name) => ({ in: join(source, `${name}.ts`), out: name.replace("worker_host_web", "worker_host") }));
}

// Node prints the line that an uncaught error is thrown in, and reads source maps only on request.
const readable = {
  platform: "node",
  minify: false,
  keepNames: true,
  inject: [join(root, "wasm/package/host/node_globals.ts")],
};
const small = { platform: "browser", sourcemap: true };

async function bundleDist() {
  await rm(dist, { recursive: true, force: true });
  await mkdir(dist, { recursive: true });
  const types = bundleTypes(root, join(dist, "types"));
  for (const [kind, names] of [
    [readable, ["node", "worker_node", "worker_host_node", "verify_node", "cli"]],
    [small, ["web", "worker", "verify"]],
  ]) {
    await build({
      ...common,
      ...kind,
      plugins,
      splitting: true,
      chunkNames: `${kind.platform}-[hash]`,
      entryPoints: entries(names),
    });
  }
  // In one file, but for the ops: bundlers make a worker one script.
  await build({ ...common, ...small, plugins, entryPoints: entries(["worker_host_web"]) });
  await writeFile(join(dist, "inline.js"), 'export * from "cryograph-inline";\n');
  await writeFile(join(dist, "ops.js"), `export default "${await gzippedOps(root)}";\n`);
  await writeFile(join(dist, "releases.js"), await gzippedReleases(root));
  for (const name of ["core.wasm", "command.wasm"]) await copyFile(join(core, name), join(dist, name));
  await chmod(join(dist, "cli.js"), 0o755);
  await types;
}

async function bundleInline(outfile) {
  await build({
    ...common,
    platform: "browser",
    plugins: [corePlugin(root, core), inventory],
    entryPoints: [join(source, "inline.ts")],
    outdir: undefined,
    outfile,
    // The glue looks for core.wasm next to itself, in vain and without need; a classic script has no such address.
    define: { ...common.define, "import.meta.url": '"https://localhost/"' },
  });
}

const keyFile = join(root, "build/bundle.key");
const inputs = inputsKey(root, core);
const isCurrent =
  inputs !== null && existsSync(keyFile) && readFileSync(keyFile, "utf8") === `${inputs}\n${outputsKey(root)}\n`;
if (!isCurrent) {
  await rm(keyFile, { force: true });
  // At the same time: what takes long is TypeScript's and xz's, which are processes of their own.
  await Promise.all([bundleDist(), bundlePage(core).then(() => bundlePackages(root, bundleInline))]);
  await writeFile(join(root, "build/bundled_packages.json"), `${JSON.stringify(bundledPackages(), null, 2)}\n`);
  await writeFile(join(root, "build/scripts.key"), `${scriptsKey(root)}\n`);
  await writeFile(keyFile, `${inputs}\n${outputsKey(root)}\n`);
}
