import { open, CryographError, type InspectReport, type Model, type OutputFile } from "cryograph";
import * as worker from "cryograph/worker";
import * as inline from "cryograph/inline";
import { verify, type VerifyReport } from "cryograph/verify";

export async function use(file: File, signal: AbortSignal): Promise<OutputFile[]> {
  using model: Model = await open(file, { signal, onProgress: ({ bytes }) => void bytes.toFixed() });
  const report: InspectReport = model.inspect();
  using there = await worker.open([file]);
  const { valid } = await there.validate({ strict: true });
  if (!valid) throw new CryographError(report.diagnostics);
  const twins: VerifyReport[] = [
    await verify(model, await model.freeze()),
    await verify(there, await there.freeze(), { seed: 1 }),
  ];
  const { data } = await model.weight("w");
  await inline.init({ wasmBinary: new Uint8Array(0) });
  return data.length > 0 && twins.every(({ equal }) => equal) ? model.write({ as: "pb" }) : [];
}

// @ts-expect-error: a model is not made of a number
void open(1);
