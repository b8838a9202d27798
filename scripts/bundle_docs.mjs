// Makes build/web/docs, the documentation as static pages: docs/index.md is the entrance, and its lists are the contents of
// every page. They work on any server, and from a disk.
//   node scripts/bundle_docs.mjs [folder]
import { build } from "esbuild";
import { Marked } from "marked";
import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname, join, relative, resolve } from "node:path";

const root = resolve(import.meta.dirname, "..");
const { repository } = JSON.parse(await readFile(join(root, "package.json"), "utf8"));
export const kRepository = repository.url.replace(/^git\+|\.git$/g, "");
const docs = join(root, "docs");
const kSite = ["page.js", "style.css"];
const kPolicy =
  "default-src 'none'; script-src 'self' file:; style-src 'self' file:; img-src 'self' file:; base-uri 'none'; form-action 'none'";

export async function bundleDocs(out = join(root, "build/web/docs")) {
  const names = (await readdir(docs, { recursive: true })).filter((name) => name.endsWith(".md")).sort();
  const contents = contentsOf(await readFile(join(docs, "index.md"), "utf8"));
  const listed = contents.flatMap(({ links }) => links.map(({ name }) => name));
  const missing = names.filter((name) => name !== "index.md" && !listed.includes(name));
  if (missing.length > 0) throw new Error(`docs/index.md does not list ${missing.join(", ")}`);

  const site = { names, files: new Set(), anchors: [] };
  const pages = [];
  for (const name of ["index.md", ...listed]) pages.push(await pageOf(site, name));
  checkAnchors(site, pages);

  await rm(out, { recursive: true, force: true });
  await build({
    entryPoints: kSite.map((file) => join(docs, "site", file)),
    outdir: out,
    bundle: true,
    minify: true,
    target: "es2022",
    logLevel: "warning",
  });
  for (const page of pages) await put(join(out, htmlName(page.name)), whole(page, contents));
  for (const file of site.files) await put(join(out, file), await readFile(join(docs, file)));
  await copyFile(join(root, "web/icon.svg"), join(out, "icon.svg"));
  await writeFile(join(out, "sections.js"), `globalThis.kSections=${JSON.stringify(pages.flatMap(sectionsOf))};\n`);
}

async function put(path, content) {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

/** The lists of an index: [{title, links: [{name, title}]}]. */
function contentsOf(text) {
  const groups = [];
  for (const token of new Marked().lexer(text)) {
    if (token.type === "heading" && token.depth === 2) groups.push({ title: token.text, links: [] });
    if (token.type !== "list") continue;
    for (const { tokens } of token.items) {
      const link = tokens[0].tokens.find(({ type }) => type === "link");
      groups.at(-1).links.push({ name: link.href, title: link.text });
    }
  }
  return groups;
}

const htmlName = (name) => name.replace(/\.md$/, ".html");

/** Returns {name, title, html, ids} of a page, and adds to the site the files and anchors that it refers to. */
async function pageOf(site, name) {
  const ids = new Set();
  const marked = new Marked({
    async: true,
    walkTokens: async (token) => {
      if (token.type === "link" || token.type === "image") token.href = await addressOf(site, name, token.href);
    },
    renderer: {
      heading({ tokens, depth }) {
        const html = this.parser.parseInline(tokens);
        const id = idOf(html, ids);
        return `<h${depth} id="${id}">${html}</h${depth}>\n`;
      },
      codespan({ text }) {
        return `<code>${escaped(text).replaceAll(/(?<=^|\s)-\S+/g, '<span class="option">$&</span>')}</code>`;
      },
      code({ text, lang }) {
        const code = escaped(text);
        return `<div class="code${lang === "text" ? " printed" : ""}"><pre tabindex="0"><code>${code}\n</code></pre></div>\n`;
      },
    },
  });
  const html = (await marked.parse(await readFile(join(docs, name), "utf8")))
    .replaceAll(
      /<!-- recipe \w+: (.+?) -->\n?/g,
      (_, files) => `<p class="files">Files: ${files.split(", ").map(fileOf).join(", ")}</p>\n`,
    )
    .replaceAll(/<th>\s*<\/th>/g, "<td></td>")
    .replaceAll("<table>", '<div class="scroll" tabindex="0"><table>')
    .replaceAll("</table>", "</table></div>");
  return { name, html, ids, title: plain(/<h1[^>]*>(.*?)<\/h1>/s.exec(html)[1]) };
}

// Returns a link to the files that a recipe starts from: tests/recipes/recipe.py has their form.
function fileOf(words) {
  const [path] = words.split(" as ");
  const at = path.startsWith("made/") ? "tests/recipes/models.py" : path.replace(/\/[^/]*\*$/, "");
  return `<a href="${kRepository}/tree/main/${at}">${at}</a>`;
}

// Returns the address of a heading as GitHub makes it.
function idOf(html, ids) {
  const words = plain(html)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
  let id = words;
  for (let n = 1; ids.has(id); n++) id = `${words}-${n}`;
  ids.add(id);
  return id;
}

// Returns the address of a link on the site: of a page, of a file that is copied, or of a file in the repository. Fails if it does
// not exist.
async function addressOf(site, from, href) {
  if (/^[a-z]+:/.test(href)) return href;
  const [path, anchor = ""] = href.split("#");
  const target = path === "" ? join(docs, from) : resolve(docs, dirname(from), path);
  if (!existsSync(target)) throw new Error(`docs/${from} links to ${href}, which does not exist`);
  const name = relative(docs, target);
  const hash = anchor ? `#${anchor}` : "";
  if (site.names.includes(name)) {
    if (anchor) site.anchors.push({ from, name, anchor });
    return path === "" ? hash : htmlName(path) + hash;
  }
  const isFile = (await stat(target)).isFile();
  if (name.startsWith("..") || !isFile)
    return `${kRepository}/${isFile ? "blob" : "tree"}/main/${relative(root, target)}${hash}`;
  site.files.add(name);
  return href;
}

function checkAnchors({ anchors }, pages) {
  for (const { from, name, anchor } of anchors)
    if (!pages.find((page) => page.name === name).ids.has(anchor))
      throw new Error(`docs/${from} links to #${anchor} of ${name}, which has no such heading`);
}

/** Returns what search finds: [address, page, heading, text] of each part of a page. */
function sectionsOf({ name, title, html }) {
  const parts = html.split(/(?=<h[1-3] id=)/).filter((part) => part.startsWith("<h"));
  return parts.map((part) => {
    const [, id, heading, rest] = /^<h\d id="([^"]*)">(.*?)<\/h\d>(.*)$/s.exec(part);
    return [`${htmlName(name)}#${id}`, title, plain(heading), plain(rest.replace(/<p class="files">.*?<\/p>/, ""))];
  });
}

const kEntities = { "&lt;": "<", "&gt;": ">", "&quot;": '"', "&#39;": "'", "&amp;": "&" };

function plain(html) {
  const text = html.replaceAll(/<[^>]+>/g, " ").replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (entity) => kEntities[entity]);
  return text.replaceAll(/\s+/g, " ").trim();
}

function escaped(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

function whole({ name, title, html }, contents) {
  const up = "../".repeat(name.split("/").length - 1);
  const links = contents.map(
    (group) =>
      `<h2>${group.title}</h2>\n<ul>${group.links
        .map((link) => {
          const current = link.name === name ? ' aria-current="page"' : "";
          return `<li><a href="${up}${htmlName(link.name)}"${current}>${link.title}</a></li>`;
        })
        .join("\n")}</ul>`,
  );
  return `<!doctype html>
<html lang="en" data-root="${up}">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${kPolicy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${name === "index.md" ? "Cryograph: documentation" : `${title} - Cryograph`}</title>
<link rel="icon" href="${up}icon.svg">
<link rel="stylesheet" href="${up}style.css">
<script src="${up}page.js"></script>
<body>
<header class="bar">
<a class="brand" href="${up}index.html"><img src="${up}icon.svg" alt=""> Cryograph</a>
<form class="search" role="search"><input type="search" aria-label="Search" placeholder="Search  /" autocomplete="off" spellcheck="false">
<div class="results" hidden></div></form>
<a class="to-page" href="${up}../index.html">Open the page</a>
</header>
<div class="frame">
<nav class="contents" aria-label="Contents"><details open><summary>Contents</summary>
${links.join("\n")}
</details></nav>
<main>
${html}</main>
</div>
`;
}

if (process.argv[1] === import.meta.filename) await bundleDocs(process.argv[2] && resolve(process.argv[2]));
