// Makes build/packages/NAME, the npm packages that `cryograph` finds at run time if they are installed:
//   cryograph-page     the page, for `cryograph serve` and for hosts of static files
//   cryograph-inline   `cryograph` in one module with the WebAssembly inside, for `cryograph/inline`
// Links them into node_modules, so that a checkout finds them as an installed package does.
import { cp, lstat, mkdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";

const kInherited = ["version", "license", "author", "homepage", "repository", "bugs", "private", "type", "engines"];
const kNotices = ["LICENSE", "THIRD-PARTY-NOTICES.md"];

const kPackages = {
  "cryograph-page": {
    about: {
      description:
        "The web page of cryograph: inspects, prunes, freezes and compares TensorFlow models in a browser tab",
      keywords: ["tensorflow", "model", "viewer", "offline"],
      exports: { "./package.json": "./package.json", "./*": "./page/*" },
      files: ["page"],
    },
    readme: `The web page of [cryograph](https://www.npmjs.com/package/cryograph), built. It opens TensorFlow models in a browser tab, and uploads nothing.

    npx -p cryograph -p cryograph-page cryograph serve

Alternatively, copy the folder \`page\` to any host of static files, under any path.
`,
    write: ({ root, folder }) => cp(join(root, "build/web"), join(folder, "page"), { recursive: true }),
  },
  "cryograph-inline": {
    about: {
      description: "cryograph in one JavaScript module with its WebAssembly inside, for cryograph/inline",
      keywords: ["tensorflow", "wasm"],
      sideEffects: false,
      exports: { ".": { types: "./index.d.ts", default: "./index.js" }, "./package.json": "./package.json" },
      files: ["index.js", "index.d.ts"],
    },
    readme: `[cryograph](https://www.npmjs.com/package/cryograph) in one JavaScript module with its WebAssembly inside, for file:// pages, single-file pages and
webviews. \`cryograph/inline\` re-exports it. Install both in the same version:

    npm install cryograph cryograph-inline

    import { open } from "cryograph/inline";
`,
    async write({ folder, inline }) {
      await inline(join(folder, "index.js"));
      await writeFile(join(folder, "index.d.ts"), 'export * from "cryograph/inline";\n');
    },
  },
};

/** `inline`: writes the module of cryograph-inline to a path. REQUIRES: build/web. */
export async function bundlePackages(root, inline) {
  const shared = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
  for (const [name, { about, readme, write }] of Object.entries(kPackages)) {
    const range = shared.peerDependencies[name];
    if (range !== shared.version)
      throw new Error(
        `package.json: the peer dependency ${name} is ${range}; it must be the version, ${shared.version}`,
      );
    const folder = join(root, "build/packages", name);
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    const inherited = Object.fromEntries(kInherited.filter((key) => key in shared).map((key) => [key, shared[key]]));
    await writeFile(
      join(folder, "package.json"),
      `${JSON.stringify({ name, ...about, files: [...about.files, ...kNotices], ...inherited }, null, 2)}\n`,
    );
    await writeFile(join(folder, "README.md"), `# ${name}\n\n${readme}`);
    for (const file of kNotices) await cp(join(root, file), join(folder, file));
    await write({ root, folder, inline });
    await link(folder, join(root, "node_modules", name));
  }
}

// Replaces a link, as `npm link` does. Fails on a real folder: a package that npm installed.
async function link(folder, at) {
  const found = await lstat(at).catch(() => null);
  if (found && !found.isSymbolicLink())
    throw new Error(`${at} is not a link: remove it, so that the build can link its own`);
  if (found) await rm(at);
  await mkdir(join(at, ".."), { recursive: true });
  await symlink(relative(join(at, ".."), folder), at);
}
