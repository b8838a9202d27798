// Makes dist/, the npm package's files, of wasm/package and of the core that Emscripten built; and build/web, the page.
//   node scripts/bundle.mjs [folder of core.mjs and core.wasm]
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { bundledPackages, corePlugin, inventory, packedOps } from "./bundle_core.mjs";
import { bundlePage } from "./bundle_page.mjs";
import { packPage } from "./pack_page.mjs";

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
  define: { CRYOGRAPH_VERSION: JSON.stringify(version) },
  logLevel: "warning",
};
const plugins = [corePlugin(root, core, "./ops.js"), inventory];

function entries(names) {
  return names.map((name) => ({ in: join(source, `${name}.ts`), out: name.replace("worker_host_web", "worker_host") }));
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
for (const [platform, names] of [
  ["node", ["node", "worker_node", "worker_host_node", "verify_node", "cli"]],
  ["browser", ["web", "worker", "verify"]],
]) {
  await build({
    ...common, platform, plugins, splitting: true, chunkNames: `${platform}-[hash]`, entryPoints: entries(names),
  });
}
// In one file, but for the ops: bundlers make a worker one script.
await build({ ...common, platform: "browser", plugins, entryPoints: entries(["worker_host_web"]) });
await build({
  ...common, platform: "browser", plugins, entryPoints: entries(["inline"]),
  // The glue looks for core.wasm next to itself, in vain and without need; a classic script has no such address.
  define: { ...common.define, "import.meta.url": '"https://localhost/"' },
});
await writeFile(join(dist, "ops.js"), `export default "${await packedOps(root)}";\n`);
await copyFile(join(core, "core.wasm"), join(dist, "core.wasm"));
await chmod(join(dist, "cli.js"), 0o755);
execFileSync(process.execPath, [
  join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "wasm"),
  "--noEmit", "false", "--emitDeclarationOnly", "--stripInternal", "--outDir", join(dist, "types"),
], { stdio: "inherit" });
await bundlePage(core);
await packPage(root, core, join(dist, "page"));
await writeFile(join(root, "build/bundled_packages.json"), `${JSON.stringify(bundledPackages(), null, 2)}\n`);
