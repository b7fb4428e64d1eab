// Writes the sources that this package derives from the vault's schema and table of errors, with `--write`; else names those that are stale.
import { readFileSync, writeFileSync } from "node:fs";
import { generateFiles } from "./generated-files.ts";

for (const { file, text } of generateFiles()) {
  if (process.argv.includes("--write")) {
    writeFileSync(file, text);
  } else if (readFileSync(file, "utf8") !== text) {
    console.error(`${file} is stale; run node packages/vault-client/generate/main.ts --write`);
    process.exitCode = 1;
  }
}
