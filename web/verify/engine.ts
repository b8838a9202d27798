// verify, with TensorFlow.js in a worker of its own. The worker is made of a text, for the reason in app/engine.ts. The
// text is a file of the page that is loaded when verify is first used.
import { failure } from "../../wasm/package/api/errors.js";
import type { OutputFile } from "../../wasm/package/api/output.js";
import { plain } from "../../wasm/package/worker/remote_model.js";
import { unpack } from "../../wasm/package/host/unpack.js";
import type { Compared, RunnablePair } from "../../wasm/package/verify/run_pair.js";
import type { ModelFile } from "../../wasm/package/verify/runner.js";
import type { VerifyOptions } from "../../wasm/package/verify/types.js";
import { verifyBy } from "../../wasm/package/verify/verify.js";
import { WorkerLane } from "../../wasm/package/worker/worker_lane.js";
import { portTo } from "../../wasm/package/worker/worker_port.js";
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
