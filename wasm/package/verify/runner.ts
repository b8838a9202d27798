import { failure } from "../base/errors.js";
import type { OutputFile } from "../model/output.js";
import type { CallOptions, ListReport, PassReport, Report, WriteOptions } from "../types/types.js";
import type { Value } from "./difference.js";
import { executable } from "./executable.js";
import { Graph, nodeOf, type Topology } from "./graph.js";
import type { TensorFlowJs, TfGraphModel, TfTensor } from "./tensorflow_js.js";

/** A model without variables, of `cryograph` or of `cryograph/worker`. */
export interface Frozen {
  readonly report: PassReport;
  list(what: "inputs"): ListReport<"inputs"> | Promise<ListReport<"inputs">>;
  write(options: WriteOptions): Promise<OutputFile[] & { report: Report }>;
  close(): void;
}

/** A file of a model as TensorFlow.js takes it: model.json, or one with weights. */
export type ModelFile = Pick<OutputFile, "path" | "bytes">;

interface ModelJson {
  modelTopology: Topology;
  weightsManifest: { paths: string[]; weights: unknown[] }[];
  modelInitializer?: unknown;
}

/** One frozen model in TensorFlow.js, with its inputs' values. */
export class Runner {
  #feeds: Record<string, TfTensor> = {};

  /** `fillsTables`: the model does so before all else. */
  private constructor(
    private readonly model: TfGraphModel,
    readonly graph: Graph,
    private readonly fillsTables: boolean,
  ) {}

  static async load(tf: TensorFlowJs, files: readonly ModelFile[], call: CallOptions): Promise<Runner> {
    const named = new Map(files.map((file) => [file.path, file]));
    const json = JSON.parse(new TextDecoder().decode(await named.get("model.json")!.bytes(call))) as ModelJson;
    const weightData: ArrayBuffer[] = [];
    for (const { paths } of json.weightsManifest) {
      for (const path of paths) weightData.push((await named.get(path)!.bytes(call)).buffer as ArrayBuffer);
    }
    const weightSpecs = json.weightsManifest.flatMap(({ weights }) => weights);
    // Without the signature: inputs and outputs are called as the graph has them.
    const load = async () => ({
      ...json,
      modelTopology: executable(json.modelTopology),
      signature: undefined,
      weightSpecs,
      weightData,
    });
    return new Runner(
      await tf.loadGraphModel({ load }),
      new Graph(json.modelTopology),
      json.modelInitializer !== undefined,
    );
  }

  /** Sets the inputs, by the names of placeholders. */
  feed(feeds: Record<string, TfTensor>): void {
    this.#feeds = feeds;
  }

  /** The values of tensors, "y" or "Split:1". A constant's is its weight. */
  async run(names: readonly string[]): Promise<Value[]> {
    const { weights } = this.model;
    const computed = [...new Set(names.filter((name) => !weights[name]))];
    const tensors = computed.length > 0 ? await this.#execute(computed) : [];
    try {
      return await Promise.all(
        names.map((name) => valueOf(weights[name]?.[0] ?? tensors[computed.indexOf(name)], name)),
      );
    } finally {
      const kept = new Set([...Object.values(weights).flat(), ...Object.values(this.#feeds)]);
      for (const tensor of new Set(tensors)) if (tensor && !kept.has(tensor)) tensor.dispose();
    }
  }

  dispose(): void {
    this.model.dispose();
  }

  // Both functions work if no op is asynchronous, but executeAsync then logs that it was not needed.
  async #execute(names: string[]): Promise<(TfTensor | undefined)[]> {
    const ops = this.graph.behind(...names.map(nodeOf)).flatMap((name) => [...this.graph.ops(name)]);
    const results =
      this.fillsTables || ops.some(isAsynchronous)
        ? this.model.executeAsync(this.#feeds, names)
        : this.model.execute(this.#feeds, names);
    return [await results].flat();
  }
}

/** Ops that TensorFlow.js carries out asynchronously: only executeAsync waits for them. */
export function isAsynchronous(op: string): boolean {
  return /^(Switch|Merge|Enter|Exit|NextIteration|LoopCond|(Stateless)?(If|While)|(Empty)?Tensor(Array|List)|NonMaxSuppression|Where$|ListDiff|InitializeTable|LookupTable|HashTable)/.test(
    op,
  );
}

async function valueOf(tensor: TfTensor | undefined, name: string): Promise<Value> {
  if (!tensor) throw failure("not-computed", `TensorFlow.js gives no value for ${nodeOf(name)}`, "");
  const data = (tensor.dtype === "string" ? await tensor.bytes() : tensor.dataSync()) as Value["data"];
  return { dtype: tensor.dtype, shape: tensor.shape, data };
}
