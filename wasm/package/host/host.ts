import { checkedInit, checkedOpen } from "../base/argument.js";
import type { Core, CoreLoader } from "../core/core.js";
import type { Entry, Gathered } from "../source/entry.js";
import { Model, openModel } from "../model/model.js";
import type { Saver } from "../model/output.js";
import { withBytes } from "../source/missing.js";
import type { HostFile } from "../source/host_file.js";
import type { Explanation, InitOptions, Input, OpenOptions } from "../types/types.js";

/** The parts that differ between Node, a page and a worker. */
export interface Host {
  loader: CoreLoader;
  saver: Saver | null;
  gather(input: Input, options: OpenOptions): Promise<Gathered>;
  /** Adds what the core wants of the folders around a path; absent where there are no paths. */
  withNear?(core: Core, gathered: Gathered): Promise<Gathered>;
  files(entries: readonly Entry[]): Promise<HostFile[]>;
}

/** The functions of the package, over a host. */
export function packageOver(host: Host) {
  /**
   * Sets where the core comes from; nothing is loaded before the first call that needs it. Models that are open stay
   * so, and models of before and after are not for one call.
   */
  async function init(options: InitOptions = {}): Promise<void> {
    host.loader.init(checkedInit(options));
  }

  /** Opens a model. Its bytes stay where they are, and only the parts that are needed are read. */
  async function open(input: Input, options: OpenOptions = {}): Promise<Model> {
    checkedOpen(options);
    // Gathering starts before any waiting: dropped items die with their event.
    const gathering = host.gather(input, options);
    const core = await loaded(host, gathering);
    return openEntries(host, core, await gathering, options);
  }

  /** Returns the meaning of a diagnostic's code. */
  async function explain(code: string): Promise<Explanation> {
    return (await host.loader.get()).explain(code);
  }

  return { init, open, explain };
}

export async function openEntries(host: Host, core: Core, asked: Gathered, options: OpenOptions): Promise<Model> {
  const { entries, path, capped = "" } = (await host.withNear?.(core, asked)) ?? asked;
  const files = await host.files(entries);
  return withBytes(options, () => openModel(core, files, { ...options, path, capped }, host.saver));
}

// Both may fail, and neither failure may stay unhandled.
async function loaded(host: Host, gathering: Promise<unknown>): Promise<Core> {
  const [core] = await Promise.all([host.loader.get(), gathering]);
  return core;
}
