import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { open } from "cryograph";
import { open as openInWorker } from "cryograph/worker";
import { freeze } from "./freeze.mjs";

const names = readdirSync("sample");
const inputs = {
  "a path": () => "sample/model.ckpt",
  bytes: () => Object.fromEntries(names.map((name) => [name, new Uint8Array(readFileSync(`sample/${name}`))])),
  buffers: () => Object.fromEntries(names.map((name) => [name, readFileSync(`sample/${name}`)])),
  Files: () => names.map((name) => new File([new Uint8Array(readFileSync(`sample/${name}`))], name)),
};

for (const [what, input] of Object.entries(inputs))
  for (const [where, opens] of Object.entries({ here: open, there: openInWorker }))
    test(`${what}, ${where}`, async () => {
      const bytes = await freeze(opens, input());
      expect(bytes.length).toBeGreaterThan(1000);
      writeFileSync("frozen.json", JSON.stringify([bytes]));
    });
