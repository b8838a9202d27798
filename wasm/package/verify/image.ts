import type { Placeholder } from "./placeholders.js";
import type { TensorFlowJs } from "./tensorflow_js.js";
import type { Feed, Pixels, VerifyOptions } from "./types.js";

/** The positions of rows, columns and channels in a shape, and whether the channels come first. */
interface Layout {
  rows: number;
  columns: number;
  channels: number;
  first: boolean;
}

const kChannels = [1, 3, 4];

export function takesImages(input: Placeholder): boolean {
  return !["bool", "string"].includes(input.dtype) && layoutOf(input.shape) !== null;
}

// [batch, rows, columns, channels], [batch, channels, rows, columns], or without a batch.
function layoutOf(shape: number[] | null): Layout | null {
  if (shape === null || shape.length < 3 || shape.length > 4) return null;
  const [x, y, z] = shape.slice(-3) as [number, number, number];
  if (kChannels.includes(z)) return { rows: x, columns: y, channels: z, first: false };
  if (kChannels.includes(x)) return { rows: y, columns: z, channels: x, first: true };
  return z === -1 ? { rows: x, columns: y, channels: 3, first: false } : null;
}

/** Returns the image in an input's form: resized if the input has a size, each value (x - mean) * scale. */
export function imageFor(
  tf: TensorFlowJs,
  { dtype, shape }: Placeholder,
  pixels: Pixels,
  { mean = 0, scale = 1 }: VerifyOptions,
): Feed {
  const layout = layoutOf(shape)!;
  const height = layout.rows > 0 ? layout.rows : pixels.height;
  const width = layout.columns > 0 ? layout.columns : pixels.width;
  const resized = resize(
    tf,
    channelsOf(pixels, layout.channels),
    [pixels.height, pixels.width, layout.channels],
    [height, width],
  );
  const scaled = resized.map((value) => (value - mean) * scale);
  const whole = /int/.test(dtype) ? scaled.map((value) => Math.round(value)) : scaled;
  const one = layout.first ? channelsFirst(whole, layout.channels) : whole;
  const sizes = layout.first ? [layout.channels, height, width] : [height, width, layout.channels];
  if (shape!.length === 3) return { shape: sizes, data: one };
  const batch = Math.max(1, shape![0]!);
  return { shape: [batch, ...sizes], data: Array.from({ length: batch }, () => Array.from(one)).flat() };
}

// One channel is brightness, as a PNG's gray is computed (ITU-R 601).
function channelsOf({ width, height, data }: Pixels, channels: number): Float32Array {
  const out = new Float32Array(width * height * channels);
  for (let pixel = 0; pixel < width * height; pixel++) {
    const [red, green, blue] = [data[4 * pixel]!, data[4 * pixel + 1]!, data[4 * pixel + 2]!];
    if (channels === 1) out[pixel] = Math.round(0.299 * red + 0.587 * green + 0.114 * blue);
    else for (let c = 0; c < channels; c++) out[pixel * channels + c] = data[4 * pixel + c]!;
  }
  return out;
}

function resize(
  tf: TensorFlowJs,
  data: Float32Array,
  shape: [number, number, number],
  to: [number, number],
): Float32Array {
  if (shape[0] === to[0] && shape[1] === to[1]) return data;
  const before = tf.tensor(data, [1, ...shape], "float32");
  const after = tf.image.resizeBilinear(before, to);
  const values = Float32Array.from(after.dataSync() as Float32Array);
  before.dispose();
  after.dispose();
  return values;
}

function channelsFirst(data: Float32Array, channels: number): Float32Array {
  const area = data.length / channels;
  return data.map((_, i) => data[(i % area) * channels + Math.floor(i / area)]!);
}
