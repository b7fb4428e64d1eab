import type { MarkdownBlock } from "./markdown-blocks.ts";

/**
 * How a block is tested: run to its end beside a development stack, started and stopped again, read as data, or not at all.
 *
 * Source: CONTRIBUTING.md, "Code blocks".
 */
export type BlockUse = "runs" | "keeps-running" | "data" | "elsewhere" | "none";

const RUNS = ["sh", "ts", "js", "graphql"];
const DATA = ["json"];
/** Output, drawings and templates: nothing that is pasted into a program. */
const TEXT = "text";
/** Their programs and tables are run by `tools/packing/packages.test.ts`, the packages' own `readme.test.ts`, or a story of `system`. */
const TESTED_ELSEWHERE =
  /^packages\/(?:protocol|clients|wallet|receiver|outgoing|vault-client|wallet-login|platform-auth|adapter)\/README\.md$/;
const NOT_RUN = /^not-run: (\S.*)$/;
/** What Node 20 cannot run: a TypeScript file that the launcher does not start. */
const BARE_NODE = /\bnode (?:--test )?'?[\w./*-]+\.ts\b/;

/** Decides how a block is tested. Refuses: never; a block that is at fault is `none`. */
export function useOfBlock({ page, language, words }: MarkdownBlock): BlockUse {
  if (language === TEXT || NOT_RUN.test(words)) return "none";
  if (TESTED_ELSEWHERE.test(page) && ["ts", "sql"].includes(language)) return "elsewhere";
  if (words === "keeps-running" && language === "sh") return "keeps-running";
  if (DATA.includes(language)) return "data";
  return RUNS.includes(language) ? "runs" : "none";
}

/** Finds what is wrong with a block before it is run. Out: sentences that begin with its place. */
export function findBlockFaults(block: MarkdownBlock): readonly string[] {
  const where = `${block.page}:${block.line}`;
  const { language, words } = block;
  const isKnown = [...RUNS, ...DATA, TEXT].includes(language) || useOfBlock(block) === "elsewhere";
  return [
    ...(language === "" ? [`${where} names no language; name one, or text for output and drawings`] : []),
    ...(language !== "" && !isKnown && !NOT_RUN.test(words)
      ? [`${where} is ${language}, which no test runs; say why with not-run: <reason>`]
      : []),
    ...(words.startsWith("not-run") && !NOT_RUN.test(words) ? [`${where} gives no reason after not-run:`] : []),
    ...(BARE_NODE.test(block.text) && language === "sh"
      ? [`${where} starts TypeScript with the reader's own Node; write node scripts/go.mjs <file>`]
      : []),
  ];
}

/** Finds `node <file>.ts` in a page's prose, which Node 20 cannot run. Out: sentences that begin with the place. */
export function findBareCommands(page: string, text: string): readonly string[] {
  return text.split("\n").flatMap((line, index) => {
    const inCode = [...line.matchAll(/`([^`]+)`/g)].some(([, code]) => BARE_NODE.test(code ?? ""));
    return inCode
      ? [`${page}:${index + 1} starts TypeScript with the reader's own Node; write node scripts/go.mjs`]
      : [];
  });
}
