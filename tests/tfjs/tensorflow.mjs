// TensorFlow itself, in a process that takes one graph after the other.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { root } from "../js/support.mjs";

/** The interpreter that has TensorFlow. */
export const python = join(root, "build/tensorflow/bin/python");

export const missing =
  !existsSync(python) && `NOT RUN: there is no TensorFlow at ${python}: scripts/setup --tests brings it`;

const kArrays = { float32: Float32Array, complex64: Float32Array, int32: Int32Array, bool: Uint8Array };

/**
 * `run(graph, feeds, outputs)` gives the values of the tensors `outputs` of the frozen graph in a file, as TensorFlow.js gives them, but
 * for those that are random; and of those that TensorFlow refuses to compute, why: {values, refused}.
 */
export class TensorFlow {
  #process = spawn(python, [join(import.meta.dirname, "peer.py")], { stdio: ["pipe", "pipe", "inherit"] });
  #answers = createInterface(this.#process.stdout)[Symbol.asyncIterator]();

  async run(graph, feeds, outputs) {
    this.#process.stdin.write(`${JSON.stringify({ graph, feeds: mapped(feeds, sent), outputs })}\n`);
    const { value, done } = await this.#answers.next();
    if (done) throw new Error(`TensorFlow ended at ${graph}`);
    const { values, refused } = JSON.parse(value);
    return { values: mapped(values, received), refused };
  }

  close() {
    this.#process.stdin.end();
  }
}

function mapped(record, change) {
  return Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));
}

function sent({ dtype, shape, data }) {
  if (dtype === "string") return { dtype, shape, data: data.map((each) => Buffer.from(each).toString("base64")) };
  return { dtype, shape, data: Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString("base64") };
}

function received({ dtype, shape, data }) {
  if (dtype === "string") return { dtype, shape, data: data.map((each) => Buffer.from(each, "base64")) };
  return { dtype, shape, data: new kArrays[dtype](new Uint8Array(Buffer.from(data, "base64")).buffer) };
}
