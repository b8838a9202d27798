import { failure } from "./errors.js";
import { packageOver } from "./host.js";
import { nodeHost } from "./host_node.js";
import { imageFromFile } from "./image_file.js";
import type { CommandLine } from "./command.js";
import type { Model } from "./model.js";
import { oneArray } from "./verify/array.js";
import { findTensorFlowJs } from "./verify/tensorflow_js_node.js";
import type { Feed, VerifyOptions, VerifyReport } from "./verify/types.js";
import { verifyWith } from "./verify/verify.js";

const { open } = packageOver(nodeHost);

/** `cryograph verify A B`: what the options name as files is read. */
export async function verifyFiles(a: Model, b: Model, options: CommandLine["options"]): Promise<VerifyReport> {
  const { feed, image, mean, scale, seed, tolerance, ...rest } = options;
  const tf = await findTensorFlowJs();
  tf.enableProdMode();  // else it advertises another of its packages on standard error
  const numbers = Object.entries({ mean, scale, seed, tolerance }).filter(([, value]) => value !== undefined);
  return verifyWith(async () => tf)(a, b, {
    ...(rest as VerifyOptions),
    ...Object.fromEntries(numbers.map(([key, value]) => [key, Number(value)])),
    ...(feed !== undefined && { feed: await feedsFromFiles(feed as string[]) }),
    ...(image !== undefined && { image: await imageFromFile(image as string) }),
  });
}

async function feedsFromFiles(rules: readonly string[]): Promise<Record<string, Feed>> {
  const feeds: Record<string, Feed> = {};
  for (const rule of rules.flatMap((each) => each.split(","))) {
    const equals = rule.indexOf("=");
    if (equals < 1) throw failure("bad-option", `--feed takes NAME=FILE; found '${rule}'`, "--feed x=x.npy", undefined, 2);
    const path = rule.slice(equals + 1);
    using arrays = await open(path);
    feeds[rule.slice(0, equals)] = await oneArray(arrays, path);
  }
  return feeds;
}
