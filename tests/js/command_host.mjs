// The npm command, carried out again and again in one process. Answers a message {words, folder}, a command line and where it runs,
// with {status, stdout, stderr}.
import { command } from "../faults/package_command.mjs";

const kHome = process.cwd();

process.on("message", async ({ words, folder }) => {
  process.chdir(folder);
  const result = await command(words);
  process.chdir(kHome);
  process.send(result);
});
