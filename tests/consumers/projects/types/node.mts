// Node's types alone: no "dom" among the libs.
import { Buffer } from "node:buffer";
import { readFileSync } from "node:fs";
import { open } from "cryograph";

export async function freeze(url: URL, response: Response): Promise<Blob> {
  const inputs = [
    url,
    "model.ckpt",
    readFileSync("model.pb"),
    Buffer.alloc(2),
    response,
    new Map([["model.pb", new Blob([])]]),
  ];
  const model = await open(inputs[0]!, { signal: AbortSignal.timeout(100) });
  const [file] = await (await model.freeze()).write({ as: "pb" });
  for await (const bytes of file!.stream()) void bytes.byteLength;
  await file!.save("frozen.pb", { force: false });
  return file!.blob();
}
