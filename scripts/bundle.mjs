// Makes dist/, the npm package's files, of wasm/src and of the core that Emscripten built.
//   node scripts/bundle.mjs [folder of core.mjs and core.wasm]
import { build } from "esbuild";
import { execFileSync } from "node:child_process";
import { chmod, copyFile, mkdir, readFile, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { deflateSync } from "node:zlib";

const root = resolve(import.meta.dirname, "..");
const core = resolve(process.argv[2] ?? join(root, "build/wasm/wasm"));
const source = join(root, "wasm/src");
const dist = join(root, "dist");

const common = {
  bundle: true,
  format: "esm",
  target: "es2022",
  minify: true,
  outdir: dist,
  plugins: [{ name: "core", setup: resolveCore }],
  logLevel: "warning",
};

// "cryograph-core" is Emscripten's glue; "cryograph-core-text" is core.wasm, deflated and in base64.
function resolveCore(build) {
  build.onResolve({ filter: /^cryograph-core$/ }, () => ({ path: join(core, "core.mjs") }));
  build.onResolve({ filter: /^cryograph-core-text$/ }, () => ({ path: join(core, "core.wasm"), namespace: "text" }));
  build.onLoad({ filter: /./, namespace: "text" }, async ({ path }) => ({
    contents: deflateSync(await readFile(path), { level: 9 }).toString("base64"),
    loader: "text",
  }));
}

function entries(names) {
  return names.map((name) => join(source, `${name}.ts`));
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await build({
  ...common,
  platform: "node",
  splitting: true,
  chunkNames: "node-[hash]",
  entryPoints: entries(["node", "worker_node", "worker_host_node", "cli"]),
});
await build({
  ...common,
  platform: "browser",
  entryPoints: [
    ...entries(["web", "inline", "worker"]),
    { in: join(source, "worker_host_web.ts"), out: "worker_host" },
  ].map((entry) => (typeof entry === "string" ? { in: entry, out: basename(entry, ".ts") } : entry)),
});
await copyFile(join(core, "core.wasm"), join(dist, "core.wasm"));
await chmod(join(dist, "cli.js"), 0o755);
execFileSync(process.execPath, [
  join(root, "node_modules/typescript/bin/tsc"), "-p", join(root, "wasm"),
  "--noEmit", "false", "--emitDeclarationOnly", "--stripInternal", "--outDir", join(dist, "types"),
], { stdio: "inherit" });
