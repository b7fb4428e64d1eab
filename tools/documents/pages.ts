import { globSync } from "node:fs";

/** Lists the pages that people read, from the root. */
export function listPages(root: string): readonly string[] {
  const exclude = ["**/node_modules/**", "build/**", "**/.dataspace/**"];
  return globSync("**/*.md", { cwd: root, exclude }).sort();
}
