// The module that runs in a page's worker.
import { webHost } from "../host/host_web.js";
import { WorkerHost } from "../worker/worker_host.js";
import type { Envelope } from "../worker/worker_protocol.js";

// The page sends them: a worker that imported them would have to load them when it starts, in a bundle of one file.
const noReleases = () => Promise.reject(new Error("the page sent none"));
const host = new WorkerHost(webHost(noReleases), (answer, transferred) =>
  self.postMessage(answer, { transfer: transferred }),
);
self.onmessage = ({ data }: MessageEvent<Envelope>) => host.receive(data);
