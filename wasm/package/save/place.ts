// The path of an output file in Node, and the file there before it is written.
import { type BigIntStats, lstatSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join } from "node:path";
import type { Code } from "../types/codes.js";
import { CryographError, type Fix, fault, systemWords } from "../base/errors.js";

export interface Place {
  /** The path as the output names it. */
  asked: string;
  /** The same with a link at its end followed. */
  path: string;
  force: boolean;
  before: BigIntStats | null;
  /** A FIFO or a character device: written to directly, never replaced. */
  stream: boolean;
}

const kMaxLinks = 40;
const kOverwrite: Fix = [{ action: "overwrite" }];

/** Looks at the place of an output. Throws "output-exists" when something is there and `force` is false, "write-failed" when a
 * folder, a socket or a disk is there. */
export function findPlace(asked: string, force: boolean): Place {
  const before = statOf(asked);
  if (before === null) return { asked, path: targetOf(asked), force, before, stream: false };
  if (!force) throw refusal("output-exists", asked, "the output exists already", kOverwrite);
  const kind = before.isDirectory()
    ? "a folder"
    : before.isBlockDevice()
      ? "a disk"
      : before.isSocket()
        ? "a socket"
        : "";
  if (kind)
    throw refusal(
      "write-failed",
      asked,
      `cannot write: there is ${kind} of this name`,
      "choose another place for the output",
    );
  const stream = !before.isFile();
  return { asked, path: stream ? asked : targetOf(asked), force, before, stream };
}

/** Throws "output-exists" or, with `force`, "output-changed" when something else is there now. */
export function checkPlace(place: Place): void {
  const now = place.stream ? place.before : statOf(place.path);
  if (stampOf(now) !== stampOf(place.before)) throw changedMeanwhile(place);
}

export function changedMeanwhile({ asked, force }: Place): CryographError {
  const message = "another program wrote the output meanwhile";
  return force
    ? refusal("output-changed", asked, message, "keep that file, or run this again to replace it")
    : refusal("output-exists", asked, message, kOverwrite);
}

/** Returns a handler for `catch` that turns a system error into "write-failed". */
export function cannotWrite(path: string, doing: string): (error: Error) => never {
  return (error) => {
    const folder = dirname(path);
    if (error.message.startsWith("ENOENT") && folder !== ".") {
      throw refusal(
        "write-failed",
        path,
        `the folder '${folder}' does not exist`,
        `make it: mkdir -p ${folder}`,
        error,
      );
    }
    const fix = /^E(NOSPC|DQUOT)/.test(error.message)
      ? "make room, or choose another place"
      : "choose another place for the output";
    throw refusal("write-failed", path, `cannot ${doing}: ${systemWords(error)}`, fix, error);
  };
}

export function refusal(code: Code, file: string, message: string, fix: Fix, cause?: unknown): CryographError {
  return new CryographError([fault(code, { file }, message, fix)], null, { cause });
}

function statOf(path: string): BigIntStats | null {
  return look(path, () => statSync(path, { bigint: true, throwIfNoEntry: false }) ?? null);
}

function look<T>(path: string, at: () => T): T {
  try {
    return at();
  } catch (error) {
    return cannotWrite(path, "write there")(error as Error);
  }
}

function stampOf(status: BigIntStats | null): string {
  return status === null ? "" : [status.dev, status.ino, status.size, status.mtimeNs].join(" ");
}

// A link whose target is not there yet is followed as open() with O_CREAT follows it.
function targetOf(path: string): string {
  let target = path;
  for (let links = 0; links < kMaxLinks && isLink(target); ++links) {
    const link = target;
    if (statOf(link) !== null) return look(link, () => realpathSync(link));
    const to = look(link, () => readlinkSync(link));
    target = isAbsolute(to) ? to : join(dirname(target), to);
  }
  return target;
}

function isLink(path: string): boolean {
  return look(path, () => lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false);
}
