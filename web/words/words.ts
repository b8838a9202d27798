// Every sentence of the page that is not about one model, in one place. model.ts has the others.
import { kVerbs, type Pass, type Tool } from "../state/surface.js";
import { kOptionLabels } from "./references.js";
import { kTraceLabels } from "./trace.js";

export * from "./model.js";
export * from "./samples.js";

export const kWords = {
  name: "Cryograph",
  promiseMore:
    "This page's Content-Security-Policy blocks all network connections. Your model is read locally, by " +
    "WebAssembly in this tab, and results are written to your disk.",
  headline: "Open, understand and reshape TensorFlow models in this tab.",
  lead:
    "Turn a training checkpoint into one .pb, and back; prune, transfer, convert, validate, compare. Weights stay on disk, so " +
    "multi-GB models open instantly. Nothing is uploaded.",
  drop: "Drop a TensorFlow model here",
  dropMore: "files, a folder, or a .zip or .tar.gz",
  dropNow: "Drop to open",
  openFiles: "Open files",
  openFolder: "Open folder",
  paste: "Paste text",
  sample: "Try the sample",
  samples: "Samples",
  samplesTitle: "Or try a sample",
  takes: [
    ["Frozen or plain graph", ".pb .pbtxt", "A GraphDef, frozen or without its weights."],
    [
      "Training checkpoint",
      ".meta .index .data-…",
      "The folder, or the files together: graph, index and all data files.",
    ],
    ["SavedModel", "saved_model.pb", "The folder with variables/, or a .zip or .tar.gz of it."],
    ["TensorFlow Lite", ".tflite", "Quantized weights become floats, operators the ops of TensorFlow."],
    [
      "TensorFlow.js, NumPy, safetensors",
      "model.json .npz .safetensors",
      "A graph model with its shards, or weights only.",
    ],
  ],
  openModels: "Open models",
  orOpen: "Or from files:",
  unsaved: "not downloaded",
  closeAbout: "It has results that were not downloaded. Closing discards them.",
  closeAnyway: "Close without downloading",
  restarted: "The core was restarted",
  restartedWhy: "The core ended while another model was worked on.",
  restartedFix: "Nothing to do: this model and its steps are computed again from its files when they are needed.",
  cancel: "Cancel",
  dismiss: "Dismiss",
  close: "Close",
  model: "Model",
  contents: "Graph",
  inspector: "Inspector",
  operate: "Tools",
  inputs: "Inputs",
  outputs: "Outputs",
  files: "Files",
  scopes: "Scopes",
  opened: "Source",
  history: "History",
  since: "since",
  comparing: "comparing…",
  allTheSame: "no changes",
  undo: "Undo",
  redo: "Redo",
  filter: "Filter",
  searchScopes: "Search scopes",
  filterHint: "Filter… (op:Conv2D)",
  searchHelp:
    "Filters: op:Conv2D, name:bias, scope:conv1, role:variable, device:gpu; of weights, inputs and outputs also " +
    "type:float32, shape:[?,10]. A minus excludes: -op:Const.",
  inFunction: "In function",
  listing: "Listing…",
  listIt: "List again",
  nothingMatches: "No rows match the filter.",
  nothingHere: "This model has none.",
  chooseRow: "Select a node or weight to see its inputs, outputs, attributes and values.",
  fedBy: "Inputs",
  feeds: "Consumers",
  calls: "Calls",
  attributes: "Attributes",
  noInputs: "No inputs.",
  noConsumers: "No consumers.",
  control: "control",
  useAsOutput: "Add to outputs",
  usedAsOutput: "Remove from outputs",
  useAsInput: "Use as input",
  usedAsInput: "Remove from inputs",
  useAsInputAbout: "Replace it with a placeholder, and remove everything upstream",
  placeholderType: "Type and shape",
  placeholderHint: "float32[1,224,224,3], the type or the sizes alone. ? is an unknown size.",
  applyEdit: "Apply edit",
  values: "Values",
  noValue: "No value (checkpoint not loaded)",
  tooLarge: "No image: the weight is larger than 16 MB.",
  readIt: "Read values",
  reading: "Reading…",
  previousValues: "Previous values",
  nextValues: "Next values",
  outputsToKeep: kOptionLabels.outputs,
  outputsGuessed: "No outputs declared. Best guesses first: check before you continue.",
  outputsCertain: "Detected outputs. Clear any you don't need.",
  outputsNone: "No outputs detected. Name one below.",
  otherOutputs: "Other outputs",
  otherHint: "Node or tensor names, comma-separated: conv1/Relu, Split:1",
  moreOptions: "More options",
  detectedWeights: "Weights",
  detectedAbout: "Ticked constants become variables; the others remain constants.",
  detectedNone: "No constant was detected as a weight. Name constants below.",
  use: "Use",
  weightAndWhy: "Weight, why",
  newName: "New name",
  sameName: "same",
  tryIt: "Compute preview",
  wouldBe: "Preview",
  trying: "Computing preview…",
  trainingGraph: "This looks like a training graph. To serve it:",
  needsOther: "Choose a source model first.",
  needsSecond: "Choose the second model first.",
  needsEdit: "Fill in what to change.",
  together: "Together with the weights of",
  join: "Join a second model",
  joinAbout: "Preprocessing before this model, or a network after it. The result computes both.",
  secondModel: "Second model",
  staysInput: "stays an input",
  ofSecond: "of the second model",
  noSuchInput: "not an input",
  outputsOfSecond: "Drag an output of the second model onto an input of the picture, or into a field:",
  notAnInput: "Drop it on an input of the model.",
  scopeHint: "In front of its names. Needed where both models have a name: pre",
  from: "Source of the weights",
  compareWith: "Compare with",
  otherAbout: "Another model or checkpoint, or weights only: .npz, .safetensors.",
  replace: "Replace",
  before: "Before",
  after: "After",
  change: "Change",
  result: "Result",
  download: "Download",
  downloadAll: "Download all",
  asZip: "Download .zip",
  zipping: "Zipping",
  inFolder: "Save to folder…",
  howToLoad: "Code to load it",
  writing: "Writing",
  checkpointForm: "Graph and checkpoint",
  savedModelForm: "SavedModel",
  graphForm: "Graph",
  graphOnlyForm: "Graph only (no weights)",
  checksum: "SHA-256",
  saveAs: kOptionLabels.as,
  format: "Format",
  ofWeights: "Options of .npz and .safetensors",
  export: "Export",
  exporting: "Exporting",
  exported: "Exported files",
  couldNotSave: "Couldn't export this format",
  runningBoth: "Running both models",
  couldNotRunBoth: "Couldn't run both models",
  readingFile: "Reading the file",
  notAValue: "Couldn't use this file as an input",
  repair: "Repair",
  repairAbout: "issues (only unambiguous fixes)",
  whereItLoads: "Where does it load?",
  whereItLoadsAbout:
    "Which releases of TensorFlow and which other runtimes load and run it, and what stops the others.",
  markNodes: "Mark the nodes",
  setIt: "Set it in Freeze",
  partRuns: "A part of it runs, ",
  askingWhere: "Asking each release",
  couldNotAskWhere: "Couldn't tell where the model loads",
  loadsAndRuns: "loads and runs it",
  loadsAlone: "loads it, and doesn't run it",
  doesNotLoad: "doesn't load it",
  missing: "Missing:",
  dropMissing: "Drop files here, or",
  addFiles: "Add files",
  seeWhy: "See why",
  whatToDo: "What to do: ",
  why: "Why?",
  opening: "Opening",
  theFiles: "the files",
  couldNotAdd: "Couldn't add the files",
  couldNotOpenSample: "Couldn't open the sample",
  chooseModel: "There are several models. Choose one to open:",
  stillHere: "Your model is unchanged.",
  cancelled: "Canceled. Your model is unchanged.",
  madeOf: "Source files",
  ops: "Ops",
  nameless: "input",
  tags: kOptionLabels.tag,
  openTagged: "Open",
  openUnchecked: "Open without checking",
  salvage: "Take what is whole",
  commands: "Commands",
  commandHint: "Search actions, nodes and weights",
  nothingFits: "No results",
  show: "Show",
  goTo: "Go to",
  fillIn: "Set",
  output: "Output",
  on: "on",
  off: "off",
  filterIt: "Filter the table",
  openSample: "Open sample:",
  recipe: "Recipe",
  recipeAbout: "The steps so far, as a script you can rerun on any model. Contains no model data.",
  recipeCame: "This link applies:",
  recipeWaits: "Open a model to apply it to.",
  linkNeedsOther: "The link does not contain the second model: whoever opens it chooses one.",
  applyRecipe: "Apply",
  copy: "Copy",
  copied: "Copied",
  pasteAbout: "A graph as text: the contents of a .pbtxt, .meta.pbtxt or model.json.",
  pasteOpen: "Open",
  keys: "Keyboard",
  documentation: "Documentation",
  letters: "Enable single-key shortcuts",
  theme: "Theme",
};

export { type FormName, kForms } from "../state/surface.js";
export { kVerbs };

export const kSeverities = { error: "Error.", warning: "Warning.", note: "Note." };

export const kTableWords = { nodes: "Nodes", weights: "Weights", functions: "Functions", signatures: "Signatures" };

export const kThemes = { system: "System", light: "Light", dark: "Dark" };

/** The keys of the palette's lists. */
export const kKeysOf: Readonly<Record<string, string>> = {
  [kWords.openFiles]: "Ctrl o",
  [kWords.openFolder]: "Ctrl Shift o",
  [kWords.useAsOutput]: "o",
  [kWords.usedAsOutput]: "o",
  [kWords.useAsInput]: "i",
  [kWords.usedAsInput]: "i",
  [kWords.undo]: "Ctrl z",
  [kWords.redo]: "Ctrl Shift z",
  [kWords.filterIt]: "/",
  [kWords.keys]: "?",
  [kWords.cancel]: "Esc",
  [kTraceLabels.upstream]: "u",
  [kTraceLabels.downstream]: "d",
  [kTraceLabels.path]: "t",
  [kTraceLabels.why]: "w",
};

/** The effects of keys; single letters may be switched off. */
export const kKeyWords: readonly (readonly [keys: string, what: string])[] = [
  ["Ctrl o, Ctrl Shift o", "Open files, open a folder"],
  ["/", "Filter the table"],
  ["1 to 4", "Model, graph, inspector, tools"],
  ["Ctrl z, Ctrl Shift z", "Undo, redo; also z, Shift z"],
  ["Enter", "In a table: show in the inspector"],
  ["Arrows", "Move in tables, trees and tabs; in the picture: along edges"],
  ["Enter, Backspace", "In the picture: open and close a group"],
  ["f, + and −", "In the picture: fit, zoom"],
  ["o, i", "Make the selected node an output, an input, or no longer"],
  ["u, d, t, w", "Of the selected node: upstream, downstream, path to, why needed"],
  ["Alt ←, Alt →", "In the inspector: back, forward"],
  ["Alt w", "Close the model"],
  ["Alt Page ↑, Page ↓", "Previous, next open model"],
  ["Esc", "Cancel, close, clear what is followed"],
  ["Ctrl k, ⌘ k", "Commands"],
  ["?", "Keyboard shortcuts"],
];

/** "Couldn't open model.pb". */
export function couldNotOpen(name: string): string {
  return `Couldn't open ${name}`;
}

/** "Close model.pb". */
export function closeTab(name: string): string {
  return `Close ${name}`;
}

/** "Closed model.pb". */
export function closedTab(name: string): string {
  return `Closed ${name}`;
}

/** "Couldn't freeze the model". */
export function couldNot(verb: Pass | Tool): string {
  return `Couldn't ${kVerbs[verb].label.toLowerCase()} the model`;
}

/** "Can't freeze yet". */
export function cannot(tool: Tool): string {
  return `Can't ${kVerbs[tool].label.toLowerCase()} yet`;
}
