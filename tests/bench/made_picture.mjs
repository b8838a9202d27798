// A layout of 50,000 open boxes, for the measure of drawing alone: the core would take seconds to make one.

const kColumns = 50;
const kRows = 40;
const kInside = 5; // columns and rows of boxes in a group
const kGroup = { width: 700, height: 440, right: 40, bottom: 30 };
const kBox = { width: 110, height: 42, across: 130, down: 75 };
const kTints = ["layer", "norm", "activation", "pool", "shape", "math", "control", "data"];
const kEdge = { tensors: 1, label: "", control: false, back: false, stub: false, aside: false };
const kPlain = { role: "inference", bytes: 0, parameters: [], repeats: 1, lines: 0, end: false };

/** Makes groups in rows and columns, each with boxes that edges join. */
export function madeLayout() {
  const layout = { boxes: [], edges: [], width: kColumns * kGroup.width, height: kRows * kGroup.height };
  for (let i = 0; i < kColumns * kRows; i++) addGroup(layout, i);
  return { ...layout, verb: "draw", model: "made", view: { function: "", open: [], nodes: layout.boxes.length } };
}

function addGroup({ boxes, edges }, i) {
  const [x, y] = [(i % kColumns) * kGroup.width, Math.floor(i / kColumns) * kGroup.height];
  const [w, h] = [kGroup.width - kGroup.right, kGroup.height - kGroup.bottom];
  const nodes = kInside * kInside;
  const group = { id: boxes.length, kind: "group", name: `block_${i}`, label: `block_${i}`, detail: "", op: "" };
  boxes.push({ ...kPlain, ...group, nodes, parent: -1, x, y, w, h, color: "group", tint: "group", open: true });
  for (let j = 0; j < nodes; j++) {
    const [left, top] = [x + 10 + (j % kInside) * kBox.across, y + 30 + Math.floor(j / kInside) * kBox.down];
    const tint = kTints[j % kTints.length];
    const node = {
      id: boxes.length,
      kind: "node",
      name: `block_${i}/n${j}`,
      label: "Conv2D",
      detail: "3×3",
      op: "Conv2D",
    };
    const place = { parent: group.id, x: left, y: top, w: kBox.width, h: kBox.height };
    boxes.push({ ...kPlain, ...node, ...place, nodes: 1, color: tint, tint, open: false });
    if (j >= kInside) edges.push(edgeTo(node.id, kInside, left + kBox.width / 2, top));
  }
}

// From the box above, with two corners.
function edgeTo(to, back, x, y) {
  const middle = y - (kBox.down - kBox.height) / 2;
  const points = [x, y - kBox.down + kBox.height, x, middle, x + 10, middle, x + 10, y];
  return { ...kEdge, from: to - back, to, points };
}
