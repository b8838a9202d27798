import type { InitOptions } from "../types/types.js";
import { type Spawn, WorkerLane } from "./worker_lane.js";

/** The workers of `cryograph/worker`. A model is in the one that had least to do when it was opened, and stays there. */
export class WorkerPool {
  #lanes: WorkerLane[];
  #options: InitOptions = {};

  constructor(private readonly spawn: Spawn) {
    this.#lanes = [this.#lane()];
  }

  /** Ends the workers; later ones are made and set up as `options` say. */
  init(options: InitOptions): void {
    this.#options = options;
    const { workers = 1 } = options;
    for (const lane of this.#lanes) lane.init(options);
    while (this.#lanes.length < workers) this.#lanes.push(this.#lane());
    this.#lanes.length = workers; // models of the others keep their lanes
  }

  next(): WorkerLane {
    return this.#lanes.reduce((best, lane) => (lane.queued < best.queued ? lane : best));
  }

  #lane(): WorkerLane {
    const lane = new WorkerLane(this.spawn);
    lane.init(this.#options);
    return lane;
  }
}
