import type { PictureTable } from "./options.js";
import type { Report } from "./report.js";

/** Options of a picture. Without `open` and `depth` the network is in view, from its inputs to its outputs. */
export interface PictureOptions<Other = never> extends PictureTable {
  /** Colors what differs from this model. */
  against?: Other;
}

/** A box. Lengths are CSS pixels at zoom 1, from the top left corner of the picture. */
export interface PictureBox {
  id: number;
  kind: "node" | "group" | "stack" | "tray";
  /** The name of the node or the group. */
  name: string;
  label: string;
  detail: string;
  op: string;
  role: "inference" | "pipeline" | "training" | "saving" | "initialization" | "summary";
  /** The box around it; -1: none. */
  parent: number;
  x: number;
  y: number;
  w: number;
  h: number;
  /** Nodes of the graph in it. */
  nodes: number;
  /** The size of the weights in it; a string beyond 2^53. Units: bytes. */
  bytes: number | string;
  parameters: { name: string; dtype: string; shape: number[] | null }[];
  /** Groups of a stack. */
  repeats: number;
  color: string;
  /** The class of the SVG's style that gives its fill and line. */
  tint: string;
  /** The number of parameters that are drawn, the first ones. */
  lines: number;
  /** An input or output of the graph. */
  end: boolean;
  open: boolean;
}

/** An edge between two closed boxes. */
export interface PictureEdge {
  from: number;
  to: number;
  /** x0, y0, x1, y1, ... */
  points: number[];
  /** Inputs that it stands for. */
  tensors: number;
  label: string;
  control: boolean;
  /** Leads up. */
  back: boolean;
  /** Drawn as two ends that name each other. */
  stub: boolean;
  /** A stub to or from a tray, which is not drawn. */
  aside: boolean;
}

export interface PictureLayout {
  verb: "draw";
  model: string;
  view: { function: string; open: string[]; nodes: number };
  width: number;
  height: number;
  boxes: PictureBox[];
  edges: PictureEdge[];
}

export interface PictureReport extends Report {
  view: PictureLayout["view"];
  width: number;
  height: number;
  /** Counts. */
  boxes: number;
  edges: number;
}
