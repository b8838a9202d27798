import type { Gathered } from "../source/gather.js";
import { Model, plain, type RemoteHost } from "./remote_model.js";
import type { Explanation, InitOptions, Input, OpenOptions } from "../api/types.js";
import type { MadeModel } from "./worker_protocol.js";

export interface ClientHost extends RemoteHost {
  gather(input: Input, options: OpenOptions): Promise<Gathered>;
}

/** The functions of `./worker`: those of `.`, with the work in a worker, so that a call can be aborted at any time. */
export function packageOverWorker(host: ClientHost) {
  async function init(options: InitOptions = {}): Promise<void> {
    const { wasmUrl } = options; // a URL cannot cross, its text can
    host.lane.init(wasmUrl === undefined ? options : { ...options, wasmUrl: String(wasmUrl) });
  }

  async function open(input: Input, options: OpenOptions = {}): Promise<Model> {
    const steps = [{ open: await host.gather(input, options), options: plain(options) }];
    return host.lane.run(options, async () => {
      const made = (await host.lane.send({ do: "make", steps }, options)) as MadeModel;
      return new Model(host, steps, made);
    });
  }

  async function explain(code: string): Promise<Explanation> {
    return host.lane.run({}, () => host.lane.send({ do: "explain", code }) as Promise<Explanation>);
  }

  return { init, open, explain };
}
