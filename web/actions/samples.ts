import { samples } from "cryograph-samples";
import type { Files } from "../engine/engine.js";
import { loadWorkshop } from "./load_workshop.js";

/** Returns the files of a sample. Its bytes are loaded on request. */
export async function sampleFiles(name: string): Promise<Files> {
  const [{ default: files }, { unpack }] = await Promise.all([
    samples.find((each) => each.name === name)!.files(),
    loadWorkshop(),
  ]);
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [path, new Blob([unpack(text)])]));
}

/** The names of samples; "Try the sample" opens the first. */
export const sampleNames: readonly string[] = samples.map(({ name }) => name);
