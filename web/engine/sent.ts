/** Messages to the worker that are no requests: a packed file, or the reason that it could not be loaded. */
export type Sent = { ops: string } | { rest: string } | { withoutRest: string };
