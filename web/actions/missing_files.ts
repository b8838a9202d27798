import type { Files } from "../engine/engine.js";
import type { Step, Tab } from "../state/state.js";
import { missingParts } from "../words/words.js";

const kOfCheckpoint = /\.(index|data-\d{5}-of-\d{5})$/;
const kMeta = /\.meta(\.pbtxt)?$/;

/**
 * Returns true if files are no model by themselves but parts that an open one lacks: a checkpoint's .index and .data of a
 * graph without values, data files that are missing, or the .meta of a checkpoint by its name.
 */
export function belongTo({ steps: [first], files }: Tab, added: Files): boolean {
  const missing = first && missingOf(first);
  if (!missing) return false;
  const names = Object.keys(added).filter((name) => baseName(name) !== "checkpoint"); // it names the last checkpoint
  if (names.length === 0) return false;
  if (first.about.kind === "checkpoint" && names.every((name) => kMeta.test(name))) {
    const stems = Object.keys(files).map((name) => baseName(name).replace(kOfCheckpoint, ""));
    return names.every((name) => stems.includes(baseName(name).replace(kMeta, "")));
  }
  const needsValues = first.about.weights === "variables";
  return names.every((name) => kOfCheckpoint.test(name) && (needsValues || missing.includes(baseName(name))));
}

function missingOf({ about, model }: Step): string {
  return missingParts(about, [...model.report.diagnostics, ...about.diagnostics]);
}

/**
 * Adds files to those of an open model, at the paths where the model expects them: next to a checkpoint, or in a
 * SavedModel's folders.
 */
export function withMissingFiles(files: Files, added: Files): Files {
  const names = Object.keys(files);
  const saved = names.find((name) => /(^|\/)saved_model\.pb(txt)?$/.test(name));
  const root = folderOf(saved ?? names[0] ?? "");
  const all = Object.entries(added).map(([name, data]) => [
    `${root}${saved ? inSavedModel(name) : name.slice(folderOf(name).length)}`,
    data,
  ]);
  return { ...files, ...(Object.fromEntries(all) as Files) };
}

function baseName(name: string): string {
  return name.slice(folderOf(name).length);
}

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function inSavedModel(name: string): string {
  const base = name.slice(folderOf(name).length);
  if (/^variables\.(index|data-)/.test(base)) return `variables/${base}`;
  return /(^|\/)(assets\/.*)$/.exec(name)?.[2] ?? base;
}
