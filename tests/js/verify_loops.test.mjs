// verify over loops and branches, most of which TensorFlow.js does not run as they are.
import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { verify } from "cryograph/verify";
import { data } from "./support.mjs";

const attr = (key, value) => `attr { key: "${key}" value { ${value} } }`;
const type = (key, name) => attr(key, `type: DT_${name}`);
const constant = (name, value) =>
  attr("value", `tensor { dtype: DT_${name} tensor_shape {} ${name === "INT32" ? "int_val" : "float_val"}: ${value} }`);

/** The attributes of a node, by its op; of all others T is the type. */
const kAttrs = {
  Const: (name, value) => type("dtype", name) + constant(name, value),
  Enter: (name) => type("T", name) + attr("frame_name", 's: "loop"'),
  Invariant: (name) => type("T", name) + attr("frame_name", 's: "loop"') + attr("is_constant", "b: true"),
  LoopCond: () => "",
  Merge: (name) => type("T", name) + attr("N", "i: 2"),
  Placeholder: (name, size) =>
    type("dtype", name) + attr("shape", size ? `shape { dim { size: ${size} } }` : "shape {}"),
  StatelessWhile: () =>
    attr("T", "list { type: [DT_INT32, DT_VARIANT] }") +
    attr("cond", 'func { name: "cond" }') +
    attr("body", 'func { name: "body" }'),
  Cast: () => type("SrcT", "INT32") + type("DstT", "FLOAT"),
  TensorListReserve: () => type("element_dtype", "FLOAT") + type("shape_type", "INT32"),
  TensorListSetItem: () => type("element_dtype", "FLOAT"),
  TensorListStack: () => type("element_dtype", "FLOAT"),
};

/** [name, op, type, ...inputs]; a Const's value and a Placeholder's size come before its inputs. */
function node([name, op, of, ...rest]) {
  const more = ["Const", "Placeholder"].includes(op) ? rest.shift() : undefined;
  const attrs = kAttrs[op]?.(of, more) ?? type("T", of);
  return `name: "${name}" op: "${op === "Invariant" ? "Enter" : op}" ${rest.map((input) => `input: "${input}"`).join(" ")} ${attrs}`;
}

const graph = (rows) => rows.map((row) => `node { ${node(row)} }`).join("\n");
const body = (rows) => rows.map((row) => `node_def { ${node(row)} }`).join("\n");
const opened = (...text) => open(Buffer.from(text.join("\n")));

/** y = x, and three times `step` with d, in a loop of plain nodes; d is `op` of x, which the body alone takes. */
function loopWith(op, step = "AddV2") {
  return opened(
    graph([
      ["x", "Placeholder", "FLOAT", 3],
      ["d", op, "FLOAT", "x"],
      ["zero", "Const", "INT32", 0],
      ["one", "Const", "INT32", 1],
      ["three", "Const", "INT32", 3],
      ["i", "Enter", "INT32", "zero"],
      ["acc", "Enter", "FLOAT", "x"],
      ["by", "Invariant", "FLOAT", "d"],
      ["end", "Invariant", "INT32", "three"],
      ["step", "Invariant", "INT32", "one"],
      ["iM", "Merge", "INT32", "i", "iN"],
      ["accM", "Merge", "FLOAT", "acc", "accN"],
      ["less", "Less", "INT32", "iM", "end"],
      ["cond", "LoopCond", "", "less"],
      ["iS", "Switch", "INT32", "iM", "cond"],
      ["accS", "Switch", "FLOAT", "accM", "cond"],
      ["iNext", "AddV2", "INT32", "iS:1", "step"],
      ["accNext", step, "FLOAT", "accS:1", "by"],
      ["iN", "NextIteration", "INT32", "iNext"],
      ["accN", "NextIteration", "FLOAT", "accNext"],
      ["y", "Exit", "FLOAT", "accS"],
    ]),
  );
}

test("what a loop's body takes is looked at: a first difference, and an op that is missing", async () => {
  const [exp, tanh, odd] = await Promise.all(["Exp", "Tanh", "Digamma"].map((op) => loopWith(op)));
  assert.equal((await verify(exp, exp, { outputs: "y" })).equal, true);
  const { firstDifference } = await verify(exp, tanh, { outputs: "y" });
  assert.deepEqual([firstDifference.node, firstDifference.otherOp], ["d", "Tanh"]);
  const {
    verdict,
    outputs: [{ why, node }],
  } = await verify(odd, odd, { outputs: "y" });
  assert.deepEqual([verdict, why, node], ["undecided", "TensorFlow.js has no op Digamma", "d"]);
});

test("a loop that TensorFlow.js cannot run is undecided, and so is the whole", async () => {
  const model = await loopWith("Exp", "MatMul"); // of vectors
  const { verdict, outputs, uncovered } = await verify(model, model, { outputs: ["d", "y"] });
  assert.deepEqual([verdict, ...outputs.map((each) => each.verdict)], ["undecided", "equal", "undecided"]);
  assert.deepEqual(
    uncovered.map(({ name, node, op }) => [name, node, op]),
    [["y", "y", "Exit"]],
  );
  assert.match(uncovered[0].why, /^TensorFlow\.js cannot run this loop \(its limit, not the model's\): .*matMul/);
});

test("a loop within a loop is run", async () => {
  const model = await open(join(data, "nested_while/model.ckpt.meta"));
  const { equal, outputs, uncovered } = await verify(model, await model.freeze({ outputs: "y" }), { outputs: "y" });
  assert.deepEqual([equal, outputs.map(({ name }) => name), uncovered], [true, ["y"], []]);
});

/** The values of y, the largest first. */
async function values(model, feed) {
  const {
    outputs: [{ name, classes }],
  } = await verify(model, model, { outputs: "y", feed });
  assert.equal(name, "y");
  return classes.top.map(({ value }) => value);
}

test("of two branches that are constants the one that is gone is taken", async () => {
  const model = await opened(
    graph([
      ["x", "Placeholder", "FLOAT", 3],
      ["p", "Placeholder", "BOOL", 0],
      ["s", "Switch", "BOOL", "p", "p"],
      ["no", "Identity", "BOOL", "s"],
      ["yes", "Identity", "BOOL", "s:1"],
      ["two", "Const", "FLOAT", 2, "^no"],
      ["four", "Const", "FLOAT", 4, "^yes"],
      ["m", "Merge", "FLOAT", "two", "four"],
      ["y", "Mul", "FLOAT", "x", "m"],
    ]),
  );
  const x = { shape: [3], data: [1, 2, 3] };
  assert.deepEqual(await values(model, { x, p: { shape: [], data: [0] } }), [6, 4, 2]);
  assert.deepEqual(await values(model, { x, p: { shape: [], data: [1] } }), [12, 8, 4]);
});

test("a list that a loop's function fills is kept", async () => {
  const args = 'input_arg { name: "i" type: DT_INT32 } input_arg { name: "l" type: DT_VARIANT }';
  const model = await opened(
    graph([
      ["x", "Placeholder", "FLOAT", 3],
      ["zero", "Const", "INT32", 0],
      ["three", "Const", "INT32", 3],
      ["shape", "Const", "INT32", -1],
      ["list", "TensorListReserve", "", "shape", "three"],
      ["loop", "StatelessWhile", "", "zero", "list"],
      ["stack", "TensorListStack", "", "loop:1", "shape"],
      ["y", "Mul", "FLOAT", "stack", "x"],
    ]),
    "library {",
    `function { signature { name: "cond" ${args} output_arg { name: "o" type: DT_BOOL } }
     ${body([
       ["three", "Const", "INT32", 3],
       ["less", "Less", "INT32", "i", "three:output:0"],
     ])} ret { key: "o" value: "less:z:0" } }`,
    `function { signature { name: "body" ${args} output_arg { name: "io" type: DT_INT32 } output_arg { name: "lo" type: DT_VARIANT } }
     ${body([
       ["one", "Const", "INT32", 1],
       ["next", "AddV2", "INT32", "i", "one:output:0"],
       ["item", "Cast", "", "next:z:0"],
       ["set", "TensorListSetItem", "", "l", "i", "item:y:0"],
     ])} ret { key: "io" value: "next:z:0" } ret { key: "lo" value: "set:output_handle:0" } }`,
    "}",
  );
  assert.deepEqual(await values(model, { x: { shape: [3], data: [2, 2, 2] } }), [6, 4, 2]);
});
