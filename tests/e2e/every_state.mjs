// Every state that the page can be seen in, by name and each on from the one before: for pictures, and for what must hold in all of them.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  calm,
  clearChoices,
  give,
  holdReading,
  perform,
  prepare,
  press,
  root,
  settled,
  showPane,
  showTable,
  take,
} from "./browser.mjs";
import { drawnDigit, withOtherWeight } from "./digits.mjs";
import { isOpen, pressTwice, until, untilMarked } from "./pictured.mjs";
import { chain, taggedModels, writeSparseGraph } from "./protobuf.mjs";
import { chooseOwnFolder } from "./support.mjs";

const kPng = Buffer.from("\x89PNG\r\n\x1a\n000000", "latin1");
const kRecipe = `#recipe=${Buffer.from('[{"verb":"freeze","options":{"outputs":["probabilities"]}}]').toString("base64url")}`;
const kMeta = join(root, "web/samples/digits/model.ckpt.meta");

const kFloat = (key) => `attr { key: "${key}" value { type: DT_FLOAT } }`;
// TensorFlow.js does not have Digamma.
const kOddGraph = `node { name: "x" op: "Placeholder" ${kFloat("dtype")} attr { key: "shape" value { shape { dim { size: 4 } } } } }
  node { name: "h" op: "Relu" input: "x" ${kFloat("T")} } node { name: "z" op: "Neg" input: "h" ${kFloat("T")} }
  node { name: "y" op: "Digamma" input: "h" ${kFloat("T")} } node { name: "loose" op: "Exp" input: "x" ${kFloat("T")} }`;

const asFile = (name, content) => ({ name, mimeType: "", buffer: Buffer.from(content) });
const button = (page, name) => page.getByRole("button", { name, exact: true });
const close = (page) => button(page, "Close").click();
const other = async (page, buffer) => {
  await page.locator('input[name="other"]').setInputFiles({ name: "other.pb", mimeType: "", buffer });
  await page.locator("#other-title + p").getByText("other.pb").waitFor();
};
const back = async (page) => {
  await showPane(page, "Tools");
  await page.locator(".steps button").first().click();
  await showPane(page, "Tools");
};
// Keys on the picture.
const choose = async (page, ...keys) => {
  for (const key of keys) await page.getByRole("application").press(key);
};
const drag = (page, type) =>
  page.evaluate((name) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([""], "model.pb"));
    dispatchEvent(new DragEvent(name, { dataTransfer }));
  }, type);

async function sample(page, name) {
  await button(page, "Samples").click();
  await page.getByRole("dialog").getByRole("button", { name }).click();
  await calm(page);
}

// Nothing is open.
const kStart = {
  async empty() {},
  async promise(page) {
    await page.locator(".promise summary").click();
  },
  async paste(page) {
    await page.locator(".promise summary").click();
    await button(page, "Paste text").click();
  },
  async commands(page) {
    await close(page);
    await page.keyboard.press("Control+k");
  },
  async not_opened(page) {
    await page.keyboard.press("Escape");
    await give(page, asFile("digits.pb", kPng));
    await page.locator(".failure").waitFor();
  },
  async dragging(page) {
    await button(page, "Dismiss").click();
    await drag(page, "dragenter");
  },
  async recipe_waits(page) {
    await drag(page, "dragleave");
    await page.evaluate((hash) => {
      location.hash = hash;
    }, kRecipe);
    await page.reload();
    await page.locator(".recipe-card").waitFor();
  },
};

// A model is open, and looked at.
const kLooking = {
  async recipe_came(page) {
    await button(page, "Try the sample").click();
    await calm(page);
  },
  async opened(page) {
    await page.locator(".recipe-card").getByRole("button", { name: "Dismiss" }).click();
  },
  async placeholder(page) {
    await showPane(page, "Model");
    await page
      .locator(".model-card")
      .getByRole("button", { name: /^image/ })
      .click();
    await page.getByLabel("Type and shape").waitFor();
  },
  async picture(page) {
    await showPane(page, "Graph");
    await untilMarked(page, "would-change");
  },
  async box(page) {
    await choose(page, "ArrowDown", "ArrowDown");
    await untilMarked(page, "chosen");
  },
  async group(page) {
    await choose(page, "Backspace");
    await untilMarked(page, "chosen");
  },
  async tray(page) {
    await page.getByRole("application").press("f");
    await pressTwice(page, ":training");
    await until(page, ":training", isOpen);
  },
  async every_node(page) {
    await page.getByLabel("Every node").check();
    await until(page, "flatten", (box) => box?.kind === "group");
  },
  async nodes(page) {
    await page.getByLabel("Every node").uncheck();
    await showTable(page, "Nodes");
    await page.getByLabel("Filter").fill("conv");
  },
  async node(page) {
    await page
      .getByRole("row", { name: /^conv1\/relu / })
      .first()
      .click();
    await page.locator("#node-title").waitFor();
  },
  async weight(page) {
    await showPane(page, "Graph");
    await page.getByRole("tab", { name: /Weights/ }).click();
    await page.getByLabel("Filter").fill("");
    await page.getByRole("row", { name: /^conv2\/weights (float|\[)/ }).click();
    await page.locator("canvas").waitFor();
  },
};

// The actions on the model.
const kTools = {
  async freeze(page) {
    await take(page, "Freeze");
  },
  async would_be_refused(page) {
    await page.getByLabel("Other outputs").fill("no/such/node");
    await page.getByText(/^Can't \w+ yet$/).waitFor();
  },
  async prune(page) {
    await page.getByLabel("Other outputs").fill("");
    await take(page, "Prune");
    await calm(page);
  },
  async transfer(page) {
    await take(page, "Transfer");
  },
  async other(page) {
    await other(page, await withOtherWeight("conv2/weights"));
    await calm(page);
  },
  async transferred(page) {
    await perform(page, "Transfer");
  },
  async validated(page) {
    await back(page);
    await perform(page, "Validate");
  },
  async where_it_loads(page) {
    await button(page, "Where does it load?").click();
    await page.locator("#compat-title").waitFor();
    await page.locator(".spans summary").first().click();
  },
  async in_a_folder(page) {
    await page.evaluate(chooseOwnFolder);
    await perform(page, "Prune");
    await button(page, "Save to folder…").click();
    await page.locator(".form").getByText("3 files written").waitFor();
  },
  async as_zip(page) {
    await button(page, "Download .zip").click();
    await page.locator(".zipped").waitFor();
  },
  async result(page) {
    await perform(page, "Freeze");
    await button(page, "SHA-256").click();
    await page
      .locator(".hash")
      .getByText(/^[0-9a-f]{64}$/)
      .waitFor();
  },
  async changed(page) {
    await showTable(page, "Picture");
    await page.getByLabel("Color").selectOption("change");
    await page.locator("picture-view .legend").getByText("unchanged").waitFor({ state: "attached" });
  },
  async verified(page) {
    await showPane(page, "Tools");
    await page.locator(".run summary").click();
    await page.locator('input[name="given-image"]').setInputFiles(drawnDigit().file);
    await page.locator(".given img").waitFor();
    await button(page, "0 to 1").click();
    await button(page, "Compare with previous step").click();
    await page.locator(".verified").waitFor();
  },
  async classes(page) {
    const names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"];
    await page.locator('input[name="labels"]').setInputFiles(asFile("names.txt", names.join("\n")));
    await page.locator(".labels").getByText("names.txt").waitFor();
    await page.locator(".classes").scrollIntoViewIfNeeded();
  },
  async differs(page) {
    await take(page, "Compare");
    await button(page, "Run both").click();
    await page.locator(".verified.bad").waitFor();
  },
  async save(page) {
    await take(page, "Save as");
  },
  async saved(page) {
    await prepare(page, "savedmodel");
  },
  async recipe(page) {
    await button(page, "Recipe").click();
  },
  async keys(page) {
    await close(page);
    await button(page, "Keyboard").click();
  },
  async palette(page) {
    await close(page);
    await page.keyboard.press("Control+k");
    await page.locator(".palette input").fill("conv");
  },
  async nothing_fits(page) {
    await page.locator(".palette input").fill("zzz");
  },
  async change(page) {
    await page.keyboard.press("Escape");
    await showPane(page, "Tools");
    await page.locator(".steps button").last().focus();
    await page.getByRole("tooltip").getByText("changed").waitFor();
  },
  async compared(page) {
    await page.keyboard.press("Escape");
    await back(page);
    await perform(page, "Compare");
    await page.locator(".difference").waitFor();
  },
};

// Other models, and what is wrong with them.
const kModels = {
  async samples(page) {
    await button(page, "Samples").click();
  },
  async keras(page) {
    await page
      .getByRole("dialog")
      .getByRole("button", { name: /^Keras model/ })
      .click();
    await calm(page);
  },
  async signatures(page) {
    await showPane(page, "Graph");
    await page.getByRole("tab", { name: /Signatures/ }).click();
  },
  async functions(page) {
    await page.getByRole("tab", { name: /Functions/ }).click();
  },
  async unfreeze(page) {
    await sample(page, /^Frozen network/);
    await take(page, "Un-freeze");
  },
  async refused(page) {
    await sample(page, /^Broken graph/);
    await showPane(page, "Model");
    await page.getByText("would refuse this model").first().waitFor();
  },
  async why(page) {
    await button(page, "See why").click();
    await page.locator("#verdict-title").waitFor();
  },
  async repaired(page) {
    await button(page, "Repair").click();
    await page.locator(".repairs").waitFor();
  },
  async tabs(page) {
    const menu = page.locator(".tabs-menu");
    if (await menu.isVisible()) await menu.click();
    await page.locator(".tab-list").locator("visible=true").waitFor();
  },
  async asks_to_close(page) {
    await page.locator('.tab-list [aria-current="true"] + .tab-close').locator("visible=true").click();
    await page.getByText("results that were not downloaded").waitFor();
  },
  async second_of_tabs(page) {
    await button(page, "Cancel").click();
    await take(page, "Compare");
    await page.locator(".other-tabs button").first().click();
    await page.locator(".other-tabs [aria-pressed=true]").waitFor();
  },
  async weights_alone(page) {
    await give(
      page,
      ["index", "data-00000-of-00001"].map((end) => join(root, `web/samples/digits/model.ckpt.${end}`)),
    );
    await page.locator(".missing").getByText("the graph").waitFor();
  },
  async missing(page) {
    await give(page, asFile("other.meta", readFileSync(kMeta))); // by its name not the graph of the checkpoint
    await page.locator(".missing").getByText("the values").waitFor();
  },
  async error(page) {
    await press(page, "Freeze");
    await page.locator(".failure").waitFor();
  },
  async tags(page) {
    await give(page, asFile("saved_model.pb", taggedModels(["train"], ["serve", "gpu"])));
    await page.getByLabel("Tags of the graph to open").waitFor();
  },
  async undecided(page) {
    await give(page, asFile("odd.pbtxt", kOddGraph));
    await take(page, "Prune");
    await clearChoices(page);
    await page.getByLabel("Other outputs").fill("y, z");
    await perform(page, "Prune");
    await button(page, "Compare with previous step").click();
    await page.locator(".verified.fair").waitFor();
  },
  async out_of_memory(page) {
    await page.workers()[0].evaluate(() => {
      WebAssembly.Memory.prototype.grow = () => {
        throw new RangeError("no memory left");
      };
    });
    await give(page, asFile("chain.pb", chain(80000)));
    await page.getByText("does not fit into memory").first().waitFor();
    page.seen.complaints.length = 0; // the core's last word
  },
  async restarted(page) {
    await page.keyboard.press("Alt+PageUp");
    await page.getByText("The core was restarted").first().waitFor();
  },
  async working(page) {
    const folder = mkdtempSync(join(tmpdir(), "cryograph-states-"));
    page.context().once("close", () => rmSync(folder, { recursive: true }));
    writeSparseGraph(join(folder, "big.pb"), 475000);
    await give(page, join(folder, "big.pb"));
    await page.locator("#model-title").getByText("big.pb").waitFor({ state: "attached" });
    await calm(page);
    await holdReading(page, 1e9);
    await press(page, "Un-freeze");
    await page.locator(".working").getByText("read").waitFor();
  },
  async cancelled(page) {
    await button(page, "Cancel").click();
    await settled(page);
  },
};

export const kStates = { ...kStart, ...kLooking, ...kTools, ...kModels };
