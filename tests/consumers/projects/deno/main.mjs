import { open } from "cryograph";
import { freeze } from "./freeze.mjs";

console.log(JSON.stringify([await freeze(open, Deno.args[0])]));
