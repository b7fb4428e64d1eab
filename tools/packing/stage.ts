// Makes of each published package what npm serves: JavaScript with type declarations and source maps, instead of the
// TypeScript that the workspace runs directly. The workspace itself is not changed.
import { spawnSync } from "node:child_process";
import { cpSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { PUBLISHED } from "./published.ts";

/** Where the packages come from, and a new directory below the checkout for the stage, so that libraries are found. */
export interface Stage {
  readonly root: string;
  readonly directory: string;
}

type Json = Readonly<Record<string, unknown>>;

const COMPILER_OPTIONS = {
  target: "es2022",
  // What Node 20 has: ES2023, and the text methods of ES2024.
  lib: ["es2023", "es2024.string"],
  module: "nodenext",
  rootDir: "src",
  outDir: "dist",
  declaration: true,
  declarationMap: true,
  sourceMap: true,
  rewriteRelativeImportExtensions: true,
  verbatimModuleSyntax: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  // The oldest Node of `engines`: what it lacks does not compile.
  types: ["types-node-20"],
};
const LICENSE = "Apache-2.0";
/** From these versions on CommonJS can `require` ES modules. */
const NODE_VERSIONS = "^20.19.0 || >=22.12.0";
const SCOPE = "@dataspace/";
const IS_FOR_TESTS = /^(?:.*\.test\.ts|test-.*\.ts|testing)$/;

/**
 * Compiles a package into the stage, beside those that it imports, and gives it the manifest that is published.
 *
 * Out: its directory. Refuses: Error with the compiler's own words.
 */
export function stagePackage(stage: Stage, name: string): string {
  const source = path.join(stage.root, "packages", name);
  const target = path.join(stage.directory, "packages", name);
  const isShipped = (file: string): boolean => !IS_FOR_TESTS.test(path.basename(file));
  mkdirSync(target, { recursive: true });
  cpSync(path.join(source, "src"), path.join(target, "src"), { recursive: true, filter: isShipped });
  cpSync(path.join(source, "README.md"), path.join(target, "README.md"));
  cpSync(path.join(stage.root, "LICENSE"), path.join(target, "LICENSE"));
  const manifest = JSON.parse(readFileSync(path.join(source, "package.json"), "utf8")) as Json;
  writeJson(path.join(target, "package.json"), toPublished(manifest, listImports(path.join(target, "src"))));
  writeJson(path.join(target, "tsconfig.json"), { compilerOptions: COMPILER_OPTIONS, include: ["src"] });
  run(stage.root, ["node_modules/typescript/bin/tsc", "--project", target]);
  link(stage.directory, name);
  return target;
}

/**
 * The manifest in the checkout is private, so that its TypeScript is never published by mistake. Of its dependencies those
 * stay that the shipped sources import; peers, optional ones too, stay as they are.
 */
function toPublished(
  { private: _private, devDependencies: _dev, exports: _exports, dependencies = {}, ...manifest }: Json,
  imports: ReadonlySet<string>,
): Json {
  const by = String(manifest["name"]);
  const needed = Object.entries(dependencies as Json).filter(([name]) => imports.has(name));
  for (const [name] of needed) assertPublished(by, name);
  const declared = { ...(dependencies as Json), ...(manifest["peerDependencies"] as Json | undefined) };
  for (const name of imports)
    if (!(name in declared)) throw new Error(`${by} imports ${name}, which it does not declare.`);
  return {
    ...manifest,
    license: LICENSE,
    engines: { node: NODE_VERSIONS },
    sideEffects: false,
    files: ["dist", "src"],
    exports: { "./*": { types: "./dist/*.d.ts", default: "./dist/*.js" }, "./package.json": "./package.json" },
    dependencies: Object.fromEntries(needed),
  };
}

function assertPublished(by: string, name: string): void {
  if (!name.startsWith(SCOPE) || PUBLISHED.includes(name.slice(SCOPE.length))) return;
  throw new Error(`${by} imports ${name}, which is not published; move what imports it, or publish ${name}.`);
}

/** The packages that sources import, by name. */
function listImports(directory: string): ReadonlySet<string> {
  const texts = globSync("**/*.ts", { cwd: directory }).map((file) => readFileSync(path.join(directory, file), "utf8"));
  const names = texts.flatMap((text) =>
    [...text.matchAll(/^(?:import|export|\}).* from "((?:@[\w-]+\/)?[\w-][\w.-]*)[/"]/gm)].map(
      ([, name]) => name ?? "",
    ),
  );
  return new Set(names);
}

/** Where the packages that come later look for this one. */
function link(directory: string, name: string): void {
  const scope = path.join(directory, "node_modules/@dataspace");
  mkdirSync(scope, { recursive: true });
  symlinkSync(path.join(directory, "packages", name), path.join(scope, name));
}

/** Packs staged packages. Out: their tarballs' paths in `directory`. Refuses: Error with npm's own words. */
export function packPackages(staged: readonly string[], directory: string): readonly string[] {
  mkdirSync(directory, { recursive: true });
  const args = ["pack", "--pack-destination", directory, ...staged];
  const { status, stdout, stderr } = spawnSync("npm", args, { encoding: "utf8" });
  if (status !== 0) throw new Error(`npm pack failed:\n${stdout}${stderr}`);
  return staged.map((one) => {
    const { name, version } = JSON.parse(readFileSync(path.join(one, "package.json"), "utf8")) as Json;
    return path.join(directory, `${String(name).replace("@", "").replace("/", "-")}-${String(version)}.tgz`);
  });
}

function run(cwd: string, args: readonly string[]): void {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd, encoding: "utf8" });
  if (status !== 0) throw new Error(`${args.join(" ")} failed:\n${stdout}${stderr}`);
}

function writeJson(file: string, value: Json): void {
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);
}
