// `cryograph/verify`: do two models compute the same? TensorFlow.js runs them; it is loaded when verify is called, and only then.
import { importTensorFlowJs } from "./verify/tensorflow_js.js";
import { verifyWith } from "./verify/verify.js";

export type { TensorFlowJs, TfGraphModel, TfTensor } from "./verify/tensorflow_js.js";
export type * from "./verify/types.js";
export type { Frozen } from "./verify/runner.js";
export type { Verifiable } from "./verify/frozen_pair.js";
/**
 * Runs two models on the same input in TensorFlow.js and compares every output that both have; see VerifyReport. They are frozen in
 * memory where needed; neither changes. Fails where nothing could be compared: "nothing-covered", "no-common-output",
 * "other-inputs", "tensorflow-js-missing".
 */
export const verify = verifyWith(importTensorFlowJs);
