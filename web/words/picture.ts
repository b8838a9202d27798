// Words of the picture.

export const kPictureWords = {
  picture: "Picture",
  of: "Picture of",
  howTo: "Arrow keys follow the edges, Enter opens a group, Backspace closes it, P keeps a node as an output, F fits.",
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
  rawHint: "Constants, variables and their reads as boxes of their own",
  usual: "Usual view",
  save: "Save as SVG",
  open: "Open the group",
  close: "Close the group",
  nodesOf: "List its nodes",
  group: "Group",
  stack: "Repeated group",
  tray: "Set aside",
  weights: "Weights",
  called: "A node of a function that is called here.",
  inFunction: "Show it in its function",
  noOutput: "No longer an output",
};

/** Ways to color boxes: the core's names. */
export const kColorings = {
  op: "Kind of op",
  role: "Role",
  weights: "Size of weights",
  dtype: "Type of data",
  device: "Device",
  change: "Change since the last step",
} as const;
export type Coloring = keyof typeof kColorings;

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
  weights1: "least",
  weights2: "little",
  weights3: "some",
  weights4: "much",
  weights5: "most",
  mixed: "several",
  added: "added",
  removed: "removed",
  changed: "changed",
  same: "as before",
};
