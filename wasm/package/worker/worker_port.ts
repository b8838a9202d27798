import type { Port } from "./worker_protocol.js";

/** The channel to a page's Worker. `address`: of its script, for people. */
export function portTo(worker: Worker, address = ""): Port {
  return {
    address,
    post: (message) => worker.postMessage(message),
    listen(message, lost) {
      worker.onmessage = ({ data }) => message(data);
      worker.onerror = worker.onmessageerror = lost;
    },
    terminate: () => worker.terminate(),
    hold() {},
  };
}
