import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { startTestSpace } from "./support/start-test-space.ts";

const KB = 1_000;
/** The most script and style of a page, compressed, in bytes: by service and path. */
const BUDGETS: readonly (readonly [
  "sandbox" | "login" | "awareness" | "registry" | "vault",
  string,
  number,
  number,
])[] = [
  ["sandbox", "/", 60 * KB, 15 * KB],
  ["sandbox", "/home", 2 * KB, 12 * KB],
  ["sandbox", "/docs", 2 * KB, 12 * KB],
  ["sandbox", "/ui", 5 * KB, 12 * KB],
  ["login", "/portal/api", 5 * KB, 12 * KB],
  ["awareness", "/", 0, 12 * KB],
  ["awareness", "/portal/sign-in", 20 * KB, 12 * KB],
  ["registry", "/", 0, 12 * KB],
  ["registry", "/docs", 5 * KB, 12 * KB],
  ["vault", "/", 0, 12 * KB],
  ["vault", "/docs", 5 * KB, 12 * KB],
];

test("no page loads more script and style than its budget, and none from another origin", async () => {
  await using space = await startTestSpace();
  const origins = {
    sandbox: space.sandboxUrl,
    login: space.loginUrl,
    awareness: space.awarenessUrl,
    registry: space.registryUrl,
    vault: space.vaultUrl,
  };
  for (const [service, path, script, style] of BUDGETS) {
    const page = await fetch(origins[service] + path, { headers: { accept: "text/html" } });
    assert.equal(page.status, 200, path);
    const text = await page.text();
    const sizeOf = async (pattern: RegExp): Promise<number> => {
      const files = [...text.matchAll(pattern)].map(([, address]) => new URL(address ?? "", page.url));
      assert.ok(
        files.every(({ origin }) => origin === origins[service]),
        `${service}${path}`,
      );
      const sizes = files.map(async (file) => gzipSync(await (await fetch(file)).text()).length);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    };
    const scripts = await sizeOf(/<script[^>]* src="([^"]+)"/g);
    const styles = await sizeOf(/<link rel="stylesheet" href="([^"]+)"/g);
    assert.ok(scripts <= script, `${service}${path}: ${scripts} bytes of script`);
    assert.ok(styles <= style, `${service}${path}: ${styles} bytes of style`);
  }
});
