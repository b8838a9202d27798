// Packs the packages as they would be published, and freezes the sample with the command here, for the tests of this folder.
import assert from "node:assert/strict";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { command, root, sample } from "../js/support.mjs";
import { install, kFrozen, kInstalled, kOthers, kPacked, run, tools } from "./projects.mjs";

const folders = [root, ...kOthers.map((name) => join(root, "build/packages", name))];
const all = JSON.parse(run("npm", ["pack", "--json", "--pack-destination", tools, ...folders], { cwd: root }));
const packages = Object.fromEntries(all.map((about) => [about.name, { ...about, path: join(tools, about.filename) }]));
writeFileSync(kPacked, JSON.stringify(packages));
rmSync(kInstalled, { recursive: true, force: true });
mkdirSync(kInstalled);
writeFileSync(join(kInstalled, "package.json"), JSON.stringify({ name: "installed", private: true }));
install(kInstalled, [packages.cryograph.path]);
const options = ["--outputs", "probabilities", "-o", kFrozen, "--force"];
assert.equal(command(["freeze", join(sample, "model.ckpt.meta"), ...options]).status, 0);
