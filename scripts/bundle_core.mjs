// The contents of bundles: "cryograph-core" and "cryograph-command" are Emscripten's glue; the names in -text are files, packed and in base64.
import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const kOfSize = 5; // where an .lzma file has the size of its content, which xz leaves open
const kMax = 1 << 26;
export const kOps = "core/data/ops.bin";
const kReleases = { histories: "core/data/op_histories.bin", runtimes: "core/data/runtime_ops.json" };

/** Smallest; wasm/package/core/unpack.ts is the inverse. */
export async function packedBytes(bytes) {
  const file = await filtered("xz", ["--format=lzma", "--lzma1=preset=9e,lc=4,lp=0,pb=0", "--stdout"], bytes);
  file.writeBigUInt64LE(BigInt(bytes.length), kOfSize);
  return file.toString("base64");
}

/** Returns what a program prints for an input; other work goes on meanwhile. */
function filtered(program, args, input) {
  return new Promise((done, failed) => {
    const child = execFile(program, args, { encoding: "buffer", maxBuffer: kMax }, (error, stdout) =>
      error ? failed(error) : done(stdout),
    );
    child.stdin.end(input);
  });
}

const packages = new Set();

/** The names of all npm packages that bundles made so far have code of, sorted. */
export function bundledPackages() {
  return [...packages].sort();
}

/** A plugin of esbuild that adds to them. */
export const inventory = {
  name: "inventory",
  setup(build) {
    build.initialOptions.metafile = true;
    build.onEnd(({ metafile }) => {
      for (const output of Object.values(metafile?.outputs ?? {})) {
        for (const [path, { bytesInOutput }] of Object.entries(output.inputs)) {
          const name = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
          if (name && bytesInOutput > 0) packages.add(name);
        }
      }
    });
  },
};

const texts = new Map();

export async function packed(path) {
  if (!texts.has(path)) texts.set(path, readFile(path).then(packedBytes));
  return texts.get(path);
}

// Fastest to unpack. inflate() there is the inverse.
async function gzipped(path) {
  return gzipSync(await readFile(path), { level: 9, memLevel: 9 }).toString("base64");
}

/** The definitions of ops, which every process that opens a model needs. */
export const gzippedOps = (root) => gzipped(join(root, kOps));

/** The data of TensorFlow's releases, which compat loads, as modules. */
export const gzippedReleases = (root) => releases(root, gzipped);
export const packedReleases = (root) => releases(root, packed);

async function releases(root, pack) {
  const texts = Object.entries(kReleases).map(async ([name, path]) => `${name} = "${await pack(join(root, path))}"`);
  return `export const ${(await Promise.all(texts)).join(", ")};\n`;
}

/**
 * A plugin of esbuild. `core` is the folder of core.mjs, command.mjs and their .wasm; `wasm`, of these files, is the one inside. `ops` and `releases`: modules next to the bundles
 * that have the ops and the data of releases, loaded on demand. A bundle that is one file (no splitting) imports it at once, because it may have to be bundled
 * into one file again.
 */
export function corePlugin(root, core, { ops = null, releases = null, wasm = "core.wasm" } = {}) {
  const texts = {
    "cryograph-core-text": () => packed(join(core, wasm)),
    "cryograph-packed-ops-text": () => packed(join(root, kOps)),
    "cryograph-ops-text": () => gzippedOps(root),
  };
  return {
    name: "core",
    setup(build) {
      build.onResolve({ filter: /^cryograph-(core|command)$/ }, ({ path }) => ({
        path: join(core, `${path.slice("cryograph-".length)}.mjs`),
      }));
      const later = build.initialOptions.splitting === true;
      if (ops && later) build.onResolve({ filter: /^cryograph-ops-text$/ }, () => ({ path: ops, external: true }));
      if (ops && !later) {
        build.onResolve({ filter: /^cryograph-ops-text$/ }, () => ({ path: ops, namespace: "beside" }));
        build.onResolve({ filter: /./, namespace: "beside" }, () => ({ path: ops, external: true }));
        build.onLoad({ filter: /./, namespace: "beside" }, () => ({ contents: `export { default } from "${ops}";` }));
      }
      if (releases) build.onResolve({ filter: /^cryograph-releases$/ }, () => ({ path: releases, external: true }));
      build.onResolve({ filter: /^cryograph-packed-releases$/ }, ({ path }) => ({ path, namespace: "releases" }));
      build.onLoad({ filter: /./, namespace: "releases" }, async () => ({ contents: await packedReleases(root) }));
      build.onResolve({ filter: /^cryograph-(core|packed-ops|ops)-text$/ }, ({ path }) => ({
        path,
        namespace: "text",
      }));
      build.onLoad({ filter: /./, namespace: "text" }, async ({ path }) => ({
        contents: await texts[path](),
        loader: "text",
      }));
    },
  };
}
