// The mathematics of the picture: its place in a window, and the box of a node.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { build } from "esbuild";
import { root } from "./browser.mjs";

const {
  outputFiles: [script],
} = await build({
  stdin: {
    contents: 'export * from "./viewport.js"; export * from "./drawn.js";',
    resolveDir: join(root, "web/picture"),
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const { boxOfNode, boxOfScope, centered, fitted, neighbour, panned, revealing, seen, started, zoomed } = await import(
  `data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`
);

const kWindow = { width: 400, height: 300 };

test("a small picture is shown whole in the middle, a large one from its first box, so that it can be read", () => {
  assert.deepEqual(fitted({ width: 100, height: 100 }, kWindow), { scale: 1, x: 150, y: 100 });
  const wide = fitted({ width: 3680, height: 100 }, kWindow);
  assert.deepEqual([wide.scale, wide.x], [0.1, 16]);
  assert.deepEqual(started({ width: 100, height: 100 }, kWindow, 10), fitted({ width: 100, height: 100 }, kWindow));
  assert.deepEqual(started({ width: 100, height: 5000 }, kWindow, 30), { scale: 1, x: 170, y: 16 });
  assert.deepEqual(started({ width: 4000, height: 100 }, kWindow, 1000), { scale: 0.6, x: -400, y: 120 });
  assert.deepEqual(started({ width: 4000, height: 5000 }, kWindow, 1000), { scale: 0.6, x: -400, y: 16 });
});

test("zooming keeps its place, and has limits; moving keeps some of the picture in sight", () => {
  const at = { x: 90, y: 40 };
  const before = { x: 10, y: 20, scale: 1 };
  const after = zoomed(before, 2, at);
  assert.deepEqual(after, { scale: 2, x: -70, y: 0 });
  assert.equal(zoomed(before, 100, at).scale, 4);
  assert.equal(zoomed(before, 1e-9, at).scale, 0.02);
  assert.deepEqual(panned(before, 5, -5, { width: 100, height: 100 }, kWindow), { scale: 1, x: 15, y: 15 });
  assert.deepEqual(panned(before, -1e6, 1e6, { width: 100, height: 100 }, kWindow), { scale: 1, x: -52, y: 252 });
});

test("a box is revealed by as little as shows it; centered it can be read", () => {
  const place = { x: 0, y: 0, scale: 1 };
  const [inside, below, huge] = [
    { x: 50, y: 50, width: 50, height: 50 },
    { x: 50, y: 400, width: 50, height: 50 },
    { x: -100, y: -100, width: 900, height: 900 },
  ];
  assert.deepEqual(
    [inside, below, huge, { ...inside, x: 380 }].map((each) => seen(place, each, kWindow)),
    ["all", "nothing", "all", "part"],
  );
  assert.deepEqual(revealing(place, inside, kWindow), place);
  assert.deepEqual(revealing(place, below, kWindow), { scale: 1, x: 0, y: -166 });
  assert.deepEqual(centered({ ...place, scale: 0.1 }, below, kWindow), { scale: 0.6, x: 155, y: -105 });
});

const aBox = (id, name, x, y, more = {}) => ({
  id,
  name,
  kind: "node",
  open: false,
  parameters: [],
  x,
  y,
  w: 40,
  h: 20,
  ...more,
});
const kLayout = {
  boxes: [
    aBox(0, "in", 100, 0),
    aBox(1, "a", 0, 100, { kind: "group", open: true, w: 90, h: 90 }),
    aBox(2, "a/b", 10, 110, { kind: "group" }),
    aBox(3, "a/c", 60, 110, { parameters: [{ name: "a/w" }] }),
    aBox(4, ":training", 200, 100, { kind: "tray", open: true }),
    aBox(5, ":training/g", 210, 110, { kind: "group" }),
    aBox(6, "one/two", 300, 110, { kind: "group" }),
  ],
  edges: [
    { from: 0, to: 2 },
    { from: 0, to: 3 },
    { from: 2, to: 3 },
  ],
};

test("the box of a node is its own, the closed group around it, or the one that it is a weight of", () => {
  const of = (name) => boxOfNode(kLayout, name)?.id ?? null;
  assert.deepEqual(["in", "a/c", "a/b", "a/b/x/y", "a/w", "g/x", "a/x", "none"].map(of), [
    0,
    3,
    2,
    2,
    3,
    5,
    null,
    null,
  ]);
  const scope = (path) => boxOfScope(kLayout, path)?.id ?? null;
  assert.deepEqual(["a", "a/b/x", "one", "none"].map(scope), [1, 2, 6, null]);
});

test("arrows follow edges up and down, and rows left and right", () => {
  const from = (id, to) => neighbour(kLayout, kLayout.boxes[id], to)?.id ?? null;
  assert.deepEqual(
    [from(0, "ArrowDown"), from(2, "ArrowUp"), from(2, "ArrowRight"), from(3, "ArrowLeft"), from(0, "ArrowUp")],
    [3, 0, 3, 2, null],
  );
});
