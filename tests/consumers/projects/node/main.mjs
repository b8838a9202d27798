import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { open as openInline } from "cryograph/inline";
import { readFileSync } from "node:fs";
import { freeze } from "./freeze.mjs";

const path = process.argv[2];
const file = (name) => [name, new Uint8Array(readFileSync(`${path}.${name.slice("model.ckpt.".length)}`))];
const files = Object.fromEntries(["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"].map(file));
const all = [await freeze(open, path), await freeze(openInWorker, path), await freeze(openInline, files)];
process.stdout.write(JSON.stringify(all));
