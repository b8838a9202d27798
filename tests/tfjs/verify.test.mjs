// verify over real models: what is made of a model by freezing and un-freezing computes what it computed. What TensorFlow.js does not
// cover is counted by its reason.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { basename, join, relative } from "node:path";
import test from "node:test";
import { CryographError, open } from "cryograph";
import { verify } from "cryograph/verify";
import { corpus } from "../js/support.mjs";

const kMostBytes = 3e6;  // of weights: TensorFlow.js computes in JavaScript here
const kMostNodes = 1500;

/** Models by their main files, one of a kind of file a folder of the corpus's bulk. */
function* models() {
  for (const kind of ["frozen_pb", "freeze_pairs", "savedmodel_tf1", "savedmodel_tf2", "tfjs_graph", "dl4j_bulk"]) {
    const paths = readdirSync(join(corpus, kind), { recursive: true }).filter((path) => /\.pb$|(^|\/)model\.json$/.test(path)).sort();
    const every = Math.ceil(paths.length / 60);
    for (const [i, path] of paths.entries()) if (i % every === 0) yield join(corpus, kind, path);
  }
}

/** The report of verify; or the code of what stood in the way. */
async function verified(path) {
  const model = await open(path);
  const { variables, constants, nodes } = model.inspect();
  if (variables.bytes + constants.bytes > kMostBytes || nodes > kMostNodes) return "too large for this test";
  const frozen = await model.freeze();
  const other = await frozen.unfreeze().catch(() => frozen);  // nothing that is a weight
  const outputs = frozen.report.graphOutputs;
  return verify(frozen, other, { outputs });
}

test("real models compute the same after freezing and un-freezing", { skip: !existsSync(corpus) && "NOT RUN: there is no corpus at ../shared/corpus" }, async (t) => {
  const reasons = {};
  let [covered, partly] = [0, 0];
  for (const path of models()) {
    const report = await verified(path).catch((error) => {
      if (error instanceof CryographError) return error.code;
      throw error;
    });
    if (typeof report === "string") {
      reasons[report] = (reasons[report] ?? 0) + 1;
      continue;
    }
    assert.equal(report.equal, true, `${relative(corpus, path)}: ${JSON.stringify(report.firstDifference ?? report)}`);
    if (report.uncovered.length === 0) covered++;
    else partly++;
    for (const { op, why } of report.uncovered.slice(0, 1)) t.diagnostic(`${basename(path)}: ${op ?? why}`);
  }
  t.diagnostic(`${covered} models covered whole, ${partly} in part; others: ${JSON.stringify(reasons)}`);
  assert.ok(covered >= 10, `${covered}`);
});
