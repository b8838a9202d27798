// The page's texts about the models it ships; scripts/bundle_samples.mjs has their files.

/** `about`: the lesson of the sample. */
export const kSamples: Readonly<Record<string, { title: string; kind: string; about: string }>> = {
  digits: {
    title: "Digit classifier",
    kind: "TensorFlow 1, graph and checkpoint",
    about: "As training left it, with loss, gradients and Adam's slots. Freeze it, and see what goes and what stays.",
  },
  convnet: {
    title: "Frozen network",
    kind: "one .pb",
    about: "Its weights are constants. Un-freeze it, and see which constants are taken for weights, and why.",
  },
  keras: {
    title: "Keras model",
    kind: "TensorFlow 2, SavedModel",
    about:
      "A signature, functions, and an optimizer's slots. Freeze it to one file, or take its weights without the slots.",
  },
  training: {
    title: "Training switch",
    kind: "TensorFlow 1, graph and checkpoint",
    about: "is_training chooses between branches. Under Freeze, fix is_training=false, and see the other half go.",
  },
  broken: {
    title: "Broken graph",
    kind: "one .pb",
    about: "Nodes were cut out by hand. Validate names every fault at once, and Mend repairs them.",
  },
};
