import type { App } from "../actions/app.js";
import type { TraceKind } from "../state/state.js";
import { kTraceWords } from "../words/trace.js";
import { togglePin } from "./pins.js";

const kTraces: Readonly<Record<string, TraceKind>> = { u: "upstream", d: "downstream", t: "path", w: "why" };

/** The letters that act on the selected node. */
export const kSelectionKeys: ReadonlySet<string> = new Set(["o", "i", ...Object.keys(kTraces)]);

/** Acts on the selected node. Returns false if no model is open, or the key does nothing. */
export function pressOnSelection(app: App, key: string): boolean {
  if (!app.step || !kSelectionKeys.has(key)) return false;
  const kind = kTraces[key];
  if (!kind) togglePin(app, key === "o" ? "output" : "input");
  else if (!app.picture.tracer.start(kind)) app.set({ announcement: kTraceWords.nothingSelected });
  return true;
}
