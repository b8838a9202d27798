import { oneArray, type Pixels } from "../../wasm/package/entries/page_later.js";
import { failure, open } from "../engine/engine.js";
import type { Given } from "../state/verify.js";

/** Reads a .npy, or any image that the browser supports. */
export async function givenFrom(file: File): Promise<Given> {
  if (!/\.npy$/i.test(file.name))
    return { name: file.name, value: await pixelsOf(file), picture: URL.createObjectURL(file) };
  const arrays = await open(file);
  try {
    return { name: file.name, value: await oneArray(arrays, file.name), picture: "" };
  } finally {
    arrays.close();
  }
}

// The pixels as stored in the file: no color profile or opacity changes a number.
async function pixelsOf(file: File): Promise<Pixels> {
  const as: ImageBitmapOptions = { colorSpaceConversion: "none", premultiplyAlpha: "none" };
  const bitmap = await createImageBitmap(file, as).catch((error: unknown) => {
    throw failure(
      "bad-image",
      `${file.name} is neither a .npy nor an image that this browser can read`,
      "give another file",
      error,
    );
  });
  const { width, height } = bitmap;
  const canvas = new OffscreenCanvas(width, height).getContext("2d", { willReadFrequently: true })!;
  canvas.drawImage(bitmap, 0, 0);
  bitmap.close();
  return { width, height, data: canvas.getImageData(0, 0, width, height).data };
}
