// verify over real models: what is made of a model by freezing and un-freezing computes what it computed, and TensorFlow.js computes of it
// what TensorFlow computes. What is not covered is counted by its reason. CRYOGRAPH_ALL=1 takes every model of the corpus, else of those
// that are made of the same ops the smallest one.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { join, relative } from "node:path";
import test from "node:test";
import { CryographError, open } from "cryograph";
import { corpus, data, fixtures, scratch } from "../js/support.mjs";
import { agreement } from "./agreement.mjs";
import { recordedVerify } from "./recorded.mjs";
import { missing as noTensorFlow, TensorFlow } from "./tensorflow.mjs";

const kMaxBytes = 8e6; // of weights: TensorFlow.js computes in JavaScript here
const kMaxNodes = 1500;

/** The main files of the corpus's models. */
function filesOfCorpus() {
  const kinds = ["frozen_pb", "freeze_pairs", "savedmodel_tf1", "savedmodel_tf2", "tfjs_graph", "dl4j_bulk"];
  return kinds.flatMap((kind) =>
    readdirSync(join(corpus, kind), { recursive: true })
      .filter((path) => /\.(pb|meta)$|(^|\/)model\.json$/.test(path))
      .sort()
      .map((path) => join(corpus, kind, path)),
  );
}

/** Returns for each set of ops the model whose file has the fewest bytes of weights, and files that are not models. */
async function smallestOfEach(paths) {
  const smallest = new Map();
  for (const path of paths) {
    const about = await open(path).then(
      (model) => model.inspect(),
      () => null,
    );
    const key = about ? Object.keys(about.ops).sort().join() : path;
    const bytes = about ? about.variables.bytes + about.constants.bytes : 0;
    if (!(smallest.get(key)?.bytes <= bytes)) smallest.set(key, { path, bytes });
  }
  return [...smallest.values()].map(({ path }) => path);
}

/** Returns the report of verify, recorded; or the code of the error. */
async function verified(path, options, folder) {
  const model = await open(path);
  const { variables, constants, nodes } = model.inspect();
  if (variables.bytes + constants.bytes > kMaxBytes || nodes > kMaxNodes) return "too large for this test";
  const frozen = await model.freeze(options);
  const other = await frozen.unfreeze().catch(() => frozen); // nothing that is a weight
  return recordedVerify(frozen, other, { outputs: frozen.report.graphOutputs }, folder);
}

/** The outcomes of all models, for the last lines of a test. */
class Coverage {
  whole = 0;
  inPart = 0;
  reasons = new Map();
  lacking = new Map();
  faults = new Map();
  compared = 0;

  add(report) {
    if (report.uncovered.length === 0) this.whole++;
    else this.inPart++;
    const stopped = report.uncovered.map(({ op }) => op ?? "an output of one model alone");
    for (const op of new Set([...stopped, ...report.missingOps])) count(this.lacking, op);
  }

  tell(t) {
    const none = [...this.reasons.values()].reduce((all, number) => all + number, 0);
    t.diagnostic(
      `${this.whole} models covered whole, ${this.inPart} in part, ${none} not at all; ${this.compared} tensors compared with TensorFlow`,
    );
    t.diagnostic(`not at all: ${listed(this.reasons)}`);
    t.diagnostic(`in part, for want of: ${listed(this.lacking)}`);
    for (const [fault, number] of this.faults)
      t.diagnostic(`${number} differ by a known fault of TensorFlow.js, ${fault}`);
  }
}

function count(map, key) {
  map.set(key, (map.get(key) ?? 0) + 1);
}

function listed(map) {
  return (
    [...map]
      .sort(([, a], [, b]) => b - a)
      .map(([what, number]) => `${what} ${number}`)
      .join(", ") || "none"
  );
}

/** Runs all, each in TensorFlow.js and then in TensorFlow, which has its own process. */
async function compareAll(t, models) {
  const [folder, coverage] = [scratch(t), new Coverage()];
  const tensorFlow = noTensorFlow ? null : new TensorFlow();
  if (noTensorFlow) t.diagnostic(noTensorFlow);
  const differing = [];
  const answers = [];
  for (const { name, path, options } of models) {
    const report = await verified(path, options, folder).catch((error) => {
      if (error instanceof CryographError) return error.code;
      throw error;
    });
    if (typeof report === "string") {
      count(coverage.reasons, report);
      continue;
    }
    assert.notEqual(report.verdict, "different", `${name}: ${JSON.stringify(report.firstDifference ?? report)}`);
    assert.equal(report.firstDifference, null, name);
    if (report.compared.length === 0) {
      count(coverage.reasons, report.uncovered[0].why);
      continue;
    }
    coverage.add(report);
    if (tensorFlow) answers.push(agreement(tensorFlow, report, folder).then((found) => ({ name, ...found })));
  }
  for (const { name, compared, refused, differences, fault } of await Promise.all(answers)) {
    coverage.compared += compared;
    if (refused) t.diagnostic(`TensorFlow refuses ${name}: ${refused.slice(0, 150)}`);
    if (fault) count(coverage.faults, fault);
    else differing.push(...differences.map((each) => ({ model: name, ...each })));
  }
  tensorFlow?.close();
  coverage.tell(t);
  assert.deepEqual(differing, []);
  return coverage;
}

test("the fixtures compute the same after freezing and un-freezing, and in TensorFlow", async (t) => {
  const models = Object.entries(fixtures)
    .filter(([, { outputs, weightless, feeds }]) => outputs?.length && !weightless && !feeds)
    .map(([name, { path, outputs }]) => ({ name, path: join(data, path), options: { outputs } }));
  const { whole } = await compareAll(t, models);
  assert.ok(whole >= models.length * 0.6, `${whole} of ${models.length}`);
});

const noCorpus = !existsSync(corpus) && "NOT RUN: there is no corpus at ../shared/corpus";
test(
  "real models compute the same after freezing and un-freezing, and in TensorFlow",
  { skip: noCorpus },
  async (t) => {
    const files = filesOfCorpus();
    const paths = process.env.CRYOGRAPH_ALL ? files : await smallestOfEach(files);
    t.diagnostic(`${paths.length} of ${files.length} files`);
    const { whole } = await compareAll(
      t,
      paths.map((path) => ({ name: relative(corpus, path), path })),
    );
    assert.ok(whole >= 100, `${whole}`);
  },
);
