// The models that the page ships, each a module of its own that is loaded on demand.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { packed } from "./bundle_core.mjs";

/**
 * The samples by their names in web/words/samples.ts, in the order they are shown. `from`: the folder that the files'
 * names start from.
 */
const kSamples = {
  digits: {
    from: "web/samples/digits",
    files: ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"],
  },
  convnet: { from: "tests/data/frozen_convnet", files: ["graph.pb"] },
  keras: {
    from: "tests/data/objects/keras/saved",
    files: ["saved_model.pb", "variables/variables.index", "variables/variables.data-00000-of-00001"],
  },
  training: {
    from: "tests/data/training_cond",
    files: ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"],
  },
  broken: { from: "web/samples/broken", files: ["broken.pb"] },
};
const kModule = /^cryograph-sample\//;

/** A plugin of esbuild: "cryograph-samples" lists them, "cryograph-sample/NAME" has the files of one. */
export function samplesPlugin(root) {
  return {
    name: "samples",
    setup(build) {
      build.onResolve({ filter: /^cryograph-samples?(\/|$)/ }, ({ path }) => ({ path, namespace: "samples" }));
      build.onLoad({ filter: /^cryograph-samples$/, namespace: "samples" }, async () => ({
        contents: await list(root),
        loader: "js",
      }));
      build.onLoad({ filter: kModule, namespace: "samples" }, async ({ path }) => ({
        contents: JSON.stringify(await files(root, path.replace(kModule, ""))),
        loader: "json",
      }));
    },
  };
}

async function list(root) {
  const rows = await Promise.all(
    Object.entries(kSamples).map(async ([name, { from, files: all }]) => {
      const sizes = await Promise.all(all.map((file) => stat(join(root, from, file))));
      const bytes = sizes.reduce((sum, { size }) => sum + size, 0);
      return `{ name: "${name}", bytes: ${bytes}, files: () => import("cryograph-sample/${name}") }`;
    }),
  );
  return `export const samples = [${rows.join(", ")}];`;
}

// In a folder of the sample's name.
async function files(root, sample) {
  const { from, files: all } = kSamples[sample];
  return Object.fromEntries(
    await Promise.all(all.map(async (name) => [`${sample}/${name}`, await packed(join(root, from, name))])),
  );
}
