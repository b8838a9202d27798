// `cryograph/inline`: the wasm is inside, for file:// pages, single-file pages and webviews.
import text from "cryograph-core-text";
import { CoreLoader } from "./core.js";
import { packageOver } from "./host.js";
import { webHost } from "./host_web.js";

async function unpack(): Promise<ArrayBuffer> {
  const packed = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  return new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate"))).arrayBuffer();
}

export * from "./index.js";
export { Model } from "./model.js";
export const { init, open } = packageOver({
  ...webHost,
  loader: new CoreLoader((url) => (url ? fetch(url) : unpack())),
});
