// Two models run in the page, by TensorFlow.js in a worker of its own.
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { open } from "cryograph";
import { verify } from "cryograph/verify";
import { drawnDigit, withOtherWeight } from "./digits.mjs";
import {
  calm,
  clearChoices,
  give,
  perform,
  root,
  settled,
  status,
  take,
  until,
  visitAgainOffline,
} from "./browser.mjs";
import { checkpointFiles, sample, withBrowser } from "./support.mjs";

const browser = withBrowser();
const kMeta = join(sample, "model.ckpt.meta");
const kFiles = checkpointFiles(sample, "model.ckpt");
const kRunner = "cryograph-verify-text"; // the page's file that has TensorFlow.js

async function frozenSample(page) {
  await page.getByRole("button", { name: "Try the sample" }).click();
  await calm(page);
  await perform(page, "Freeze");
}

async function verified(page, button = "Compare with previous step") {
  await page.getByRole("button", { name: button, exact: true }).click();
  await page.locator("#verified-title, .failure").first().waitFor();
  await settled(page);
  return page.locator("#verified-title").textContent();
}

const asFile = (name, buffer) => ({ name, mimeType: "", buffer });
const rows = (page) =>
  page
    .locator(".verified .scroll tbody tr")
    .evaluateAll((all) => all.map((row) => [...row.cells].map((cell) => cell.textContent)));

/** A .npy of float32. */
function npy(shape, values) {
  const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape.join(", ")},), }`;
  const padded = header.padEnd(Math.ceil((header.length + 11) / 64) * 64 - 11) + "\n";
  return Buffer.concat([
    Buffer.from("\x93NUMPY\x01\x00", "latin1"),
    Buffer.from(Uint16Array.of(padded.length).buffer),
    Buffer.from(padded),
    Buffer.from(Float32Array.from(values).buffer),
  ]);
}

/** A graph as text; `nodes`: name, op, inputs. One placeholder "x", and what is not needed for the last. */
function graphText(size, nodes) {
  const type = 'attr { key: "T" value { type: DT_FLOAT } }';
  const shape = `attr { key: "shape" value { shape { dim { size: ${size} } dim { size: ${size} } } } }`;
  return [
    `node { name: "x" op: "Placeholder" attr { key: "dtype" value { type: DT_FLOAT } } ${shape} }`,
    ...nodes.map(
      ([name, op, ...inputs]) =>
        `node { name: "${name}" op: "${op}" ${inputs.map((input) => `input: "${input}"`).join(" ")} ${type} }`,
    ),
  ].join("\n");
}

test("one click shows that the frozen sample computes the same; TensorFlow.js is loaded then, and not before", async (t) => {
  const page = await browser.loaded(t);
  await frozenSample(page);
  assert.deepEqual(
    page.seen.requests.filter((url) => url.includes(kRunner)),
    [],
  );
  assert.equal(await verified(page), "Equal bit for bit: 1 output");
  assert.equal(page.seen.requests.filter((url) => url.includes(kRunner)).length, 1);
  assert.deepEqual(await rows(page), [["probabilities", "equal bit for bit", "0", "0"]]);
  assert.equal(await status(page), "Equal bit for bit: 1 output");
  assert.equal(await page.evaluate(() => document.activeElement.id), "verified-title");
});

test("the worker that runs models cannot connect anywhere", async (t) => {
  const page = await browser.loaded(t);
  await frozenSample(page);
  await verified(page);
  assert.equal(page.workers().length, 2);
  const answer = await page.workers()[1].evaluate(
    (url) =>
      fetch(url).then(
        () => "connected",
        () => "refused",
      ),
    page.url(),
  );
  assert.equal(answer, "refused");
  page.seen.complaints.length = 0; // the browser's own word on it, if it has one
});

test("every step of the history can be verified, against the one before and against what was opened", async (t) => {
  const page = await browser.page(t);
  await frozenSample(page);
  await perform(page, "Un-freeze");
  assert.match(await verified(page), /^Equal bit for bit/);
  await perform(page, "Prune");
  assert.equal(await page.locator(".verified").count(), 0);
  assert.match(await verified(page, "Compare with source"), /^Equal bit for bit/);
  await page.getByRole("button", { name: "Undo" }).click();
  assert.match(await page.locator("#verified-title").textContent(), /^Equal bit for bit/);
});

test("a model that was cut runs from where it was cut to where it ends, and so does the one before", async (t) => {
  const page = await browser.page(t);
  await page.getByRole("button", { name: "Try the sample" }).click();
  await take(page, "Freeze");
  await page.getByLabel("Other outputs").fill("hidden/relu");
  await page.getByLabel("New input tensors").fill("pool1:0");
  await perform(page, "Freeze");
  assert.equal(await verified(page), "Equal bit for bit: 2 outputs");
  assert.deepEqual(
    (await rows(page)).map(([name]) => name),
    ["probabilities", "hidden/relu"],
  );
  await page.locator(".run summary").click();
  assert.match(await page.locator(".given").textContent(), /pool1.*float32 \[1, 7, 7, 8\]/s);
});

test("a weight that differs is found where it is, and leads to the inspector", async (t) => {
  const page = await browser.page(t);
  await frozenSample(page);
  await take(page, "Compare");
  await page.locator('input[name="other"]').setInputFiles(asFile("broken.pb", await withOtherWeight("conv2/weights")));
  await page.locator("#other-title + p").getByText("broken.pb").waitFor();
  assert.equal(await verified(page, "Run both"), "Different");
  assert.match(await page.locator(".first").textContent(), /conv2\/weights.*Const/s);
  const [[name, result, absolute]] = await rows(page);
  assert.deepEqual([name, Number(absolute) > 0], ["probabilities", true]);
  assert.match(result, /^differs, \d+ of 10$/);
  await page.locator(".first").getByRole("button", { name: "conv2/weights" }).click();
  await page.locator("#node-title").getByText("weights").waitFor();
  await page.locator(".run summary").click();
  await page.getByLabel("Tolerance").fill("1");
  assert.equal(await verified(page, "Run both"), "Equal within the tolerance: 1 output");
});

test("an image's top classes are those that the package tells, by name where a text has the names", async (t) => {
  const page = await browser.page(t);
  const { pixels, file } = drawnDigit();
  await frozenSample(page);
  await page.locator(".run summary").click();
  await page.locator('input[name="given-image"]').setInputFiles(file);
  await page.getByRole("button", { name: "0 to 1", exact: true }).click();
  assert.equal(await page.locator(".run summary").textContent(), "Input: one.png");
  assert.match(await verified(page), /^Equal bit for bit/);
  const model = await open(kMeta);
  const {
    outputs: [{ classes }],
  } = await verify(model, model, { outputs: "probabilities", image: pixels, scale: 1 / 255 });
  assert.ok(classes.probabilities && classes.top[0].value > classes.top[1].value);
  const shown = () =>
    page
      .locator(".classes tbody tr")
      .evaluateAll((all) => all.map(({ cells }) => `${cells[0].textContent} ${cells[1].textContent}`));
  const share = (value) => (value < 5e-5 ? "<0.01 %" : `${(value * 100).toFixed(2)} %`);
  assert.deepEqual(
    await shown(),
    classes.top.map(({ index, value }) => `class ${index} ${share(value)}`),
  );
  await page.locator('input[name="labels"]').setInputFiles(asFile("names.txt", Buffer.from("a\nb\n")));
  await page.getByText("names.txt has 2 lines, there are 10 classes").waitFor();
  const digits = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
  await page.locator('input[name="labels"]').setInputFiles(asFile("digits.txt", Buffer.from(`${digits.join("\n")}\n`)));
  await page.getByText("digits.txt").waitFor();
  assert.equal(
    (await shown())[0],
    `${digits[classes.top[0].index]} ${classes.top[0].index} ${share(classes.top[0].value)}`,
  );
});

test("names of classes are found among the files that were opened", async (t) => {
  const page = await browser.page(t);
  await give(page, [
    asFile("labels.txt", Buffer.from("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\n")),
    asFile("digits.pb", await withOtherWeight("conv1/weights")),
  ]);
  await perform(page, "Un-freeze");
  await page.locator(".run summary").click();
  await page
    .locator('input[name="given-image"]')
    .setInputFiles(asFile("half.npy", npy([1, 28, 28, 1], Array(28 * 28).fill(0.5))));
  await page.locator(".given-file").getByText("half.npy").waitFor();
  await verified(page);
  await page.locator(".labels").getByText("labels.txt").waitFor();
  assert.match(await page.locator(".classes tbody tr").first().textContent(), /^\s*[a-j] \d/);
});

test("a .npy is what runs; one that does not fit is refused, and so is a file that is neither", async (t) => {
  const page = await browser.page(t);
  await frozenSample(page);
  await page.locator(".run summary").click();
  const input = page.locator('input[name="given-image"]');
  await input.setInputFiles(asFile("two.npy", npy([2, 28, 28, 1], Array(2 * 28 * 28).fill(0.25))));
  await page.locator(".given-file").getByText("two.npy").waitFor();
  assert.match(await verified(page), /^Equal bit for bit/);
  assert.match(await page.locator(".given").textContent(), /\[2, 28, 28, 1\]/);
  await input.setInputFiles(asFile("flat.npy", npy([784], Array(784).fill(0))));
  await page.locator(".given-file").getByText("flat.npy").waitFor();
  await assert.rejects(verified(page), /shape \[.*28,28,1\]; found \[784\]/s);
  await input.setInputFiles(asFile("notes.txt", Buffer.from("no picture")));
  await page.locator(".failure").getByText("notes.txt is neither a .npy nor an image").waitFor();
  await page.locator(".failure .meaning summary").click();
  await page.locator(".failure").getByText("of a format that this browser cannot decode").waitFor();
  await page.getByRole("button", { name: "Reset to random" }).click();
  assert.match(await verified(page), /^Equal bit for bit/);
});

test("a file that is dropped on an input is its value, and opens nothing", async (t) => {
  const page = await browser.page(t);
  await frozenSample(page);
  await page.locator(".run summary").click();
  const bytes = [...npy([1, 28, 28, 1], Array(28 * 28).fill(0.5))];
  await page.locator(".given li").evaluate((row, content) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([Uint8Array.from(content)], "half.npy"));
    row.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, bytes);
  await page.locator(".given-file").getByText("half.npy").waitFor();
  assert.equal(await page.locator(".steps button").count(), 2);
  assert.match(await verified(page), /^Equal bit for bit/);
  assert.match(await page.locator(".verified").textContent(), /Input:\s+half\.npy\./);
});

test("the seed decides the random numbers", async (t) => {
  const page = await browser.page(t);
  await frozenSample(page);
  await take(page, "Compare");
  await page
    .locator('input[name="other"]')
    .setInputFiles(asFile("broken.pb", await withOtherWeight("readout/weights")));
  await page.locator("#other-title + p").getByText("broken.pb").waitFor();
  await verified(page, "Run both");
  const first = await rows(page);
  await page.locator(".run summary").click();
  for (const [seed, same] of [
    ["7", false],
    ["0", true],
  ]) {
    await page.getByLabel("Seed").fill(seed);
    await verified(page, "Run both");
    await page.locator(".verified").getByText(`(seed ${seed})`).waitFor();
    assert.equal(JSON.stringify(await rows(page)) === JSON.stringify(first), same);
  }
});

test("an op that TensorFlow.js does not have is named, and what comes before it is compared", async (t) => {
  const page = await browser.page(t);
  const text = graphText(4, [
    ["h", "Relu", "x"],
    ["y", "Digamma", "h"],
    ["loose", "Neg", "x"],
  ]);
  await give(page, asFile("odd.pbtxt", Buffer.from(text)));
  await take(page, "Prune");
  await page.locator(".choices").getByText("y", { exact: true }).waitFor();
  await page.getByLabel("Other outputs").fill("y");
  await clearChoices(page);
  await perform(page, "Prune");
  assert.equal(await verified(page), "Undecided: 1 of 1 output not executed");
  assert.deepEqual(await rows(page), [
    ["y", "not executed", "", ""],
    ["h before y", "equal bit for bit", "0", "0"],
  ]);
  assert.equal(await page.locator(".verified.good").count(), 0);
  assert.match(await page.locator(".uncovered").textContent(), /npx cryograph verify A B --script compare\.py/);
  assert.match(
    await page.locator(".uncovered").textContent(),
    /y: TensorFlow\.js has no op Digamma.*does not support: Digamma/s,
  );
});

test("an input that has a default keeps it", async (t) => {
  const page = await browser.page(t);
  const type =
    'attr { key: "dtype" value { type: DT_FLOAT } } attr { key: "shape" value { shape { dim { size: 4 } dim { size: 4 } } } }';
  const kept = `node { name: "kept" op: "PlaceholderWithDefault" input: "h" ${type} }`;
  await give(
    page,
    asFile(
      "kept.pbtxt",
      Buffer.from(
        `${graphText(4, [
          ["h", "Relu", "x"],
          ["y", "Neg", "kept"],
          ["loose", "Neg", "x"],
        ])}\n${kept}`,
      ),
    ),
  );
  await take(page, "Prune");
  await clearChoices(page);
  await page.getByLabel("Other outputs").fill("y");
  await perform(page, "Prune");
  for (const round of ["before it ran", "after"]) {
    await page
      .locator(".given")
      .getByRole("group", { name: "kept", includeHidden: true })
      .getByText("its default")
      .waitFor({ state: "attached" });
    assert.equal(await verified(page), "Equal bit for bit: 1 output", round);
  }
});

test("what runs long does not hold up the page, and cancel ends it at once", async (t) => {
  const page = await browser.loaded(t);
  const chain = Array.from({ length: 12 }, (_, i) => [`m${i}`, "MatMul", i ? `m${i - 1}` : "x", "x"]);
  await give(page, asFile("long.pbtxt", Buffer.from(graphText(1400, [...chain, ["loose", "Neg", "x"]]))));
  await take(page, "Prune");
  await clearChoices(page);
  await page.getByLabel("Other outputs").fill("m11");
  await perform(page, "Prune");
  await page.getByRole("button", { name: "Compare with previous step" }).click();
  await page.locator(".working").getByText("Running both models").waitFor();
  await until(
    page,
    () => page.workers().length,
    (count) => count === 2,
  );
  await page.evaluate(async () => {
    for (let i = 0; i < 60; i++) await new Promise(requestAnimationFrame);
  });
  assert.equal(await page.locator(".working").count(), 1, "frames are drawn while the models run");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.locator(".working").waitFor({ state: "detached" });
  assert.match(await status(page), /^Canceled/);
  const worker = page.workers()[1];
  if (worker) await worker.waitForEvent("close");
  assert.equal(await page.locator(".verified").count(), 0);
  await give(page, kFiles);
  await perform(page, "Freeze");
  assert.match(await verified(page), /^Equal bit for bit/);
});

test("after one visit it works without a network", async (t) => {
  const page = await browser.installed(t);
  await visitAgainOffline(page);
  await frozenSample(page);
  assert.match(await verified(page), /^Equal bit for bit/);
});

test("where TensorFlow.js cannot be had, it says why and what to do", async (t) => {
  const page = await browser.own(t);
  await frozenSample(page);
  await page.context().route(`**/${kRunner}*`, (route) => route.abort());
  await assert.rejects(verified(page), /could not be loaded.*npx cryograph verify A B/s);
  page.seen.complaints.length = 0; // the browser's own word on it
});

test("the one file has it, too", async (t) => {
  const page = await browser.fromDisk(t, join(root, "build/cryograph.html"));
  await frozenSample(page);
  assert.match(await verified(page), /^Equal bit for bit/);
});
