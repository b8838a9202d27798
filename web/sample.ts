import { unpack } from "../wasm/src/unpack.js";

/** The bundled digit classifier, as files. Its bytes are loaded only when asked for. */
export async function sampleFiles(): Promise<File[]> {
  const { default: files } = await import("cryograph-sample");
  return Promise.all(Object.entries(files).map(async ([name, text]) => new File([await unpack(text)], name)));
}
