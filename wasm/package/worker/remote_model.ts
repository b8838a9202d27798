import { checkedOptions } from "../base/argument.js";
import { kDispose } from "../base/dispose.js";
import { failure } from "../base/errors.js";
import { NodeTable } from "../model/node_table.js";
import { OutputFile, type Saver } from "../model/output.js";
import { Picture } from "../model/picture.js";
import { needsReleases, orReleasesFailure, type PackedReleases } from "../core/releases.js";
import type { HostFile } from "../source/host_file.js";
import { type CallRow, kCalls } from "../types/calls.js";
import type { CallOptions, Report } from "../types/types.js";
import type { ModelCalls, WrittenFiles } from "../model/calls.js";
import type { Entry } from "../source/entry.js";
import type { WorkerLane } from "./worker_lane.js";
import type { Call, ModelReference, Plain, Result, Step, WrittenParts } from "./worker_protocol.js";

/** The parts of the host that a remote model needs. @internal */
export interface RemoteHost {
  lane: WorkerLane;
  saver: Saver | null;
  /** A file of the worker, as this thread has it. */
  file(entry: Entry): HostFile;
  /** Loads the data of TensorFlow's releases, as the worker unpacks it. */
  releases(): Promise<PackedReleases>;
}

/** A call that was not sent yet: of a method of Model, with Models of the worker among its arguments and options. @internal */
export interface PlannedCall {
  method: string;
  args?: readonly unknown[];
  options?: object;
}

// All that a model has.
const kMethods: Record<
  Exclude<keyof ModelCalls<Model, "worker">, "report" | "close" | typeof kDispose>,
  CallRow
> = kCalls;

const Calls = withMethods();

const forgotten = new FinalizationRegistry<() => void>((close) => close());

/** A model in a worker: each call is a promise. If the worker had to be ended, the model is made again. */
export class Model extends Calls {
  declare readonly report: Report;
  #host: RemoteHost;
  #steps: readonly Step[];
  #place: { generation: number; model: number };
  #closed = false;

  /** @internal */
  constructor(host: RemoteHost, steps: readonly Step[], made: { model: number; report: Report }) {
    super();
    Object.assign(this, { report: made.report });
    this.#host = host;
    this.#steps = steps;
    const place = (this.#place = { generation: host.lane.generation, model: made.model });
    forgotten.register(this, () => close(host, place), this);
  }

  override close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    close(this.#host, this.#place);
  }

  override [kDispose](): void {
    this.close();
  }

  /**
   * Runs several calls with one answer, each on the model that the one before it made, if it made one. Returns their
   * results. @internal
   */
  run(calls: readonly PlannedCall[], options: CallOptions): Promise<unknown[]> {
    const { lane } = this.#host;
    // A model of another worker is made again in this one, for the call.
    const there = (model: Model): ModelReference =>
      model.#host.lane === lane ? { $model: model.#place.model } : { $steps: model.#steps };
    const steps = calls.map((call) => wire(call, (model) => ({ $steps: model.#steps })));
    return lane.run(options, async () => {
      // A worker that took the place of one that had the data makes models again that may need it.
      if (sentReleases.has(lane) || calls.some(({ method, options }) => needsReleases(method, options ?? {})))
        await sendReleases(this.#host);
      for (const model of [this, ...calls.flatMap(modelsOf)])
        if (model.#isLost() && model.#host.lane === lane) await model.#revive(options);
      const sent = calls.map((call) => wire(call, there));
      const results = await lane.send({ do: "call", model: this.#place.model, calls: sent }, options);
      return received(this.#host, this.#steps, steps, results as Result[]);
    });
  }

  // Returns true if the worker that had the model has ended.
  #isLost(): boolean {
    if (this.#closed) throw failure("model-closed", "This model was closed", "open it again, or close it later");
    const { lane } = this.#host;
    return !lane.alive || this.#place.generation !== lane.generation;
  }

  async #revive(options: CallOptions): Promise<void> {
    const { lane } = this.#host;
    const [made] = (await lane.send({ do: "make", steps: this.#steps, calls: [] }, options)) as [{ model: number }];
    Object.assign(this.#place, { model: made.model, generation: lane.generation });
  }
}

/** Returns options without the members that cannot be sent to a worker. @internal */
export function plain({ signal: _signal, onProgress: _onProgress, ...rest }: CallOptions & object): Plain {
  return rest;
}

/** Returns a call as it is sent. `reference`: of a model. @internal */
export function wire(call: PlannedCall, reference: (model: Model) => ModelReference): Call {
  const { method, args = [], options = {} } = call;
  const sent = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(sent);
    return value instanceof Model ? reference(value) : value;
  };
  const members = Object.entries(plain(options)).map(([key, value]) => [key, sent(value)]);
  return { method, args: args.map(sent), options: Object.fromEntries(members) as Plain };
}

/** Returns the results of calls with the package's own objects. `steps`: of the model that the first one was called on. @internal */
export function received(
  host: RemoteHost,
  steps: readonly Step[],
  calls: readonly Step[],
  results: readonly Result[],
): unknown[] {
  let made = steps;
  return results.map((result, i) => {
    if ("model" in result) return new Model(host, (made = [...made, calls[i]!]), result);
    if ("written" in result) return writtenFiles(host, result.written);
    if ("picture" in result) return new Picture(result.picture.report, result.picture.layout, result.picture.svg);
    return "nodes" in result ? new NodeTable(result.nodes) : result.value;
  });
}

// Returns a class that has the methods; each sends its call.
function withMethods(): new () => ModelCalls<Model, "worker"> {
  const type = function () {};
  for (const [method, { arguments: count }] of Object.entries(kMethods)) {
    const value = async function (this: Model, ...all: unknown[]) {
      const options = checkedOptions(method, (all[count] === undefined ? {} : all[count]) as CallOptions);
      return this.run([{ method, args: all.slice(0, count), options }], options).then(([result]) => result);
    };
    Object.defineProperty(type.prototype, method, { value, writable: true, configurable: true });
  }
  return type as unknown as new () => ModelCalls<Model, "worker">;
}

// The generation of a lane's workers that was sent the data of TensorFlow's releases last.
const sentReleases = new WeakMap<WorkerLane, number>();

async function sendReleases({ lane, releases }: RemoteHost): Promise<void> {
  if (lane.alive && sentReleases.get(lane) === lane.generation) return;
  // A module's own object does not cross, its members do.
  const { histories, runtimes } = await orReleasesFailure(releases());
  await lane.send({ do: "releases", releases: { histories, runtimes } });
  sentReleases.set(lane, lane.generation);
}

function modelsOf({ args = [], options = {} }: PlannedCall): Model[] {
  return [...args, ...Object.values(options)].flat().filter((value) => value instanceof Model);
}

function writtenFiles(host: RemoteHost, { files, sources, report }: WrittenParts): WrittenFiles {
  const hostFiles = sources.map((entry) => host.file(entry));
  const outputs = files.map(({ path, parts }) => {
    const own = parts.map((part) =>
      ArrayBuffer.isView(part) ? part : { file: hostFiles[part.source]!, offset: part.offset, size: part.size },
    );
    return new OutputFile(path, own, host.saver);
  });
  return Object.assign(outputs, { report });
}

function close({ lane }: RemoteHost, { generation, model }: { generation: number; model: number }): void {
  if (lane.alive && generation === lane.generation) lane.tell({ do: "close", model });
}
