// Names that scripts/bundle_page.mjs resolves: files that are scripts of the page's own, so that it fetches nothing.

/** The worker: its script and the first part of core.wasm (scripts/split_core.py). */
declare module "cryograph-worker-text" {
  const text: string;
  export default text;
}

/** The rest of core.wasm, packed. */
declare module "cryograph-rest-text" {
  const text: string;
  export default text;
}

/** The models that the page ships, by scripts/bundle_samples.mjs. `files`: name -> packed. */
declare module "cryograph-samples" {
  export interface Sample {
    name: string;
    bytes: number;
    files(): Promise<{ default: Record<string, string> }>;
  }
  export const samples: readonly Sample[];
}

/** The worker that verifies, with TensorFlow.js: packed. */
declare module "cryograph-verify-text" {
  const text: string;
  export default text;
}
