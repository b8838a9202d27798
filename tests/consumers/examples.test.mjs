// The examples that need a bundler, built, and used in Chromium.
import assert from "node:assert/strict";
import { cpSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { launch, openPage } from "../e2e/browser.mjs";
import { root } from "../js/support.mjs";
import { packed, project, run, serve, tool, tools } from "./projects.mjs";

const { cryograph } = packed();
const example = (name) => project(`example-${name}`, cryograph.path, tools, join(root, "examples", name));

/** Opens a built example and chooses files; returns the page. */
async function choose(t, folder, files) {
  const server = await serve(folder);
  const browser = await launch();
  t.after(() => browser.close().finally(() => server.close()));
  const page = await openPage(browser, `http://127.0.0.1:${server.address().port}/index.html`);
  await page.getByLabel("Files of a model").setInputFiles(files);
  return page;
}

test("Vite: lists the findings of a model", async (t) => {
  const folder = example("vite");
  run(process.execPath, [join(tools, "node_modules/vite8/bin/vite.js"), "build", "--logLevel", "error"], {
    cwd: folder,
  });
  const page = await choose(t, join(folder, "dist"), join(root, "web/samples/broken/broken.pb"));
  await page.getByText("TensorFlow would refuse it.").waitFor();
  assert.match(await page.locator("li").first().textContent(), /^error: .*\[unknown-input-node\]$/);
});

test("Next: lists the inputs and outputs of a model", async (t) => {
  const folder = example("next");
  // It names the folder above, in which Next is installed here.
  cpSync(join(import.meta.dirname, "projects/next/next.config.mjs"), join(folder, "next.config.mjs"));
  run(tool("next"), ["build"], { cwd: folder, env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1", CI: "1" } });
  const page = await choose(t, join(folder, "out"), join(root, "tests/data/ref/frozen.pb"));
  await page.getByRole("heading", { name: "Outputs", exact: true }).waitFor();
  assert.deepEqual(await page.locator("section code").allTextContents(), ["x", "y"]);
});
