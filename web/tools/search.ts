// Searches rows by words and filters: "conv1 op:Conv2D -role:training".

export type Field = "name" | "op" | "type" | "shape" | "role" | "device" | "scope";

/** The values of a row that filters compare; a row may have several values of one field. */
export type Fields<Row> = Partial<Record<Field, (row: Row) => string | readonly string[]>>;

/** A part of a search. `field`: null for a word, which is searched in the text of a row. */
export interface Term {
  field: Field | null;
  value: string;
  /** The term is met by rows that do not match. */
  negated: boolean;
}

const kFields: Readonly<Record<string, Field>> = {
  name: "name",
  op: "op",
  type: "type",
  dtype: "type",
  shape: "shape",
  role: "role",
  kind: "role",
  device: "device",
  scope: "scope",
};

/** Parses a search, in lower case. Terms without a value, which is still being typed, are not among the result. */
export function termsOf(search: string): Term[] {
  return search
    .toLowerCase()
    .split(/\s+/)
    .map((word) => {
      const [, sign, key = "", rest] = /^(-?)(?:([a-z]+):)?(.*)$/s.exec(word)!;
      const field = Object.hasOwn(kFields, key) ? kFields[key]! : null;
      return { field, value: field || !key ? rest! : `${key}:${rest}`, negated: sign === "-" };
    })
    .filter(({ value }) => value !== "");
}

/** Returns true if all rows that meet `terms` met the earlier ones, as when a word was typed on. */
export function isNarrower(terms: readonly Term[], earlier: readonly Term[]): boolean {
  return earlier.every((old) =>
    terms.some(({ field, value, negated }) => {
      const typedOn = !field && !negated && value.includes(old.value);
      return field === old.field && negated === old.negated && (typedOn || value === old.value);
    }),
  );
}

/**
 * Returns whether a row meets all terms. A filter's value is the beginning of a row's, or all of it if a row has just this
 * value: "op:Const" does not find ConstantFolding. Commas separate alternatives. A row without the field does not match.
 */
export function matcherOf<Row>(
  terms: readonly Term[],
  rows: Iterable<Row>,
  fields: Fields<Row>,
  text: (row: Row) => string,
): (row: Row) => boolean {
  const tests = terms.map(({ field, value, negated }) => {
    const matches = field ? fieldTest(field, value, rows, fields[field]) : null;
    return { matches, value, negated };
  });
  const words = tests.some(({ matches }) => !matches);
  return (row) => {
    const all = words ? text(row).toLowerCase() : "";
    return tests.every(({ matches, value, negated }) => (matches ? matches(row) : all.includes(value)) !== negated);
  };
}

function fieldTest<Row>(field: Field, value: string, rows: Iterable<Row>, get: Fields<Row>[Field]) {
  if (!get) return () => false;
  const values = (row: Row) => [get(row)].flat().map((each) => each.toLowerCase());
  if (field === "shape") return (row: Row) => values(row).some((shape) => isShape(shape, value));
  const wanted = value.split(",").filter(Boolean);
  const tests = wanted.map((each) => {
    if (field === "scope") return (own: string) => own === each || own.startsWith(`${each}/`);
    if (field === "name" || field === "device") return (own: string) => own.includes(each);
    const exact = some(rows, (row) => values(row).includes(each));
    return (own: string) => (exact ? own === each : own.startsWith(each));
  });
  return (row: Row) => values(row).some((own) => tests.some((test) => test(own)));
}

function some<Row>(rows: Iterable<Row>, test: (row: Row) => boolean): boolean {
  for (const row of rows) if (test(row)) return true;
  return false;
}

// "[3, 3, 8, 16]" is "3,3,*,16" and "3x3x8x16": a star is any size, a question mark an unknown one.
function isShape(shape: string, wanted: string): boolean {
  const sizes = (text: string) => text.replace(/[[\]\s]|scalar/g, "").split(/[,x]/);
  const [own, asked] = [sizes(shape), sizes(wanted)];
  return own.length === asked.length && asked.every((size, i) => size === "*" || size === own[i]);
}
