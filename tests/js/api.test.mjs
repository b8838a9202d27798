import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { apiReport } from "../../scripts/api_report.mjs";
import { root } from "./support.mjs";

test("the interface is the one that is written down: else node scripts/api_report.mjs, and see what changed", () => {
  assert.equal(apiReport(), readFileSync(join(root, "wasm/api.txt"), "utf8"));
});
