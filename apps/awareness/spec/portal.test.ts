import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { makeEvent } from "./support/events.ts";
import { walletAnswer } from "./support/portal-visitor.ts";
import { startWorker } from "./support/real-delivery.ts";
import { type Person, startAwareness, type TestAwareness } from "./support/start-awareness.ts";
import type { BrowserContextOptions, Page } from "playwright-core";

async function openPortal(t: TestContext, options: BrowserContextOptions = {}) {
  const admins = new Set<Person["ename"]>();
  const awareness = await startAwareness(t, { admins });
  const browser = await openBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(20_000);
  const faults = watchPage(page, awareness.url);
  await page.goto(`${awareness.url}/portal`);
  return { awareness, admins, page, faults };
}

/** Answers the code on the page as a wallet that read it. */
async function scan(page: Page, person: Person, awareness: TestAwareness): Promise<void> {
  const uri = new URL((await page.getByRole("link", { name: "Open the wallet" }).getAttribute("href")) ?? "");
  assert.equal(uri.searchParams.get("redirect"), `${awareness.url}/portal/callback`);
  const body = await walletAnswer(person, uri.searchParams.get("session") ?? "");
  assert.equal((await awareness.ask("/portal/callback", { body })).status, 200);
}

async function subscribe(page: Page, targetUrl: string): Promise<string> {
  await page.getByRole("link", { name: "New subscription" }).first().click();
  await page.getByLabel("Endpoint URL").fill(targetUrl);
  await page.getByRole("button", { name: "Verify and subscribe" }).click();
  const secret = await page.getByText(/^whsec_/).textContent();
  await page.getByRole("link", { name: "I've saved it" }).click();
  return secret ?? "";
}

/** What keeps people out of the page as it is, also as it is at 400 % (WCAG 1.4.10). */
async function barriersOn(page: Page, what: string): Promise<readonly string[]> {
  const found = [...(await findBarriers(page))];
  const size = page.viewportSize() ?? { width: 1280, height: 900 };
  await page.setViewportSize({ width: 320, height: 700 });
  const width = await page.evaluate("document.documentElement.scrollWidth");
  if (width !== 320) found.push(`it is ${width} wide at 320`);
  await page.setViewportSize(size);
  return found.map((barrier) => `${what}: ${barrier}`);
}

for (const colorScheme of ["light", "dark"] as const) {
  test(
    `every page of the portal can be used by everybody, in ${colorScheme} too [decision E7] [WCAG 2.2 AA]`,
    inBrowser,
    async (t) => {
      const { awareness, admins, page, faults } = await openPortal(t, { colorScheme });
      const person = await awareness.createPerson();
      admins.add(person.ename);
      const barriers = [...(await barriersOn(page, "sign-in"))];
      await scan(page, person, awareness);
      await page.waitForURL(/portal$/);
      barriers.push(...(await barriersOn(page, "empty overview")));
      await page.getByRole("link", { name: "New subscription" }).first().click();
      barriers.push(...(await barriersOn(page, "form")));
      await page.getByLabel("Endpoint URL").fill(awareness.endpoint.url);
      await page.getByRole("button", { name: "Verify and subscribe" }).click();
      barriers.push(...(await barriersOn(page, "secret")));
      await page.getByRole("link", { name: "I've saved it" }).click();
      await using _worker = startWorker(awareness.database);
      await awareness.ingest(makeEvent());
      await page.getByRole("cell", { name: "204", exact: true }).waitFor();
      barriers.push(...(await barriersOn(page, "subscription")));
      await page.getByRole("link", { name: "Settings" }).click();
      await page.getByRole("button", { name: "Remove subscription" }).click();
      await page.getByRole("dialog").waitFor();
      barriers.push(...(await barriersOn(page, "settings")));
      await page.keyboard.press("Escape");
      await page.goto(`${awareness.url}/portal`);
      await page.getByText("Show as a table").click();
      barriers.push(...(await barriersOn(page, "overview")));
      await page.getByRole("link", { name: "hook" }).click();
      await awareness.database.query({ text: "update delivery set state = 'dead', reason = 'timeout'", values: [] });
      await page.getByRole("link", { name: "All attempts" }).click();
      barriers.push(...(await barriersOn(page, "attempts")));
      await page.locator("td a").click();
      barriers.push(...(await barriersOn(page, "event")));
      await page.getByRole("link", { name: awareness.endpoint.url }).click();
      await page.getByRole("link", { name: "1", exact: true }).click();
      barriers.push(...(await barriersOn(page, "dead letters")));
      await page.getByRole("link", { name: "Replay" }).click();
      await page.getByRole("button", { name: "Count events" }).click();
      await page.getByText("1 event of 1 record").waitFor();
      barriers.push(...(await barriersOn(page, "replay")));
      assert.deepEqual(barriers, []);
      assert.deepEqual(faults, []);
    },
  );
}

test(
  "attempts appear by themselves, and the page says when the service does not answer [decision E7]",
  inBrowser,
  async (t) => {
    const { awareness, page, faults } = await openPortal(t);
    await scan(page, await awareness.createPerson(), awareness);
    await page.waitForURL(/portal$/);
    await subscribe(page, awareness.endpoint.url);
    await page.getByRole("button", { name: "Send test event" }).click();
    await page.getByText("Your endpoint accepted the test event").waitFor();
    await using _worker = startWorker(awareness.database);
    await awareness.ingest(makeEvent());
    await page.getByRole("cell", { name: "204", exact: true }).waitFor();
    awareness.endpoint.status = 503;
    await awareness.ingest(makeEvent());
    await page.getByRole("cell", { name: "503", exact: true }).waitFor();
    assert.deepEqual(faults, []);
    const lost = page.getByText("The service does not answer. This list may be old").first();
    assert.equal(await lost.isVisible(), false);
    await page.context().setOffline(true);
    await lost.waitFor();
    await page.getByRole("cell", { name: "503", exact: true }).waitFor();
    await page.context().setOffline(false);
    await lost.waitFor({ state: "hidden" });
  },
);

test(
  "without JavaScript everything works: signing in, subscribing, pausing, another secret, removing",
  inBrowser,
  async (t) => {
    const { awareness, page } = await openPortal(t, { javaScriptEnabled: false });
    await scan(page, await awareness.createPerson(), awareness);
    await page.waitForURL(/portal$/);
    const first = await subscribe(page, awareness.endpoint.url);
    assert.match(first, /^whsec_/);
    await page.getByRole("link", { name: "Settings" }).click();
    await page.getByRole("button", { name: "Pause deliveries" }).click();
    await page.getByText("Paused", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Resume deliveries" }).click();
    await page.locator("summary", { hasText: "Rotate secret" }).click();
    await page.getByRole("button", { name: "Rotate secret" }).click();
    assert.notEqual(await page.getByText(/^whsec_/).textContent(), first);
    await page.getByRole("link", { name: "I've saved it" }).click();
    await page.getByRole("link", { name: "Settings" }).click();
    await page.locator("summary", { hasText: "Remove subscription" }).click();
    await page.getByRole("button", { name: "Remove subscription" }).click();
    await page.getByText("No subscriptions yet").waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByText("Sign in with your wallet").waitFor();
  },
);

test(
  "without a mouse a subscription is made, and a refused form is shown and focused [WCAG 2.1.1]",
  inBrowser,
  async (t) => {
    const { awareness, page } = await openPortal(t);
    await scan(page, await awareness.createPerson(), awareness);
    await page.waitForURL(/portal$/);
    const focused = () => page.evaluate<string>("document.activeElement.textContent || document.activeElement.name");
    const tabTo = async (what: string) => {
      for (let keys = 0; keys < 20; keys += 1) {
        await page.keyboard.press("Tab");
        if ((await focused()).trim() === what) return;
      }
      assert.fail(`the keyboard does not reach ${what}`);
    };
    await tabTo("New subscription");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "New subscription" }).waitFor();
    await tabTo("targetUrl");
    await page.keyboard.type("https://127.0.0.1:1/hook");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").waitFor();
    assert.equal(await focused(), "targetUrl");
    await page.keyboard.press("Control+A");
    await page.keyboard.type(awareness.endpoint.url);
    await page.keyboard.press("Enter");
    await page.getByText(/^whsec_/).waitFor();
  },
);
