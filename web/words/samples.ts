// The page's texts about the models it ships; scripts/bundle_samples.mjs has their files.

/** `about`: the lesson of the sample. */
export const kSamples: Readonly<Record<string, { title: string; kind: string; about: string }>> = {
  digits: {
    title: "Digit classifier",
    kind: "TensorFlow 1, graph and checkpoint",
    about: "With loss, gradients and Adam slots, as training saved it. Freeze it to one file for inference.",
  },
  convnet: {
    title: "Frozen network",
    kind: "one .pb",
    about: "Its weights are constants. Un-freeze it: the page lists which constants are weights, and why.",
  },
  keras: {
    title: "Keras model",
    kind: "TensorFlow 2, SavedModel",
    about:
      "With a signature, functions and optimizer slots. Freeze it to one file, or export its weights without the slots.",
  },
  training: {
    title: "Model with is_training",
    kind: "TensorFlow 1, graph and checkpoint",
    about: "is_training selects a branch. Freeze it with is_training=false: the training branch is removed.",
  },
  broken: {
    title: "Broken graph",
    kind: "one .pb",
    about: "Some nodes were deleted. Validate lists every issue, and Repair fixes them.",
  },
};
