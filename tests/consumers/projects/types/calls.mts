// What the types promise, and refuse, whatever the platform's own types are.
import { type AnyModel, type Code, type CryographError, type InspectReport, type Model, open } from "cryograph";
import { type Model as RemoteModel, init, open as openInWorker } from "cryograph/worker";
import { verify } from "cryograph/verify";

// One function for the models of both entry points.
async function outputsOf(model: AnyModel): Promise<string[]> {
  const { outputs }: InspectReport = await model.inspect();
  const { weights } = await model.list("weights");
  const frozen: AnyModel = await model.freeze({ outputs: outputs.map(({ name }) => name) });
  const { structure } = await model.diff(frozen);
  const nodes = await frozen.nodes();
  return [...weights.map(({ dtype }) => dtype), nodes.name(0), String(structure?.equal)];
}

export async function both(bytes: Uint8Array, signal: AbortSignal): Promise<void> {
  using here = await open(bytes, { signal, onProgress: ({ bytes: read }) => void read.toFixed() });
  using there = await openInWorker({ "model.pb": bytes });
  await outputsOf(here);
  await outputsOf(there);
  const report: InspectReport = here.inspect();
  const { verdict } = await verify(here, here, { feed: { image: [1, 2] }, tolerance: 1e-6 });
  await verify(there, there);
  void [report.variables.count, verdict === "equal"];
  // @ts-expect-error: a report has the members of its type alone
  void report.variable;
  // @ts-expect-error: a model of another thread
  void here.diff(there);
  // @ts-expect-error: inspect() of a worker is a promise
  void there.inspect().kind;
}

export function lists(model: Model): void {
  const { signatures } = model.list("signatures");
  void signatures["serve"]?.inputs["x"]?.dtype;
  model.list("assets").assets.map(({ path }) => path.length);
  model.list("collections").collections.map(({ count }) => count + 1);
  // @ts-expect-error: a list has its own member alone
  void model.list("weights").nodes;
  // @ts-expect-error: there is no such list
  model.list("weight");
}

export async function weights(model: Model | RemoteModel): Promise<number | bigint | Uint8Array | undefined> {
  const weight = await model.weight("w", { first: 0, count: 2 });
  switch (weight.dtype) {
    case "float32":
      return (weight.data satisfies Float32Array)[0];
    case "int64":
      return (weight.data satisfies BigInt64Array)[0];
    case "string":
      return (weight.data satisfies Uint8Array[])[0];
    default:
      // @ts-expect-error: of a type that was ruled out
      void (weight.data satisfies BigInt64Array);
      return undefined;
  }
}

export async function refused(model: Model): Promise<void> {
  // @ts-expect-error: a misspelt option
  await model.freeze({ ouputs: ["logits"] });
  // @ts-expect-error: an option of another verb
  await model.prune({ style: "ref" });
  // @ts-expect-error: transfer needs the other model
  await model.transfer({ strict: true });
  // @ts-expect-error: no format that is written
  await model.write({ as: "onnx" });
  // @ts-expect-error: not an input
  await open(3);
  // @ts-expect-error: nor is this
  await open({ "model.pb": "text" });
  // @ts-expect-error: an option of no call
  await open("model.pb", { tags: "serve" });
  // @ts-expect-error: an option that init does not have
  await init({ wasmURL: "core.wasm" });
}

export function adviceFor(error: CryographError): string {
  const codes: Code[] = ["no-model", "bad-argument", "core-not-loaded", "checksum"];
  if (error.code === "model-closed") return codes.join();
  // @ts-expect-error: there is no such code
  if (error.code === "modelclosed") return "";
  return error.diagnostics.map(({ fix }) => fix).join();
}
