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
    contents: ["viewport", "drawn", "anchor", "detail", "grid", "marks", "scene", "semantic_zoom"]
      .map((name) => `export * from "./${name}.js";`)
      .join("\n"),
    resolveDir: join(root, "web/picture"),
  },
  bundle: true,
  format: "esm",
  target: "es2022",
  write: false,
});
const {
  anchored,
  boxOfNode,
  boxOfScope,
  centered,
  fitted,
  givesWay,
  Grid,
  Marks,
  neighbour,
  openedScale,
  panned,
  pointOf,
  revealing,
  Scene,
  seen,
  started,
  zoomed,
  zoomedGroup,
} = await import(`data:text/javascript;base64,${Buffer.from(script.text).toString("base64")}`);

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
  label: name,
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

test("a grid finds the rectangles that touch a part, as looking at each one does", () => {
  let seed = 1;
  const random = (most) => (seed = (seed * 48271) % 2147483647) % most;
  const rects = Array.from({ length: 700 }, (_, i) => ({
    x: random(9000),
    y: random(4000),
    width: i % 50 === 0 ? 5000 : random(200), // a long one now and then
    height: random(80),
  }));
  const grid = new Grid(rects, { width: 9000, height: 4000 });
  const touches = (a, b) =>
    a.x <= b.x + b.width && b.x <= a.x + a.width && a.y <= b.y + b.height && b.y <= a.y + a.height;
  for (let i = 0; i < 200; i++) {
    const part = { x: random(9500) - 200, y: random(4500) - 200, width: random(3000), height: random(2000) };
    const all = rects.flatMap((rect, at) => (touches(rect, part) ? [at] : []));
    assert.deepEqual(grid.within(part), all);
  }
});

const kScene = new Scene({
  width: 1000,
  height: 1000,
  boxes: [
    aBox(0, "g", 100, 100, { kind: "group", open: true, w: 400, h: 300, parent: -1 }),
    aBox(1, "g/h", 150, 150, { kind: "group", open: true, w: 200, h: 90, parent: 0 }),
    aBox(2, "g/h/n", 160, 180, { parent: 1 }),
    aBox(3, "c", 600, 600, { kind: "group", parent: -1 }),
  ],
  edges: [
    { from: 2, to: 3, points: [180, 200, 180, 500, 620, 500, 620, 600], label: "float32 [?]", stub: false },
    { from: 2, to: 3, points: [180, 200, 620, 600], label: "", stub: true, aside: false },
    { from: 2, to: 3, points: [180, 200, 620, 600], label: "", stub: true, aside: true },
  ],
});
const nameAt = (x, y, scale) => kScene.boxAt({ x, y }, scale)?.name ?? null;

test("the box at a place is the innermost that is seen: of a group that is too small, the group", () => {
  assert.deepEqual(
    [nameAt(170, 190, 1), nameAt(155, 230, 1), nameAt(480, 380, 1), nameAt(620, 610, 1), nameAt(5, 5, 1)],
    ["g/h/n", "g/h", "g", "c", null],
  );
  assert.deepEqual([nameAt(170, 190, 0.2), nameAt(170, 190, 0.1)], ["g/h", "g"]);
  assert.deepEqual(
    kScene.layout.boxes.map((box) => givesWay(box, 0.2)),
    [false, true, false, false],
  );
});

test("an edge is found near its lines; stubs name their far ends, but for those of trays", () => {
  assert.equal(kScene.edgeAt({ x: 400, y: 503 }, 4)?.label, "float32 [?]");
  assert.equal(kScene.edgeAt({ x: 400, y: 510 }, 4), null);
  assert.equal(kScene.edgeAt({ x: 400, y: 400 }, 4), null, "a stub has no line");
  assert.deepEqual(kScene.edgesIn({ x: 0, y: 0, width: 1000, height: 1000 }), [0]);
  assert.deepEqual(kScene.stubs.get(3), [{ above: true, text: "↧ g/h/n", names: ["g/h/n"] }]);
  assert.deepEqual(kScene.stubs.get(2), [{ above: false, text: "↥ c", names: ["c"] }]);
});

test("zooming in opens the closed group at its place, zooming out closes the innermost that is too small", () => {
  const zoomedTo = (x, y, before, after) => zoomedGroup(kScene, { x, y }, before, after)?.name ?? null;
  assert.deepEqual(
    [zoomedTo(620, 610, 1, 1.5), zoomedTo(620, 610, 1.5, 1.8), zoomedTo(170, 190, 1.5, 1.8), zoomedTo(480, 380, 1, 3)],
    [null, "c", null, null],
  );
  assert.deepEqual(
    [zoomedTo(170, 190, 1, 0.3), zoomedTo(170, 190, 0.3, 0.2), zoomedTo(620, 610, 1, 0.1), zoomedTo(480, 380, 1, 0.1)],
    [null, "g/h", null, "g"],
  );
  const opened = { ...kScene.layout.boxes[0], w: 700, h: 600 };
  assert.equal(openedScale(opened, kWindow), 0.6, "so large that it can be read");
  assert.equal(openedScale({ ...opened, w: 60, h: 60 }, kWindow), 1, "not larger than it is");
});

test("the place of a box under the pointer stays there in another layout", () => {
  const view = { x: 20, y: -30, scale: 2 };
  const at = { x: 2 * 610 + 20, y: 2 * 615 - 30 };
  const anchor = pointOf(kScene.layout.boxes[3], view, at);
  assert.deepEqual(anchor.part, { x: 0.25, y: 0.75 });
  const layout = { boxes: [aBox(0, "c", 300, 200, { w: 400, h: 200 })] };
  assert.deepEqual(anchored(anchor, layout, 0.5), { scale: 0.5, x: at.x - 0.5 * 400, y: at.y - 0.5 * 350 });
  assert.equal(anchored({ ...anchor, name: "none" }, layout, 1), null);
});

test("a box has the marks of all that is known of it, an edge those of its ends", () => {
  const nothing = { chosen: -1, pinned: new Set(), marks: null, found: null };
  const of = (state) => {
    const marks = new Marks(kScene.layout, { ...nothing, ...state });
    return [0, 1, 2, 3].map((id) => marks.ofBox(id).join()).concat(marks.ofEdge(0).join());
  };
  assert.deepEqual(of({}), ["", "", "", "", ""]);
  assert.deepEqual(of({ chosen: 2 }), ["", "", "chosen", "near", "lit"]);
  assert.deepEqual(of({ pinned: new Set([3]), marks: ["same", "added", "added", "changed"] }), [
    "",
    "",
    "would-go",
    "pinned,would-change",
    "would-go",
  ]);
  const found = { counts: new Map([[3, 5]]), elsewhere: false, connected: false };
  assert.deepEqual(of({ found }), ["", "", "faded", "match", "faded"]);
  const traced = { counts: new Map([[2, 1], [3, 5]]), elsewhere: false, connected: true }; // prettier-ignore
  assert.deepEqual(of({ found: traced }), ["", "", "on", "on", "traced"]);
});
