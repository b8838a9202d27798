import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { apiTexts } from "../../scripts/api_report.mjs";
import { root } from "./support.mjs";

test("the interface is the one that is written down: else node scripts/api_report.mjs, and see what changed", () => {
  for (const [path, text] of Object.entries(apiTexts()))
    assert.equal(text, readFileSync(join(root, path), "utf8"), path);
});
