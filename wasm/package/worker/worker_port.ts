import type { Port } from "./worker_protocol.js";

/** The channel to a page's Worker. */
export function portTo(worker: Worker): Port {
  return {
    post: (message) => worker.postMessage(message),
    listen(message, lost) {
      worker.onmessage = ({ data }) => message(data);
      worker.onerror = worker.onmessageerror = lost;
    },
    terminate: () => worker.terminate(),
    hold() {},
  };
}
