// node build.mjs [FOLDER]: the page where the package has it, or in FOLDER, from src and the packages of package-lock.json.

import { copyFile, mkdir, readFile, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const out = process.argv[2] ?? join(here, "../dicebase/show/explorer/dist");
await mkdir(out, { recursive: true });

const { metafile } = await build({
  absWorkingDir: here,
  entryPoints: ["src/main.js"],
  bundle: true,
  minify: true,
  format: "iife",
  loader: { ".js": "jsx" },
  jsx: "automatic",
  jsxImportSource: "preact",
  target: ["es2022"],
  charset: "utf8",
  legalComments: "none",
  metafile: true,
  outfile: join(out, "explorer.js"),
});
await build({
  absWorkingDir: here,
  stdin: { contents: '@import "./explorer.css"; @import "./teach.css";', resolveDir: join(here, "src"), loader: "css" },
  bundle: true,
  external: ["data:*"],
  minify: true,
  outfile: join(out, "explorer.css"),
});
await copyFile(join(here, "src/index.html"), join(out, "index.html"));

// The licences of every package that is in the bundle, each text once.
const packages = new Set();
for (const input of Object.keys(metafile.inputs)) {
  const found = input.match(/node_modules\/((?:@[^/]+\/)?[^/]+)\//);
  if (found) packages.add(found[1]);
}
const texts = new Map();
for (const name of [...packages].sort()) {
  const folder = join(here, "node_modules", name);
  const { version, license } = JSON.parse(await readFile(join(folder, "package.json"), "utf8"));
  const file = (await readdir(folder)).find((f) => /^licen[cs]e/i.test(f));
  const text = file ? (await readFile(join(folder, file), "utf8")).trim() : "";
  texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
}
const parts = [...texts].map(([text, names]) => `${names.join("\n")}\n\n${text}\n`);
await writeFile(join(out, "LICENSES.txt"), parts.join(`\n${"-".repeat(80)}\n\n`));
