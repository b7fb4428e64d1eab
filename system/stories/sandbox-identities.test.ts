import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openArea, openRecord, provision, shareSandbox } from "./support/sandbox-page.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();
const OFFER = makeAuthUri({ redirect: "https://notes.example/api/auth", session: "s".repeat(43), platform: "Notes" });
const HOSTILE = [
  "<img src=x onerror=alert(1)>",
  "W".repeat(10_000),
  "\u202Egnitirw tfel ot thgir\u2066 مرحبا",
  `Z${"\u0301\u0322\u0335".repeat(500)}algo`,
  "👩‍👩‍👧‍👦🏳️‍🌈".repeat(100),
];

function access(text: string): object {
  return {
    id: text,
    ...{ platform: text, deployment: text, version: text, level: "L3", issuer: text, certificateId: text },
    ...{ domain: text, action: "read", firstAt: "2026-11-01T00:00:00Z", lastAt: "2026-11-02T00:00:00Z" },
  };
}

async function switchTo(page: Page, ename: string): Promise<void> {
  await page.getByRole("combobox", { name: "Identity" }).selectOption(ename);
}

test("an answer that comes late for one identity is never drawn for another (decision A2)", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t);
  const first = await provision(page);
  const second = await provision(page);
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("**/platform-access**", async (route) => {
    const isFirst = route.request().headers()["x-ename"] === first;
    if (isFirst) await waiting;
    await route.fulfill({ json: { entries: isFirst ? [access("secret-of-the-first")] : [], nextCursor: null } });
  });
  await openArea(page, "Vault");
  await page.getByText("No platform so far").waitFor();
  await switchTo(page, first);
  await page.getByText("Loading platforms").waitFor({ state: "attached" });
  await switchTo(page, second);
  await page.getByText("No platform so far").waitFor();
  answer();
  await page.getByText("Loaded which platforms had access: 1 entries").waitFor({ state: "attached" });
  assert.equal(await page.locator("#platforms").getByText("secret-of-the-first").count(), 0);
  assert.deepEqual(faults, []);
});

test("what is entered while a request runs stays, and one press signs once", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  const ename = await provision(page);
  const sent: string[] = [];
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route("https://notes.example/**", async (route) => {
    sent.push(route.request().postData() ?? "");
    await waiting;
    await route.fulfill({ json: {} });
  });
  const uri = page.getByLabel("URI");
  await uri.fill(OFFER);
  await page.locator("#request").getByText(ename).waitFor();
  const perform = page.getByRole("button", { name: "Perform" });
  await perform.click();
  await uri.fill(OFFER.replace("Notes", "Other"));
  await perform.click();
  answer();
  await page.getByText("it accepted the signature").waitFor();
  assert.equal(sent.length, 1);
  assert.equal(await uri.inputValue(), OFFER.replace("Notes", "Other"));
  await uri.fill("");
  assert.equal(await perform.isDisabled(), true);
});

test("an edit survives the change between the form and JSON, and broken JSON stays", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await provision(page);
  await openRecord(page, "Profile");
  await page.getByLabel("About").fill("Typed into the form.");
  await page.getByRole("button", { name: "Edit as JSON" }).click();
  const content = page.getByLabel("Content", { exact: true });
  assert.match(await content.inputValue(), /"bio": "Typed into the form\."/);
  await content.fill('{ "bio": ');
  await page.getByRole("button", { name: "Edit as a form" }).click();
  await page.getByRole("alert").getByText("This is not JSON").waitFor();
  assert.equal(await content.inputValue(), '{ "bio": ');
  await content.fill('{ "bio": "Typed as JSON." }');
  await page.getByRole("button", { name: "Edit as a form" }).click();
  assert.equal(await page.getByLabel("About").inputValue(), "Typed as JSON.");
});

test("the focus stays near what the keyboard did: create, share, delete, forget [WCAG 2.4.3]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await provision(page);
  await openArea(page, "Vault");
  const enter = (name: string | RegExp) => page.getByRole("button", { name }).first().press("Enter");
  const focusedOn = (text: string) => page.locator(":focus", { hasText: text }).waitFor();
  await enter("New record");
  await focusedOn("New record");
  await enter("Cancel");
  await focusedOn("New record");
  await enter("New record");
  await page.getByLabel("Text").fill("By keyboard.");
  await enter("Create record");
  await focusedOn("By keyboard.");
  await enter("Change sharing");
  await page.locator("input:focus").waitFor();
  await enter("Cancel");
  await focusedOn("Change sharing");
  await enter("All records");
  await focusedOn("By keyboard.");
  await page.keyboard.press("Enter");
  await enter("Delete");
  await focusedOn("Undo");
  await page.keyboard.press("Enter");
  await page.getByText('"By keyboard." is back.').waitFor();
  await focusedOn("By keyboard.");
  await openArea(page, "Identity");
  await enter("Forget");
  await focusedOn("Export first");
  await enter(/^Forget \w/);
  await focusedOn("Identity");
});

test(
  "hostile names of identities and platforms are shown as text and break no layout, at 320 pixels either [decision I10]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    let name = "";
    await page.route("**/platform-access**", (route) =>
      route.fulfill({ json: { entries: [access(name)], nextCursor: null } }),
    );
    for (const hostile of HOSTILE) {
      name = hostile;
      await page.evaluate(
        `(() => { const at = "dataspace-sandbox-identities"; const all = JSON.parse(localStorage.getItem(at)); all.identities[0].displayName = ${JSON.stringify(hostile)}; localStorage.setItem(at, JSON.stringify(all)); })()`,
      );
      await page.setViewportSize({ width: 320, height: 700 });
      await page.goto(page.url().split("#")[0] as string);
      await openArea(page, "Requests");
      await page.getByLabel("URI").fill(OFFER.replace("Notes", encodeURIComponent(hostile.slice(0, 2_000))));
      await page.locator("#request .host").waitFor();
      for (const area of ["Requests", "Identity", "Vault"] as const) {
        await openArea(page, area);
        if (area === "Vault") await page.getByText("Your policy: admitted").waitFor();
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth"),
          320,
          `${area}: ${hostile.slice(0, 40)}`,
        );
      }
      assert.equal(await page.locator("main img").count(), 0);
    }
    assert.deepEqual(faults, []);
  },
);
