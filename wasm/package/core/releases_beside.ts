import type { PackedReleases } from "./releases.js";

/** Returns the data of TensorFlow's releases: a chunk of its own that every bundler includes. */
export function releasesBeside(): Promise<PackedReleases> {
  return import("cryograph-releases");
}
