// The task of every project: opens the sample, freezes it, returns the bytes of the frozen graph.
export async function freeze(open, input) {
  const model = await open(input);
  const frozen = await model.freeze({ outputs: "probabilities" });
  const [file] = await frozen.write({ as: "pb" });
  return Array.from(await file.bytes());
}

/** The files of a page's sample, from the folder `sample`. */
export async function fetched() {
  const names = ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"];
  const files = names.map(async (name) => new File([await (await fetch(`/sample/${name}`)).blob()], name));
  return Promise.all(files);
}
