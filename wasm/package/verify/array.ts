import { failure } from "../base/errors.js";
import type { ListReport, Weight } from "../types/types.js";

/** A model of arrays alone, of `cryograph` or of `cryograph/worker`. */
interface Arrays {
  list(what: "weights"): ListReport<"weights"> | Promise<ListReport<"weights">>;
  weight(name: string): Promise<Weight>;
}

/** The one array of a .npy. `name`: of the file. */
export async function oneArray(arrays: Arrays, name: string): Promise<Weight> {
  const [one, ...more] = (await arrays.list("weights")).weights;
  if (!one || more.length > 0)
    throw failure(
      "bad-feed",
      `${name} holds ${more.length ? "several arrays" : "no array"}`,
      "give a .npy of one array",
    );
  if (/^b?float16$/.test(one.dtype))
    throw failure("bad-feed", `${name} is ${one.dtype}, of which JavaScript has no array`, "save it as float32");
  return arrays.weight(one.name);
}
