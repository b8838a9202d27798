// Errors on their way out of a worker: a class does not cross, its members do.
import { CryographError, failure } from "../base/errors.js";
import type { WireError } from "./worker_protocol.js";

export function toWire(error: unknown): WireError {
  const message = error instanceof Error ? error.message : String(error);
  if (!(error instanceof CryographError)) return { message, diagnostics: null, report: null, cause: null, status: 3 };
  const { diagnostics, report, cause, status } = error;
  return { message, diagnostics, report, cause: cause === undefined ? null : String(cause), status };
}

export function fromWire({ message, diagnostics, report, cause, status }: WireError): CryographError {
  if (!diagnostics) return failure("worker-failed", message, "this is a fault of cryograph; please report it");
  return new CryographError(diagnostics, report, { cause: cause === null ? undefined : new Error(cause), status });
}
