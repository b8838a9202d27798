// Runs command lines of the npm command in one process: reads one a line, {"folder": ..., "words": [...]}, and prints a line with its
// exit status and its output.
import { createInterface } from "node:readline";
import { command } from "../faults/package_command.mjs";

for await (const line of createInterface({ input: process.stdin })) {
  const { folder, words } = JSON.parse(line);
  process.chdir(folder);
  const { status, stdout } = await command(words);
  process.stdout.write(`${JSON.stringify({ status, stdout })}\n`);
}
