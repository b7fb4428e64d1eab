import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openArea, openRecord, provision, shareSandbox } from "./support/sandbox-page.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();
const QUIET_MS = 50;
const BOB = "@11111111-2222-4333-8444-555555555555";

/** An action, what it calls, what the page still holds after the failure, and what it says once the retry succeeds. */
interface Step {
  readonly name: string;
  readonly calls?: string;
  readonly act: (page: Page) => Promise<void>;
  readonly keeps?: (page: Page) => Promise<void>;
  readonly done: (page: Page) => Promise<void>;
}

const press = (name: string) => (page: Page) => page.getByRole("button", { name, exact: true }).first().click();
const see = (text: string | RegExp) => (page: Page) => page.getByText(text, { exact: true }).first().waitFor();
const holds = (label: string, text: string) => async (page: Page) =>
  assert.equal(await page.getByLabel(label, { exact: true }).inputValue(), text);

/** Returns a wait until no request to the vault is under way, so that a step fails by its own request alone. */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<unknown>();
  const isOfVault = (url: string) => /\/(?:graphql|files|platform-access)/.test(url);
  page.on("request", (request) => isOfVault(request.url()) && open.add(request));
  for (const event of ["requestfinished", "requestfailed"] as const)
    page.on(event as "requestfinished", (request) => open.delete(request));
  return async () => {
    do await wait(QUIET_MS);
    while (open.size > 0);
  };
}

const STEPS: readonly Step[] = [
  {
    name: "a record is created",
    act: async (page) => {
      await press("New record")(page);
      await page.getByLabel("Text").fill("The rains came early.");
      await press("Create record")(page);
    },
    keeps: holds("Text", "The rains came early."),
    done: see("Version 1"),
  },
  {
    name: "a record is edited",
    act: async (page) => {
      await page.getByLabel("Text").fill("The rains came late.");
      await press("Save")(page);
    },
    keeps: holds("Text", "The rains came late."),
    done: see("Version 2"),
  },
  {
    name: "a record is shared",
    act: async (page) => {
      await press("Change sharing")(page);
      await page.getByLabel("Share with").fill(BOB);
      await press("Add person")(page);
      await press("Save sharing")(page);
    },
    keeps: (page) => page.getByRole("group", { name: BOB }).waitFor(),
    done: (page) => page.getByRole("button", { name: "Change sharing" }).waitFor(),
  },
  { name: "a version is restored", act: press("Roll back to version 1"), done: see(/Restored, as version 1 was/) },
  {
    name: "a record is deleted",
    act: press("Delete"),
    done: async (page) => {
      await see(/^You deleted "The rains came early\."/)(page);
      await see("1 record")(page);
    },
  },
  {
    name: "a deletion is undone",
    act: press("Undo"),
    done: async (page) => {
      await see('"The rains came early." is back.')(page);
      await see("2 records")(page);
    },
  },
  {
    name: "the list is loaded",
    act: press("Load records"),
    keeps: (page) => page.locator(".record-row").nth(1).waitFor(),
    done: see("2 records"),
  },
  {
    name: "a file is uploaded",
    act: (page) =>
      page
        .getByLabel("File to upload")
        .setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("Hello") }),
    done: async (page) => {
      await see(/^The file is uploaded\./)(page);
      await see("3 records")(page);
    },
  },
  {
    name: "a file is previewed",
    calls: "**/files/**",
    act: async (page) => {
      await openRecord(page, "note.txt");
      await press("Preview")(page);
    },
    done: (page) => page.getByLabel("Preview", { exact: true }).getByText("Hello").waitFor(),
  },
  {
    name: "the platforms are loaded",
    calls: "**/platform-access**",
    act: press("Refresh"),
    done: see("No platform so far"),
  },
];

test(
  "a vault that goes away in the middle of any action is one sentence and a retry, and nothing is lost",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    const untilQuiet = watchRequests(page);
    await provision(page);
    await openArea(page, "Vault");
    await see("1 record")(page);
    const alert = page.locator("#vault-area").getByRole("alert");
    for (const { name, calls = "**/graphql", act, keeps, done } of STEPS) {
      await t.test(name, async () => {
        await untilQuiet();
        await page.route(calls, (route) => route.abort());
        await act(page);
        await alert.getByText(/^The vault does not answer now/).waitFor();
        await keeps?.(page);
        await page.unroute(calls);
        await alert.getByRole("button", { name: "Try again" }).press("Enter");
        await done(page);
        await alert.waitFor({ state: "detached" });
        assert.notEqual(await page.evaluate("document.activeElement.tagName"), "BODY", "the focus is lost");
      });
    }
  },
);

test("each panel shows that it loads, and the page says that it is offline", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.getByText("No request yet").waitFor();
  await provision(page);
  let answer: () => void = () => undefined;
  const waiting = new Promise<void>((resolve) => {
    answer = resolve;
  });
  await page.route(/\/graphql$/, async (route) => {
    await waiting;
    await route.continue();
  });
  await openArea(page, "Vault");
  for (const text of ["Loading records", "Loading platforms"])
    await page.getByText(text).waitFor({ state: "attached" });
  answer();
  await see("1 record")(page);
  await see("No platform so far")(page);
  await page.context().setOffline(true);
  await page.getByText("You are offline.").waitFor();
  await press("Load records")(page);
  const alert = page.locator("#records").getByRole("alert");
  await alert.getByText(/^The vault does not answer now/).waitFor();
  await page.context().setOffline(false);
  await page.getByText("You are offline.").waitFor({ state: "hidden" });
  await alert.getByRole("button", { name: "Try again" }).click();
  await alert.waitFor({ state: "detached" });
});
