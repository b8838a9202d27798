import { writeSync } from "node:fs";
import { failure, systemWords } from "../base/errors.js";
import type { OutputFile } from "../model/output.js";
import type { Progress } from "../types/types.js";

const kStandardOutput = 1;
const kWait = 10; // milliseconds, while the reader of a pipe takes no more

/** Writes the one file of an output to standard output. `check`: called before the first byte, as stored checksums are
 * compared: what was printed cannot be taken back. */
export async function writeToStandardOutput(
  files: readonly OutputFile[],
  check: () => void,
  onProgress: (progress: Progress) => void,
): Promise<void> {
  const [file] = files;
  if (files.length !== 1 || file!.path !== "-")
    throw failure(
      "bad-option",
      `standard output takes one file, and this format has ${files.length}`,
      "name a file with -o, or choose a format of one file with --as",
      undefined,
      2,
    );
  if (process.stdout.isTTY)
    throw failure(
      "bad-option",
      "standard output is a terminal, which does not show a model",
      "send it to a program or a file: cryograph ... -o - > FILE",
      undefined,
      2,
    );
  file!.verify({});
  check();
  let done = 0;
  for await (const bytes of file!.stream()) {
    if (!(await put(bytes))) return;
    onProgress({ bytes: (done += bytes.length) });
  }
}

// Returns false if the reader closed early ("| head"), which is not an error.
async function put(bytes: Uint8Array): Promise<boolean> {
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(kStandardOutput, bytes, at);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") return false;
      if (code !== "EAGAIN")
        throw failure(
          "write-failed",
          `cannot write to standard output: ${systemWords(error as Error)}`,
          "make room where it leads, or choose another place",
          error,
        );
      await new Promise((done) => setTimeout(done, kWait));
    }
  }
  return true;
}
