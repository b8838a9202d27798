import { failure } from "../engine/engine.js";

type Workshop = typeof import("../workshop.js");

let workshop: Workshop | null = null;
let loading: Promise<Workshop> | null = null;

/**
 * Loads the part of the page that shows an open model. It is not part of the first load: the page loads it when it is
 * idle. A model is opened after that, so a view of a model never waits. Fails with "page-not-loaded"; the next call tries again.
 */
export async function loadWorkshop(): Promise<Workshop> {
  try {
    return (workshop = await (loading ??= import("../workshop.js")));
  } catch (error) {
    loading = null;
    throw failure(
      "page-not-loaded",
      "The part of this page that shows models could not be loaded",
      "reload the page where it can be reached",
      error,
    );
  }
}

/** REQUIRES: loadWorkshop() has returned. */
export function loadedWorkshop(): Workshop {
  return workshop!;
}
