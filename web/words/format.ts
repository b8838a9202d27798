import type { Shape } from "../engine/engine.js";

/** "[?, 28, 28, 1]", "scalar", "(unknown shape)". */
export function shape(value: Shape): string {
  if (value === null) return "(unknown shape)";
  if (value.length === 0) return "scalar";
  return `[${value.map((size) => (Number(size) < 0 ? "?" : size)).join(", ")}]`;
}

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the name that outputs start with: "model" for "model.ckpt-1000.meta" and for "model.frozen.pb". */
export function stem(path: string): string {
  const name = baseName(path)
    .replace(/(\.data-\d+-of-\d+|\.index|\.meta|\.pb|\.pbtxt)$/, "")
    .replace(/\.ckpt(-\d+)?$/, "")
    .replace(/(\.frozen|\.pruned|\.unfrozen|\.transferred|\.repaired|\.salvaged)+$/, "");
  return name || "model";
}

/** Splits names at commas, spaces and line ends. */
export function names(text: string): string[] {
  return text.split(/(?:(?<!\\),|\s)+/).filter(Boolean);
}
