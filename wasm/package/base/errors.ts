import type { Code, Diagnostic, Report, TextPart, Where } from "../types/types.js";
import { apiWords, worded } from "./words.js";

/** An operation failed. `diagnostics` has what was expected, what was found, where, and what to do. */
export class CryographError extends Error {
  // On the class, so that the stack begins with it, also where a bundler renames the class.
  static override readonly name = "CryographError";
  static {
    Object.defineProperty(this.prototype, "name", { value: this.name, writable: true, configurable: true });
  }
  declare readonly name: "CryographError";
  /** The code of the first error: stable, kebab-case. */
  readonly code: Code;
  readonly diagnostics: Diagnostic[];
  /** The exit status of the command line: 2 for a wrong argument or option, 3 for a failure. */
  readonly status: number;
  /** The whole report, if the core made one. It is not printed with an uncaught error. */
  declare readonly report: Report | null;

  constructor(
    diagnostics: Diagnostic[],
    report: Report | null = null,
    { cause, status = 3 }: { cause?: unknown; status?: number } = {},
  ) {
    const errors = diagnostics.filter(({ severity }) => severity === "error");
    super(errors.map(describe).join("\n") || "could not be done", cause === undefined ? {} : { cause });
    this.code = errors[0]?.code ?? "unknown";
    this.diagnostics = diagnostics;
    this.status = status;
    Object.defineProperty(this, "report", { value: report });
  }
}

/** An error found on this side of the core. */
export function failure(code: Code, message: string, fix: Fix, cause?: unknown, status = 3): CryographError {
  return new CryographError([fault(code, {}, message, fix)], null, { cause, status });
}

/** A text, or the parts of one that refers to what hosts call by different names. */
export type Fix = string | TextPart[];

export function fault(code: Code, where: Where, message: string, fix: Fix): Diagnostic {
  const diagnostic = { severity: "error", code, where, message, fixable: false } as const;
  if (typeof fix === "string") return { ...diagnostic, fix };
  return { ...diagnostic, fix: worded(fix, apiWords), parts: { fix } };
}

/** "EACCES: permission denied, open 'x'" in the system's own words: "Permission denied". */
export function systemWords(error: Error): string {
  const words = /^E\w+: (.*?)(,|$)/.exec(error.message)?.[1] ?? error.message;
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** An error of the system, as "read-failed". */
export function readFailure(
  file: string,
  error: unknown,
  message = `cannot read: ${error instanceof Error ? systemWords(error) : String(error)}`,
  fix = "give yourself the right to read it, or take a copy",
): CryographError {
  return new CryographError([fault("read-failed", { file }, message, fix)], null, { cause: error });
}

/** Returns a handler for `catch` that throws the failure to read a file. */
export function cannotRead(file: string): (error: unknown) => never {
  return (error) => {
    throw readFailure(file, error);
  };
}

/** Returns the reason that a signal's owner gave, else the platform's AbortError. */
export function abortError(signal: AbortSignal): unknown {
  return signal.reason ?? new DOMException("This operation was aborted", "AbortError");
}

function describe({ message, where, fix }: Diagnostic): string {
  const place = [where.file, where.function ?? where.graph, where.node ?? where.tensor].filter(Boolean).join(", ");
  return `${place ? `${place}: ` : ""}${message}${fix ? ` (${fix})` : ""}`;
}
