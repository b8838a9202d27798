// Bytes that the core needs at once and that only waiting can bring: those of an address. The call of the core fails, the
// bytes are fetched, and the call is made again: its inputs never change.
import { type CryographError, failure } from "../base/errors.js";
import type { CallOptions } from "../types/types.js";

/** Bytes to fetch. `key`: the same for the same bytes. */
interface Wanted {
  key: string;
  fetch(signal: AbortSignal | undefined): Promise<void>;
}

const wants = new WeakMap<object, Wanted>();

/** Returns the error of a call that cannot wait for bytes. */
export function missingBytes(name: string, wanted: Wanted): CryographError {
  const message = `bytes of ${name} were not fetched yet, and this call does not wait`;
  const error = failure("bytes-not-here", message, 'use a call that waits: stream(), or those of "cryograph/worker"');
  wants.set(error, wanted);
  return error;
}

export function isMissing(error: unknown): boolean {
  return wants.has(error as object);
}

/**
 * Makes a call again as often as it fails for want of bytes, and fetches them in between. Fails with "too-large-here" when it
 * needs more at once than are kept.
 */
export async function withBytes<T>({ signal }: CallOptions, call: () => T | Promise<T>): Promise<T> {
  const fetched = new Set<string>();
  for (;;) {
    try {
      return await call();
    } catch (error) {
      const wanted = typeof error === "object" && error !== null ? wants.get(error) : undefined;
      if (!wanted) throw error;
      if (fetched.has(wanted.key)) throw tooMuch(error);
      fetched.add(wanted.key);
      await wanted.fetch(signal);
    }
  }
}

function tooMuch(cause: unknown): CryographError {
  const message = "this call reads more at once than is kept of an address";
  return failure("too-large-here", message, "download the files, and open those", cause);
}
