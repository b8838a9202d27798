// The worker that verifies: runs TensorFlow.js on the CPU, in the same order for both models.
import "@tensorflow/tfjs-backend-cpu";
import { loadGraphModel } from "@tensorflow/tfjs-converter";
import { enableProdMode, getBackend, image, ready, tensor, version_core } from "@tensorflow/tfjs-core";
import { BlobFile, failure, OutputFile, runPair, toWire } from "../../wasm/package/entries/page_later.js";
import type {
  Answer,
  CallOptions,
  Compared,
  Envelope,
  Init,
  TensorFlowJs,
} from "../../wasm/package/entries/page_later.js";
import type { BlobEntry, RunRequest } from "./protocol.js";

const tf = { version_core, ready, getBackend, tensor, image, loadGraphModel } as TensorFlowJs;
enableProdMode(); // otherwise TensorFlow.js logs warnings about models

self.onmessage = ({ data: { id, request } }: MessageEvent<Envelope<RunRequest | Init>>) => {
  if (request.do === "run") void answer(id, request);
};

async function answer(id: number, request: RunRequest): Promise<void> {
  const post = (message: Answer) => self.postMessage(message);
  try {
    post({ id, value: await run(request, { onProgress: ({ bytes }) => post({ id, bytes }) }) });
  } catch (error) {
    post({ id, error: toWire(isTooLarge(error) ? tooLarge(error) : error) });
  }
}

function run({ a, b, rest, options }: RunRequest, call: CallOptions): Promise<Compared> {
  return runPair(tf, { ...rest, a: a.map(fileOf), b: b.map(fileOf) }, { ...options, ...call });
}

function fileOf({ path, blob }: BlobEntry): OutputFile {
  return new OutputFile(path, [{ file: new BlobFile(path, blob), offset: 0, size: blob.size }], null);
}

function isTooLarge(error: unknown): boolean {
  return error instanceof RangeError && /alloc|array (buffer )?(length|size)/i.test(error.message);
}

function tooLarge(error: unknown): Error {
  return failure(
    "too-large-to-run",
    "The two models and what they compute do not fit into this tab's memory",
    "run `npx cryograph verify A B`, where there is more",
    error,
  );
}
