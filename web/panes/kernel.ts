import { count } from "../ui/format.js";

/** The element of a tensor at each pixel; -1 for none. */
export interface Picture {
  width: number;
  height: number;
  about: string;
  at(x: number, y: number): number;
}

const kMaxPixels = 256;
const kMaxTiles = 24;

/**
 * A kernel [height, width, in, out] is a tile for each pair of channels, the inputs downwards:
 *
 *     in 0   [out 0] [out 1] ...
 *     in 1   [out 0] [out 1] ...
 *
 * Anything else is a matrix of its first axes and its last; of what is too large the first part.
 */
export function pictureOf(shape: readonly number[]): Picture {
  return shape.length === 4 && shape[0]! * shape[1]! > 1 ? tiles(shape) : matrix(shape);
}

function tiles(shape: readonly number[]): Picture {
  const [tall, broad, ins, outs] = shape as [number, number, number, number];
  const rows = Math.min(ins, kMaxTiles, Math.floor(kMaxPixels / (tall + 1)));
  const columns = Math.min(outs, kMaxTiles, Math.floor(kMaxPixels / (broad + 1)));
  return {
    width: columns * (broad + 1) - 1,
    height: rows * (tall + 1) - 1,
    about: `Kernels of ${tall} × ${broad}: inputs down (${share(rows, ins)}), outputs across (${share(columns, outs)})`,
    at(x, y) {
      const [column, row] = [Math.floor(x / (broad + 1)), Math.floor(y / (tall + 1))];
      const [across, down] = [x % (broad + 1), y % (tall + 1)];
      if (across === broad || down === tall) return -1; // between tiles
      return ((down * broad + across) * ins + row) * outs + column;
    },
  };
}

function share(shown: number, all: number): string {
  return shown === all ? count(all) : `${shown} of ${count(all)}`;
}

function matrix(shape: readonly number[]): Picture {
  const columns = shape.at(-1) ?? 1;
  const rows = shape.slice(0, -1).reduce((product, size) => product * size, 1);
  // A short vector is drawn on lines of a square.
  if (rows === 1 && columns > kMaxPixels / 4) return lines(columns);
  const [width, height] = [Math.min(columns, kMaxPixels), Math.min(rows, kMaxPixels)];
  const part = width < columns || height < rows ? `, the first ${height} × ${width}` : "";
  return { width, height, about: `${count(rows)} × ${count(columns)}${part}`, at: (x, y) => y * columns + x };
}

function lines(all: number): Picture {
  const width = Math.min(kMaxPixels, Math.ceil(Math.sqrt(all * 4)));
  const height = Math.min(kMaxPixels, Math.ceil(all / width));
  const about = `${count(all)} values, ${width} per row`;
  return { width, height, about, at: (x, y) => (y * width + x < all ? y * width + x : -1) };
}
