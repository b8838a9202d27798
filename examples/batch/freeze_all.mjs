// Freezes every SavedModel and .meta below a folder, several at a time, each in a worker.
//   node freeze_all.mjs MODELS OUT
import { availableParallelism } from "node:os";
import { mkdir, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { CryographError, init, open } from "cryograph/worker";

const [models, out] = process.argv.slice(2);
if (!out) throw new Error("usage: node freeze_all.mjs MODELS OUT");

/** Returns the models below a folder: the path to open, and the name of the result. */
async function modelsIn(folder) {
  const names = await readdir(folder, { recursive: true });
  return names.sort().flatMap((name) => {
    if (/(^|\/)saved_model\.pb(txt)?$/.test(name)) return [{ path: join(folder, dirname(name)), name: dirname(name) }];
    return name.endsWith(".meta") ? [{ path: join(folder, name), name: name.slice(0, -".meta".length) }] : [];
  });
}

async function freeze({ path, name }) {
  const model = await open(path);
  const frozen = await model.freeze();
  const [file] = await frozen.write({ as: "pb" });
  const target = join(out, `${name}.pb`);
  await mkdir(dirname(target), { recursive: true });
  await file.save(target);
  console.log(`${target}: ${file.size} bytes`);
  frozen.close();
  model.close();
}

const workers = Math.min(4, availableParallelism());
init({ workers });
const waiting = await modelsIn(models);

// Each of these takes the next model when it is done with one.
async function freezeNext() {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    try {
      await freeze(next);
    } catch (error) {
      if (!(error instanceof CryographError)) throw error;
      console.error(`${next.path}: ${error.message}`);
      process.exitCode = 1;
    }
  }
}
await Promise.all(Array.from({ length: workers }, freezeNext));
