import { init, open } from "cryograph";
import wasmUrl from "cryograph/core.wasm";
import { fetched, freeze } from "./freeze.mjs";

window.result = init({ wasmUrl: new URL(wasmUrl, location.href) }).then(async () => [
  await freeze(open, await fetched()),
]);
