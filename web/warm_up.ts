import { openEntries } from "../wasm/package/entries/page_worker.js";
import { kMadeUpName, madeUpGraph } from "./engine/made_up_graph.js";
import type { Host } from "../wasm/package/entries/page_worker.js";

// Half a second of a worker that has nothing else to do. A smaller graph, or fewer rounds, gain less.
const kRounds = 20;

/**
 * Opens and draws a made-up model again and again, then loads the rest of the core: until `isBusy`, which is asked between
 * tasks. A browser compiles a function of WebAssembly when it is first called, and once more when it has been called often:
 * the first picture of 20,000 nodes then takes two thirds of the time (0.32 s instead of 0.48 s on two slow processors).
 */
export async function warmUp(host: Host, isBusy: () => boolean): Promise<void> {
  const core = await host.loader.get();
  const entry = { name: kMadeUpName, data: new Blob([madeUpGraph()]) };
  for (let i = 0; i < kRounds && !isBusy(); i++) {
    const model = await openEntries(host, core, { entries: [entry], path: entry.name }, {});
    model.inspect();
    await model.picture({ color: "op" });
    model.nodes();
    model.close();
    await new Promise((done) => setTimeout(done));
  }
  if (!isBusy()) await core.needRest();
}
