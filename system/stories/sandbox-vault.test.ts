import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openArea, openRecord, provision, shareSandbox } from "./support/sandbox-page.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();
const BOB = "@11111111-2222-4333-8444-555555555555";
const PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

async function createPost(page: Page, text: string): Promise<void> {
  await page.getByRole("button", { name: "New record" }).click();
  await page.getByLabel("Text").fill(text);
  await page.getByRole("button", { name: "Create record" }).click();
  await page.getByText("Version 1", { exact: true }).waitFor();
}

async function backToList(page: Page): Promise<void> {
  await page.getByRole("button", { name: "All records" }).click();
  await page.locator(".record-row").first().waitFor();
}

for (const isPhone of [false, true]) {
  test(
    `records are created, found, filtered, edited, deleted and brought back${isPhone ? ", on a phone" : ""} [S1 GraphQL API]`,
    inBrowser,
    async (t) => {
      const { page, faults } = await openSandbox(t, { isPhone });
      await provision(page);
      await openArea(page, "Vault");
      await createPost(page, "The rains came early this year.");
      await backToList(page);
      await page.getByText("2 records", { exact: true }).waitFor();
      const titles = () => page.locator(".record-row .title").allTextContents();
      assert.equal((await titles())[0], "The rains came early this year.");

      await page.getByLabel("Search", { exact: true }).fill("RAINS");
      await page.getByText("1 record", { exact: true }).waitFor();
      assert.deepEqual(await titles(), ["The rains came early this year."]);
      await page.getByLabel("Search", { exact: true }).fill("no such words");
      await page.getByText("No record matches this search.").waitFor();
      await page.getByLabel("Search", { exact: true }).fill("");
      await page.getByText("2 records", { exact: true }).waitFor();
      await page.getByLabel("Type").selectOption({ label: "Profile" });
      await page.getByText("1 record", { exact: true }).waitFor();
      await page.getByLabel("Type").selectOption({ label: "All types" });
      await page.getByText("2 records", { exact: true }).waitFor();

      await openRecord(page, "The rains");
      await page.getByLabel("Text").fill("The rains came late.");
      await page.getByRole("button", { name: "Save", exact: true }).click();
      await page.getByText("Version 2", { exact: true }).waitFor();
      await page.getByRole("heading", { name: "The rains came late." }).waitFor();

      await page.getByRole("button", { name: "Delete" }).click();
      await page.getByText('You deleted "The rains came late."').waitFor();
      await page.locator("button:focus", { hasText: "Undo" }).waitFor();
      await page.getByText("1 record", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Undo" }).click();
      await page.getByText('"The rains came late." is back.').waitFor();
      await page.getByText("2 records", { exact: true }).waitFor();
      await openRecord(page, "The rains came late.");
      await page.getByText("Version 4", { exact: true }).waitFor();
      await page.getByText("Restored, as version 2 was").waitFor();
      assert.deepEqual(faults, []);
    },
  );
}

test(
  "a field that is removed from the JSON stays by the vault's merge: the page says so, and empties it on request [V-STATE-009]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    await openArea(page, "Vault");
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByLabel("Type").last().selectOption({ label: "Something else (JSON)" });
    await page.getByLabel("Ontology").fill("my-ontology");
    await page.getByLabel("Content").fill('{ "title": "Mine", "secret": "x" }');
    await page.getByRole("button", { name: "Create record" }).click();
    await page.getByText("Version 1", { exact: true }).waitFor();
    await page.getByLabel("Content").fill('{ "title": "Mine" }');
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByText("the vault keeps fields that you leave out, here secret. Nothing is saved yet.").waitFor();
    assert.equal(await page.getByText("Version 2", { exact: true }).count(), 0);
    await page.getByRole("button", { name: "Set to null and save" }).click();
    await page.getByText("Version 2", { exact: true }).waitFor();
    await page.locator("del", { hasText: 'secret: "x"' }).first().waitFor();
    await page.locator("ins", { hasText: "secret: null" }).waitFor();
    await backToList(page);
    await page.getByLabel("Type").selectOption({ label: "my-ontology" });
    await page.getByText("1 record", { exact: true }).waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  "a file is uploaded, previewed and found again, and one that is too large is refused in a sentence [S1 uploadFile]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    await openArea(page, "Vault");
    const input = page.getByLabel("File to upload");
    await input.setInputFiles({ name: "dot.png", mimeType: "image/png", buffer: Buffer.from(PNG, "base64") });
    await page.getByText("The file is uploaded. No other person can read it until you share it.").waitFor();
    await openRecord(page, "dot.png");
    await page.getByRole("button", { name: "Preview" }).click();
    const picture = page.getByRole("img", { name: "dot.png" });
    await picture.waitFor();
    assert.equal(await picture.evaluate((image) => (image as unknown as { naturalWidth: number }).naturalWidth), 1);
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    assert.equal((await saved).suggestedFilename(), "dot.png");
    await backToList(page);
    await input.setInputFiles({ name: "note.txt", mimeType: "text/plain", buffer: Buffer.from("<b>a\u202Eb</b>") });
    await page
      .getByText("3 records")
      .or(page.getByText("2 records", { exact: true }))
      .first()
      .waitFor();
    await openRecord(page, "note.txt");
    await page.getByRole("button", { name: "Preview" }).click();
    await page.getByText("<b>a[U+202E]b</b>").waitFor();
    await backToList(page);
    await input.setInputFiles({ name: "big", mimeType: "text/plain", buffer: Buffer.alloc(10_485_761) });
    await page.getByRole("alert").getByText("A file has at most 10 MiB.").waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  "a record is shared in words, and the owner is warned before a policy locks the owner out [V-DEC-761]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    const owner = await provision(page);
    await openArea(page, "Vault");
    await createPost(page, "For Bob.");
    await page.getByText("No other person may do anything.").waitFor();
    await page.getByRole("button", { name: "Change sharing" }).click();
    await page.getByLabel("Share with").fill("nobody");
    await page.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("alert").getByText("Write @ followed by a UUID.").waitFor();
    await page.getByLabel("Share with").fill(BOB);
    await page.getByRole("button", { name: "Add person" }).click();
    await page.getByRole("group", { name: BOB }).getByLabel("update").check();
    await page.getByText(`${BOB}, or its members if it is a group, may read and update.`).waitFor();
    const own = page.getByRole("group", { name: `You (${owner})` });
    await own.getByLabel("update").uncheck();
    await page.getByText("You lock yourself out").waitFor();
    await own.getByLabel("update").check();
    await page.getByText("You lock yourself out").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Save sharing" }).click();
    await page.getByRole("button", { name: "Change sharing" }).waitFor();
    await page.getByText(`${BOB}, or its members if it is a group, may read and update.`).waitFor();
    await page.reload();
    await openRecord(page, "For Bob.");
    await page.getByText(`${BOB}, or its members if it is a group, may read and update.`).waitFor();
    assert.deepEqual(faults, []);
  },
);

test("a long list is read page by page", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t);
  await provision(page);
  await openArea(page, "Vault");
  for (let place = 1; place <= 11; place += 1) {
    await createPost(page, `Post ${place}`);
    await backToList(page);
  }
  await page.getByText("12 records", { exact: true }).waitFor();
  assert.equal(await page.locator(".record-row").count(), 10);
  await page.getByRole("button", { name: "More records" }).click();
  await page.locator(".record-row").nth(11).waitFor();
  assert.equal(await page.getByRole("button", { name: "More records" }).count(), 0);
  assert.deepEqual(faults, []);
});

test(
  "hostile titles, types and payloads are shown as text and break no layout, at 320 pixels either [decision I10]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    await openArea(page, "Vault");
    const titles = [
      "<img src=x onerror=alert(1)>",
      "W".repeat(10_000),
      "\u202Egnitirw tfel ot thgir\u2066 مرحبا",
      `Z${"\u0301\u0322\u0335".repeat(500)}algo`,
      "👩‍👩‍👧‍👦🏳️‍🌈".repeat(100),
    ];
    for (const title of titles) {
      await page.getByRole("button", { name: "New record" }).click();
      await page.getByLabel("Type").last().selectOption({ label: "Something else (JSON)" });
      await page.getByLabel("Ontology").fill(`<i>${"o".repeat(200)}\u202E`);
      await page.getByLabel("Content").fill(JSON.stringify({ title, ["k".repeat(300)]: title }));
      await page.getByRole("button", { name: "Create record" }).click();
      await page.getByText("Version 1", { exact: true }).waitFor();
      await page.setViewportSize({ width: 320, height: 700 });
      assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320, title.slice(0, 40));
      await page.setViewportSize({ width: 1280, height: 900 });
      await backToList(page);
    }
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
    const heights = await page
      .locator(".record-row")
      .evaluateAll((rows) => rows.map((row) => (row as unknown as { offsetHeight: number }).offsetHeight));
    assert.ok(Math.max(...heights) < 140, `rows of ${heights.join(", ")} pixels`);
    assert.equal(await page.locator("#records img").count(), 0);
    await page.getByText("[U+202E]gnitirw").first().waitFor();
    assert.deepEqual(faults, []);
  },
);
