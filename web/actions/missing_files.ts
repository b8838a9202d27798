import type { Files } from "../engine/engine.js";

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

function folderOf(name: string): string {
  return name.slice(0, name.lastIndexOf("/") + 1);
}

function inSavedModel(name: string): string {
  const base = name.slice(folderOf(name).length);
  if (/^variables\.(index|data-)/.test(base)) return `variables/${base}`;
  return /(^|\/)(assets\/.*)$/.exec(name)?.[2] ?? base;
}
