// What each TypeScript file of the repository imports, types included; imports of this repository are resolved to
// files.
import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import path from "node:path";

export type Import =
  | { readonly kind: "own"; readonly specifier: string; readonly file: string }
  | { readonly kind: "outside"; readonly specifier: string; readonly name: string };

const sources = ["{packages,apps,examples,system,bench,tools,scripts}/**/*.{ts,mjs}"];

/** Paths (with `/`) of every source file under `root`, sorted. Refuses: never. */
export function listSources(root: string): string[] {
  return globSync(sources, { cwd: root, exclude: ["**/node_modules/**"] })
    .map((file) => file.replaceAll(path.sep, "/"))
    .sort();
}

/** Workspace package name -> its folder and the folder its `./*` export points at. Refuses: never. */
export function readWorkspaces(
  root: string,
): ReadonlyMap<string, { readonly folder: string; readonly exports: string }> {
  const found = globSync(["{packages,apps,examples}/*/package.json", "system/package.json", "bench/package.json"], {
    cwd: root,
  });
  return new Map(
    found.map((file) => {
      const { name, exports } = JSON.parse(readFileSync(path.join(root, file), "utf8"));
      return [
        name,
        { folder: path.posix.dirname(file.replaceAll(path.sep, "/")), exports: exports?.["./*"] ?? "./*.ts" },
      ];
    }),
  );
}

/** The workspaces by package name. */
export type Workspaces = ReturnType<typeof readWorkspaces>;

/** Imports, re-exports and `import()` of one file, in order of appearance. Refuses: never. */
export function readImports(root: string, file: string, workspaces: Workspaces): Import[] {
  const text = blankNonCode(readFileSync(path.join(root, file), "utf8"));
  return findSpecifiers(text).map((specifier) => resolveImport(file, specifier, workspaces));
}

/** Comments, templates and strings may quote code, so everything except module names is blanked. */
function blankNonCode(text: string): string {
  const tokens = /("(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|`(?:\\.|[^`\\])*`|\/\*[\s\S]*?\*\/|\/\/[^\n]*/g;
  return text.replace(tokens, (_match, string: string | undefined, offset: number) => {
    if (string === undefined) return " ";
    return /(?:\bfrom|\bimport|\bimport\()\s*$/.test(text.slice(Math.max(0, offset - 20), offset)) ? string : '""';
  });
}

function findSpecifiers(text: string): string[] {
  const statement = /^[ \t]*(?:import|export)\b(?:[^"';]*?\bfrom)?\s*["']([^"'\n]+)["']/gm;
  const call = /\bimport\(\s*["']([^"'\n]+)["']/g;
  return [statement, call].flatMap((pattern) => [...text.matchAll(pattern)].flatMap((match) => match[1] ?? []));
}

/** Resolves a specifier of a file: to a file of this repository, or to the name of an outside package. Refuses: never. */
export function resolveImport(file: string, specifier: string, workspaces: Workspaces): Import {
  if (specifier.startsWith(".")) {
    return { kind: "own", specifier, file: path.posix.join(path.posix.dirname(file), specifier) };
  }
  const name = specifier
    .split("/")
    .slice(0, specifier.startsWith("@") ? 2 : 1)
    .join("/");
  const workspace = workspaces.get(name);
  if (workspace === undefined)
    return { kind: "outside", specifier, name: isBuiltin(specifier) ? nodeName(specifier) : name };
  const target = workspace.exports.replace("*", specifier.slice(name.length + 1));
  return { kind: "own", specifier, file: path.posix.join(workspace.folder, target) };
}

function nodeName(specifier: string): string {
  return specifier.startsWith("node:") ? specifier : `node:${specifier}`;
}
