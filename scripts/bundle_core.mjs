// What bundles carry inside: "cryograph-core" is Emscripten's glue; the names in -text are files, deflated and in base64.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { deflateSync } from "node:zlib";

export function deflated(bytes) {
  return deflateSync(bytes, { level: 9 }).toString("base64");
}

export async function packed(path) {
  return deflated(await readFile(path));
}

/**
 * A plugin of esbuild. `core` is the folder of core.mjs and core.wasm; `ops`: a module beside the bundles that has the ops, loaded
 * when they are wanted; a bundle that is one file (no splitting) imports it at once, for it may have to be bundled into one again.
 */
export function corePlugin(root, core, ops = null) {
  const texts = {
    "cryograph-core-text": join(core, "core.wasm"),
    "cryograph-ops-text": join(root, "core/graph/ops.bin"),
  };
  return {
    name: "core",
    setup(build) {
      build.onResolve({ filter: /^cryograph-core$/ }, () => ({ path: join(core, "core.mjs") }));
      const later = build.initialOptions.splitting === true;
      if (ops && later) build.onResolve({ filter: /^cryograph-ops-text$/ }, () => ({ path: ops, external: true }));
      if (ops && !later) {
        build.onResolve({ filter: /^cryograph-ops-text$/ }, () => ({ path: ops, namespace: "beside" }));
        build.onResolve({ filter: /./, namespace: "beside" }, () => ({ path: ops, external: true }));
        build.onLoad({ filter: /./, namespace: "beside" }, () => ({ contents: `export { default } from "${ops}";` }));
      }
      build.onResolve({ filter: /^cryograph-(core|ops)-text$/ }, ({ path }) => ({ path: texts[path], namespace: "text" }));
      build.onLoad({ filter: /./, namespace: "text" }, async ({ path }) => ({ contents: await packed(path), loader: "text" }));
    },
  };
}
