// Small graphs, as text.

export const attr = (key, value) => `attr { key: "${key}" value { ${value} } }`;
export const type = (key, name) => attr(key, `type: DT_${name}`);
const dims = (shape) => shape.map((size) => `dim { size: ${size} }`).join(" ");

export function node(name, op, inputs = [], attrs = "") {
  return `node { name: "${name}" op: "${op}" ${inputs.map((input) => `input: "${input}"`).join(" ")} ${attrs} }`;
}

export function placeholder(name, dtype, shape) {
  return node(name, "Placeholder", [], type("dtype", dtype) + attr("shape", `shape { ${dims(shape)} }`));
}

/** `value`: "float_val: 1", for all elements. */
export function constant(name, dtype, shape, value) {
  const tensor = attr("value", `tensor { dtype: DT_${dtype} tensor_shape { ${dims(shape)} } ${value} }`);
  return node(name, "Const", [], type("dtype", dtype) + tensor);
}

export function graphText(...nodes) {
  return nodes.join("\n");
}
