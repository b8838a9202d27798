import { failure } from "../base/errors.js";
import { packageOver } from "../host/host.js";
import { nodeHost } from "../host/host_node.js";
import { imageFromFile } from "../verify/image_file.js";
import type { CommandLine } from "./command_binding.js";
import type { Model } from "../model/model.js";
import { splitRules } from "../base/set_rules.js";
import { oneArray } from "../verify/array.js";
import { findTensorFlowJs } from "../verify/tensorflow_js_node.js";
import { literalOf } from "../verify/literal.js";
import type { Feed, Literal, VerifyOptions, VerifyReport } from "../verify/types.js";
import { verifyWith } from "../verify/verify.js";

const { open } = packageOver(nodeHost);

/** Carries out `cryograph verify A B`: reads the files that options name. */
export async function verifyFiles(a: Model, b: Model, options: CommandLine["options"]): Promise<VerifyReport> {
  const { feed, image, mean, scale, seed, tolerance, ...rest } = options;
  const tf = await findTensorFlowJs();
  tf.enableProdMode(); // else it advertises another of its packages on standard error
  const numbers = Object.entries({ mean, scale, seed, tolerance }).filter(([, value]) => value !== undefined);
  return verifyWith(async () => tf)(a, b, {
    ...(rest as VerifyOptions),
    ...Object.fromEntries(numbers.map(([key, value]) => [key, Number(value)])),
    ...(feed !== undefined && { feed: await feedsOf(feed as string[]) }),
    ...(image !== undefined && { image: await imageFromFile(image as string) }),
  });
}

async function feedsOf(rules: readonly string[]): Promise<Record<string, Feed | Literal>> {
  const feeds: Record<string, Feed | Literal> = {};
  for (const rule of rules.flatMap(splitRules)) {
    const equals = rule.indexOf("=");
    if (equals < 1)
      throw failure(
        "bad-option",
        `--feed takes NAME=FILE or NAME=VALUE; found '${rule}'`,
        "--feed x=x.npy, --feed x=[1,2]",
        undefined,
        2,
      );
    const text = rule.slice(equals + 1);
    feeds[rule.slice(0, equals).replace(/:0$/, "")] = literalOf(text) ?? (await arrayIn(text));
  }
  return feeds;
}

async function arrayIn(path: string): Promise<Feed> {
  using arrays = await open(path);
  return await oneArray(arrays, path);
}
