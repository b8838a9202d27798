import type { App } from "../actions/app.js";
import type { TraceKind } from "../state/state.js";
import { kTraceWords } from "../words/trace.js";

const kTraces: Readonly<Record<string, TraceKind>> = { u: "upstream", d: "downstream", t: "path", w: "why" };

/** The letters that act on the selected node. */
export const kSelectionKeys: ReadonlySet<string> = new Set(Object.keys(kTraces));

/** Acts on the selected node. Returns false if no model is open, or the key does nothing. */
export function pressOnSelection(app: App, key: string): boolean {
  const kind = kTraces[key];
  if (!kind || !app.step) return false;
  if (!app.picture.tracer.start(kind)) app.set({ announcement: kTraceWords.nothingSelected });
  return true;
}
