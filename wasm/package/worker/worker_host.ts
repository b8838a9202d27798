import { openEntries, type Host } from "../host/host.js";
import { Model } from "../model/model.js";
import { NodeTable } from "../model/node_table.js";
import { partsOf } from "../model/output.js";
import { Picture } from "../model/picture.js";
import { withBytes } from "../source/missing.js";
import type { HostFile } from "../source/host_file.js";
import type { CallOptions, Weight } from "../types/types.js";
import type { WrittenFiles } from "../model/calls.js";
import { toWire } from "./wire_error.js";
import type { Answer, Call, Envelope, ModelReference, Request, Result, Step, WrittenParts } from "./worker_protocol.js";

const kMillisecondsBetweenReports = 50;

/** Returns the calls to run next, made of the last call's result. */
export type Plan = (result: never, ...args: never[]) => readonly Call[];

/** The worker's side: holds the models and answers requests, in order. */
export class WorkerHost {
  #models = new Map<number, Model>();
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  /** `plans`: by the name that a request's last call may have in place of a method's. */
  constructor(
    private readonly host: Host,
    private readonly post: (answer: Answer, transferred: ArrayBuffer[]) => void,
    private readonly plans: Readonly<Record<string, Plan>> = {},
  ) {}

  receive({ id, progress, request }: Envelope): void {
    this.#last = this.#last.then(async () => {
      try {
        const value = await this.#answer(request, progress ? this.#progress(id) : {});
        this.post({ id, value }, buffersOf(value));
      } catch (error) {
        this.post({ id, error: toWire(error) }, []);
      }
    });
  }

  async #answer(request: Request, options: CallOptions): Promise<unknown> {
    switch (request.do) {
      case "init":
        return this.host.loader.init(request.options);
      case "make":
        return this.#run(await this.#make(request.steps, options), request.calls, options, true);
      case "call":
        return this.#run(this.#model(request.model), request.calls, options, false);
      case "explain":
        return (await this.host.loader.get()).explain(request.code);
      case "releases":
        return (await this.host.loader.get()).needReleases(request.releases);
      case "close":
        this.#models.get(request.model)?.close();
        this.#models.delete(request.model);
    }
    return undefined;
  }

  // `isNew`: the model is the first result. If a call fails, the models that were made are closed.
  async #run(first: Model, planned: readonly Call[], options: CallOptions, isNew: boolean): Promise<Result[]> {
    const results: unknown[] = isNew ? [first] : [];
    const calls = [...planned];
    let model = first;
    try {
      for (let call = calls.shift(); call; call = calls.shift()) {
        const plan = this.plans[call.method];
        if (plan) {
          calls.unshift(...plan(results.at(-1) as never, ...(call.args as never[])));
          continue;
        }
        const result = await this.#call(model, call, options);
        results.push(result);
        if (result instanceof Model) model = result;
      }
    } catch (error) {
      for (const each of results) if (each instanceof Model) each.close();
      throw error;
    }
    return results.map((each) => this.#result(each));
  }

  // Intermediate models are closed: only the last one was requested.
  async #make(steps: readonly Step[], options: CallOptions): Promise<Model> {
    let model: Model | null = null;
    for (const step of steps) {
      const before: Model | null = model;
      try {
        if ("open" in step) {
          const core = await this.host.loader.get();
          model = await openEntries(this.host, core, step.open, { ...step.options, ...options });
        } else {
          model = (await this.#call(before!, step, options)) as Model;
        }
      } finally {
        before?.close();
      }
    }
    return model!;
  }

  // Models that the arguments name by their steps are made for the call.
  async #call(on: Model, call: Call, options: CallOptions): Promise<unknown> {
    const made: Model[] = [];
    try {
      return await callOn(on, call, options, async (reference) => {
        if ("$model" in reference) return this.#model(reference.$model);
        const other = await this.#make(reference.$steps, options);
        made.push(other);
        return other;
      });
    } finally {
      for (const each of made) each.close();
    }
  }

  #result(result: unknown): Result {
    if (result instanceof Model) {
      this.#models.set(++this.#count, result);
      return { model: this.#count, report: result.report };
    }
    if (result instanceof Picture) return { picture: result.texts() };
    if (result instanceof NodeTable) return { nodes: result.columns() };
    return isWritten(result) ? { written: toWireFiles(result) } : { value: result };
  }

  #model(id: number): Model {
    const model = this.#models.get(id);
    if (!model) throw new Error(`no model ${id}`);
    return model;
  }

  #progress(id: number): CallOptions {
    let last = 0;
    return {
      onProgress: ({ bytes }) => {
        if (performance.now() - last < kMillisecondsBetweenReports) return;
        last = performance.now();
        this.post({ id, bytes }, []);
      },
    };
  }
}

// Calls a method. `model`: the one that a reference is to. The other side reads pieces without a core: those of files
// that are written are verified here.
async function callOn(
  on: Model,
  { method, args, options }: Call,
  own: CallOptions,
  model: (reference: ModelReference) => Promise<Model>,
): Promise<unknown> {
  const resolved = async (value: unknown): Promise<unknown> => {
    if (Array.isArray(value)) return Promise.all(value.map(resolved));
    return isReference(value) ? model(value) : value;
  };
  const all: Record<string, unknown> = { ...own };
  for (const [key, value] of Object.entries(options)) all[key] = await resolved(value);
  const methods = on as unknown as Record<string, (...args: unknown[]) => unknown>;
  const given = await Promise.all(args.map(resolved));
  const result = await withBytes(own, () => methods[method]!(...given, all));
  if (isWritten(result)) for (const file of result) await withBytes(own, () => file.verify(own));
  return result;
}

function isReference(value: unknown): value is ModelReference {
  return typeof value === "object" && value !== null && ("$model" in value || "$steps" in value);
}

function isWritten(result: unknown): result is WrittenFiles {
  return Array.isArray(result) && "report" in result;
}

// The memory of columns, values and fresh bytes is transferred, not copied. Each buffer is named once.
function buffersOf(results: unknown): ArrayBuffer[] {
  if (!Array.isArray(results)) return [];
  const views = (results as Result[]).flatMap(viewsIn).filter((view) => ArrayBuffer.isView(view));
  return [...new Set(views.map(({ buffer }) => buffer as ArrayBuffer))];
}

function viewsIn(result: Result): unknown[] {
  if ("nodes" in result) return Object.values(result.nodes);
  if ("written" in result) return result.written.files.flatMap(({ parts }) => parts);
  return "value" in result ? [(result.value as Partial<Weight> | undefined)?.data].flat() : [];
}

function toWireFiles(files: WrittenFiles): WrittenParts {
  const sources = new Map<HostFile, number>();
  const wireFiles = files.map((file) => ({
    path: file.path,
    parts: partsOf(file).map((part) => {
      if (ArrayBuffer.isView(part)) return part;
      const { file, offset, size } = part;
      if (!sources.has(file)) sources.set(file, sources.size);
      return { source: sources.get(file)!, offset, size };
    }),
  }));
  return { files: wireFiles, sources: Array.from(sources.keys(), (file) => file.entry()), report: files.report };
}
