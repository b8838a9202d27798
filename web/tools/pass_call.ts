import type { CallOptions, Model, PassReport, PlannedCall } from "../engine/engine.js";
import type { Options, Other, Pass } from "../state/state.js";
import { secondOption } from "./options.js";

/** Returns the call of a pass. `second`: the second model, if the pass takes one. */
export function passCall(pass: Pass, options: Options, second: Other | null): PlannedCall {
  const key = secondOption(pass, options);
  return { method: pass, options: key ? { ...options, [key]: second!.model } : options };
}

/** Options of a verb, as its call takes them: the core checks them. */
export function withOptions(options: Options, call: CallOptions): CallOptions {
  return { ...options, ...call };
}

export function passReport(model: Model): PassReport {
  return model.report as PassReport;
}
