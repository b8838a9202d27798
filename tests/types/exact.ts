// Options are exact: what a call does not take does not compile. Checked by tsc alone (npm run types).
import type {
  Blocker,
  CompatOptions,
  CompatReport,
  FreezeOptions,
  InspectReport,
  Model,
  PassReport,
  WriteOptions,
} from "../../wasm/package/entries/node.js";
import type { Model as RemoteModel } from "../../wasm/package/entries/worker.js";

export const good: FreezeOptions = { outputs: ["logits"], set: { is_training: false, size: [2, 6] }, dropChecks: true };
export const written: WriteOptions = { as: "pb", out: "model.pb" };

export const asked: CompatOptions = { target: ["tensorflow-1.15", "tfjs"] };

// @ts-expect-error: a misspelt option
export const misspelt: FreezeOptions = { ouputs: ["logits"] };
// @ts-expect-error: an option of another verb
export const others: FreezeOptions = { style: "ref" };
// @ts-expect-error: a value of another type
export const flag: FreezeOptions = { noInline: "yes" };
// @ts-expect-error: a format that is not written
export const format: WriteOptions = { as: "onnx" };

export function calls(model: Model): void {
  void model.freeze({ keepVariables: ["head/**"] });
  // @ts-expect-error: a misspelt option in a call
  void model.freeze({ ouputs: [] });
  // @ts-expect-error: transfer needs the other model
  void model.transfer({ strict: true });
  // @ts-expect-error: an option of another verb
  void model.compat({ outputs: ["logits"] });
}

// The verdicts are exact, too: a cause has words, and an option that removes it only if there is one.
export function firstCause({ targets }: CompatReport): string | undefined {
  const blocker: Blocker | undefined = targets.find(({ loads, runs }) => loads && !runs)?.blockers[0];
  // @ts-expect-error: there may be no fix
  const fix: string = blocker?.fix ?? blocker?.parts?.fix;
  return `${blocker?.why}: ${fix}`;
}

// The model in a worker has the calls of this thread's, each a promise, with models of the worker.
export async function remoteCalls(model: RemoteModel, here: Model): Promise<void> {
  const { nodes }: InspectReport = await model.inspect();
  const frozen: RemoteModel & { report: PassReport } = await model.freeze({ keepVariables: ["head/**"] });
  await frozen.diff(model);
  const { targets }: CompatReport = await frozen.compat({ target: "tfjs" });
  void targets.length;
  // @ts-expect-error: a misspelt option in a call
  void model.freeze({ ouputs: [] });
  // @ts-expect-error: a model of this thread
  void model.diff(here);
  // @ts-expect-error: transfer needs the other model
  void model.transfer({ strict: true, nodes });
  // @ts-expect-error: of the package's command alone
  void model.draw();
}
