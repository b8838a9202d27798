// Words of the picture.
import type { Coloring } from "../state/state.js";

export const kPictureWords = {
  picture: "Picture",
  of: "Picture of",
  howTo: "Arrow keys follow the edges, Enter opens a group, Backspace closes it, P adds a node to the outputs, F fits.",
  drawing: "Drawing…",
  drawIt: "Draw it",
  large: "This model is large. Drawing it takes a while.",
  nothing: "There are no nodes to draw.",
  legend: "Legend",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  actual: "Actual size, 1:1",
  fit: "Fit in the window",
  color: "Color",
  raw: "Every node",
  rawHint: "Draw constants, variables and their reads as separate nodes",
  usual: "Reset the view",
  save: "Save as SVG",
  open: "Open the group",
  close: "Close the group",
  nodesOf: "List its nodes",
  group: "Group",
  stack: "Repeated group",
  tray: "Outside inference",
  called: "A node of a function called here.",
  inFunction: "Show it in its function",
  outputAdded: "added to the outputs",
  outputRemoved: "removed from the outputs",
};

/** Ways to color boxes: the core's names. */
export const kColorings: Readonly<Record<Coloring, string>> = {
  op: "Kind of op",
  role: "Role",
  weights: "Size of weights",
  dtype: "Data type",
  device: "Device",
  change: "Changes since the previous step",
};

/** The core's names of colors. Others are words already: of a type, a device, a role. */
export const kColorWords: Readonly<Record<string, string>> = {
  layer: "layer",
  norm: "normalization",
  activation: "activation",
  pool: "pooling",
  shape: "shape",
  math: "arithmetic",
  control: "control",
  data: "data",
  other: "other",
  weights0: "no weights",
  weights1: "smallest",
  weights2: "small",
  weights3: "medium",
  weights4: "large",
  weights5: "largest",
  mixed: "several",
  added: "added",
  removed: "removed",
  changed: "changed",
  same: "unchanged",
};
