// Names that scripts/bundle_page.mjs resolves: files carried inside the page's own scripts, so that it fetches nothing.

/** The worker, whole: script, core.wasm and the definitions of ops. */
declare module "cryograph-worker-text" {
  const text: string;
  export default text;
}

/** The models that the page ships, by scripts/bundle_samples.mjs. `files`: name -> deflated, in base64. */
declare module "cryograph-samples" {
  export interface Sample {
    name: string;
    bytes: number;
    files(): Promise<{ default: Record<string, string> }>;
  }
  export const samples: readonly Sample[];
}

/** The worker that verifies, with TensorFlow.js: deflated, in base64. */
declare module "cryograph-verify-text" {
  const text: string;
  export default text;
}
