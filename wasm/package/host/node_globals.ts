// Node's own classes, in place of globals: test runners replace some of those by another platform's, or have none. The build
// of the files for Node puts them in place of the names.
export { Blob } from "node:buffer";
export { performance } from "node:perf_hooks";
export { ReadableStream } from "node:stream/web";
export { setImmediate } from "node:timers";
export { TextDecoder, TextEncoder } from "node:util";
