// Writes docs/errors.md from the tables of refusals in apps/*/src/errors.ts, and checks that it is what it would write.
// `--write` writes it.
import { globSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

const root = path.dirname(import.meta.dirname);
const page = path.join(root, "docs/errors.md");
const row = /^ {2}([A-Z_]+): \{\s*status: (\d{3}),\s*when:\s*"((?:[^"\\]|\\.)*)",?\s*\},$/gm;

const head = `# Errors

Made by \`node tools/error-page.ts --write\` from each service's \`src/errors.ts\`.

Every refusal has a code of these tables and a message that says what to do. On plain HTTP it is \`{"error":{"code","message"}}\`
with the status shown. In GraphQL a mutation answers it in its \`errors\` and a query as a GraphQL error with \`extensions.code\`,
both with status 200; what refuses the request before it runs has the status shown.
`;

function writeSection(file: string): string {
  const service = file.split(path.sep)[1] as string;
  const rows = [...readFileSync(path.join(root, file), "utf8").matchAll(row)];
  if (rows.length === 0) throw new Error(`${file} has no row that reads CODE: { status: 400, when: "..." }`);
  const lines = rows.map(([, code, status, when]) => `| \`${code}\` | ${status} | ${JSON.parse(`"${when}"`)} |`);
  return `\n## ${service}\n\n| code | status | when |\n|---|---|---|\n${lines.join("\n")}\n`;
}

const text = head + globSync("apps/*/src/errors.ts", { cwd: root }).sort().map(writeSection).join("");
if (process.argv.includes("--write")) {
  writeFileSync(page, text);
} else if (readFileSync(page, "utf8") !== text) {
  console.error("docs/errors.md is not what the tables say; run node tools/error-page.ts --write");
  process.exitCode = 1;
}
