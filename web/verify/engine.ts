// verify, with TensorFlow.js in a worker of its own. The worker is made of a text, for the reason in engine/spawn.ts. The
// text is a file of the page that is loaded when verify is first used.
import { failure, type OutputFile, plain, portTo, WorkerLane } from "../../wasm/package/entries/page.js";
import { unpack, verifyBy } from "../../wasm/package/entries/page_later.js";
import type { Compared, ModelFile, RunnablePair, VerifyOptions } from "../../wasm/package/entries/page_later.js";
import type { BlobEntry, RunRequest } from "./protocol.js";

let script: Promise<string> | null = null;
let address = "";
const lane = new WorkerLane<RunRequest>(() => portTo(new Worker(address)));

/**
 * The function `verify` of the package, over models of the page's engine: the engine freezes and writes them, another
 * worker reads and runs them.
 */
export const verify = verifyBy(async ({ a, b, ...rest }: RunnablePair, options: VerifyOptions): Promise<Compared> => {
  address = await (script ??= load());
  const request: RunRequest = { do: "run", a: a.map(entryOf), b: b.map(entryOf), rest, options: plain({ ...options }) };
  return lane.run(options, () => lane.send(request, options) as Promise<Compared>);
});

async function load(): Promise<string> {
  try {
    const { default: text } = await import("cryograph-verify-text");
    return URL.createObjectURL(new Blob([unpack(text)], { type: "text/javascript" }));
  } catch (error) {
    script = null;
    throw failure(
      "tensorflow-js-missing",
      "TensorFlow.js, which is a file of this page, could not be loaded",
      "reload the page where it can be reached, or run `npx cryograph verify A B`",
      error,
    );
  }
}

function entryOf(file: ModelFile): BlobEntry {
  return { path: file.path, blob: (file as OutputFile).blob() };
}
