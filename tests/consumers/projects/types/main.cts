import cryograph = require("cryograph");

export async function nodes(path: string): Promise<number> {
  const model = await cryograph.open(path);
  return model.inspect().nodes;
}
