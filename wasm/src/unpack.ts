import { unlzma } from "./lzma.js";

/** The bytes of a file that was made .lzma and written in base64. */
export function unpack(text: string): Uint8Array<ArrayBuffer> {
  const letters = atob(text);
  const file = new Uint8Array(letters.length);
  for (let i = 0; i < file.length; i++) file[i] = letters.charCodeAt(i);
  return unlzma(file);
}
