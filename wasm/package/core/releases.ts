import { failure } from "../base/errors.js";

/** core/data/op_histories.bin and runtime_ops.json, packed as the host unpacks them. */
export interface PackedReleases {
  histories: string;
  runtimes: string;
}

/** The same, unpacked. */
export type Releases = Record<keyof PackedReleases, Uint8Array>;

/** Returns true if a call needs the data of TensorFlow's releases. */
export function needsReleases(call: string, options: object): boolean {
  return call === "compat" || (call === "freeze" && !!(options as { for?: string }).for);
}

/** Returns the same, unpacked by `unpack`. */
export async function unpackedReleases(
  { histories, runtimes }: PackedReleases,
  unpack: (text: string) => Uint8Array | Promise<Uint8Array>,
): Promise<Releases> {
  return { histories: await unpack(histories), runtimes: await unpack(runtimes) };
}

/** Returns what was loaded. Fails with "ops-not-loaded" if it could not be. */
export function orReleasesFailure<T>(loading: Promise<T>): Promise<T> {
  return loading.catch((error: unknown) => {
    const message = `The ops of TensorFlow's releases could not be loaded: ${String(error)}`;
    throw failure("ops-not-loaded", message, "try again where the package's file releases.js can be reached", error);
  });
}
