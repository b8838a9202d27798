// The words for where a model loads.
import type { CompatReport, TargetVerdict } from "../engine/engine.js";

/** Targets that follow each other and have one verdict, for one cause. */
export interface Span {
  first: TargetVerdict;
  last: TargetVerdict;
}

const kRelease = "tensorflow-";

export function spansOf({ targets }: CompatReport): Span[] {
  const spans: Span[] = [];
  for (const target of targets) {
    const span = spans.at(-1);
    if (span && isRelease(target) && isRelease(span.first) && isSame(span.first, target)) span.last = target;
    else spans.push({ first: target, last: target });
  }
  return spans;
}

function isRelease({ name }: TargetVerdict): boolean {
  return name.startsWith(kRelease);
}

function isSame(a: TargetVerdict, b: TargetVerdict): boolean {
  const of = ({ loads, runs, blockers }: TargetVerdict) => JSON.stringify([loads, runs, blockers]);
  return of(a) === of(b);
}

const kRuntimes: Readonly<Record<string, string>> = {
  tfjs: "TensorFlow.js",
  tflite: "TensorFlow Lite",
  "tflite-select": "TensorFlow Lite with select ops",
  onnx: "ONNX, by tf2onnx",
  openvino: "OpenVINO",
  opencv: "OpenCV",
};

/** "TensorFlow 1.2 to 1.12", "TensorFlow.js" */
export function spanName({ first, last }: Span): string {
  if (!isRelease(first)) return kRuntimes[first.name] ?? first.name;
  const [from, to] = [first, last].map(({ name }) => name.slice(kRelease.length));
  return `TensorFlow ${from === to ? from : `${from} to ${to}`}`;
}

/** "Loads and runs in TensorFlow 1.13 to 2.21, TensorFlow.js" */
export function loadsIn(report: CompatReport): string {
  const spans = spansOf(report).filter(({ first }) => first.runs);
  return spans.length > 0 ? `Loads and runs in ${spans.map(spanName).join(", ")}` : "No release loads and runs it";
}
