import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { fetched, freeze } from "./freeze.mjs";

window.result = fetched().then(async (files) => [await freeze(open, files), await freeze(openInWorker, files)]);
