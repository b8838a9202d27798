import { open } from "cryograph/inline";
import data from "./sample/model.ckpt.data-00000-of-00001";
import index from "./sample/model.ckpt.index";
import meta from "./sample/model.ckpt.meta";
import { freeze } from "./freeze.mjs";

const files = { "model.ckpt.meta": meta, "model.ckpt.index": index, "model.ckpt.data-00000-of-00001": data };
window.result = freeze(open, files).then((bytes) => [bytes]);
