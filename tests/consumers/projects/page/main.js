import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { fetched, freeze } from "./freeze.mjs";

// A failure is shown as its message.
const or = (work) => work.catch((error) => `${error.code}: ${error.message}`);

window.result = fetched().then(async (files) => [await or(freeze(open, files)), await or(freeze(openInWorker, files))]);
