import { createRequire } from "node:module";
import { join } from "node:path";
import { kPackages, type TensorFlowJs, tensorFlowJsMissing } from "./tensorflow_js.js";

/**
 * Imports TensorFlow.js as this package resolves it, else as a script in the working folder would: the command may be
 * installed globally.
 */
export async function findTensorFlowJs(): Promise<TensorFlowJs & { enableProdMode(): void }> {
  try {
    const from = requireFirst(kPackages[0])!;
    const [core, converter] = kPackages.map((name) => from(name) as object);
    return { ...core, ...converter } as TensorFlowJs & { enableProdMode(): void };
  } catch (error) {
    throw tensorFlowJsMissing(error);
  }
}

/** Returns the `require` that finds a package; null if none does. */
export function requireFirst(name: string): NodeJS.Require | null {
  const requires = [import.meta.url, join(process.cwd(), "package.json")].map((place) => createRequire(place));
  return requires.find((from) => finds(from, name)) ?? null;
}

function finds(from: NodeJS.Require, name: string): boolean {
  try {
    return from.resolve(name) !== "";
  } catch {
    return false;
  }
}
