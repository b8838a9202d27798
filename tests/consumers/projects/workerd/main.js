import { init, open } from "cryograph";
import wasmModule from "./core.wasm";

await init({ wasmModule }); // loads nothing: a Worker may not, before a request

export default {
  async fetch(request) {
    const model = await open(Object.fromEntries(await request.formData()));
    const frozen = await model.freeze({ outputs: "probabilities" });
    const [file] = await frozen.write({ as: "pb" });
    return new Response(file.stream());
  },
};
