/**
 * Messages to the worker that are no requests: a packed file, the reason that it could not be loaded, or that a person opens a
 * model, which ends the warm-up.
 */
export type Sent = { ops: string } | { rest: string } | { withoutRest: string } | { opening: true };
