// Numbers as texts.

/** A whole number; a string if it is too large for a number. */
type Whole = number | string;

const kUnits = ["bytes", "kB", "MB", "GB", "TB"];

/** "944 bytes", "65.8 kB", "3.22 GB", as the command line writes them. */
export function bytes(size: Whole): string {
  let value = Number(size);
  let unit = 0;
  for (; value >= 999.5 && unit < kUnits.length - 1; unit++) value /= 1000;
  return `${unit === 0 ? value : value.toPrecision(3)} ${value === 1 && unit === 0 ? "byte" : kUnits[unit]}`;
}

/** 29,793 with a thin space between thousands. */
export function count(value: Whole): string {
  return String(value).replace(/\B(?=(\d{3})+$)/g, "\u202f");
}

/** "1 node", "309 nodes". */
export function counted(value: Whole, one: string, many = `${one}s`): string {
  return `${count(value)} ${Number(value) === 1 ? one : many}`;
}

/** "0.1234", "1.2e-9", "12345": five significant digits. */
export function number(value: number | null): string {
  if (value === null) return "none";
  if (Number.isInteger(value) && Math.abs(value) < 1e9) return String(value);
  const size = Math.abs(value);
  return size >= 1e-4 && size < 1e6 ? String(Number(value.toPrecision(5))) : value.toExponential(3);
}
