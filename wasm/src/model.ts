import type { Handle, Opened, Piece } from "./binding.js";
import type { Core } from "./core.js";
import { CryographError, failure } from "./errors.js";
import { OutputFile, type Saver } from "./output.js";
import { type HostFile, Sources, Watch } from "./source.js";
import { decodeWeight } from "./weight.js";
import type {
  CallOptions, ConvertOptions, FreezeOptions, InspectOptions, InspectReport, ListOptions, ListReport, OpenOptions, PassReport,
  PruneOptions, Report, UnfreezeOptions, ValidateOptions, ValidateReport, Weight, WeightsOptions, What, WriteOptions,
} from "./types.js";

type Options = CallOptions & Record<string, unknown>;

// What files are called where nobody says.
const kNames: Record<string, string> = {
  pb: "model.pb", pbtxt: "model.pbtxt", meta: "model.meta", "meta-pbtxt": "model.meta.pbtxt", checkpoint: "model.ckpt",
  "checkpoint-v1": "model.ckpt", savedmodel: "saved_model/", "savedmodel-pbtxt": "saved_model/saved_model.pbtxt",
  tfjs: "model.json", npz: "weights.npz", safetensors: "weights.safetensors",
};

// Reports as the core spelled them: JavaScript would put members named by numbers first.
const spelled = new WeakMap<Report, string>();

/** @internal */
export function jsonOf(report: Report): string {
  return spelled.get(report) ?? JSON.stringify(report);
}

// The backstop for models that nobody closed.
const forgotten = new FinalizationRegistry<() => void>((release) => release());

/** An opened model. It never changes: prune, freeze and unfreeze give a new one, and this one stays as it was. */
export class Model {
  /** Of the call that made this model: what open noticed, or what the pass removed and converted. */
  readonly report: Report;
  #core: Core;
  #sources: Sources;
  #saver: Saver | null;
  #handle: Handle | null;

  /** @internal */
  constructor(core: Core, sources: Sources, saver: Saver | null, handle: Handle, report: Report) {
    this.report = report;
    this.#core = core;
    this.#sources = sources;
    this.#saver = saver;
    this.#handle = handle;
    sources.retain();
    forgotten.register(this, () => release(core, sources, handle), this);
  }

  inspect(options: InspectOptions = {}): InspectReport {
    return this.#ask("inspect", options) as InspectReport;
  }

  list(what: What, options: ListOptions = {}): ListReport {
    return this.#ask("list", { ...options, what });
  }

  /** Reports every fault; `valid` is the verdict, and no error is thrown for a model that is not. */
  async validate(options: ValidateOptions = {}): Promise<ValidateReport> {
    return this.#ask("validate", options) as ValidateReport;
  }

  async prune(options: PruneOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("prune", options);
  }

  async freeze(options: FreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("freeze", options);
  }

  async unfreeze(options: UnfreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("unfreeze", options);
  }

  /** Its weights alone, by name, for `write` as .npz, .safetensors or a checkpoint. */
  async weights(options: WeightsOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("weights", options);
  }

  /** The same model, for `write` to put into another format. */
  async convert(options: ConvertOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("convert", options);
  }

  /** The files of this model in a format. Nothing is copied: a file is a list of fresh bytes and pieces of the inputs. */
  async write(options: WriteOptions = {}): Promise<OutputFile[] & { report: Report }> {
    const out = options.out ?? kNames[options.as ?? ""] ?? "";
    const json = this.#core.options({ ...options, out });
    const written = this.#run(options, (handle) => handle.write(json));
    const files = written.value.files!.map(({ path, pieces }) => new OutputFile(path, this.#parts(pieces), this.#saver));
    return Object.assign(files, { report: written.report });
  }

  /** A variable's or a constant's value, by name. */
  async weight(name: string, options: CallOptions = {}): Promise<Weight> {
    const { value } = this.#run(options, (handle) => handle.weight(name));
    return decodeWeight(value.weight!, this.#parts(value.weight!.pieces), options);
  }

  /** Gives the memory back, and the files where no other model needs them. Also by `using`. */
  close(): void {
    if (!this.#handle) return;
    forgotten.unregister(this);
    release(this.#core, this.#sources, this.#handle);
    this.#handle = null;
  }

  [Symbol.dispose](): void {
    this.close();
  }

  #ask(verb: string, options: Options): Report {
    const json = this.#core.options(options);
    return this.#run(options, (handle) => handle.run(verb, json)).report;
  }

  #pass(verb: string, options: Options): Model & { report: PassReport } {
    const json = this.#core.options(options);
    const { value, report } = this.#run(options, (handle) => handle.run(verb, json));
    const model = new Model(this.#core, this.#sources, this.#saver, value.model!, report);
    return model as Model & { report: PassReport };
  }

  #run<T extends { report: string; status: number }>(
    options: CallOptions, work: (handle: Handle) => T): { value: T; report: Report } {
    if (!this.#handle) throw failure("model-closed", "This model was closed", "open it again, or close it later");
    const handle = this.#handle;
    return callCore(this.#core, this.#sources, options, () => work(handle));
  }

  #parts(pieces: readonly Piece[]) {
    return pieces.map((piece) => this.#sources.part(piece));
  }
}

/** Opens the model among `files`. */
export function openModel(
  core: Core, files: readonly HostFile[], path: string, options: OpenOptions, saver: Saver | null): Model {
  const sources = new Sources(core, files);
  const json = core.options({ ...options, path });
  sources.retain();
  try {
    const open = (): Opened => core.call((binding) => binding.open(sources.bindings, json));
    const { value, report } = callCore(core, sources, options, open);
    return new Model(core, sources, saver, value.model!, report);
  } finally {
    sources.release();
  }
}

function callCore<T extends { report: string; status: number }>(
  core: Core, sources: Sources, options: CallOptions, work: () => T): { value: T; report: Report } {
  const watch = new Watch(options);
  const value = sources.during(watch, () => core.call(work));
  const report = JSON.parse(value.report) as Report;
  spelled.set(report, value.report);
  if (value.status > 1) {
    watch.check();
    throw new CryographError(report.diagnostics, report, { cause: watch.error ?? undefined, status: value.status });
  }
  return { value, report };
}

function release(core: Core, sources: Sources, handle: Handle): void {
  if (core.alive) core.call(() => handle.delete());
  sources.release();
}
