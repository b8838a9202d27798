export const kMadeUpName = "made_up.pbtxt";
const kLayers = 150;

/** The text of a graph of layers in scopes: each a product and an activation of the layer before. */
export function madeUpGraph(): string {
  const type = (name: string) => `attr { key: "${name}" value { type: DT_FLOAT } }`;
  const node = (name: string, op: string, inputs: string[], attrs: string) =>
    `node { name: "${name}" op: "${op}" ${inputs.map((input) => `input: "${input}"`).join(" ")} ${attrs} }\n`;
  const shape = "tensor_shape { dim { size: 1 } dim { size: 1 } }";
  const value = `attr { key: "value" value { tensor { dtype: DT_FLOAT ${shape} float_val: 1 } } }`;
  let text = node("x", "Placeholder", [], type("dtype")) + node("w", "Const", [], `${type("dtype")} ${value}`);
  let last = "x";
  for (let i = 0; i < kLayers; i++) {
    const scope = `block_${i >> 4}/layer_${i}`;
    text += node(`${scope}/MatMul`, "MatMul", [last, "w"], type("T"));
    text += node(`${scope}/Relu`, "Relu", [`${scope}/MatMul`], type("T"));
    last = `${scope}/Relu`;
  }
  return text;
}
