import type { InspectReport } from "../engine/engine.js";
import type { Step } from "../state/state.js";
import { stem } from "./format.js";
import { kKinds } from "./model.js";

type Files = Pick<Step, "about" | "made">;

/** Returns the name that the outputs of an opened model start with. */
export function nameOf({ model, files }: InspectReport): string {
  return stem(model || files[0]?.path || "");
}

/** Returns the size of a step's files: of the first form that a pass made, else of the opened files. Units: bytes. */
export function sizeOf({ about, made }: Files): number {
  const [form] = made?.forms ?? [];
  if (form) return form.files.reduce((sum, { size }) => sum + size, 0);
  return about.files.reduce((sum, { bytes }) => sum + Number(bytes), 0) || Number(about.bytes);
}

/** Returns the format of these files. */
export function formatOf({ about, made }: Files): string {
  const names = made?.forms[0]?.files.map(({ name }) => name);
  if (!names) return kKinds[about.kind];
  if (names.some((name) => name.endsWith("saved_model.pb"))) return kKinds["saved-model"];
  return kKinds[names.some((name) => name.endsWith(".meta")) ? "meta-graph" : "graph-def"];
}

/** Returns the tags of a SavedModel; none for files of another format. */
export function tagsOf(step: Files): InspectReport["tags"] {
  return formatOf(step) === kKinds["saved-model"] ? step.about.tags : [];
}
