// `cryograph/verify`: do two models compute the same? TensorFlow.js runs them; it is loaded when verify is called first.
import { importTensorFlowJs } from "../verify/tensorflow_js.js";
import { verifyWith } from "../verify/verify.js";

export type { TensorFlowJs, TfGraphModel, TfTensor } from "../verify/tensorflow_js.js";
export type * from "../verify/types.js";
export type { Frozen } from "../verify/runner.js";
export type { Verifiable } from "../verify/frozen_pair.js";
/**
 * Runs two models on the same input in TensorFlow.js and compares every output of both; see VerifyReport. The report is "equal" only when
 * every output ran in both models and is equal; an output that TensorFlow.js cannot run is "undecided". Both are frozen in memory when they
 * have variables; neither changes. Fails with "no-common-output", "other-inputs", "no-such-input", "bad-feed", "tensorflow-js-missing".
 */
export const verify = verifyWith(importTensorFlowJs);
