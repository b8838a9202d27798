// Makes build/web, the page: a folder of static files for any server and any path.
//   node scripts/bundle_page.mjs [folder of core.mjs and core.wasm]
import { build } from "esbuild";
import { copyFile, mkdir, rm } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { corePlugin, packed } from "./bundle_core.mjs";

const root = resolve(import.meta.dirname, "..");
const kFiles = ["web/index.html", "web/style.css", "web/icon.svg", "LICENSE", "THIRD-PARTY-NOTICES.md"];
const kSample = ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"];

export async function bundlePage(core, out = join(root, "build/web")) {
  const common = { bundle: true, target: "es2022", minify: true, logLevel: "warning" };
  const worker = await build({
    ...common,
    entryPoints: [join(root, "web/worker.ts")],
    format: "iife",
    write: false,
    plugins: [corePlugin(root, core)],
    // The glue looks for core.wasm beside itself, in vain and without need: it is handed over.
    define: { "import.meta.url": '"https://localhost/"' },
  });
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  await build({
    ...common,
    entryPoints: [join(root, "web/page.ts")],
    format: "esm",
    splitting: true,
    chunkNames: "[name]-[hash]",
    outdir: out,
    plugins: [insidePlugin(worker.outputFiles[0].text)],
  });
  for (const file of kFiles) await copyFile(join(root, file), join(out, basename(file)));
}

// What the page carries inside: the worker, whole, and the sample.
function insidePlugin(worker) {
  const contents = {
    "cryograph-worker-text": async () => ({ contents: worker, loader: "text" }),
    "cryograph-sample": async () => ({ contents: JSON.stringify(await sample()), loader: "json" }),
  };
  return {
    name: "inside",
    setup(build) {
      build.onResolve({ filter: /^cryograph-(worker-text|sample)$/ }, ({ path }) => ({ path, namespace: "inside" }));
      build.onLoad({ filter: /./, namespace: "inside" }, ({ path }) => contents[path]());
    },
  };
}

async function sample() {
  const files = await Promise.all(kSample.map(async (name) => [name, await packed(join(root, "web/samples/digits", name))]));
  return Object.fromEntries(files);
}

if (process.argv[1] === import.meta.filename) await bundlePage(resolve(process.argv[2] ?? join(root, "build/wasm/wasm")));
