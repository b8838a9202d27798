import type {
  CompatReport,
  Diagnostic,
  DiffReport,
  Files,
  FunctionInfo,
  InspectReport,
  Model,
  NodeInfo,
  NodeTable,
  Format,
  PassReport,
  PictureLayout,
  RepairReport,
  ValidateReport,
  WeightInfo,
} from "../engine/engine.js";
import type { Pass, Tool } from "./surface.js";
import { kFirstRun, type Run, type Verified } from "./verify.js";

export type { Pass, Tool } from "./surface.js";

/** A file that can be downloaded: a list of pieces of the person's own files behind an object URL. */
export interface Download {
  name: string;
  size: number;
  url: string;
  blob: Blob;
}

/** One way to save a model: files that belong together. */
export interface Form {
  title: string;
  files: Download[];
  /** The options that write these files. */
  write: { as?: Format; out: string };
  /** The lines of a program that loads them, once they were requested. */
  snippet: string;
  /** The options that write the same as one .zip; null for a single file. */
  zip: { as?: Format; out: string } | null;
  /** The .zip of all files, once it was requested. */
  zipped: Download | null;
  /** The folder that they were written into last. */
  savedIn: string;
}

/** A model as it was last saved, and the findings of writing. */
export interface Saved {
  form: Form;
  remarks: Diagnostic[];
}

/** The result of a pass. */
export interface PassResult {
  pass: Pass;
  options: Options;
  report: PassReport | RepairReport;
  forms: Form[];
  /** The findings of writing. */
  remarks: Diagnostic[];
}

/** Options of a verb, as the command line has them, in camelCase. */
export type Options = Readonly<Record<string, string | boolean | readonly string[]>>;

/** A person's choices for a model, by the names of options: selected outputs, typed texts and set flags. */
export interface Choice {
  outputs: ReadonlySet<string>;
  texts: Readonly<Record<string, string>>;
  flags: ReadonlySet<string>;
  /** Un-freeze: detected weights that remain constants, uncertain ones that become variables, and new names. */
  excluded: ReadonlySet<string>;
  added: ReadonlySet<string>;
  renamed: Readonly<Record<string, string>>;
  /** Save as: the tabs whose weights are saved with those of this model. */
  together: ReadonlySet<number>;
  /** Edit: the tensors that feed placeholders of this model, and of the second, by the placeholder. */
  fed: { ours: Readonly<Record<string, string>>; theirs: Readonly<Record<string, string>> };
}

/** A model on the way: the one opened, then one for each pass. None ever changes; going back is to look at another. */
export interface Step {
  id: number;
  title: string;
  model: Model;
  about: InspectReport;
  choice: Choice;
  made: PassResult | null;
  verdict: ValidateReport | null;
  compat: CompatReport | null;
  difference: DiffReport | null;
  saved: Saved | null;
  /** The difference from the previous step, if it was requested. */
  change: DiffReport["structure"];
  verified: Verified | null;
  /** The requested lists, by name; for the nodes of a function's body, the name is nodeList(). */
  lists: Readonly<Record<string, StepList>>;
}

/** A list of a step; without its member if it could not be made: then the diagnostics say why. */
export interface StepList {
  diagnostics: readonly Diagnostic[];
  nodes?: NodeTable;
  weights?: WeightInfo[];
  functions?: FunctionInfo[];
}

/** A second model, of tools that take two. */
export interface Other {
  model: Model;
  about: InspectReport;
}

/** The result that a pass would have. */
export interface Preview {
  step: number;
  tool: Tool;
  /** The step, tool and options that it was computed for. */
  key: string;
  report: PassReport | null;
  /** The reasons why it fails; `report` is then what the core reported before it failed, if anything. */
  refused: Diagnostic[] | null;
  running: boolean;
}

export const kTables = ["nodes", "weights", "functions", "signatures"] as const;
export type Table = (typeof kTables)[number];
/** The content of the middle: the picture, or a table. */
export type ContentsTab = Table | "picture";

/** The property that the colors of the picture show. */
export type Coloring = "op" | "role" | "weights" | "dtype" | "device" | "change";

/** The parts of a graph that a selection leads to: all upstream, all downstream, up to another node, up to the outputs. */
export type TraceKind = "upstream" | "downstream" | "path" | "why";

/** A part of a graph that edges lead to from a node or group. */
export interface Trace {
  kind: TraceKind;
  step: number;
  /** The function in whose body it is; "" for the main graph. */
  body: string;
  /** A node, or a scope with "/" at its end. */
  from: string;
  /** The other ends, of the same form; null until one is selected. */
  to: readonly string[] | null;
  /** The other end follows the selection. */
  open: boolean;
}

/** How the picture is drawn, and the group that is chosen on it. */
export interface View {
  /** The open groups, by name; null: those that the core opens. */
  open: readonly string[] | null;
  color: Coloring;
  /** Nothing is folded. */
  raw: boolean;
  chosen: string;
  trace: Trace | null;
}

/** A picture that was drawn. */
export interface Drawing {
  step: number;
  /** The step, function and view that it was drawn for. */
  key: string;
  svg: string;
  layout: PictureLayout | null;
  failure: Diagnostic[] | null;
  /** The tool's effect on each box, and the preview that it was taken from. */
  marks: readonly string[] | null;
  marked: string;
}

/** The visible part of a model: the table, its filters, and the node or weight in the inspector. */
export interface BrowseState {
  table: ContentsTab;
  filter: string;
  scope: string;
  /** The library function in whose body we are; "" for the main graph. */
  body: string;
  /** Nodes that were walked over, and where on this way we are. */
  trail: readonly string[];
  at: number;
  node: NodeInfo | null;
  weight: WeightInfo | null;
  failure: Diagnostic[] | null;
}

export type Pane = "model" | "contents" | "inspector" | "operate";
export type Theme = "system" | "light" | "dark";
export type Dialog = "keys" | "paste" | "recipe" | "samples" | "palette" | "tabs" | "close";

/** Something is being worked on. */
export interface Busy {
  /** The tab that it was started in, and that gets the result. */
  tab: number;
  doing: string;
  bytes: number;
  stop: AbortController;
}

export interface Failure {
  title: string;
  diagnostics: Diagnostic[];
  /** Ways to try the same files again: with other tags, without comparing checksums, one of several models, what is whole. */
  offers: readonly ("tags" | "unchecked" | "models" | "salvage")[];
}

/** All that belongs to one open model: its steps, what is chosen and what is shown. The start page is a tab without steps. */
export interface Tab {
  /** The number of the tab; never used again. */
  tab: number;
  /** The name of the model, which no other open tab has. */
  name: string;
  steps: readonly Step[];
  /** Index of the current step. */
  at: number;
  /** The files that the model was opened from. */
  files: Files;
  tool: Tool;
  /** The tool is the page's choice, not the person's. */
  suggested: boolean;
  /** A result was made that was not downloaded. */
  unsaved: boolean;
  /** The result of the step is shown instead of a tool. */
  result: boolean;
  /** The second model, if it was opened from files; secondOf() also knows those of tabs. */
  other: Other | null;
  /** The tab whose current step is the second model. */
  otherTab: number | null;
  /** The step whose change is shown, and the left edge of its chip. */
  pointed: { id: number; left: number } | null;
  preview: Preview | null;
  browse: BrowseState;
  view: View;
  drawing: Drawing | null;
  /** The inputs and settings of verify. */
  run: Run;
  /** The one that narrow screens show. */
  pane: Pane;
  failure: Failure | null;
}

/** The shown state: the current tab's members, and those of the page. */
export interface State extends Tab {
  /** All tabs in their order. Null: the current one, which is the state itself. */
  tabs: readonly (Tab | null)[];
  dialog: Dialog | null;
  /** The tab that the dialog asks about, before it is closed. */
  closing: number;
  theme: Theme;
  /** Single letters do something. */
  letters: boolean;
  busy: Busy | null;
  /** Files are being dragged over the window. */
  dragging: boolean;
  /** Text for the live region. */
  announcement: string;
  /** The steps of a link, to be applied to the next model. */
  recipe: readonly RecipeStep[];
  /** Requests that left for elsewhere: none can, and none are seen. */
  blockedRequests: number;
}

/** A step without its data. */
export interface RecipeStep {
  verb: Pass;
  options: Options;
}

export const kUsualView: View = { open: null, color: "op", raw: false, chosen: "", trace: null };

export const kInitialBrowse: BrowseState = {
  table: "picture",
  filter: "",
  scope: "",
  body: "",
  trail: [],
  at: -1,
  node: null,
  weight: null,
  failure: null,
};

/** A tab before a model is open in it. */
export const kEmptyTab: Tab = {
  tab: 0,
  name: "",
  steps: [],
  at: 0,
  files: {},
  tool: "freeze",
  suggested: true,
  unsaved: false,
  result: false,
  other: null,
  otherTab: null,
  pointed: null,
  preview: null,
  browse: kInitialBrowse,
  view: kUsualView,
  drawing: null,
  run: kFirstRun,
  pane: "model",
  failure: null,
};

/** The state of the page before anything is open. */
export const kInitialState: State = {
  ...kEmptyTab,
  tabs: [null],
  dialog: null,
  closing: 0,
  theme: "system",
  letters: true,
  busy: null,
  dragging: false,
  announcement: "",
  recipe: [],
  blockedRequests: 0,
};

/** The list that the table of nodes shows. */
export function nodeList(body: string): string {
  return body ? `nodes of ${body}` : "nodes";
}

/** Returns the view of a step that is shown for the first time. */
export function viewOf(view: View, step: Step): View {
  const color = view.color === "change" && !step.made ? kUsualView.color : view.color;
  return { ...view, open: null, chosen: "", color, trace: null };
}
