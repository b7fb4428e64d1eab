import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openArea, provision, shareSandbox } from "./support/sandbox-page.ts";
import { startSamplePlatform } from "./support/start-sample-platform.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();

function makeOffer(redirect: string, platform: string): string {
  return makeAuthUri({ redirect, session: "s".repeat(43), platform });
}

/** Moves the focus by Tab until it is on the control of that name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let pressed = 0; pressed < 60; pressed += 1) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>(
      "(document.activeElement.labels?.[0] ?? document.activeElement).textContent.trim()",
    );
    if (focused === name) return;
  }
  throw new Error(`Tab does not reach ${name}.`);
}

for (const isPhone of [false, true]) {
  test(
    `a link only shows what is asked: nothing is signed before the person approves${isPhone ? ", on a phone" : ""} [P-SBX-013] [P-SBX-016]`,
    inBrowser,
    async (t) => {
      const offer = makeOffer("https://notes.example/api/auth", "Notes");
      const { page } = await openSandbox(t, { isPhone, query: `?uri=${encodeURIComponent(offer)}` });
      const sent: string[] = [];
      await page.route("https://notes.example/**", (route) => {
        sent.push(route.request().postData() ?? "");
        return route.fulfill({ json: {} });
      });
      const card = page.locator("#request");
      await card.getByText("notes.example", { exact: true }).first().waitFor();
      await card.getByText("calls itself “Notes”").waitFor();
      await card.getByText("Provision an identity first. The request stays here.").waitFor();
      assert.equal(await page.getByRole("button", { name: "Perform" }).isDisabled(), true);
      // The link is spent: loading the page again asks nothing again.
      assert.equal(new URL(page.url()).search, "");

      await provision(page);
      await openArea(page, "Requests");
      const name = (await page.locator("#request .person strong").textContent()) ?? "";
      await card.getByText(`Log in to notes.example as ${name}`).waitFor();
      assert.equal(await card.getByLabel("What is signed").isVisible(), false);
      await card.getByText("What will be signed").click();
      assert.equal(await card.getByLabel("What is signed").textContent(), "s".repeat(43));
      assert.deepEqual(sent, []);

      await page.getByRole("button", { name: "Cancel" }).click();
      await page.getByText("Cancelled. Nothing was signed.").waitFor();
      await page.getByText("No request yet", { exact: true }).waitFor();
      assert.deepEqual(sent, []);

      await page.getByLabel("URI").fill(offer);
      await page.getByRole("button", { name: "Perform" }).click();
      await page.getByText("logged in at notes.example: it accepted the signature.").waitFor();
      assert.equal(sent.length, 1);
      await openArea(page, "Activity");
      const action = page.locator(".action", { hasText: "Signed the login session for notes.example" });
      await action.waitFor();
      const exchange = action.locator(".exchange summary", { hasText: /POST notes\.example\/api\/auth 200 \d+ ms/ });
      // On a phone the log is folded; on a desktop it is open.
      assert.equal(await exchange.isVisible(), !isPhone);
    },
  );
}

test(
  "a login by keyboard alone: provision, type the request, read the card, approve [WCAG 2.1.1]",
  inBrowser,
  async (t) => {
    const { space, browser, page, faults } = await openSandbox(t);
    await using platform = await startSamplePlatform(space);
    const visitor = await browser.newPage();
    t.after(() => visitor.close());
    await visitor.goto(platform.url);
    const offer = (await visitor.getByRole("link", { name: "Open the wallet" }).getAttribute("href")) ?? "";
    await tabTo(page, "Provision");
    await page.keyboard.press("Enter");
    await page.locator("#unfinished").getByText("is ready").waitFor();
    await tabTo(page, "URI");
    await page.keyboard.insertText(offer);
    await tabTo(page, "Perform");
    await page.keyboard.press("Enter");
    await page.getByText("it accepted the signature").waitFor();
    await visitor.getByRole("heading", { name: "You are logged in" }).waitFor();
    assert.deepEqual(faults, []);
  },
);

test("each request of the log can be copied as a command without its token [S3 Sandbox]", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await provision(page);
  const exchange = page.locator(".exchange", { hasText: /POST \S+\/graphql/ }).first();
  await exchange.locator("summary").click();
  await exchange.getByRole("button", { name: "Copy as curl" }).click();
  await exchange.getByText("Copied").waitFor();
  const command = await page.evaluate<string>("navigator.clipboard.readText()");
  assert.match(command, /^curl -X POST 'http:\/\/127\.0\.0\.1:\d+\/graphql' /);
  assert.match(command, / -H "authorization: Bearer \$TOKEN" /);
  assert.doesNotMatch(command, /eyJ/);
  assert.deepEqual(faults, []);
});

test(
  "hostile platform names and texts are shown as text, by their code points, and break no layout [V-DEC-260] [V-DEC-261]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    const names = [
      "<img src=x onerror=alert(1)>",
      "W".repeat(10_000),
      "good.example\u202Eelpmaxe.live",
      `Z${"\u0301".repeat(400)}`,
      "مرحبا ".repeat(200),
    ];
    const host = `${"very-long-label.".repeat(12)}example`;
    for (const name of names) {
      await page.getByLabel("URI").fill(makeOffer(`https://${host}/api/auth`, name));
      await page.locator("#request .host", { hasText: host }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      await openArea(page, "Requests");
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, name.slice(0, 40));
      await page.setViewportSize({ width: 1280, height: 900 });
    }
    assert.equal(await page.locator("#request img").count(), 0);
    await page.getByLabel("URI").fill(makeOffer("https://a.example/", names[2] as string));
    await page.getByText("good.example[U+202E]elpmaxe.live").waitFor();
    assert.deepEqual(faults, []);
  },
);

test("an identity with a hostile name from a file is shown as text and breaks no layout", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t);
  await provision(page);
  await page.evaluate(`{
    const at = "dataspace-sandbox-identities";
    const stored = JSON.parse(localStorage.getItem(at));
    stored.identities[0].displayName = "<b>\\u202E" + "W".repeat(10000);
    localStorage.setItem(at, JSON.stringify(stored));
  }`);
  await page.reload();
  await page.locator("#identity-facts").getByText("<b>[U+202E]WWW").waitFor();
  await page.setViewportSize({ width: 320, height: 700 });
  await openArea(page, "Identity");
  assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
  assert.deepEqual(faults, []);
});

test(
  "the steps of a provisioning are shown while they run, and a registry that goes away in the middle loses nothing [P-SBX-008] [P-SBX-009]",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    const states = (): Promise<readonly string[]> => page.locator("#unfinished .steps > li").allTextContents();
    let seen: readonly string[] = [];
    await page.route("**/provision", async (route) => {
      seen = await states();
      await route.abort();
    });
    await page.getByRole("button", { name: "Provision" }).click();
    await page.getByRole("alert").getByText("The provisioner does not answer now").waitFor();
    assert.deepEqual(seen, [
      "Done: Creating keys",
      "In progress: Asking for a vault",
      "Waiting: Certifying",
      "Waiting: Writing your profile",
    ]);
    assert.equal((await states())[1], "Failed: Asking for a vault");
    await page.unroute("**/provision");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator("#unfinished").getByText("is ready").waitFor();
    await page.getByText("Synced the public key").waitFor();
  },
);
