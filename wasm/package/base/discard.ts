// A port whose other end is closed: what is sent to it is freed.
let nowhere: MessagePort | undefined;

/**
 * Detaches a buffer and frees its memory. A browser collects buffers that it read of a Blob so late that a large file would
 * fill hundreds of megabytes. ArrayBuffer's transfer(0) frees nothing in Chromium before that.
 */
export function discard(buffer: ArrayBuffer): void {
  if (typeof MessageChannel !== "function") return;
  if (!nowhere) {
    const { port1, port2 } = new MessageChannel();
    port1.close();
    nowhere = port2;
  }
  nowhere.postMessage(null, [buffer]);
}
