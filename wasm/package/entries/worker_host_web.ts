// The module that runs in a page's worker.
import { webHost } from "../host/host_web.js";
import { WorkerHost } from "../worker/worker_host.js";
import type { Envelope } from "../worker/worker_protocol.js";

const host = new WorkerHost(webHost, (answer, transferred) => self.postMessage(answer, { transfer: transferred }));
self.onmessage = ({ data }: MessageEvent<Envelope>) => host.receive(data);
