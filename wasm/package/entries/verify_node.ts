// `cryograph/verify` in Node, where TensorFlow.js may also be installed in the working folder.
import { save } from "../save/save.js";
import { findTensorFlowJs } from "../verify/tensorflow_js_node.js";
import { verifyWith } from "../verify/verify.js";

export const verify = verifyWith(findTensorFlowJs, save);
