// Which mutants do esbuild and V8 refuse? Reads what `mutants` prints; see README.md.
//
// A mutant counts as refused if esbuild cannot transform it, or if V8 cannot parse what esbuild makes of it; the latter is said, because
// it may be esbuild's own mistake: it prints `new (a?.b)(c)`, which is a program, as `new a?.b(c)`, which is none.
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import vm from "node:vm";
import { transformSync } from "esbuild";

const LOADERS = { ts: "ts", mts: "ts", cts: "ts", tsx: "tsx", js: "jsx", jsx: "jsx", mjs: "js", cjs: "js" };
const STEP = Number(process.argv[2] ?? 1);
const refused = [];
let files = 0, mutants = 0, lines = 0, seen = 0;

function problem(text, file) {
  const loader = LOADERS[file.split(".").pop()];
  const options = { loader, logLevel: "silent", format: "esm", tsconfigRaw: DECORATORS };
  let made;
  try {
    made = transformSync(text, options).code;
    new vm.SourceTextModule(made);
    return undefined;
  } catch (error) {
    const said = String(error.message).split("\n").slice(0, 2).join(" ");
    return made === undefined ? said : `accepted by esbuild, but not by V8 as esbuild prints it: ${said}`;
  }
}

const DECORATORS = { compilerOptions: { experimentalDecorators: true } };
const lineFeeds = (text) => text.split("\n").length;

for await (const line of createInterface({ input: process.stdin })) {
  const { file, edits, woven } = JSON.parse(line);
  const source = readFileSync(file);
  const text = source.toString();
  if (problem(text, file)) continue; // not a program to begin with
  files += 1;
  lines += lineFeeds(text);
  const wrong = problem(woven, file);
  if (wrong) refused.push(`${file}: with probes: ${wrong}`);
  if (lineFeeds(woven) !== lineFeeds(text)) refused.push(`${file}: probes move lines`);
  for (const { start, end, replacement, rule } of edits) {
    if (seen++ % STEP) continue;
    mutants += 1;
    const mutated = Buffer.concat([source.subarray(0, start), Buffer.from(replacement), source.subarray(end)]).toString();
    const wrong = problem(mutated, file);
    if (wrong) refused.push(`${file}:${lineFeeds(source.subarray(0, start).toString())}: ${rule}: ${source.subarray(start, end)} → ${replacement}: ${wrong}`);
  }
}
for (const one of refused) console.log(one);
console.log(`${files} files, ${lines} lines, ${mutants} mutants, ${refused.length} refused`);
process.exitCode = refused.length ? 1 : 0;
