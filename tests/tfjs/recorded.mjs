// Records the models that verify runs in TensorFlow.js and the results, so that TensorFlow can run the same.
import "@tensorflow/tfjs-backend-cpu";

import { join } from "node:path";

import * as converter from "@tensorflow/tfjs-converter";
import * as core from "@tensorflow/tfjs-core";
import { verify } from "cryograph/verify";

core.enableProdMode(); // else it says what it thinks of each model

let count = 0;

/**
 * The report of verify, with the tensors that were `compared`, and `run`: the frozen graph of the first model, as a .pb in `folder`, what its inputs were fed, and the value of
 * each tensor that was compared.
 */
export async function recordedVerify(model, other, options, folder) {
  const runs = []; // verify freezes, and runs what it froze; it may do so again
  const freeze = async (how) => {
    const frozen = await model.freeze(how);
    const [file] = await frozen.write({ as: "pb" });
    const graph = join(folder, `${count++}.pb`);
    await file.save(graph);
    runs.push({ graph, feeds: {}, values: null });
    return frozen;
  };
  const loadGraphModel = async (from) => {
    const loaded = await converter.loadGraphModel(from);
    const run = runs.at(-1);
    return run.values ? loaded : recorded(loaded, run); // the first one that is loaded
  };
  const report = await verify({ report: model.report, freeze }, other, { ...options, tf: { ...core, loadGraphModel } });
  const compared = [...report.outputs, ...report.instead].filter(({ verdict }) => verdict !== "undecided");
  return { ...report, compared, run: runs.findLast(({ values }) => compared.every(({ name }) => values?.has(name))) };
}

function recorded(model, run) {
  run.values = new Map(Object.entries(model.weights).map(([name, [tensor]]) => [name, valueOf(tensor)]));
  const keep = (feeds, names, results) => {
    run.feeds = Object.fromEntries(Object.entries(feeds).map(([name, tensor]) => [name, valueOf(tensor)]));
    for (const [i, tensor] of [results].flat().entries()) if (tensor) run.values.set(names[i], valueOf(tensor));
    return results;
  };
  return {
    weights: model.weights,
    execute: (feeds, names) => keep(feeds, names, model.execute(feeds, names)),
    executeAsync: async (feeds, names) => keep(feeds, names, await model.executeAsync(feeds, names)),
    dispose: () => model.dispose(),
  };
}

function valueOf(tensor) {
  const { dtype, shape } = tensor;
  return {
    dtype,
    shape,
    data: dtype === "string" ? core.backend().readSync(tensor.dataId) : tensor.dataSync().slice(),
  };
}
