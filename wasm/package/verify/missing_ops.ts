import { isAsynchronous } from "./runner.js";
import type { TensorFlowJs, TfGraphModel } from "./tensorflow_js.js";

// These take no part in computing, or are not run at all.
const kOfEveryGraph = new Set(["Const", "NoOp", "Placeholder", "PlaceholderWithDefault"]);

/**
 * Returns those of `ops` that TensorFlow.js does not have. For each op it runs a single node: the error message for a
 * missing op is specific. Asynchronous ops are assumed present; a missing one fails when it is run.
 */
export async function missingOps(tf: TensorFlowJs, ops: Iterable<string>): Promise<Set<string>> {
  const missing = new Set<string>();
  for (const op of new Set(ops)) {
    if (!kOfEveryGraph.has(op) && !isAsynchronous(op) && (await isMissing(tf, op))) missing.add(op);
  }
  return missing;
}

async function isMissing(tf: TensorFlowJs, op: string): Promise<boolean> {
  const modelTopology = { node: [{ name: "alone", op, input: [], attr: {} }], versions: {} };
  let model: TfGraphModel | null = null;
  try {
    model = await tf.loadGraphModel({ load: async () => ({ modelTopology, weightSpecs: [], weightData: [] }) });
    for (const tensor of [model.execute({}, ["alone"])].flat()) tensor?.dispose();
    return false;
  } catch (error) {
    return /Unknown op|is not implemented/.test(String(error)); // any other error: its inputs are missing
  } finally {
    model?.dispose();
  }
}
