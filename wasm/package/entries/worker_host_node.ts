// The module that runs in Node's worker.
import { parentPort } from "node:worker_threads";
import { nodeHost } from "../host/host_node.js";
import { WorkerHost } from "../worker/worker_host.js";
import type { Envelope } from "../worker/worker_protocol.js";

const host = new WorkerHost(nodeHost, (answer, transferred) => parentPort!.postMessage(answer, transferred));
parentPort!.on("message", (envelope: Envelope) => host.receive(envelope));
