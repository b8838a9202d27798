import { type Entry, refuseLarge } from "../../wasm/package/entries/page.js";

// Reads a Blob as the core does.
const kTry = `onmessage = ({ data }) => {
  try { postMessage(new FileReaderSync().readAsArrayBuffer(data).byteLength === 1); } catch { postMessage(false); }
};`;

/** The files as a worker can read them: in place, but for WebKit in a page from the disk, whose workers cannot read a Blob. */
export async function readableEntries(entries: readonly Entry[]): Promise<readonly Entry[]> {
  if (location.protocol !== "file:" || (await workersReadBlobs())) return entries;
  refuseLarge(
    entries,
    "in a page from the disk this browser's workers cannot read files",
    "open the page from a server, or in another browser",
  );
  return Promise.all(
    entries.map(async ({ name, data }) => ({
      name,
      data: data instanceof Blob ? new Uint8Array(await data.arrayBuffer()) : data,
    })),
  );
}

async function workersReadBlobs(): Promise<boolean> {
  const worker = new Worker(URL.createObjectURL(new Blob([kTry], { type: "text/javascript" })));
  const answer = new Promise<boolean>((done) => {
    worker.onmessage = ({ data }) => done(data);
    worker.onerror = () => done(false);
  });
  worker.postMessage(new Blob(["1"]));
  return answer.finally(() => worker.terminate());
}
