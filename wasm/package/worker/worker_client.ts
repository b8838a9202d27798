import { checkedInit, checkedOpen } from "../base/argument.js";
import type { Gathered } from "../source/entry.js";
import { type Model, plain, type PlannedCall, received, type RemoteHost, wire } from "./remote_model.js";
import type { CallOptions, Explanation, InitOptions, Input, OpenOptions } from "../types/types.js";
import type { WorkerLane } from "./worker_lane.js";
import type { Result, Step } from "./worker_protocol.js";

export interface ClientHost extends Omit<RemoteHost, "lane"> {
  /** Returns the lane for a new model. */
  next(): WorkerLane;
  init(options: InitOptions): void;
  gather(input: Input, options: OpenOptions): Promise<Gathered>;
}

/** The functions of `./worker`: those of `.`, with the work in a worker, so that a call can be aborted at any time. */
export function packageOverWorker(host: ClientHost) {
  async function init(options: InitOptions = {}): Promise<void> {
    const { wasmUrl } = checkedInit(options); // a URL cannot cross, its text can
    host.init(wasmUrl === undefined ? options : { ...options, wasmUrl: String(wasmUrl) });
  }

  /** Opens a model. Its bytes stay where they are, and only the parts that are needed are read. */
  async function open(input: Input, options: OpenOptions = {}): Promise<Model> {
    const [model] = await openAndRun(input, options, []);
    return model;
  }

  /** Opens a model and runs calls on it, with one answer: the model, and their results. The calls name no models. */
  async function openAndRun(
    input: Input,
    options: OpenOptions,
    planned: readonly PlannedCall[],
  ): Promise<[Model, ...unknown[]]> {
    checkedOpen(options);
    const first: Step = { open: await host.gather(input, options), options: plain(options) };
    const calls = planned.map((call) => wire(call, () => ({ $steps: [] })));
    const lane = host.next();
    return lane.run(options, async () => {
      const results = (await lane.send({ do: "make", steps: [first], calls }, options)) as Result[];
      return received({ ...host, lane }, [], [first, ...calls], results) as [Model, ...unknown[]];
    });
  }

  /** Returns the meaning of a diagnostic's code. */
  async function explain(code: string): Promise<Explanation> {
    const options: CallOptions = {};
    const lane = host.next();
    return lane.run(options, () => lane.send({ do: "explain", code }) as Promise<Explanation>);
  }

  return { init, open, openAndRun, explain };
}
