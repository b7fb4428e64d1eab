import { spawn, spawnSync } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { ConnectionValues } from "../relying-party.ts";

const SCRIPT = fileURLToPath(new URL("./authlib_login.py", import.meta.url));
const PYTHON = "/usr/bin/python3";

/** Why Authlib cannot run here, or false. */
export const NO_AUTHLIB: string | false =
  spawnSync(PYTHON, ["-c", "import authlib.integrations.requests_client"]).status === 0
    ? false
    : "python3-authlib and python3-requests are not installed";

/** What Authlib read of the person. */
export interface AuthlibLogin {
  readonly sub: string;
  readonly userinfo: Readonly<Record<string, unknown>>;
}

/**
 * Logs in with Authlib, in a Python process.
 *
 * In: `follow` opens the login's address as a browser, and gives the address of the answer. Refuses: an Error when Authlib does.
 */
export async function logInWithAuthlib(
  { issuer, client }: Omit<ConnectionValues, "origin">,
  auth: "client_secret_basic" | "client_secret_post",
  follow: (url: string) => Promise<string>,
): Promise<AuthlibLogin> {
  const { id, secret, redirectUri } = client;
  // It refuses http addresses unless this is set, and the answer's address is never requested.
  const env = { ...process.env, AUTHLIB_INSECURE_TRANSPORT: "1" };
  const child = spawn(PYTHON, [SCRIPT], { env, stdio: ["pipe", "pipe", "inherit"] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const read = async (): Promise<unknown> => {
    const { value, done } = await lines.next();
    if (done) throw new Error("Authlib refuses the login");
    return JSON.parse(value);
  };
  child.stdin.write(`${JSON.stringify({ issuer, id, secret, redirectUri, auth })}\n`);
  const url = await read();
  child.stdin.end(`${JSON.stringify(await follow(String(url)))}\n`);
  return (await read()) as AuthlibLogin;
}
