import type { Model as Local } from "../api/model.js";
import type { PictureOptions, TransferOptions } from "../api/types.js";

// The members that need no worker, or that only the package's command uses.
type Own = "report" | "close" | "draw" | "checkUnchanged" | typeof Symbol.dispose;

type Argument<T, There> = T extends Local
  ? There
  : "from" extends keyof T
    ? TransferOptions<There>
    : "against" extends keyof T
      ? PictureOptions<There>
      : T;

type Answer<T, There> = T extends Local & infer More ? There & More : T;

/** The calls of this thread's Model, each a promise. `There`: the model in the worker, in place of one of this thread. */
export type RemoteCalls<There> = {
  [Name in keyof Local as Exclude<Name, Own>]: Local[Name] extends (...args: infer Arguments) => infer Result
    ? (...args: { [At in keyof Arguments]: Argument<Arguments[At], There> }) => Promise<Answer<Awaited<Result>, There>>
    : never;
};
