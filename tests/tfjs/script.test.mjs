// The script of verify runs in TensorFlow and decides what TensorFlow.js cannot: on the same input, with its exit status.
import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import test from "node:test";

import * as converter from "@tensorflow/tfjs-converter";
import * as tf from "@tensorflow/tfjs-core";
import { open } from "cryograph";
import { verify } from "cryograph/verify";

import { constant, graphText, node, placeholder, type } from "../js/graph_text.mjs";
import { data, scratch } from "../js/support.mjs";
import { missing, python } from "./tensorflow.mjs";

const kFloat = type("T", "FLOAT");
const x = placeholder("x", "FLOAT", [1, 30]);
const quantized = (op, input = "x") => [node("q", "FakeQuantWithMinMaxArgs", [input]), node("y", op, ["q"], kFloat)];
const opened = (...nodes) => open(Buffer.from(graphText(...nodes)));

// Runs scripts in one process, each as if it were called alone.
const kRunAll = `
import runpy, sys
for path in sys.argv[1:]:
    try:
        runpy.run_path(path, run_name="__main__")
    except SystemExit as end:
        print("exit", end.code)
`;

/** [a, b, options of verify, verdict of TensorFlow.js, the last lines of the script, its exit status] */
const kCases = {
  async equal() {
    const a = await opened(x, ...quantized("Softmax"));
    return {
      a,
      b: await a.freeze({ outputs: "y" }),
      here: "undecided",
      last: "y:0: equal: bit for bit\nequal",
      status: 0,
    };
  },
  async different() {
    const [a, b] = await Promise.all(["Softmax", "LogSoftmax"].map((op) => opened(x, ...quantized(op))));
    return { a, b, here: "undecided", last: /y:0: different: largest difference \d.*\ndifferent$/, status: 1 };
  },
  async within_the_tolerance() {
    const [a, b] = await Promise.all(
      ["AddV2", "Sub"].map((op) =>
        opened(
          x,
          ...quantized("Relu"),
          constant("c", "FLOAT", [1], "float_val: 0.0001"),
          node("z", op, ["y", "c"], kFloat),
        ),
      ),
    );
    return {
      a,
      b,
      options: { outputs: "z", tolerance: 0.001 },
      here: "undecided",
      last: "z:0: equal: within the tolerance\nequal",
      status: 0,
    };
  },
  async random() {
    const random = node("r", "RandomUniform", ["shape"], type("T", "INT32") + type("dtype", "FLOAT"));
    const a = await opened(
      x,
      constant("shape", "INT32", [1], "int_val: 30"),
      random,
      node("s", "AddV2", ["x", "r"], kFloat),
      ...quantized("Relu", "s"),
    );
    return {
      a,
      b: a,
      here: "undecided",
      last: "y:0: undecided: its values are others in each run\nundecided",
      status: 3,
    };
  },
  async refused_by_tensorflow() {
    const a = await opened(x, node("y", "MatMul", ["x", "x"], kFloat));
    return { a, b: a, here: "undecided", last: /^y:0: undecided: .*\nundecided$/m, status: 3 };
  },
  async doubles() {
    const sum = [placeholder("d", "DOUBLE", [2]), node("y", "AddV2", ["d", "c"], type("T", "DOUBLE"))];
    const [a, b] = await Promise.all(
      [0.1, 0.10000000000000002].map((value) => opened(constant("c", "DOUBLE", [1], `double_val: ${value}`), ...sum)),
    );
    return {
      a,
      b,
      options: { outputs: "y", feed: { d: [1e-3, 2e-3] } },
      here: "undecided",
      last: /\ndifferent$/,
      status: 1,
    };
  },
  async kinds_of_inputs() {
    const nodes = [
      placeholder("ids", "INT64", [-1, 20]),
      constant("table", "FLOAT", [3, 2], "float_val: 0.5"),
      constant("axis", "INT32", [], "int_val: 0"),
      node(
        "rows",
        "GatherV2",
        ["table", "ids", "axis"],
        type("Tparams", "FLOAT") + type("Tindices", "INT64") + type("Taxis", "INT32"),
      ),
      placeholder("mask", "BOOL", [17]),
      placeholder("words", "STRING", [2]),
      placeholder("training", "BOOL", []),
      node("s", "StringLength", ["words"]),
      node("m", "LogicalNot", ["mask"]),
      node("t", "LogicalNot", ["training"]),
    ];
    const a = await opened(...nodes);
    const options = { outputs: ["rows", "s", "m", "t"], feed: { words: ['"é\\', "b"] } };
    return {
      a,
      b: a,
      options,
      here: "undecided",
      last: /^rows:0: equal.*\ns:0: equal.*\nm:0: equal.*\nt:0: equal.*\nequal$/m,
      status: 0,
    };
  },
  async loops() {
    const a = await open(join(data, "nested_while/model.ckpt.meta"));
    return { a, b: await a.freeze({ outputs: "y" }), here: "equal", last: /\nequal$/, status: 0 };
  },
};

async function saved(folder, name) {
  const { a, b, options = { outputs: "y" }, here, ...wanted } = await kCases[name]();
  const { verdict, script } = await verify(a, b, { script: `verify_${name}.py`, ...options });
  assert.equal(verdict, here, name);
  for (const file of script) await file.save(join(folder, file.path));
  return { ...wanted, name, path: join(folder, `verify_${name}.py`) };
}

test("scripts decide in TensorFlow", { skip: missing }, async (t) => {
  const folder = scratch(t);
  const cases = [];
  for (const name of Object.keys(kCases)) cases.push(await saved(folder, name));
  const { stdout, stderr } = spawnSync(python, ["-c", kRunAll, ...cases.map(({ path }) => path)], { encoding: "utf8" });
  const parts = stdout.split(/^exit /m);
  assert.equal(parts.length, cases.length + 1, stderr);
  for (const [i, { name, last, status }] of cases.entries()) {
    const said = parts[i].replace(/^\d+\n/, "").trim();
    assert.equal(Number.parseInt(parts[i + 1], 10), status, `${name}: ${said}`);
    if (typeof last === "string") assert.equal(said, last, name);
    else assert.match(`\n${said}`, last, name);
  }
  const alone = spawnSync(python, [cases[1].path], { encoding: "utf8", cwd: "/" });
  assert.deepEqual([alone.status, alone.stdout.trim().split("\n").at(-1)], [1, "different"], alone.stderr);
});

test("a script loads the very numbers that TensorFlow.js ran on", { skip: missing }, async (t) => {
  const folder = scratch(t);
  const made = [];
  const recorder = {
    ...tf,
    ...converter,
    tensor: (values, ...more) => {
      made.push(values);
      return tf.tensor(values, ...more);
    },
  };
  const model = await opened(placeholder("x", "FLOAT", [4, 9]), node("y", "Exp", ["x"], kFloat));
  const { script } = await verify(model, model, { outputs: "y", seed: 7, script: "s.py", tf: recorder });
  const array = script.find(({ path }) => path === "s.input_0.npy");
  await array.save(join(folder, array.path));
  const code = "import numpy, sys; print(numpy.load(sys.argv[1]).astype('float32').tobytes().hex())";
  const { stdout, stderr } = spawnSync(python, ["-c", code, join(folder, array.path)], { encoding: "utf8" });
  assert.equal(stdout.trim(), Buffer.from(made.at(-1).buffer).toString("hex"), stderr);
});
