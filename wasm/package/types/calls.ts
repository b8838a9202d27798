// Made by scripts/surface.py of core/commands/surface.json. Do not edit.
import type { ConvertOptions, EditOptions, FreezeOptions, PruneOptions, TransferOptions, UnfreezeOptions, WeightsOptions } from "./options.js";
import type { PassReport, TransferReport } from "./types.js";

/** The calls that make a new model. `This`: the models that they return and take. */
export interface PassCalls<This> {
  /** Returns the model with only the nodes that its outputs need. Fails with "not-in-graph" or "no-outputs". */
  prune(options?: PruneOptions): Promise<This & { report: PassReport }>;
  /** Returns the model with its variables as constants, pruned to its outputs. Fails with "no-checkpoint" and others. */
  freeze(options?: FreezeOptions): Promise<This & { report: PassReport }>;
  /** Returns the model with the constants that are weights as trainable variables. */
  unfreeze(options?: UnfreezeOptions): Promise<This & { report: PassReport }>;
  /** Returns the model with other names, types, shapes and values of nodes. Fails with "edit-refused" and others. */
  edit(options: EditOptions<This>): Promise<This & { report: PassReport }>;
  /** Returns the model with the weights of another, `from`, as the values of its variables, by name. */
  transfer(options: TransferOptions<This>): Promise<This & { report: TransferReport }>;
  /** Returns its weights alone, by name, or those of several models as one, for write() as .npz, .npy, .safetensors or a checkpoint. */
  weights(options?: WeightsOptions<This>): Promise<This & { report: PassReport }>;
  /** Returns the same model, for write() to put into another format. */
  convert(options?: ConvertOptions): Promise<This & { report: PassReport }>;
}

export type PassName = keyof PassCalls<unknown>;

/** The reports of verbs that make a model and have no members of their own. */
export interface PlainReports<MadeModel> {
  prune: MadeModel;
  freeze: MadeModel;
  unfreeze: MadeModel;
  edit: MadeModel;
  weights: MadeModel;
  convert: MadeModel;
}

/** A call of a model. */
export interface CallRow {
  /** The number of its arguments before the options. */
  arguments: number;
  /** A core without its rest answers it (scripts/split_core.py). */
  first: boolean;
  /** The option that has a further model, or several. */
  other?: { key: string; several: boolean; required: boolean };
}

export const kCalls = {
  inspect: { arguments: 0, first: true },
  list: { arguments: 1, first: true },
  nodes: { arguments: 0, first: true },
  validate: { arguments: 0, first: true },
  repair: { arguments: 0, first: true },
  prune: { arguments: 0, first: false },
  freeze: { arguments: 0, first: false },
  unfreeze: { arguments: 0, first: false },
  edit: { arguments: 0, first: false, other: { key: "join", several: false, required: false } },
  transfer: { arguments: 0, first: false, other: { key: "from", several: false, required: true } },
  weights: { arguments: 0, first: false, other: { key: "with", several: true, required: false } },
  convert: { arguments: 0, first: false },
  diff: { arguments: 1, first: false },
  compat: { arguments: 0, first: false },
  picture: { arguments: 0, first: true },
  write: { arguments: 0, first: false },
  node: { arguments: 1, first: true },
  weight: { arguments: 1, first: true },
  statistics: { arguments: 1, first: true },
} satisfies Record<string, CallRow>;
