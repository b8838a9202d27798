import { abortError, CryographError, failure } from "../base/errors.js";
import type { CallOptions, InitOptions } from "../types/types.js";
import { fromWire } from "./wire_error.js";
import type { Answer, Envelope, Init, Port, Request } from "./worker_protocol.js";

/** Starts a worker as options of init() say. */
export type Spawn = (options: InitOptions) => Port;

/** The codes of errors after which a worker has no models any more. */
export const kEndingCodes: readonly string[] = ["core-lost", "out-of-memory"];

interface Waiting {
  done(value: unknown): void;
  failed(error: unknown): void;
  progress(bytes: number): void;
}

/**
 * One worker and one queue. A call that is aborted while it runs ends the worker, for nothing else can interrupt it;
 * the next call gets a fresh one. `generation` counts workers: objects of an earlier one are invalid. The first message
 * to a worker is its configuration; later ones are `Asked`.
 */
export class WorkerLane<Asked = Request> {
  generation = 0;
  /** The number of calls that have not ended. */
  queued = 0;
  #port: Port | null = null;
  #tail: Promise<unknown> = Promise.resolve();
  #waiting = new Map<number, Waiting>();
  #ids = 0;
  #init: InitOptions = {};

  constructor(private readonly spawn: Spawn) {}

  get alive(): boolean {
    return this.#port !== null;
  }

  init(options: InitOptions): void {
    this.#init = options;
    this.#end(failure("worker-ended", "The worker was set up again", "call again"));
  }

  /** Has a worker before there is something to do. */
  start(): void {
    this.#alive();
  }

  /** Queues `work`; its send()s have the worker for themselves. Begins at once if nothing is queued. */
  run<T>(options: CallOptions, work: () => Promise<T>): Promise<T> {
    const begin = () => this.#cancellable(options, work);
    const result = (this.queued++ === 0 ? begin() : this.#tail.then(begin)).finally(() => this.queued--);
    this.#tail = result.catch(() => {});
    return result;
  }

  async #cancellable<T>({ signal }: CallOptions, work: () => Promise<T>): Promise<T> {
    if (signal?.aborted) throw abortError(signal);
    const abort = () => this.#end(abortError(signal!));
    signal?.addEventListener("abort", abort);
    try {
      return await work();
    } catch (error) {
      throw signal?.aborted ? abortError(signal) : error; // whatever the end of the worker led to
    } finally {
      signal?.removeEventListener("abort", abort);
    }
  }

  send(request: Asked, { onProgress }: CallOptions = {}): Promise<unknown> {
    const port = this.#alive();
    const id = ++this.#ids;
    port.hold(true);
    return new Promise((done, failed) => {
      const progress = (bytes: number) => {
        try {
          onProgress?.({ bytes });
        } catch (error) {
          failed(error); // the caller's own; its call runs to its end unseen
        }
      };
      this.#waiting.set(id, { done, failed, progress });
      try {
        port.post({ id, progress: onProgress !== undefined, request } satisfies Envelope<Asked>);
      } catch (error) {
        this.#waiting.delete(id);
        failed(
          failure(
            "bad-argument",
            `an argument or option cannot be sent to the worker: ${String(error)}`,
            kFix,
            error,
            2,
          ),
        );
      }
    });
  }

  /** Sends a request without waiting for an answer. Ignored if the worker has ended. */
  tell(request: Asked | Init): void {
    this.#port?.post({ id: 0, progress: false, request } satisfies Envelope<Asked | Init>);
  }

  #alive(): Port {
    if (this.#port) return this.#port;
    const port = (this.#port = this.#spawn());
    this.generation++;
    port.listen(
      (data) => this.#receive(data as Answer),
      (error) => {
        if (port === this.#port) this.#end(workerLost(error, port.address));
      },
    );
    const ofCore = Object.entries(this.#init).filter(([name]) => name.startsWith("wasm"));
    this.tell({ do: "init", options: Object.fromEntries(ofCore) });
    return port;
  }

  #spawn(): Port {
    try {
      return this.spawn(this.#init);
    } catch (error) {
      throw workerLost(error, "");
    }
  }

  #receive(answer: Answer): void {
    const waiting = this.#waiting.get(answer.id);
    if (!waiting) return;
    if ("bytes" in answer) return waiting.progress(answer.bytes);
    this.#waiting.delete(answer.id);
    if (this.#waiting.size === 0) this.#port?.hold(false);
    if ("value" in answer) return waiting.done(answer.value);
    const error = fromWire(answer.error);
    waiting.failed(error);
    if (kEndingCodes.includes(error.code)) this.#end(error);
  }

  #end(error: unknown): void {
    this.#port?.terminate();
    this.#port = null;
    const all = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { failed } of all) failed(error);
  }
}

const kFix = "pass plain values";

function workerLost(error: unknown, address: string): CryographError {
  if (error instanceof CryographError) return error;
  const said = error instanceof Error ? error.message : (error as ErrorEvent | null)?.message;
  // A page's worker that could not be loaded gives an event without a message.
  const message = `The worker ended: ${said || "its script could not be loaded"}${address && `, from ${address}`}`;
  return failure("worker-lost", message, [{ action: "restart-worker" }], error);
}
