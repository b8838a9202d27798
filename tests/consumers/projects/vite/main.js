import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { verify } from "cryograph/verify";
import { fetched, freeze } from "./freeze.mjs";

// TensorFlow.js is part of the bundle, in chunks that are fetched for this.
async function checkTwins(files) {
  const model = await openInWorker(files);
  const report = await verify(model, await model.freeze({ outputs: "probabilities" }), { outputs: "probabilities" });
  if (!report.equal || report.uncovered.length > 0) throw new Error(JSON.stringify(report));
}

window.result = fetched().then(async (files) => {
  await checkTwins(files);
  return [await freeze(open, files), await freeze(openInWorker, files)];
});
