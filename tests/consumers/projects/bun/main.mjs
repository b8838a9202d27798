import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { freeze } from "./freeze.mjs";

console.log(JSON.stringify([await freeze(open, process.argv[2]), await freeze(openInWorker, process.argv[2])]));
process.exit();
