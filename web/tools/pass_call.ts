import type { CallOptions, Model, PassReport, PlannedCall } from "../engine/engine.js";
import type { Options, Other, Pass } from "../state/state.js";

/** Returns the call of a pass. `other`: the second model, of transfer. */
export function passCall(pass: Pass, options: Options, other: Other | null): PlannedCall {
  return { method: pass, options: pass === "transfer" ? { ...options, from: other!.model } : options };
}

/** Options of a verb, as its call takes them: the core checks them. */
export function withOptions(options: Options, call: CallOptions): CallOptions {
  return { ...options, ...call };
}

export function passReport(model: Model): PassReport {
  return model.report as PassReport;
}
