import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { freeze } from "./freeze.mjs";

console.log(JSON.stringify([await freeze(open, Deno.args[0]), await freeze(openInWorker, Deno.args[0])]));
Deno.exit();
