// Made by scripts/surface.py of core/commands/surface.json. Do not edit.

/** A part of a diagnostic's text that each host words: an option, a list, or what to do. */
export type Reference =
  | { action: "option"; option: string; value: string }
  | { action: "set"; option: string; value: string }
  | { action: "list"; names: string; list: string }
  | { action: "run"; verb: string; out: string }
  | { action: "see-help" }
  | { action: "full-list" }
  | { action: "choose-outputs" }
  | { action: "give-model" }
  | { action: "give-checkpoint" }
  | { action: "name-checkpoint" }
  | { action: "give-joined" }
  | { action: "choose-checkpoint" }
  | { action: "give-graph" }
  | { action: "give-files"; files: string }
  | { action: "open-one" }
  | { action: "choose-tags" }
  | { action: "or-unchecked" }
  | { action: "or-salvage" }
  | { action: "write-repaired" }
  | { action: "overwrite" }
  | { action: "compare-at" }
  | { action: "feed-array" }
  | { action: "restart-worker" }
  | { action: "use-native" };

/** References in the words of this API; those of options are made in words.ts. */
export const kApiWords: Readonly<Record<Reference["action"], string>> = {
  "option": "",
  "set": "",
  "list": "see the {names}: model.list(\"{list}\")",
  "run": "(await model.{verb}()).write({ out: \"{out}\" })",
  "see-help": "see the types of the options in cryograph's documentation",
  "full-list": "the report lists all",
  "choose-outputs": "name the outputs: { outputs: [\"NAME\"] }",
  "give-model": "give open() a .pb, a .meta, or a checkpoint",
  "give-checkpoint": "give open() the checkpoint as well, next to the graph or as { checkpoint: \"PREFIX\" }",
  "name-checkpoint": "give open() the run's checkpoint as well, as { checkpoint: \"PREFIX\" }",
  "give-joined": "give it as { join: MODEL }",
  "choose-checkpoint": "name the one to take: { checkpoint: \"PREFIX\" }",
  "give-graph": "give open() the .meta that was saved with it as well",
  "give-files": "give open() the missing data files as well",
  "open-one": "give open() the files of one of them",
  "choose-tags": "name one: { tag: [\"TAG\"] }",
  "or-unchecked": "; with { noChecksum: true }, open() takes the damaged weights as they are",
  "or-salvage": "; open() and convert() with { salvage: true } take what is whole of it",
  "write-repaired": "write the model that repair() returns",
  "overwrite": "save it without { force: false } to overwrite it",
  "compare-at": "name the outputs to compare: { outputs: [\"NAME\"] }",
  "feed-array": "give it as an array",
  "restart-worker": "serve worker_host.js there, name it with init({ workerUrl }) or init({ worker }), or let Vite keep it: optimizeDeps.exclude",
  "use-native": "use the native program",
};

/** References in the words of the command line. */
export const kCommandWords: Readonly<Record<Reference["action"], string>> = {
  "option": "{option} {value}",
  "set": "{option} {value}",
  "list": "see the {names}: cryograph list PATH {list}",
  "run": "cryograph {verb} PATH -o {out}",
  "see-help": "see the options of the verb with --help",
  "full-list": "--json lists all",
  "choose-outputs": "name the outputs: --outputs NAME",
  "give-model": "give a .pb, a .meta, or a checkpoint",
  "give-checkpoint": "give the checkpoint with --checkpoint PREFIX, or put it next to the graph",
  "name-checkpoint": "name the run's checkpoint with --checkpoint PREFIX",
  "give-joined": "give it with --join PATH",
  "choose-checkpoint": "name the one to take with --checkpoint PREFIX",
  "give-graph": "give the .meta that was saved with it as well",
  "give-files": "put the missing data files next to the index",
  "open-one": "name one of them",
  "choose-tags": "name one with --tag",
  "or-unchecked": "; with --no-checksum, verbs that write take the damaged weights as they are",
  "or-salvage": "; convert --salvage writes what is whole of it",
  "write-repaired": "do without -o, or say --fix as well",
  "overwrite": "give --force to overwrite it",
  "compare-at": "name the outputs to compare: --outputs NAME",
  "feed-array": "give it as an array: --feed NAME=FILE",
  "restart-worker": "try again",
  "use-native": "use the native program",
};

/** The options of the API that take a list. */
export const kListOptions: readonly string[] = ["tag", "signature", "outputs", "inputs", "addSignature", "names", "op", "variables", "keepVariables", "constants", "exclude", "rename", "match", "cast", "open", "target"];

/** The options as the command line names them. */
export const kOptionNames: Readonly<Record<string, string>> = {
  other: "--against",
  path: "--into",
  out: "-o",
  as: "--as",
  shardSize: "--shard-size",
  force: "--force",
  snippet: "--snippet",
  tag: "--tag",
  signature: "--signature",
  keepQuantization: "--keep-quantization",
  checkpoint: "--checkpoint",
  outputs: "--outputs",
  inputs: "--inputs",
  set: "--set",
  placeholder: "--placeholder",
  batch: "--batch",
  constant: "--constant",
  addSignature: "--add-signature",
  connect: "--connect",
  scope: "--scope",
  redact: "--redact",
  inference: "--inference",
  names: "--names",
  op: "--op",
  variables: "--variables",
  keepVariables: "--keep-variables",
  likeTensorflow: "--like-tensorflow",
  lowerControlFlow: "--lower-control-flow",
  noInline: "--no-inline",
  noRecord: "--no-record",
  foldAssets: "--fold-assets",
  dropChecks: "--drop-checks",
  spliceIdentities: "--splice-identities",
  foldBatchNorm: "--fold-batch-norm",
  foldConstants: "--fold-constants",
  mergeDuplicates: "--merge-duplicates",
  clearDevices: "--clear-devices",
  stripDefaults: "--strip-defaults",
  for: "--for",
  constants: "--constants",
  exclude: "--exclude",
  rename: "--rename",
  ema: "--ema",
  match: "--match",
  weights: "--weights",
  average: "--average",
  noSlots: "--no-slots",
  partial: "--partial",
  cast: "--cast",
  quantizeWeights: "--quantize-weights",
  function: "--function",
  open: "--open",
  depth: "--depth",
  size: "--size",
  raw: "--raw",
  color: "--color",
  style: "--style",
  resourceGather: "--resource-gather",
  initialValues: "--initial-values",
  checksum: "--checksum",
  salvage: "--salvage",
  noChecksum: "--no-checksum",
  strict: "--strict",
  fix: "--fix",
  explain: "--explain",
  target: "--target",
  feed: "--feed",
  image: "--image",
  mean: "--mean",
  scale: "--scale",
  seed: "--seed",
  tolerance: "--tolerance",
  script: "--script",
  port: "--port",
  json: "--json",
  quiet: "--quiet",
  verbose: "--verbose",
};
