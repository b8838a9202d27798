import { kDispose } from "../api/dispose.js";
import { failure } from "../api/errors.js";
import { NodeTable, type NodeColumns } from "../api/node_table.js";
import { OutputFile, type Saver } from "../api/output.js";
import { Picture } from "../api/picture.js";
import type { HostFile } from "../source/source.js";
import type {
  CallOptions,
  ConvertOptions,
  DiffOptions,
  DiffReport,
  FreezeOptions,
  InspectOptions,
  InspectReport,
  ListOptions,
  ListReport,
  NodeOptions,
  NodeReport,
  PassReport,
  PictureOptions,
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
} from "../api/types.js";
import type { Entry } from "../source/gather.js";
import type { WorkerLane } from "./worker_lane.js";
import type { DrawnPicture, MadeModel, Pass, Plain, Question, Request, Step, WrittenModel } from "./worker_protocol.js";

/** The parts of the host that a remote model needs. */
export interface RemoteHost {
  lane: WorkerLane;
  saver: Saver | null;
  /** A file of the worker, as this thread has it. */
  file(entry: Entry): HostFile;
}

const forgotten = new FinalizationRegistry<() => void>((close) => close());

/** A model in the worker: the calls of Model, each a promise. If the worker had to be ended, the model is made again. */
export class Model {
  readonly report: Report;
  #host: RemoteHost;
  #steps: Step[];
  #place: { generation: number; model: number };
  #closed = false;

  /** @internal */
  constructor(host: RemoteHost, steps: Step[], made: MadeModel) {
    this.report = made.report;
    this.#host = host;
    this.#steps = steps;
    const place = (this.#place = { generation: host.lane.generation, model: made.model });
    forgotten.register(this, () => close(host, place), this);
  }

  inspect(options: InspectOptions = {}): Promise<InspectReport> {
    return this.#ask("inspect", options) as Promise<InspectReport>;
  }

  list(what: What, options: ListOptions = {}): Promise<ListReport> {
    return this.#ask("list", { ...options, what });
  }

  async nodes(options: NodeOptions = {}): Promise<NodeTable> {
    return new NodeTable((await this.#send(options, { do: "nodes", options: plain(options) })) as NodeColumns);
  }

  validate(options: ValidateOptions = {}): Promise<ValidateReport> {
    return this.#ask("validate", options) as Promise<ValidateReport>;
  }

  repair(options: ValidateOptions = {}): Promise<Model & { report: RepairReport }> {
    return this.#pass("repair", options) as Promise<unknown> as Promise<Model & { report: RepairReport }>;
  }

  diff(other: Model, options: DiffOptions = {}): Promise<DiffReport> {
    return this.#send(options, { do: "diff", options: plain(options) }, other) as Promise<DiffReport>;
  }

  prune(options: PruneOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("prune", options);
  }

  freeze(options: FreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("freeze", options);
  }

  unfreeze(options: UnfreezeOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("unfreeze", options);
  }

  weights(options: WeightsOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("weights", options);
  }

  convert(options: ConvertOptions = {}): Promise<Model & { report: PassReport }> {
    return this.#pass("convert", options);
  }

  async transfer({ from, ...rest }: TransferOptions<Model>): Promise<Model & { report: TransferReport }> {
    const options = plain(rest);
    const made = (await this.#send(rest, { do: "transfer", options }, from)) as MadeModel;
    const step = { transfer: from.#steps, options };
    return new Model(this.#host, [...this.#steps, step], made) as Model & { report: TransferReport };
  }

  async write(options: WriteOptions = {}): Promise<OutputFile[] & { report: WriteReport }> {
    const request = { do: "write", options: plain(options) } as const;
    const { files, sources, report } = (await this.#send(options, request)) as WrittenModel;
    const hostFiles = sources.map((entry) => this.#host.file(entry));
    const outputs = files.map(({ path, parts }) => {
      const own = parts.map((part) =>
        part instanceof Uint8Array ? part : { file: hostFiles[part.source]!, offset: part.offset, size: part.size },
      );
      return new OutputFile(path, own, this.#host.saver);
    });
    return Object.assign(outputs, { report });
  }

  async picture({ against, ...options }: PictureOptions<Model> = {}): Promise<Picture> {
    const request = { do: "picture", options: plain(options as CallOptions & Plain) } as const;
    const { report, layout, svg } = (await this.#send(options, request, against ?? null)) as DrawnPicture;
    return new Picture(report, layout, svg);
  }

  node(name: string, options: NodeOptions = {}): Promise<NodeReport> {
    return this.#send(options, { do: "node", name, options: plain({ ...options }) }) as Promise<NodeReport>;
  }

  weight(name: string, options: WeightOptions = {}): Promise<Weight> {
    return this.#send(options, { do: "weight", name, options: plain({ ...options }) }) as Promise<Weight>;
  }

  statistics(name: string, options: CallOptions = {}): Promise<Statistics> {
    return this.#send(options, { do: "statistics", name }) as Promise<Statistics>;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    forgotten.unregister(this);
    close(this.#host, this.#place);
  }

  [kDispose](): void {
    this.close();
  }

  #ask(question: Question, options: CallOptions & { what?: What }): Promise<Report> {
    return this.#send(options, { do: "ask", question, options: plain(options) }) as Promise<Report>;
  }

  async #pass(pass: Pass, options: CallOptions & object): Promise<Model & { report: PassReport }> {
    const step = { pass, options: plain(options) };
    const made = (await this.#send(options, { do: "pass", ...step })) as MadeModel;
    return new Model(this.#host, [...this.#steps, step], made) as Model & { report: PassReport };
  }

  // `other`: the second model, of requests that take two.
  async #send(call: CallOptions, request: Unplaced<Request>, other: Model | null = null): Promise<unknown> {
    const { lane } = this.#host;
    return lane.run(call, async () => {
      await this.#revive(call);
      if (other) await other.#revive(call);
      const places = { model: this.#place.model, ...(other && { other: other.#place.model }) };
      return lane.send({ ...request, ...places } as Request, call);
    });
  }

  async #revive(call: CallOptions): Promise<void> {
    if (this.#closed) throw failure("model-closed", "This model was closed", "open it again, or close it later");
    const { lane } = this.#host;
    if (lane.alive && this.#place.generation === lane.generation) return;
    const { model } = (await lane.send({ do: "make", steps: this.#steps }, call)) as MadeModel;
    Object.assign(this.#place, { model, generation: lane.generation });
  }
}

type Unplaced<T> = T extends unknown ? Omit<T, "model" | "other"> : never;

/** Returns options without the members that cannot be sent to a worker. */
export function plain({ signal: _signal, onProgress: _onProgress, ...rest }: CallOptions & object): Plain {
  return rest;
}

function close({ lane }: RemoteHost, { generation, model }: { generation: number; model: number }): void {
  if (lane.alive && generation === lane.generation) lane.tell({ do: "close", model });
}
