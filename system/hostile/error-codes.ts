import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CHECKOUT_DIRECTORY } from "../checkout.ts";

/** The statuses of each code, from all services' tables. */
export type ErrorCodes = ReadonlyMap<string, ReadonlySet<number>>;

const ROW = /^\| `([A-Z_]+)` \| (\d{3}) \|/gm;

/** Reads docs/errors.md, which the gate holds against the tables in the code. Refuses: never by itself. */
export function readErrorCodes(): ErrorCodes {
  const codes = new Map<string, Set<number>>();
  for (const [, code = "", status] of readFileSync(join(CHECKOUT_DIRECTORY, "docs/errors.md"), "utf8").matchAll(ROW)) {
    codes.set(code, (codes.get(code) ?? new Set()).add(Number(status)));
  }
  return codes;
}
