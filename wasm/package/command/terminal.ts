import type { WriteStream } from "node:tty";
import type { Look, Printing } from "./command_binding.js";

/** Standard output or standard error; a terminal has columns. */
export type Stream = NodeJS.WriteStream & Partial<Pick<WriteStream, "columns">>;

/** Returns how texts are printed to a stream. */
export function lookAt(stream: Stream, { quiet, verbose, color }: Printing): Look {
  return { quiet, verbose, color: hasColor(stream, color), width: stream.isTTY ? (stream.columns ?? 0) : 0 };
}

// auto: on a terminal, unless NO_COLOR is set or TERM is "dumb".
function hasColor(stream: Stream, when: Printing["color"]): boolean {
  if (when !== "auto") return when === "always";
  return stream.isTTY && !process.env["NO_COLOR"] && process.env["TERM"] !== "dumb";
}

/** Returns the columns of --help: those of the terminal up to a readable width; 80 for files and pipes. */
export function helpWidth(): number {
  return Math.min(process.stdout.columns ?? 80, 100);
}
