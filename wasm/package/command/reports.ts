// The reports of --json, by verb. scripts/report_schemas.mjs makes the JSON Schemas of docs/schema of these types.
import type { PlainReports } from "../types/calls.js";
import type { PictureReport } from "../types/picture_types.js";
import type {
  CompatReport,
  DiffReport,
  Endpoint,
  Explanation,
  FunctionInfo,
  InspectReport,
  Integer,
  NodeRow,
  PassReport,
  RepairReport,
  Report,
  Signature,
  TransferReport,
  ValidateReport,
  VariableMatch,
  WeightInfo,
  WriteReport,
} from "../types/types.js";
import type { VerifyReport } from "../verify/types.js";

/** The part of a report about the files that were written. `checked`: what was compared with its stored checksum. */
export type Written = Pick<WriteReport, "outputs" | "checked" | "snippet">;

/** The report of a verb that makes a model. */
export interface MadeModel extends PassReport, Written {
  /** The outputs that the model was made for. */
  graphOutputs?: string[];
  /** The outputs are a guess: neither the command line nor a signature names them. */
  guess?: true;
}

/** The report of validate. */
export interface Validated extends ValidateReport {
  /** There is no graph: valid means that all can be read. */
  weightsAlone?: true;
}

/** The report of a verb on several models: that of each. Exit status: the worst. */
export interface SeveralReports extends Report {
  reports: (InspectReport | Validated | FailureReport)[];
}

/** The report of what could not be done (exit statuses 2 and 3): `diagnostics` has an error. It may have members of the
 * verb's own report, as far as the verb came; a refused transfer lists the variables. */
export interface FailureReport extends Report {
  matched?: VariableMatch[];
  excluded?: VariableMatch[];
  mismatched?: VariableMatch[];
  unmatched?: VariableMatch[];
}

export interface Reports extends PlainReports<MadeModel> {
  inspect: InspectReport;
  list: ListedReport;
  draw: PictureReport & Written;
  validate: Validated;
  "validate-fix": RepairReport & Validated & Written;
  "validate-explain": Explanation;
  transfer: TransferReport & Written;
  diff: DiffReport;
  compat: CompatReport;
  verify: VerifyJson;
  several: SeveralReports;
  failure: FailureReport;
}

/** The report of `list PATH WHAT`: the list is the member named WHAT. */
export interface ListedReport extends Report {
  what: string;
  nodes?: NodeRow[];
  ops?: { op: string; count: number }[];
  weights?: WeightInfo[];
  inputs?: Endpoint[];
  outputs?: Endpoint[];
  signatures?: Record<string, Signature>;
  functions?: FunctionInfo[];
  assets?: { name: string; path: string; bytes: Integer | null; tensor: string }[];
  collections?: { name: string; count: number }[];
}

/** The report of verify. `script`: the files of --script. */
export interface VerifyJson extends Omit<VerifyReport, "script"> {
  script?: { path: string; bytes: Integer }[];
}
