import { openEntries, type Host } from "../host/host.js";
import type { Model } from "../api/model.js";
import type { NodeColumns } from "../api/node_table.js";
import type { OutputFile } from "../api/output.js";
import type { HostFile } from "../source/source.js";
import type { CallOptions, Report, What, WriteReport } from "../api/types.js";
import { toWire } from "./wire_error.js";
import type { Answer, Envelope, MadeModel, Request, Step, WrittenModel } from "./worker_protocol.js";

const kMillisecondsBetweenReports = 50;

/** The worker's side: holds the models and answers requests, in order. */
export class WorkerHost {
  #models = new Map<number, Model>();
  #count = 0;
  #last: Promise<void> = Promise.resolve();

  constructor(
    private readonly host: Host,
    private readonly post: (answer: Answer, transferred: ArrayBuffer[]) => void,
  ) {}

  receive({ id, progress, request }: Envelope): void {
    this.#last = this.#last.then(async () => {
      try {
        const value = await this.#answer(request, progress ? this.#progress(id) : {});
        this.post({ id, value }, request.do === "nodes" ? buffersOf(value as NodeColumns) : []);
      } catch (error) {
        this.post({ id, error: toWire(error) }, []);
      }
    });
  }

  async #answer(request: Request, call: CallOptions): Promise<unknown> {
    switch (request.do) {
      case "init":
        return this.host.loader.init(request.options);
      case "make":
        return this.#keep(await this.#make(request.steps, call));
      case "pass":
        return this.#keep(await this.#model(request.model)[request.pass]({ ...request.options, ...call }));
      case "transfer":
        return this.#keep(
          await this.#model(request.model).transfer({ ...request.options, ...call, from: this.#model(request.other) }),
        );
      case "diff":
        return this.#model(request.model).diff(this.#model(request.other), { ...request.options, ...call });
      case "ask":
        return this.#ask(request, call);
      case "write":
        return this.#write(request.model, { ...request.options, ...call });
      case "picture": {
        const { other, options } = request;
        const against = other === undefined ? undefined : this.#model(other);
        return (await this.#model(request.model).picture({ ...options, ...call, ...(against && { against }) })).texts();
      }
      case "nodes":
        return this.#model(request.model)
          .nodes({ ...request.options, ...call })
          .columns();
      case "node":
        return this.#model(request.model).node(request.name, { ...request.options, ...call });
      case "weight":
        return this.#model(request.model).weight(request.name, { ...request.options, ...call });
      case "statistics":
        return this.#model(request.model).statistics(request.name, call);
      case "explain":
        return (await this.host.loader.get()).explain(request.code);
      case "close":
        this.#models.get(request.model)?.close();
        this.#models.delete(request.model);
    }
    return undefined;
  }

  // The other side reads pieces without a core: here they are verified.
  async #write(model: number, options: Record<string, unknown> & CallOptions): Promise<WrittenModel> {
    const files = await this.#model(model).write(options);
    for (const file of files) file.verify(options);
    return toWireFiles(files);
  }

  #ask({ model, question, options }: Request & { do: "ask" }, call: CallOptions): Report | Promise<Report> {
    if (question === "list") return this.#model(model).list(options["what"] as What, { ...options, ...call });
    return this.#model(model)[question]({ ...options, ...call });
  }

  // Intermediate models are closed: only the last one was requested.
  async #make(steps: readonly Step[], call: CallOptions): Promise<Model> {
    let model: Model | null = null;
    for (const step of steps) {
      const before: Model | null = model;
      const options = { ...step.options, ...call };
      try {
        if ("open" in step) model = await openEntries(this.host, await this.host.loader.get(), step.open, options);
        else if ("pass" in step) model = await before![step.pass](options);
        else {
          using from = await this.#make(step.transfer, call);
          model = await before!.transfer({ ...options, from });
        }
      } finally {
        before?.close();
      }
    }
    return model!;
  }

  #keep(model: Model): MadeModel {
    this.#models.set(++this.#count, model);
    return { model: this.#count, report: model.report };
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

// The memory of columns goes to the other side: it is not copied.
function buffersOf(columns: NodeColumns): ArrayBuffer[] {
  return Object.values(columns).flatMap((column: unknown) =>
    ArrayBuffer.isView(column) ? [column.buffer as ArrayBuffer] : [],
  );
}

function toWireFiles(files: OutputFile[] & { report: WriteReport }): WrittenModel {
  const sources = new Map<HostFile, number>();
  const wireFiles = files.map(({ path, parts }) => ({
    path,
    parts: parts.map((part) => {
      if (part instanceof Uint8Array) return part;
      const { file, offset, size } = part;
      if (!sources.has(file)) sources.set(file, sources.size);
      return { source: sources.get(file)!, offset, size };
    }),
  }));
  return { files: wireFiles, sources: Array.from(sources.keys(), (file) => file.entry()), report: files.report };
}
