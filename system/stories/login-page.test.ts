import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { gzipSync } from "node:zlib";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { authenticate } from "@dataspace/wallet/answer-request";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { signSession } from "@dataspace/wallet/sign-session";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { startTestSpace } from "./support/start-test-space.ts";
import type { Browser, Page } from "playwright-core";

const clock = { nowMs: () => Date.now() };
const MOST_HTML_BYTES = 14 * 1024;
const MOST_SCRIPT_BYTES = 5 * 1024;

async function startPortal(t: TestContext) {
  const space = await startTestSpace();
  t.after(() => space[Symbol.asyncDispose]());
  const keys = createMemoryKeyStore({ createKey: createWalletKey });
  const provisioning = createProvisioning(
    { fetch, clock, keys, save: () => undefined, report: () => undefined },
    { registryUrl: space.registryUrl, provisionerUrl: space.vaultUrl },
  );
  const { ename } = await provisioning.provision({ id: "ada", verificationId: DEMO_VERIFICATION_CODE });
  const key = await keys.ensure("ada");
  const browser = await openBrowser();
  t.after(() => browser.close());
  const requestOf = async (page: Page) => {
    const uri = (await page.locator("#open-wallet").getAttribute("href")) ?? "";
    const request = parseWalletUri(uri);
    if (request.kind !== "auth") throw new Error("the page shows no login");
    return request;
  };
  const scan = async (page: Page) => {
    await authenticate({ fetch }, await requestOf(page), { ename, key });
  };
  return { space, browser, ename, key, requestOf, scan };
}

async function openPage(browser: Browser, url: string, options: Parameters<Browser["newContext"]>[0] = {}) {
  const page = await (await browser.newContext(options)).newPage();
  page.setDefaultTimeout(20_000);
  const faults = watchPage(page, new URL(url).origin);
  await page.goto(url);
  return { page, faults };
}

test(
  "a developer signs in by QR code, creates a client and copies its values; the page goes on by itself [L-HTTP-015] [L-HTTP-016] [L-HTTP-017] [L-STATE-004]",
  inBrowser,
  async (t) => {
    const { space, browser, ename, scan } = await startPortal(t);
    const { page, faults } = await openPage(browser, `${space.loginUrl}/portal`);
    assert.deepEqual(await findBarriers(page), []);
    await scan(page);
    await page.waitForURL(`${space.loginUrl}/portal`);
    await page.getByText(ename).first().waitFor();
    await page.getByRole("link", { name: "Create your first client" }).click();
    await page.getByLabel("Name").fill("Notes");
    await page.getByLabel("Redirect URI").fill("http://localhost:1/callback");
    await page.getByLabel("My identity provider requires an email address").check();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("button", { name: "Create client" }).click();
    await page.getByRole("heading", { name: "Save the client secret" }).waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.getByRole("link", { name: "I have saved it" }).click();
    await page.getByText("Connection values").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(faults, []);
  },
);

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `the login page is within its budget, has no barrier and fits 320 px, in ${colorScheme}`,
    inBrowser,
    async (t) => {
      const { space, browser } = await startPortal(t);
      const { page, faults } = await openPage(browser, `${space.loginUrl}/portal/login`, {
        colorScheme,
        viewport: { width: 320, height: 640 },
      });
      assert.deepEqual(await findBarriers(page), []);
      const width = await page.evaluate("document.documentElement.scrollWidth");
      assert.ok(Number(width) <= 320, `${width} px wide`);
      const html = await (await fetch(`${space.loginUrl}/portal/login`)).text();
      assert.ok(gzipSync(html).length < MOST_HTML_BYTES);
      const script = /src="(\/login-files\/[^"]+)"/.exec(html)?.[1] ?? "";
      const text = await (await fetch(`${space.loginUrl}${script}`)).text();
      assert.ok(gzipSync(text).length < MOST_SCRIPT_BYTES);
      assert.deepEqual(faults, []);
    },
  );
}

test("without JavaScript the page goes on by its refresh [L-DEC-263]", inBrowser, async (t) => {
  const { space, browser, ename, scan } = await startPortal(t);
  const { page } = await openPage(browser, `${space.loginUrl}/portal`, { javaScriptEnabled: false });
  await scan(page);
  await page.getByText(ename).first().waitFor();
});

test(
  "on a phone the wallet continues in the same browser; another browser is asked to go back [L-FLOW-016] [L-FLOW-018]",
  inBrowser,
  async (t) => {
    const { space, browser, ename, key, requestOf } = await startPortal(t);
    const { page } = await openPage(browser, `${space.loginUrl}/portal`, {
      viewport: { width: 390, height: 844 },
      hasTouch: true,
      isMobile: true,
    });
    const { session } = await requestOf(page);
    const signature = await signSession(key, session);
    const link = `${space.loginUrl}/deeplink-login?${new URLSearchParams({ ename, session, signature })}`;
    const other = await openPage(browser, link);
    await other.page.getByText("Go back to the browser").waitFor();
    await page.waitForURL(`${space.loginUrl}/portal`);
    await page.getByText(ename).first().waitFor();
  },
);

test("the page speaks the reader's language, Arabic from right to left [L-DEC-203]", inBrowser, async (t) => {
  const { space, browser } = await startPortal(t);
  for (const [locale, dir] of [
    ["nl", "ltr"],
    ["ar", "rtl"],
    ["xx", "ltr"],
  ] as const) {
    const { page } = await openPage(browser, `${space.loginUrl}/portal/login`, { locale });
    const root = page.locator("html");
    assert.equal(await root.getAttribute("lang"), locale === "xx" ? "en" : locale);
    assert.equal(await root.getAttribute("dir"), dir);
    assert.deepEqual(await findBarriers(page), []);
  }
});

test("where the event stream is cut off the page still goes on, by asking for the state", inBrowser, async (t) => {
  const { space, browser, ename, scan } = await startPortal(t);
  const context = await browser.newContext();
  await context.route("**/ds/events/*", (route) => route.abort());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(`${space.loginUrl}/portal/login`);
  await scan(page);
  await page.waitForURL(`${space.loginUrl}/portal`);
  await page.getByText(ename).first().waitFor();
});

test(
  "a phone shows the wallet's button first and the code behind a link; other devices show the code [L-FLOW-014]",
  inBrowser,
  async (t) => {
    const { space, browser } = await startPortal(t);
    const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
    const { page } = await openPage(browser, `${space.loginUrl}/portal/login`, phone);
    assert.deepEqual(
      [await page.locator("#open-wallet").isVisible(), await page.locator("#code").isVisible()],
      [true, false],
    );
    await page.getByRole("link", { name: "Use another device" }).click();
    assert.equal(await page.locator("#code").isVisible(), true);
    assert.deepEqual(await findBarriers(page), []);
    const desktop = await openPage(browser, `${space.loginUrl}/portal/login`);
    assert.equal(await desktop.page.locator("#code").isVisible(), true);
  },
);
