// Requests for parts of a server's files.
import { CryographError, failure, fault } from "../base/errors.js";
import type { Remote } from "./entry.js";

/** Returns bytes of a file, from `from` to before `to`. Fails with "read-failed" or "source-changed". */
export async function readRange(
  { url, stamp }: Remote,
  from: number,
  to: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const answer = await requestRange(url, from, to, signal);
  if (answer.status !== 206) throw refused(url, `HTTP status ${answer.status}`);
  if (stampOf(answer) !== stamp)
    throw failure("source-changed", `${url} changed since it was opened`, "open the model again");
  const bytes = new Uint8Array(await whole(answer, url));
  if (bytes.length === to - from) return bytes;
  throw refused(url, `it sent ${bytes.length} bytes of the ${to - from} from ${from} on`);
}

/** Asks for a part of a file. Fails with "read-failed" if there is no answer, or with the signal's reason. */
export async function requestRange(url: string, from: number, to: number, signal?: AbortSignal): Promise<Response> {
  // Unpacked: a range of packed bytes has no meaning.
  const headers = { Range: `bytes=${from}-${to - 1}`, "Accept-Encoding": "identity" };
  try {
    return await fetch(url, { headers, ...(signal && { signal }) });
  } catch (error) {
    if (signal?.aborted) throw signal.reason;
    throw refused(url, `it cannot be fetched: ${reasonOf(error)}`, error);
  }
}

/** Returns the body of an answer. Fails with "read-failed". */
export async function whole(answer: Response, url: string): Promise<ArrayBuffer> {
  return answer.arrayBuffer().catch((error: unknown) => {
    throw refused(url, `the connection broke: ${reasonOf(error)}`, error);
  });
}

/** Returns the value that changes with the file; null if the server sends none. */
export function stampOf({ headers }: Response): string | null {
  return headers.get("etag") ?? headers.get("last-modified");
}

/** Returns the name of the file at an address: "model.pb". */
export function nameIn(url: string): string {
  return decodeURIComponent(/([^/?#]*)([?#].*)?$/.exec(url)![1]!);
}

export function refused(url: string, why: string, cause?: unknown): CryographError {
  const fix = "check the address; of another origin, a page reads only from servers that allow it (CORS)";
  return new CryographError([fault("read-failed", { file: url }, why, fix)], null, { cause });
}

// Node's fetch has the reason as its error's cause.
function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message ? `${message}: ${cause.message}` : message;
}
