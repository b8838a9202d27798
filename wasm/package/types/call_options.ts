// Types of the options that several calls have.

/** A list, or as on the command line: names between commas. `\\,` is a comma in a name. */
export type Names = string | readonly string[];

/** A value of a placeholder; a list of the placeholder's shape. */
export type SetValue = boolean | number | bigint | string | readonly SetValue[];

/** Values of placeholders by name, or a list of "NAME=VALUE". */
export type SetValues = Names | Readonly<Record<string, SetValue>>;

/** Options of every call that may read a lot. */
export interface CallOptions {
  signal?: AbortSignal;
  /** Bytes read so far by this call. */
  onProgress?: (progress: Progress) => void;
}

export interface Progress {
  /** Bytes read or written so far. */
  bytes: number;
}
