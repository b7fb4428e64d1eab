import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/** A file of the login pages, under an address that holds its content's hash. */
export interface LoginFile {
  readonly address: string;
  readonly type: string;
  readonly bytes: Buffer;
}

const HASH_CHARACTERS = 12;

/** The one stylesheet of the login pages. */
export const LOGIN_STYLE: LoginFile = readFile("login.css", "text/css; charset=utf-8", [
  "login-colours.css",
  "login.css",
]);

/** The one script of the login pages. */
export const LOGIN_SCRIPT: LoginFile = readFile("login.mjs", "text/javascript; charset=utf-8");

function readFile(name: string, type: string, parts: readonly string[] = [name]): LoginFile {
  const bytes = Buffer.concat(parts.map((part) => readFileSync(new URL(`../../browser/${part}`, import.meta.url))));
  const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, HASH_CHARACTERS);
  return { address: `/login-files/${hash}/${name}`, type, bytes };
}
