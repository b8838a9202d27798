/** A file of a server. `stamp`: its ETag or date, if it has one; `first`: bytes of its start. */
export interface Remote {
  url: string;
  size: number;
  stamp: string | null;
  first: Uint8Array;
}

/** A candidate file, not read yet. It can be sent to a worker: Blobs by reference, paths as text. */
export interface Entry {
  name: string;
  data: Blob | Uint8Array | { path: string; stamp?: string | null } | Remote;
}

/** The requested input, and the files around it. `path`: the requested entry; with "" the core chooses. */
export interface Gathered {
  entries: Entry[];
  path: string;
  /** "model/": the common folder, which is not part of their names. */
  folder?: string;
  /** A path on disk around which the core is yet to choose files. */
  near?: Near;
  /** A folder of which not all files are here; "" or absent if all are. */
  capped?: string;
}

/** The places of files: next to a file (`isThere`: it is one, not a prefix), below a folder, next to a checkpoint. */
export interface Near {
  file?: string;
  isThere?: boolean;
  folder?: string;
  checkpoint?: string | undefined;
}
