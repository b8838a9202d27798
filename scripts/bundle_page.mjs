// Makes build/web, the page: a folder of static files for any server and any path, with the documentation; and
// build/cryograph.html, the page in one file.
//   node scripts/bundle_page.mjs [folder of core.mjs and core.wasm]
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { corePlugin, inventory, kOps, packed, packedBytes, packedReleases } from "./bundle_core.mjs";
import { bundleDocs, kRepository } from "./bundle_docs.mjs";
import { samplesPlugin } from "./bundle_samples.mjs";
import { singlePage } from "./bundle_single.mjs";

const root = resolve(import.meta.dirname, "..");
const kFiles = ["web/index.html", "web/manifest.webmanifest", "web/icon.svg", "LICENSE", "THIRD-PARTY-NOTICES.md"];
const kTexts = ["cryograph-worker-text", "cryograph-rest-text", "cryograph-verify-text", "cryograph-packed-ops-text"];
// The documentation from the page in a folder, and from the page in one file, which has none next to it.
const kDocs = { folder: "docs/index.html", single: `${kRepository}/tree/main/docs` };
const docsAt = (address) => ({ ...kCommon.define, DOCS_ADDRESS: JSON.stringify(address) });
const kCommon = {
  bundle: true,
  target: "es2022",
  minify: true,
  logLevel: "warning",
  // TypeScript has checked the page's calls of the package.
  define: { CRYOGRAPH_CHECKS: "false" },
};

export async function bundlePage(core, out = join(root, "build/web")) {
  // Packed at the same time, each by a process of its own.
  const inside = insidePlugin({
    "cryograph-worker-text": bundleWorker("web/worker.ts", core),
    "cryograph-rest-text": packed(join(core, "core.rest.wasm")),
    "cryograph-verify-text": bundleWorker("web/verify/worker.ts", core).then(packedBytes),
    "cryograph-packed-ops-text": packed(join(root, kOps)),
    "cryograph-packed-releases": packedReleases(root),
  });
  const single = bundleSingle(inside);
  await bundleFolder(inside, out);
  await bundleDocs(join(out, "docs"));
  await writeFile(join(out, "../cryograph.html"), await single);
}

async function bundleWorker(entry, core) {
  const { outputFiles } = await build({
    ...kCommon,
    entryPoints: [join(root, entry)],
    format: "iife",
    write: false,
    plugins: [corePlugin(root, core, { wasm: "core.first.wasm" }), inventory],
    // The glue looks for core.wasm next to itself, in vain and without need: the page passes it in.
    define: { ...kCommon.define, "import.meta.url": '"https://localhost/"' },
  });
  return outputFiles[0].text;
}

async function bundleFolder(inside, out) {
  await rm(out, { recursive: true, force: true });
  await mkdir(out, { recursive: true });
  const { metafile } = await build({
    ...kCommon,
    entryPoints: [join(root, "web/page.ts"), join(root, "web/style.css")],
    format: "esm",
    splitting: true,
    define: docsAt(kDocs.folder),
    chunkNames: "[name]-[hash]",
    outdir: out,
    plugins: [inside, samplesPlugin(root), inventory],
  });
  for (const file of kFiles) await copyFile(join(root, file), join(out, basename(file)));
  await preload(metafile, out);
  await bundleServiceWorker(out);
}

// Adds links to index.html, so that the chunks that page.js imports are loaded together with it, and after them the worker's script.
async function preload({ outputs }, out) {
  const [, { imports }] = Object.entries(outputs).find(([path]) => basename(path) === "page.js");
  const link = (path, more = "") => `<link rel="modulepreload" href="${basename(path)}"${more}>\n`;
  const links = imports.filter(({ kind }) => kind === "import-statement").map(({ path }) => link(path));
  const worker = Object.keys(outputs).find((path) => basename(path).startsWith("cryograph-worker-text-"));
  links.push(link(worker, ' fetchpriority="low"'));
  const html = await readFile(join(out, "index.html"), "utf8");
  await writeFile(join(out, "index.html"), html.replace(/(?=<script type="module")/, links.join("")));
}

// It names all that is in the folder; a change of any file is a new version.
async function bundleServiceWorker(out) {
  const names = (await readdir(out)).sort();
  const hash = createHash("sha256");
  for (const name of names) hash.update(name).update(await readFile(join(out, name)));
  await build({
    ...kCommon,
    entryPoints: [join(root, "web/service_worker.ts")],
    format: "iife",
    outdir: out,
    define: {
      ...kCommon.define,
      PAGE_VERSION: JSON.stringify(hash.digest("hex").slice(0, 16)),
      PAGE_FILES: JSON.stringify(["./", ...names]),
    },
  });
}

// The texts come first: scripts compress better next to one another.
async function bundleSingle(inside) {
  const imports = [...kTexts, "cryograph-samples", "./page.ts", "./style.css"].map((path) => `import "${path}";\n`);
  const { outputFiles } = await build({
    ...kCommon,
    stdin: { contents: imports.join(""), resolveDir: join(root, "web"), sourcefile: "single.ts" },
    format: "iife",
    define: docsAt(kDocs.single),
    outdir: root,
    write: false,
    plugins: [inside, samplesPlugin(root), inventory],
  });
  const ending = (end) => outputFiles.find(({ path }) => path.endsWith(end)).text;
  const read = (name) => readFile(join(root, "web", name), "utf8");
  return singlePage(await read("index.html"), {
    script: ending(".js"),
    style: ending(".css"),
    icon: await read("icon.svg"),
  });
}

// `contents`: promises of them. Files that are scripts of the page's own, loaded after it or on demand: the worker, the rest of the core, the definitions of
// ops, the data of releases and the worker that verifies.
function insidePlugin(contents) {
  return {
    name: "inside",
    setup(build) {
      const names = /^cryograph-((worker|rest|verify|packed-ops)-text|packed-releases)$/;
      build.onResolve({ filter: names }, ({ path }) => ({ path, namespace: "inside" }));
      build.onLoad({ filter: /./, namespace: "inside" }, async ({ path }) => ({
        contents: await contents[path],
        loader: path.endsWith("-text") ? "text" : "js",
      }));
    },
  };
}

if (process.argv[1] === import.meta.filename)
  await bundlePage(resolve(process.argv[2] ?? join(root, "build/wasm/wasm")));
