// Checks that TensorFlow.js computed the same as TensorFlow.
import { open } from "cryograph";
import { recordedVerify } from "./recorded.mjs";

const kTolerance = 1e-4; // of a tensor's largest number: sums of float32 in another order

const hasNoElements = (attrs, [input]) => input?.data.length === 0;

/**
 * Known differences of TensorFlow.js, by op: the affected nodes (by attributes and values of inputs), and the reason.
 */
const kFaults = {
  Cumsum: { of: (attrs, [, axis]) => axis?.data[0] < 0, why: "a negative axis is not counted from the end" },
  Max: { of: hasNoElements, why: "of no elements it is NaN" },
  Mean: { of: hasNoElements, why: "of no elements it is 0" },
  Min: { of: hasNoElements, why: "of no elements it is NaN" },
  OneHot: { of: ({ axis }) => axis !== -1, why: "the axis is taken for the last" },
  TopKV2: { of: ({ sorted }) => sorted === false, why: "the order, which the model leaves open, is another" },
};

/** {compared, refused, differences, fault}: of what verify compared, what TensorFlow computes otherwise, and the known fault that explains it. */
export async function agreement(tensorFlow, report, folder) {
  const { compared, differences, refused } = await differing(tensorFlow, report);
  const node = differences.length > 0 ? await culprit(tensorFlow, report.run.graph, folder) : null;
  return { compared, refused, differences: differences.map((each) => ({ ...each, node })), fault: faultOf(node) };
}

function faultOf(node) {
  const fault = kFaults[node?.op];
  return fault?.of(node.attrs, node.values) ? `${node.op}: ${fault.why}` : null;
}

// A node whose value differs while those that it is made of do not: {name, op, attrs, values of its inputs}.
async function culprit(tensorFlow, graph, folder) {
  const model = await open(graph);
  const { nodes } = model.list("nodes");
  const outputs = nodes.filter(({ op }) => !/^(Placeholder.*|NoOp)$/.test(op)).map(({ name }) => name);
  const report = await recordedVerify(model, model, { outputs }, folder);
  const names = new Set((await differing(tensorFlow, report)).differences.map(({ name }) => name));
  const isMade = ({ inputs }) => inputs.every((input) => !names.has(input.replace(/:\d+$/, "")));
  const found = nodes.find((node) => names.has(node.name) && isMade(node));
  if (!found) return null;
  const attrs = model.node(found.name).node.attrs.map(({ name, value }) => [name, value]);
  return {
    name: found.name,
    op: found.op,
    attrs: Object.fromEntries(attrs),
    values: found.inputs.map((input) => report.run.values.get(input)),
  };
}

async function differing(tensorFlow, { run: { graph, feeds, values }, compared }) {
  const truth = await tensorFlow.run(
    graph,
    feeds,
    compared.map(({ name }) => name),
  );
  const differences = Object.entries(truth.values).flatMap(([name, value]) => {
    const what = difference(value, values.get(name));
    return what ? [{ name, what }] : [];
  });
  return { compared: Object.keys(truth.values).length, differences, refused: truth.refused };
}

/** null where two values are the same, as far as float32 goes. */
function difference(wanted, found) {
  const [kind, other] = [wanted, found].map(({ dtype, shape }) => `${dtype} [${shape}]`);
  if (kind !== other) return `${other}, not ${kind}`;
  if (wanted.dtype === "string") {
    const at = wanted.data.findIndex((bytes, i) => Buffer.compare(bytes, found.data[i]) !== 0);
    return at < 0 ? null : `at ${at} ${Buffer.from(found.data[at])}, not ${wanted.data[at]}`;
  }
  const size = wanted.data.reduce(
    (most, value) => (Number.isFinite(value) ? Math.max(most, Math.abs(value)) : most),
    0,
  );
  const at = wanted.data.findIndex((value, i) => !isNear(value, found.data[i], kTolerance * size));
  return at < 0 ? null : `at ${at} ${found.data[at]}, not ${wanted.data[at]}`;
}

function isNear(a, b, apart) {
  return a === b || (Number.isNaN(a) && Number.isNaN(b)) || Math.abs(a - b) <= apart;
}
