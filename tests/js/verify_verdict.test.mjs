// The verdict of verify: "equal" only for what ran; and the inputs that decide what runs.
import "@tensorflow/tfjs-backend-cpu";

import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { verify } from "cryograph/verify";
import { command, scratch } from "./support.mjs";
import { constant, graphText, node, placeholder, type } from "./graph_text.mjs";

const opened = (...nodes) => open(Buffer.from(graphText(...nodes)));
const x = placeholder("x", "FLOAT", [1, 3]);

/** y = `op` of FakeQuantWithMinMaxArgs(x), which TensorFlow.js does not have; z = `other` of x. */
const quantized = (op, other = "Exp") =>
  graphText(
    x,
    node("q", "FakeQuantWithMinMaxArgs", ["x"]),
    node("y", op, ["q"], type("T", "FLOAT")),
    node("z", other, ["x"], type("T", "FLOAT")),
  );

const graphs = (t, ...texts) => {
  const folder = scratch(t);
  return texts.map((text, i) => {
    const path = join(folder, `${"ab"[i]}.pbtxt`);
    writeFileSync(path, text);
    return path;
  });
};

test("an output that did not run is never part of equal", async (t) => {
  const [a, b] = graphs(t, quantized("Softmax"), quantized("LogSoftmax"));
  const report = await verify(await open(a), await open(b), { outputs: ["z", "y"] });
  assert.deepEqual([report.verdict, report.equal, report.missingOps], ["undecided", null, ["FakeQuantWithMinMaxArgs"]]);
  assert.deepEqual(
    report.outputs.map(({ name, verdict, equal, largest, why }) => [name, verdict, equal, largest, why]),
    [
      ["z", "equal", true, 0, "bit for bit"],
      ["y", "undecided", null, null, "TensorFlow.js has no op FakeQuantWithMinMaxArgs"],
    ],
  );
  for (const outputs of ["y", "z,y"]) {
    const { status, stdout, stderr } = command(["verify", a, b, "--outputs", outputs]);
    assert.equal(status, 3, stderr);
    assert.match(stdout, /^undecided\n/);
    assert.match(stdout, /y {2}undecided: TensorFlow\.js has no op FakeQuantWithMinMaxArgs {2}\(node q\)/);
    assert.match(stdout, /--script OUT\.py/);
    assert.doesNotMatch(stderr, /nothing to freeze/);
  }
  assert.equal(command(["verify", a, b, "--outputs", "z"]).status, 0);
});

test("one output that differs decides, whatever could not be run", async (t) => {
  const [a, b] = graphs(t, quantized("Softmax"), quantized("Softmax", "Tanh"));
  const { verdict, equal, outputs, firstDifference } = await verify(await open(a), await open(b), {
    outputs: ["y", "z"],
  });
  assert.deepEqual(
    [verdict, equal, ...outputs.map((each) => each.verdict)],
    ["different", false, "undecided", "different"],
  );
  assert.ok(outputs[1].largest > 0);
  assert.match(outputs[1].why, /^3 of 3 elements differ/);
  assert.equal(firstDifference.node, "z");
  assert.equal(command(["verify", a, b, "--outputs", "y,z"]).status, 1);
});

test("an output of one model alone is undecided", async () => {
  const [a, b] = await Promise.all(
    [["y", "z"], ["y"]].map((names) => opened(x, ...names.map((name) => node(name, "Exp", ["x"], type("T", "FLOAT"))))),
  );
  const frozen = [await a.freeze({ outputs: ["y", "z"] }), await b.freeze({ outputs: "y" })];
  const { verdict, outputs } = await verify(...frozen);
  if (outputs.length > 1)
    assert.deepEqual(
      [verdict, outputs.find(({ name }) => name === "z").why],
      ["undecided", "it is an output of A alone"],
    );
});

test("values that TensorFlow.js does not hold are undecided", async () => {
  const model = await opened(
    placeholder("x", "DOUBLE", [1]),
    constant("c", "DOUBLE", [1], "double_val: 0.1"),
    node("y", "AddV2", ["x", "c"], type("T", "DOUBLE")),
  );
  const {
    verdict,
    outputs: [{ why, node: place }],
    inputs,
  } = await verify(model, model, { outputs: "y" });
  assert.deepEqual([verdict, place, inputs.map(({ name }) => name)], ["undecided", "c", ["x"]]);
  assert.match(why, /float32 does not hold its values/);
});

test("values that say little are remarked on", async () => {
  const model = await opened(
    x,
    node("l", "Log", ["n"], type("T", "FLOAT")),
    node("n", "Neg", ["x"], type("T", "FLOAT")),
  );
  const {
    outputs: [{ why }],
  } = await verify(model, model, { outputs: "l" });
  assert.equal(why, "bit for bit, but all of it is NaN");
});

/** y = x * scale, a scalar that is a placeholder; or a constant in its place. */
// Of a release in which the shape [] is that of a scalar.
const scaled = (scale) =>
  opened(x, scale, node("y", "Mul", ["x", "scale"], type("T", "FLOAT")), "versions { producer: 22 }");
const four = constant("scale", "FLOAT", [], "float_val: 4");

test("a value is set in each model that has the placeholder", async () => {
  const [open_, frozen] = [await scaled(placeholder("scale", "FLOAT", [])), await scaled(four)];
  for (const set of [{ scale: 4 }, ["scale=4"], "scale=4"]) {
    const report = await verify(open_, frozen, { outputs: "y", set });
    assert.deepEqual([report.verdict, report.inputs.map(({ name }) => name)], ["equal", ["x"]]);
    assert.deepEqual(
      report.diagnostics.map(({ code }) => code),
      ["set-in-one-model"],
    );
  }
  assert.equal((await verify(open_, frozen, { outputs: "y", set: { scale: 3 } })).verdict, "different");
  await assert.rejects(verify(open_, frozen, { outputs: "y", set: { scall: 3 } }), /scall is not in graph, in A \(/);
});

test("set takes a record, of lists too, and its errors speak JavaScript", async () => {
  const model = await opened(
    x,
    placeholder("shape", "INT32", [2]),
    node("y", "Reshape", ["x", "shape"], type("T", "FLOAT") + type("Tshape", "INT32")),
  );
  const made = await model.freeze({ outputs: "y", set: { shape: [3, 1] } });
  assert.equal(made.node("shape").node.op, "Const");
  assert.deepEqual([...(await made.weight("shape")).data], [3, 1]);
  await assert.rejects(model.freeze({ set: 1 }), {
    code: "bad-option",
    message: /record of values by name.*set: \{ is_training: false \}/,
  });
  await assert.rejects(model.freeze({ set: { shape: null } }), {
    code: "bad-option",
    message: /a list of these for 'shape'/,
  });
  for (const set of [{ shape: "no" }, { shape: [1, "a"] }]) {
    const error = await model.freeze({ outputs: "y", set }).catch((each) => each);
    assert.doesNotMatch(error.message, /--/);
  }
});

test("arrays of a model with a graph are its weights; an error about them speaks JavaScript", async () => {
  const model = await opened(
    x,
    constant("w", "FLOAT", [3], "float_val: 1"),
    node("y", "Mul", ["x", "w"], type("T", "FLOAT")),
  );
  assert.deepEqual(
    (await model.write({ as: "npz" })).map(({ path }) => path),
    ["weights.npz"],
  );
  const error = await (await scaled(four)).write({ as: "npz" }).catch((each) => each);
  assert.equal(error.code, "no-weights");
  assert.doesNotMatch(error.message, /--|PATH|-o /);
});

test("literals are values for inputs", async () => {
  const model = await scaled(placeholder("scale", "FLOAT", []));
  const {
    outputs: [{ classes }],
    inputs,
  } = await verify(model, model, { outputs: "y", feed: { x: [[1, 2, 3]], scale: 10 } });
  assert.deepEqual(
    [classes.top.map(({ value }) => value), inputs.map(({ from }) => from)],
    [
      [30, 20, 10],
      ["feed", "feed"],
    ],
  );
  for (const feed of [
    { x: [[1, 2], [3]] },
    { x: [1, 2, 3] },
    { x: [[true, false, true]] },
    { scale: "4" },
    { scale: [4] },
  ]) {
    await assert.rejects(verify(model, model, { outputs: "y", feed }), { code: "bad-feed" }, JSON.stringify(feed));
  }
  const zero = await verify(model, model, { outputs: "y", feed: { scale: 0 } });
  assert.deepEqual(
    zero.inputs.map(({ from }) => from),
    ["random", "feed"],
  );
});

test("the command takes literals and sets next to files", (t) => {
  const [a, b] = graphs(
    t,
    graphText(x, placeholder("scale", "FLOAT", []), node("y", "Mul", ["x", "scale"], type("T", "FLOAT"))),
    graphText(x, four, node("y", "Mul", ["x", "scale"], type("T", "FLOAT"))),
  );
  const run = (...more) => command(["verify", a, b, "--outputs", "y", ...more]);
  assert.equal(run("--set", "scale=4").status, 0);
  assert.equal(run("--set", "scale=5").status, 1);
  assert.match(run("--set", "scall=5").stderr, /scall is not in graph, in A \(/);
  const fed = run("--feed", "x=[[1,2,3]],scale=4", "--json");
  assert.equal(fed.status, 0, fed.stderr);
  assert.deepEqual(
    JSON.parse(fed.stdout).inputs.map(({ from }) => from),
    ["feed", "feed"],
  );
  assert.match(run("--feed", "x=none.npy").stderr, /none\.npy/);
});

/** y: rows of a table of `rows`, by ids that are cast and reshaped. */
const lookup = (rows, as = "INT32") =>
  opened(
    placeholder("ids", as, [-1, 40]),
    node("cast", "Cast", ["ids"], type("SrcT", as) + type("DstT", "INT32")),
    constant("flat", "INT32", [1], "int_val: -1"),
    node("reshape", "Reshape", ["cast", "flat"], type("T", "INT32") + type("Tshape", "INT32")),
    constant("table", "FLOAT", [rows, 2], "float_val: 0.5"),
    constant("axis", "INT32", [], "int_val: 0"),
    node(
      "y",
      "GatherV2",
      ["table", "reshape", "axis"],
      type("Tparams", "FLOAT") + type("Tindices", "INT32") + type("Taxis", "INT32"),
    ),
  );

test("whole numbers that index a table are drawn within it", async () => {
  for (const [rows, as] of [
    [3, "INT32"],
    [3, "INT64"],
    [50000, "INT32"],
  ]) {
    const model = await lookup(rows, as);
    const {
      verdict,
      inputs: [ids],
    } = await verify(model, model, { outputs: "y" });
    assert.deepEqual([verdict, ids.from, ids.range, ids.why], ["equal", "random", [0, rows - 1], "indices into table"]);
  }
  const one = await opened(
    placeholder("ids", "INT32", [2]),
    constant("depth", "INT32", [], "int_val: 4"),
    constant("on", "FLOAT", [], "float_val: 1"),
    constant("off", "FLOAT", [], "float_val: 0"),
    node("y", "OneHot", ["ids", "depth", "on", "off"], type("T", "FLOAT") + type("TI", "INT32")),
  );
  assert.deepEqual((await verify(one, one, { outputs: "y" })).inputs[0].range, [0, 3]);
});

test("the smaller of two tables that are looked up decides", async () => {
  const {
    inputs: [ids],
  } = await verify(await lookup(7), await lookup(5), { outputs: "y" });
  assert.deepEqual(ids.range, [0, 4]);
});

test("a single bool is false unless it is fed, and is reported so", async (t) => {
  const text = graphText(
    x,
    placeholder("is_training", "BOOL", []),
    node("y", "Select", ["is_training", "x", "x"], type("T", "FLOAT")),
  );
  const [a] = graphs(t, text);
  const { inputs } = await verify(await open(a), await open(a), { outputs: "y" });
  assert.deepEqual(inputs[1], {
    name: "is_training",
    dtype: "bool",
    shape: [],
    from: "fixed",
    value: false,
    why: "a single bool is false unless fed",
  });
  const { stdout } = command(["verify", a, a, "--outputs", "y"]);
  assert.match(stdout, /is_training {2}bool \[\] {2}false \(a single bool is false unless fed\)\n/);
});

test("--script writes a script, the frozen models and large inputs, as a set", async (t) => {
  const folder = scratch(t);
  const [a, b] = graphs(t, quantized("Softmax"), quantized("LogSoftmax"));
  const out = join(folder, "compare.py");
  const args = ["verify", a, b, "--outputs", "y", "--script", out];
  const { status, stdout } = command([...args, "--json"]);
  assert.equal(status, 3);
  assert.deepEqual(
    JSON.parse(stdout).script.map(({ path }) => path),
    ["compare.py", "compare.a.pb", "compare.b.pb"],
  );
  assert.deepEqual(readdirSync(folder).sort(), ["compare.a.pb", "compare.b.pb", "compare.py"]);
  assert.match(readFileSync(out, "utf8"), /\("x:0", "x:0", np\.array\(\[[\d., ]+\]\)\.reshape\(\[1, 3\]\)\)/);
  const again = command(args);
  assert.deepEqual([again.status, /exists/.test(again.stderr)], [3, true]);
  assert.match(command([...args, "--force"]).stdout, /compare\.py {2}compares them in TensorFlow/);
  const large = graphs(t, graphText(placeholder("x", "FLOAT", [100]), node("y", "Exp", ["x"], type("T", "FLOAT"))))[0];
  assert.equal(command(["verify", large, large, "--outputs", "y", "--script", join(folder, "two.py")]).status, 0);
  assert.ok(existsSync(join(folder, "two.input_0.npy")));
  const fed = await (await open(join(folder, "two.input_0.npy"))).weight("two.input_0");
  assert.deepEqual(fed.shape, [100]);
});
