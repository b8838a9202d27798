// The npm command, carried out again and again in one process: in milliseconds, where a process of its own takes half a second. Answers
// a message {words, folder}, a command line and where it runs, with {status, stdout, stderr}.
import { resolve } from "node:path";
import { setImmediate as turn } from "node:timers/promises";
import { pathToFileURL } from "node:url";

const kCli = resolve(import.meta.dirname, "../../dist/cli.js");
const kHome = process.cwd();
const said = { stdout: "", stderr: "" };
let runs = 0;

for (const name of Object.keys(said))
  process[name].write = (text) => {
    said[name] += text;
    return true;
  };

process.on("message", async ({ words, folder }) => {
  Object.assign(said, { stdout: "", stderr: "" });
  process.argv = [process.execPath, kCli, ...words];
  process.exitCode = undefined;
  process.chdir(folder);
  await import(`${pathToFileURL(kCli)}?${++runs}`); // a fresh instance of this module alone: the core stays loaded
  while (process.exitCode === undefined) await turn();
  process.chdir(kHome);
  for (const name of Object.keys(said)) process[name].removeAllListeners("error");
  process.send({ status: process.exitCode, ...said });
});
