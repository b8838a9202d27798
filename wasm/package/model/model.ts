import type { Answer, Handle, Opened, Piece, PieceChecksBinding, WeightBytes } from "../core/binding.js";
import { checkCount, checkedModel, checkedModels, checkedOptions, checkedText } from "../base/argument.js";
import { PieceChecks } from "../source/piece_checks.js";
import type { Core } from "../core/core.js";
import { kDispose } from "../base/dispose.js";
import { NodeTable } from "./node_table.js";
import { CryographError, failure, readFailure } from "../base/errors.js";
import { type CallRow, kCalls, type PassName } from "../types/calls.js";
import { kFileNames } from "../types/options.js";
import { OutputFile, type Saver } from "./output.js";
import { Picture } from "./picture.js";
import { isMissing, withBytes } from "../source/missing.js";
import { SharedSources, Sources } from "../source/sources.js";
import type { HostFile } from "../source/host_file.js";
import { type Part, readablePart } from "../source/parts.js";
import { Watch } from "../source/watch.js";
import { statisticsOf } from "./statistics.js";
import { decodeWeight } from "./weight.js";
import { apiWords, commandWords, inWords, type Worded } from "../base/words.js";
import type {
  CallOptions,
  CompatOptions,
  CompatReport,
  ConvertOptions,
  Diagnostic,
  DiffOptions,
  DiffReport,
  EditOptions,
  FreezeOptions,
  InspectOptions,
  InspectReport,
  ListOptions,
  ListReport,
  NodeOptions,
  NodeReport,
  OpenOptions,
  PassReport,
  PictureOptions,
  PictureReport,
  PruneOptions,
  RepairReport,
  Report,
  Statistics,
  TransferOptions,
  TransferReport,
  UnfreezeOptions,
  ValidateOptions,
  ValidateReport,
  Weight,
  WeightOptions,
  WeightsOptions,
  What,
  WriteOptions,
  WriteReport,
} from "../types/types.js";
import type { ModelCalls, WrittenFiles } from "./calls.js";

type Asked = [call: string, options: CallOptions, own?: Own, others?: readonly Model[]];
// The options that a call sets by itself.
type Own = { what?: string; fix?: boolean | undefined; out?: string };

// The core's answers by their reports: the JSON as it spelled it, for JavaScript would put members named by numbers first, and
// the exit status.
const answers = new WeakMap<Report, Pick<Answer, "report" | "status">>();

/** Returns the exit status that the core gave with a report. @internal */
export function statusOf(report: Report): number {
  return answers.get(report)?.status ?? 0;
}

/** Returns a report as the command prints it. @internal */
export function jsonOf(report: Report): string {
  const diagnostics = () => report.diagnostics.map((each) => inWords(each, commandWords));
  return (
    answers.get(report)?.report ??
    JSON.stringify({ ...inWords<Report & Worded>(report, commandWords), diagnostics: diagnostics() })
  );
}

// Releases models that were not closed.
const forgotten = new FinalizationRegistry<() => void>((release) => release());

/** A model in this thread. */
export class Model implements ModelCalls<Model, "here"> {
  readonly report: Report;
  #core: Core;
  #sources: SharedSources;
  #saver: Saver | null;
  #handle: Handle | null;

  /** @internal */
  constructor(core: Core, sources: SharedSources, saver: Saver | null, handle: Handle, report: Report) {
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

  list<W extends What>(what: W, options: ListOptions = {}): ListReport<W> {
    const own = { what: checkedText("list", "the name of a list", what) };
    return this.#ask("list", options, own) as ListReport<W>;
  }

  nodes(options: NodeOptions = {}): NodeTable {
    const body = bodyOf("nodes", options);
    const { value } = this.#run("nodes", options, (handle) => handle.nodes(body));
    return new NodeTable(value.columns!);
  }

  async validate(options: ValidateOptions = {}): Promise<ValidateReport> {
    return (await this.#answer("validate", options, { fix: undefined })) as ValidateReport;
  }

  async compat(options: CompatOptions = {}): Promise<CompatReport> {
    const report = (await this.#answer("compat", options)) as CompatReport;
    const worded = <T extends Worded>(texts: T) => inWords(texts, apiWords);
    report.targets = report.targets.map((each) => worded({ ...each, blockers: each.blockers.map(worded) }));
    return report;
  }

  async repair(options: ValidateOptions = {}): Promise<Model & { report: RepairReport }> {
    return (await this.#pass("repair", options, { fix: true })) as unknown as Model & { report: RepairReport };
  }

  async diff(other: Model, options: DiffOptions = {}): Promise<DiffReport> {
    return (await this.#answer("diff", options, {}, [
      checkedModel("diff", "the other model", other, Model),
    ])) as DiffReport;
  }

  prune(options: PruneOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#make("prune", options);
  }

  freeze(options: FreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#make("freeze", options);
  }

  unfreeze(options: UnfreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#make("unfreeze", options);
  }

  edit(options: EditOptions<Model>): Promise<Model & { report: PassReport }> {
    return this.#make("edit", options);
  }

  transfer(options: TransferOptions<Model>): Promise<Model & { report: TransferReport }> {
    return this.#make("transfer", options) as Promise<Model & { report: TransferReport }>;
  }

  weights(options: WeightsOptions<Model> = {}): Promise<Model & { report: PassReport }> {
    return this.#make("weights", options);
  }

  convert(options: ConvertOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#make("convert", options);
  }

  async write(options: WriteOptions = {}): Promise<WrittenFiles> {
    const { as, out = (as && kFileNames[as]) ?? "" }: WriteOptions = checkedOptions("write", options);
    const lacking = this.#lacking("write", options);
    if (lacking) await lacking;
    const json = this.#core.options({ ...options, out });
    const written = await withBytes(options, () => this.#run("write", options, (handle) => handle.write(json)));
    const checks = this.#checks(written.value);
    const files = written.value.files!.map(
      ({ path, pieces }) => new OutputFile(path, this.#parts(pieces, checks), this.#saver),
    );
    return Object.assign(files, { report: written.report as WriteReport });
  }

  async picture(options: PictureOptions<Model> = {}): Promise<Picture> {
    const { against, ...others } = checkedOptions("picture", options);
    const other = against === undefined ? null : checkedModel("picture", "a model as 'against'", against, Model);
    const files = await this.draw({ ...others, out: "" }, other);
    const [layout, svg] = await Promise.all(files.map(async (file) => new TextDecoder().decode(await file.bytes())));
    return new Picture(files.report, layout!, svg!);
  }

  /** The files of the verb draw. @internal */
  async draw(options: CallOptions & Own, other: Model | null): Promise<OutputFile[] & { report: PictureReport }> {
    const lacking = this.#lacking(other ? "diff" : "picture", options);
    if (lacking) await lacking;
    const json = this.#core.options(options);
    const second = other && other.#open(this.#core);
    const sources = other ? this.#sources.and(other.#sources) : this.#sources;
    const draw = () => this.#run("picture", options, (handle) => handle.draw(json, second), sources);
    const drawn = await withBytes(options, draw);
    const checks = this.#checks(drawn.value);
    const files = drawn.value.files!.map(
      ({ path, pieces }) => new OutputFile(path, this.#parts(pieces, checks), this.#saver),
    );
    return Object.assign(files, { report: drawn.report as PictureReport });
  }

  node(name: string, options: NodeOptions = {}): NodeReport {
    const node = checkedText("node", "the name of a node", name);
    const body = bodyOf("node", options);
    return this.#run("node", options, (handle) => handle.node(node, body)).report as NodeReport;
  }

  async weight(name: string, options: WeightOptions = {}): Promise<Weight> {
    const { weight, parts } = await this.#weight("weight", name, options);
    checkCount("weight", "first", options.first ?? 0);
    checkCount("weight", "count", options.count ?? 0);
    return decodeWeight(weight, parts, options);
  }

  async statistics(name: string, options: CallOptions = {}): Promise<Statistics> {
    const { weight, parts } = await this.#weight("statistics", name, options);
    return statisticsOf(weight, parts, options);
  }

  /** Throws "source-changed" if a file that was read has changed. @internal */
  checkUnchanged(): void {
    this.#sources.checkUnchanged();
  }

  close(): void {
    if (!this.#handle) return;
    forgotten.unregister(this);
    release(this.#core, this.#sources, this.#handle);
    this.#handle = null;
  }

  [kDispose](): void {
    this.close();
  }

  #ask(...[call, options, own = {}, others = []]: Asked): Report {
    return this.#runVerb(call, options, own, others).report;
  }

  async #answer(...asked: Asked): Promise<Report> {
    const lacking = this.#lacking(asked[0], asked[1]);
    if (lacking) await lacking;
    return withBytes(checkedOptions(asked[0], asked[1]), () => this.#ask(...asked));
  }

  async #pass(...[call, options, own = {}, others = []]: Asked): Promise<Model & { report: PassReport }> {
    const lacking = this.#lacking(call, options);
    if (lacking) await lacking;
    const run = () => this.#runVerb(call, options, own, others);
    const { value, report, sources } = await withBytes(checkedOptions(call, options), run);
    const model = new Model(this.#core, sources, this.#saver, value.model!, report);
    return model as Model & { report: PassReport };
  }

  // A call that makes a model, with the further models among its options.
  async #make(call: PassName, options: CallOptions): Promise<Model & { report: PassReport }> {
    const { other }: CallRow = kCalls[call];
    if (!other) return this.#pass(call, options);
    const { [other.key]: given, ...rest } = checkedOptions(call, options ?? {}) as CallOptions &
      Record<string, unknown>;
    return this.#pass(call, rest, {}, othersOf(call, other, given));
  }

  // Loads what the core lacks for a call; null if nothing. A call that has to wait loses its caller from the stack of an error:
  // only those that lack something do.
  #lacking(call: string, options: CallOptions): Promise<void> | null {
    return this.#core.lacking(call, checkedOptions(call, options));
  }

  #runVerb(call: string, options: CallOptions, own: Own, others: readonly Model[]) {
    const json = this.#core.options({ ...checkedOptions(call, options), ...own });
    const verb = call === "repair" ? "validate" : call;
    const handles = others.map((other) => other.#open(this.#core));
    const sources = others.reduce((all, other) => all.and(other.#sources), this.#sources);
    return { ...this.#run(call, options, (handle) => handle.run(verb, json, handles), sources), sources };
  }

  async #weight(call: string, name: string, options: CallOptions): Promise<{ weight: WeightBytes; parts: Part[] }> {
    const wanted = checkedText(call, "the name of a weight", name);
    const run = () => this.#run(call, options, (handle) => handle.weight(wanted));
    const { value } = await withBytes(checkedOptions(call, options), run);
    const weight = value.weight!;
    return { weight, parts: this.#parts(weight.pieces, this.#checks(value)) };
  }

  #run<T extends Answer>(
    call: string,
    options: CallOptions,
    work: (handle: Handle) => T,
    sources = this.#sources,
  ): { value: T; report: Report } {
    checkedOptions(call, options);
    const handle = this.#open(this.#core);
    return callCore(this.#core, sources, options, () => work(handle));
  }

  // The handle, for a call into the core that it lives in.
  #open(core: Core): Handle {
    if (!this.#handle) throw failure("model-closed", "This model was closed", "open it again, or close it later");
    if (this.#core !== core)
      throw failure("other-instance", "The two models are in different instances of the core", "open both again");
    return this.#handle;
  }

  #checks({ checks }: { checks: PieceChecksBinding }): PieceChecks {
    return new PieceChecks(this.#core, this.#sources, checks);
  }

  #parts(pieces: readonly Piece[], checks: PieceChecks): Part[] {
    return pieces.map((piece) => readablePart(piece, this.#sources, checks));
  }
}

// Returns the further models that a call was given as the option `other`.
function othersOf(
  call: string,
  { key, several, required }: NonNullable<CallRow["other"]>,
  given: unknown,
): readonly Model[] {
  if (several) return checkedModels(call, key, (given ?? []) as readonly Model[], Model);
  return given === undefined && !required ? [] : [checkedModel(call, `a model as '${key}'`, given as Model, Model)];
}

// Returns the name of the function whose nodes a call is about; "" for the main graph.
function bodyOf(call: string, options: NodeOptions): string {
  return checkedText(call, "the option 'function'", checkedOptions(call, options).function ?? "");
}

/** Opens the model among `files`. @internal */
export function openModel(
  core: Core,
  files: readonly HostFile[],
  options: OpenOptions & { path: string; capped: string },
  saver: Saver | null,
): Model {
  const sources = new SharedSources([new Sources(core, files)]);
  const json = core.options(options);
  sources.retain();
  try {
    const open = (): Opened => core.call((binding) => binding.open(sources.bindings(), json));
    const { value, report } = callCore(core, sources, options, open);
    return new Model(core, sources, saver, value.model!, report);
  } finally {
    sources.release();
  }
}

// Calls the core. An answer that was made without a file's bytes is invalid, whatever its status.
function callCore<T extends Answer>(
  core: Core,
  sources: SharedSources,
  options: CallOptions,
  work: () => T,
): { value: T; report: Report } {
  const watch = new Watch(options);
  const value = sources.during(watch, () => core.call(work));
  const report = JSON.parse(value.report) as Report;
  answers.set(report, { report: value.report, status: value.status });
  report.diagnostics = report.diagnostics.map((each) => inWords(each, apiWords));
  if (value.status <= 1 && watch.error === null) return { value, report };
  for (const made of [value.model, value.checks]) if (made) core.free(made);
  watch.check();
  const own = report.diagnostics;
  if (watch.error === null) throw new CryographError(own, report, { status: value.status });
  if (isMissing(watch.error)) throw watch.error;
  throw unread(watch.error, value.status > 1 ? own : [], report);
}

// Why a host could not read, in place of the core's report of it. `own`: the core's diagnostics.
function unread(cause: unknown, own: readonly Diagnostic[], { verb, model }: Report): CryographError {
  const why = (cause instanceof CryographError ? cause : readFailure(model, cause)).diagnostics[0]!;
  const diagnostics = own.map((each) => (each.code === "read-failed" ? { ...why, where: each.where } : each));
  if (!own.some(({ code }) => code === "read-failed")) diagnostics.push(why);
  return new CryographError(diagnostics, { verb, model, diagnostics }, { cause });
}

function release(core: Core, sources: SharedSources, handle: Handle): void {
  core.free(handle);
  sources.release();
}
