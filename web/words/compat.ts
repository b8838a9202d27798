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
  return JSON.stringify({ ...a, name: "" }) === JSON.stringify({ ...b, name: "" });
}

/** "TensorFlow 1.2 to 1.12", "TensorFlow.js" */
export function spanName({ first, last }: Span): string {
  if (!isRelease(first)) return first.name === "tfjs" ? "TensorFlow.js" : first.name;
  const [from, to] = [first, last].map(({ name }) => name.slice(kRelease.length));
  return `TensorFlow ${from === to ? from : `${from} to ${to}`}`;
}

/** "Loads and runs in TensorFlow 1.13 to 2.21, TensorFlow.js" */
export function loadsIn(report: CompatReport): string {
  const spans = spansOf(report).filter(({ first }) => first.runs);
  return spans.length > 0 ? `Loads and runs in ${spans.map(spanName).join(", ")}` : "No release loads and runs it";
}
