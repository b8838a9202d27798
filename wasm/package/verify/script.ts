import { OutputFile, type Saver } from "../model/output.js";
import { callOf, type FrozenPair } from "./frozen_pair.js";
import type { FedValues } from "./run_pair.js";
import { kScript } from "./script_text.js";
import type { Target } from "./twin.js";
import type { VerifyOptions, VerifyReport } from "./types.js";

/** An input of more elements is a .npy file next to the script. */
const kInline = 16;

/**
 * Returns a Python script that compares two models in TensorFlow, and the files it loads: "NAME.a.pb" and "NAME.b.pb", the frozen models,
 * and "NAME.input_0.npy" for each large input. It feeds exactly the values that verify fed.
 */
export async function scriptFiles(
  pair: FrozenPair,
  fed: readonly FedValues[],
  report: VerifyReport,
  options: VerifyOptions,
  saver: Saver | null,
): Promise<OutputFile[]> {
  const path = options.script!;
  const base = path.replace(/\.py$/, "");
  const models = [
    [pair.a, `${base}.a.pb`],
    [pair.b, `${base}.b.pb`],
  ] as const;
  const written = [];
  for (const [model, out] of models) written.push(...(await model.write({ as: "pb", out, ...callOf(options) })));
  const arrays = fed.flatMap((values, i) =>
    isInline(values) ? [] : [new OutputFile(fileOf(`${base}.input_${i}.npy`), [npy(values)], saver)],
  );
  const feeds = fed.map(
    (values, i) =>
      `    (${tensor(values.a)}, ${tensor(values.b)}, ${isInline(values) ? inline(values) : `load(${text(fileOf(`${base}.input_${i}.npy`))})`}),\n`,
  );
  const outputs = [
    ...pair.outputs,
    ...pair.uncovered.map(({ name }): Partial<Target> => (isOf(pair.a, name) ? { a: name } : { b: name })),
  ];
  const filled: Record<string, string> = {
    A: text(fileOf(models[0][1])),
    B: text(fileOf(models[1][1])),
    NAME_A: text(report.model),
    NAME_B: text(report.other),
    TOLERANCE: String(report.tolerance),
    FEEDS: feeds.join(""),
    OUTPUTS: outputs.map(({ a, b }) => `    (${tensor(a ?? null)}, ${tensor(b ?? null)}),\n`).join(""),
  };
  const script = kScript.replace(/@(\w+)@/g, (_, key: string) => filled[key]!);
  return [new OutputFile(fileOf(path), [new TextEncoder().encode(script)], saver), ...written, ...arrays];
}

function isOf({ report }: FrozenPair["a"], name: string): boolean {
  return (report.graphOutputs ?? []).some((each) => each.replace(/:0$/, "") === name);
}

function fileOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1);
}

function tensor(name: string | null): string {
  return name === null ? "None" : text(/:\d+$/.test(name) ? name : `${name}:0`);
}

// A literal of Python: it has the escapes of JSON.
function text(value: string): string {
  return JSON.stringify(value);
}

function isInline({ dtype, data }: FedValues): boolean {
  return dtype === "string" || data.length <= kInline;
}

function inline({ dtype, shape, data }: FedValues): string {
  const items = Array.from(data, (value) =>
    dtype === "string" ? bytes(value as string | Uint8Array) : numberText(Number(value)),
  );
  const type = dtype === "string" ? ", object" : "";
  return `np.array([${items.join(", ")}]${type}).reshape([${shape.join(", ")}])`;
}

function numberText(value: number): string {
  return Number.isFinite(value) ? (Object.is(value, -0) ? "-0.0" : String(value)) : `float("${value}")`;
}

function bytes(value: string | Uint8Array): string {
  const all = typeof value === "string" ? new TextEncoder().encode(value) : value;
  return `b"${Array.from(all, (byte) =>
    byte >= 0x20 && byte < 0x7f && byte !== 0x22 && byte !== 0x5c
      ? String.fromCharCode(byte)
      : `\\x${byte.toString(16).padStart(2, "0")}`,
  ).join("")}"`;
}

// NumPy's format, version 1.0; the header is padded to a multiple of 64 bytes.
function npy({ dtype, shape, data }: FedValues): Uint8Array {
  const [type, content] = contentOf(dtype, data as ArrayLike<number | bigint>);
  const header = `{'descr': '${type}', 'fortran_order': False, 'shape': (${shape.map((size) => `${size},`).join(" ")}), }`;
  const size = Math.ceil((kNpyMagic.length + 2 + header.length + 1) / 64) * 64 - kNpyMagic.length - 2;
  const out = new Uint8Array(kNpyMagic.length + 2 + size + content.byteLength);
  out.set([...kNpyMagic, size & 255, size >> 8]);
  out.set(new TextEncoder().encode(`${header.padEnd(size - 1)}\n`), kNpyMagic.length + 2);
  out.set(new Uint8Array(content.buffer, content.byteOffset, content.byteLength), out.length - content.byteLength);
  return out;
}

const kNpyMagic = [0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0];

function contentOf(dtype: string, data: ArrayLike<number | bigint>): [string, ArrayBufferView] {
  if (dtype === "bool") return ["|u1", Uint8Array.from(data as ArrayLike<number>, (value) => (value ? 1 : 0))];
  if (dtype.includes("int")) return ["<i8", BigInt64Array.from(Array.from(data, BigInt))];
  return dtype === "float64"
    ? ["<f8", Float64Array.from(data as ArrayLike<number>, Number)]
    : ["<f4", Float32Array.from(data as ArrayLike<number>, Number)];
}
