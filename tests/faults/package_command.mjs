// The npm command in this process, which takes milliseconds: a process of its own takes 200. The core stays loaded.
import { resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

export const kCli = resolve(import.meta.dirname, "../../dist/cli.js");

let runs = 0;

/** Runs the command in the current folder. Returns its exit status and its output. */
export async function command(words) {
  process.argv = [process.execPath, kCli, ...words];
  process.exitCode = undefined;
  const said = { stdout: "", stderr: "" };
  const real = {};
  for (const name of ["stdout", "stderr"]) {
    process[name].removeAllListeners("error");
    real[name] = process[name].write;
    process[name].write = (text) => {
      said[name] += text;
      return true;
    };
  }
  try {
    await import(`${pathToFileURL(kCli)}?${++runs}`);
    while (process.exitCode === undefined) await turn();
    return { status: process.exitCode, ...said };
  } finally {
    for (const name of ["stdout", "stderr"]) process[name].write = real[name];
    process.exitCode = 0;
  }
}
