import type { Core, CoreLoader } from "./core.js";
import type { Entry, Gathered } from "./gather.js";
import { Model, openModel } from "./model.js";
import type { Saver } from "./output.js";
import type { HostFile } from "./source.js";
import type { Explanation, InitOptions, Input, OpenOptions } from "./types.js";

/** What differs between Node, a page and a worker. */
export interface Host {
  loader: CoreLoader;
  saver: Saver | null;
  gather(input: Input, options: OpenOptions): Promise<Gathered>;
  files(entries: readonly Entry[]): Promise<HostFile[]>;
}

/** The functions of the package, over a host. */
export function packageOver(host: Host) {
  /** Loads the core ahead of time, or from elsewhere. */
  async function init(options: InitOptions = {}): Promise<void> {
    host.loader.init(options);
    await host.loader.get();
  }

  /** Opens a model. Its bytes stay where they lie, and only what is looked at is read. */
  async function open(input: Input, options: OpenOptions = {}): Promise<Model> {
    // Gathering starts before any waiting: dropped items die with their event.
    const gathering = host.gather(input, options);
    const core = await loaded(host, gathering);
    return openEntries(host, core, await gathering, options);
  }

  /** What the code of a diagnostic means. */
  async function explain(code: string): Promise<Explanation> {
    return (await host.loader.get()).explain(code);
  }

  return { init, open, explain };
}

export async function openEntries(host: Host, core: Core, gathered: Gathered, options: OpenOptions): Promise<Model> {
  return openModel(core, await host.files(gathered.entries), gathered.path, options, host.saver);
}

// Both may fail, and neither failure may stay unhandled.
async function loaded(host: Host, gathering: Promise<unknown>): Promise<Core> {
  const [core] = await Promise.all([host.loader.get(), gathering]);
  return core;
}
