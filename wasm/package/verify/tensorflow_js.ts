import { failure } from "../base/errors.js";

// The parts of TensorFlow.js that are used here. `import * as tf from "@tensorflow/tfjs"` has them, and so have its
// packages joined: { ...core, ...converter }.

export interface TfTensor {
  readonly dtype: string;
  readonly shape: number[];
  dataSync(): unknown;
  /** Returns the bytes of each string of a string tensor. */
  bytes(): Promise<unknown>;
  dispose(): void;
}

export interface TfGraphModel {
  readonly weights: Record<string, TfTensor[]>;
  execute(inputs: Record<string, TfTensor>, outputs: string[]): TfTensor | TfTensor[];
  executeAsync(inputs: Record<string, TfTensor>, outputs: string[]): Promise<TfTensor | TfTensor[]>;
  dispose(): void;
}

export interface TensorFlowJs {
  readonly version_core: string;
  ready(): Promise<void>;
  getBackend(): string;
  tensor(values: unknown, shape: number[], dtype: string): TfTensor;
  readonly image: { resizeBilinear(images: TfTensor, size: [number, number]): TfTensor };
  loadGraphModel(from: { load(): Promise<unknown> }): Promise<TfGraphModel>;
}

export const kPackages = [
  "@tensorflow/tfjs-core",
  "@tensorflow/tfjs-converter",
  "@tensorflow/tfjs-backend-cpu",
] as const;

export function tensorFlowJsMissing(cause: unknown): Error {
  return failure(
    "tensorflow-js-missing",
    "verify runs the models in TensorFlow.js, which is not installed here",
    `npm install ${kPackages.map((name) => `${name}@4`).join(" ")}`,
    cause,
  );
}

/** Imports TensorFlow.js with the host's own import: bundlers see the names of the packages and include them. */
export async function importTensorFlowJs(): Promise<TensorFlowJs> {
  try {
    const [core, converter] = await Promise.all([
      import("@tensorflow/tfjs-core"),
      import("@tensorflow/tfjs-converter"),
      import("@tensorflow/tfjs-backend-cpu"),
    ]);
    return { ...core, ...converter } as TensorFlowJs;
  } catch (error) {
    throw tensorFlowJsMissing(error);
  }
}
