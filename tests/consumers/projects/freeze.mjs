// What every project does with the package: opens the sample, freezes it, gives the bytes of the frozen graph.
export async function freeze(open, input) {
  const model = await open(input);
  const frozen = await model.freeze({ outputs: "probabilities" });
  const [file] = await frozen.write({ as: "pb" });
  return Array.from(await file.bytes());
}

/** A page's: the sample lies in the folder `sample`. */
export async function fetched() {
  const names = ["model.ckpt.meta", "model.ckpt.index", "model.ckpt.data-00000-of-00001"];
  const files = names.map(async (name) => new File([await (await fetch(`/sample/${name}`)).blob()], name));
  return Promise.all(files);
}
