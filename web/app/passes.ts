import type { CallOptions, Model, PassReport } from "./engine.js";
import type { Options, Other, Pass, Step } from "./state.js";

/** Makes the model that a pass gives. `other`: the second one, of transfer. */
export function runPass(
  step: Step,
  pass: Pass,
  options: Options,
  other: Other | null,
  call: CallOptions,
): Promise<Model> {
  const all = withOptions(options, call);
  if (pass === "transfer") return step.model.transfer({ ...all, from: other!.model });
  return step.model[pass](all);
}

/** Options of a verb, as its call takes them: the core checks them. */
export function withOptions(options: Options, call: CallOptions): CallOptions {
  return { ...options, ...call };
}

export function passReport(model: Model): PassReport {
  return model.report as PassReport;
}
