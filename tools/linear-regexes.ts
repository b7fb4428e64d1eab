// Every regular expression of the product runs in linear time, so that no text from outside can block the event loop
// (decision V25). redos-detector analyses literals. A pattern that is built at run time cannot be analysed, and is
// refused.
import { readFileSync } from "node:fs";
import path from "node:path";
import { parseSync, Visitor } from "oxc-parser";
import { isSafePattern } from "redos-detector";
import { listSources } from "./source-imports.ts";

const root = path.dirname(import.meta.dirname);
const SHIPPED = /^(?:packages|apps|examples)\//;
const TEST_ONLY = /\.test\.ts$|\/spec\/|\/test-[a-z-]+\.ts$/;

type Fault = { readonly at: number; readonly why: string };

/** The regular expressions of a source that are not linear or cannot be analysed, by their offset. Refuses: never. */
export function findSlowRegexes(file: string, text: string): readonly Fault[] {
  const faults: Fault[] = [];
  const findConstructor = (node: { readonly callee: object; readonly start: number }): void => {
    if ("name" in node.callee && node.callee.name === "RegExp") {
      faults.push({ at: node.start, why: "RegExp() makes a pattern that cannot be analysed; write a literal" });
    }
  };
  const visitor = new Visitor({
    NewExpression: findConstructor,
    CallExpression: findConstructor,
    Literal: (node) => {
      if (!("regex" in node) || isLinear(node.regex)) return;
      faults.push({ at: node.start, why: `/${node.regex.pattern}/${node.regex.flags} may take more than linear time` });
    },
  });
  visitor.visit(parseSync(file, text).program);
  return faults;
}

function isLinear({ pattern, flags }: { readonly pattern: string; readonly flags: string }): boolean {
  // A sticky pattern is tried at one position only, as if it were anchored there.
  const anchored = flags.includes("y") ? `^(?:${pattern})` : pattern;
  const options = {
    unicode: flags.includes("u"),
    caseInsensitive: flags.includes("i"),
    dotAll: flags.includes("s"),
    multiLine: flags.includes("m"),
  };
  return isSafePattern(anchored, options).safe;
}

function main(): void {
  const files = listSources(root).filter((file) => SHIPPED.test(file) && !TEST_ONLY.test(file));
  for (const file of files) {
    const text = readFileSync(path.join(root, file), "utf8");
    for (const { at, why } of findSlowRegexes(file, text)) {
      console.log(`${file}:${text.slice(0, at).split("\n").length}: ${why}`);
      process.exitCode = 1;
    }
  }
}

if (import.meta.main) main();
