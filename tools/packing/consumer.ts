import { spawnSync } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type MarkdownBlock, readBlocks } from "../documents/markdown-blocks.ts";
import { PUBLISHED } from "./published.ts";
import { packPackages, stagePackage } from "./stage.ts";

/** A stranger's project: a directory away from the checkout, with the packed packages installed from their tarballs. */
export interface Consumer extends Disposable {
  readonly directory: string;
  readonly tarballs: readonly string[];
  /** Each file that a package exports, as it is imported. */
  readonly modules: readonly string[];
}

/**
 * What the READMEs' programs import beside the packages, and the packages' optional peers, in the versions that the workspace has; and a
 * compiler.
 */
const COMPANIONS = ["@types/express", "@types/pg", "drizzle-orm", "express", "fastify", "hono", "pg", "typeorm"];
const COMPILER = ["typescript@5.9.3", "@types/node@20.19.43"];

/** Packs the published packages and installs them as a stranger does. Refuses: Error with the words of tsc or npm. */
export function makeConsumer(root: string): Consumer {
  const directory = mkdtempSync(path.join(tmpdir(), "dataspace-consumer-"));
  const remove = (): void => rmSync(directory, { recursive: true, force: true });
  try {
    const tarballs = packInto(root, path.join(directory, "tarballs"));
    writeFileSync(path.join(directory, "package.json"), '{ "name": "consumer", "private": true }\n');
    const wanted = [...tarballs, ...COMPANIONS.map((name) => `${name}@${versionOf(root, name)}`), ...COMPILER];
    const flags = ["--prefer-offline", "--no-audit", "--no-fund", "--ignore-scripts", "--engine-strict"];
    run(directory, "npm", ["install", ...flags, ...wanted]);
    return { directory, tarballs, modules: listModules(directory), [Symbol.dispose]: remove };
  } catch (error) {
    remove();
    throw error;
  }
}

function packInto(root: string, target: string): readonly string[] {
  const build = path.join(root, "build");
  mkdirSync(build, { recursive: true });
  const directory = mkdtempSync(path.join(build, "stage-"));
  try {
    return packPackages(
      PUBLISHED.map((name) => stagePackage({ root, directory }, name)),
      target,
    );
  } finally {
    rmSync(directory, { recursive: true });
  }
}

function versionOf(root: string, name: string): string {
  const manifest = readFileSync(path.join(root, "node_modules", name, "package.json"), "utf8");
  return (JSON.parse(manifest) as { readonly version: string }).version;
}

function listModules(directory: string): readonly string[] {
  const home = path.join(directory, "node_modules/@dataspace");
  const files = globSync("*/dist/**/*.js", { cwd: home }).sort();
  return files.map((file) => `@dataspace/${file.replace("/dist/", "/").replace(/\.js$/, "")}`);
}

/** The programs of the packages' READMEs. */
export function listExamples(root: string): readonly MarkdownBlock[] {
  const blocks = PUBLISHED.flatMap((name) => readBlocks(root, `packages/${name}/README.md`).blocks);
  return blocks.filter(({ language, words }) => ["ts", "js"].includes(language) && !words.startsWith("not-run:"));
}

/** Runs a program to its end. Out: what it printed. Refuses: Error with all of it for any exit code but 0. */
export function run(cwd: string, program: string, args: readonly string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8" });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args.join(" ")} ended with ${status ?? error}:\n${stdout}${stderr}`);
}
