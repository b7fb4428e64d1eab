import assert from "node:assert/strict";
import { createBrowser } from "../../browser.ts";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { startLogin } from "../../log-in.ts";

/** A browser that did not start a login receives no code, whatever address it opens. */
export const codeStaysInItsBrowser: HarnessModule = {
  name: "code-stays-in-its-browser",
  plan: "Own checks",
  checks: "A browser that did not start a login receives no code, whatever address it opens",
  run: async (target) => {
    const attempt = await startLogin(target);
    assert.ok(attempt.place.kind === "page", "a login page is shown");
    const stranger = createBrowser(target.issuer);
    const led = await target.signIn(stranger, attempt.place).catch(() => undefined);
    assert.ok(led?.kind !== "client", "the other browser stays on a page");
    return PASSED;
  },
};
