import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { askGraphQL } from "./support/ask.ts";
import { createPeople } from "./support/ide-people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";
import type { Browser, FrameLocator, Page } from "playwright-core";

const NAMES = ["Amina Diallo", "Jonas Weber"];
const DESKTOP = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
const EMPTY = "Press Send. The vault's answer appears here.";
const CREATE = "mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { errors { message } } }";

/** A vault that asks for proof, with two demo people who have a private record each. */
async function startWithPeople() {
  const { idePeople, openAs } = createPeople();
  const vault = await startVault({ ide: true, auth: "enforced", idePeople });
  const people = await openAs(vault, NAMES);
  for (const [index, person] of people.entries()) {
    const input = { ontology: "private", payload: { title: `of ${NAMES[index]}` } };
    const { body } = await askGraphQL(vault, person.ename, CREATE, { input }, await person.at(person.ename));
    assert.deepEqual(body.data.createMetaEnvelope.errors, []);
  }
  return { vault, people };
}

async function openIde(browser: Browser, vault: Pick<TestVault, "url">, options: object = {}) {
  const page = await browser.newPage({ viewport: DESKTOP, ...options });
  page.setDefaultTimeout(30_000);
  const faults = watchPage(page, vault.url);
  return { page, faults, editor: page.frameLocator("iframe") };
}

async function send(editor: FrameLocator): Promise<void> {
  await editor.locator(".query-editor__input .cm-line").first().waitFor();
  await editor.getByRole("button", { name: /^Send/ }).click();
}

async function see(editor: FrameLocator, text: string): Promise<void> {
  await editor.locator("app-query-result").getByText(text).first().waitFor();
}

async function write(page: Page, editor: FrameLocator, text: string): Promise<void> {
  await editor.locator("app-query-editor .query-editor__input .cm-content").click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText(text);
}

test(
  "V2, V20: the IDE opens with an operation that runs, and the chosen owner decides the answer",
  inBrowser,
  async () => {
    const { vault, people } = await startWithPeople();
    await using _ = vault;
    await using browser = await openBrowser();
    const { page, faults, editor } = await openIde(browser, vault);
    await page.goto(`${vault.url}/graphiql`);
    await editor.getByText("query Records {").waitFor();
    await see(editor, EMPTY);
    assert.equal(await page.title(), "GraphQL Amina Diallo - Dataspace vault");
    await send(editor);
    await see(editor, "of Amina Diallo");

    await page.getByRole("button", { name: "Amina Diallo" }).first().click();
    await page
      .getByRole("link", { name: /^Jonas Weber/ })
      .first()
      .click();
    await page.waitForURL(new RegExp(`ename=${encodeURIComponent(people[1]?.ename ?? "")}`));
    await see(editor, EMPTY);
    await send(editor);
    await see(editor, "of Jonas Weber");

    assert.deepEqual(faults, []);
  },
);

test(
  "V2: each write of the IDE has a token of its own, and another person's token opens no private record",
  inBrowser,
  async () => {
    const { vault, people } = await startWithPeople();
    await using _ = vault;
    await using browser = await openBrowser();
    const { page, faults, editor } = await openIde(browser, vault);
    await page.goto(`${vault.url}/graphiql?ename=${people[1]?.ename}&as=${people[0]?.ename}`);
    await send(editor);
    // Amina's token opens none of Jonas's private records.
    await see(editor, '"totalCount": 0');
    await page.goto(`${vault.url}/graphiql?ename=${people[0]?.ename}`);
    await editor.getByText("query Records {").waitFor();
    await editor.getByText("Create", { exact: true }).click();
    await editor.locator("app-variables-editor").getByText("Hello from the vault").waitFor();
    for (const _time of ["first", "second"]) {
      await send(editor);
      await see(editor, '"errors": []');
      await editor.getByRole("button", { name: "Clear" }).click();
    }
    await editor.getByText("Records", { exact: true }).click();
    await send(editor);
    await see(editor, '"totalCount": 3');
    assert.deepEqual(faults, []);
  },
);

test("Send runs one of several operations: the one before the cursor, or the first one", inBrowser, async () => {
  const { vault } = await startWithPeople();
  await using _ = vault;
  await using browser = await openBrowser();
  const { page, faults, editor } = await openIde(browser, vault);
  await page.goto(`${vault.url}/graphiql`);
  await editor.getByText("query Records {").waitFor();
  const operation = (name: string) => `query ${name} { ${name}: metaEnvelopes(first: 1) { totalCount } }\n`;
  await write(page, editor, `# A comment first.\n${operation("One")}\n${operation("Two")}\n`);
  await send(editor);
  await see(editor, '"Two"');
  await editor.getByText("# A comment first.").click();
  await send(editor);
  await see(editor, '"One"');
  await editor.getByText("query Two {").click();
  await page.keyboard.press("Control+Enter");
  await see(editor, '"Two"');
  assert.deepEqual(faults, []);
});

test("a vault without demo people takes a token in the page, and keeps it nowhere", inBrowser, async () => {
  const { idePeople, openAs } = createPeople();
  await using vault = await startVault({ ide: true, auth: "enforced", idePeople: { ...idePeople, list: () => [] } });
  const [amina] = await openAs(vault, NAMES);
  assert.ok(amina);
  await using browser = await openBrowser();
  const { page, editor } = await openIde(browser, vault);
  await page.goto(`${vault.url}/graphiql`);
  await page.getByLabel("eName of the owner").fill(amina.ename);
  await page.keyboard.press("Enter");
  await editor.getByText("query Records {").waitFor();
  await send(editor);
  await see(editor, "UNAUTHENTICATED");
  const token = (await idePeople.issueToken(amina.ename, amina.ename)) ?? "";
  await page.getByLabel("Wallet token").fill(token);
  await send(editor);
  await see(editor, '"totalCount": 0');
  assert.deepEqual(await findBarriers(page), []);
  const stored = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])";
  assert.ok(!(await page.evaluate<string>(stored)).includes(token));
  await page.reload();
  assert.equal(await page.getByLabel("Wallet token").inputValue(), "");
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the IDE has no barrier and works on a phone, in ${colorScheme} too [WCAG 2.2 AA]`, inBrowser, async () => {
    const { vault } = await startWithPeople();
    await using _ = vault;
    await using browser = await openBrowser();
    const { page, faults, editor } = await openIde(browser, vault, { colorScheme, viewport: PHONE, hasTouch: true });
    await page.goto(`${vault.url}/graphiql`);
    await editor.getByText("query Records {").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    const width = "document.documentElement.scrollWidth";
    assert.equal(await page.evaluate(width), PHONE.width);
    const inFrame = `document.querySelector("iframe").contentDocument.documentElement.scrollWidth`;
    assert.equal(await page.evaluate(inFrame), PHONE.width);
    await editor.getByRole("button", { name: "Send" }).tap();
    await see(editor, "of Amina Diallo");
    await page.getByRole("button", { name: "Amina Diallo" }).first().tap();
    await page.getByLabel("Another eName").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    await page.keyboard.press("Escape");
    await page.setViewportSize(DESKTOP);
    assert.deepEqual(await findBarriers(page), []);
    const title = `document.querySelector("iframe").contentDocument.querySelector(".variables-editor--title")`;
    const color = await page.evaluate<string>(`getComputedStyle(${title}).color`);
    const brightness = Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
    assert.ok(colorScheme === "light" ? brightness < 120 : brightness > 140, `${colorScheme}: ${color}`);
    assert.deepEqual(faults, []);
  });

  test(`everybody can say whose vault the IDE opens, in ${colorScheme} too [WCAG 2.2 AA]`, inBrowser, async () => {
    await using vault = await startVault({ ide: true, auth: "header", cors: { origins: "loopback" } });
    await using browser = await openBrowser();
    const { page, faults } = await openIde(browser, vault, { colorScheme });
    await page.goto(`${vault.url}/graphiql`);
    assert.deepEqual(await findBarriers(page), []);
    assert.deepEqual(faults, []);
    await page.getByLabel("eName of the owner").fill("nobody");
    await page.keyboard.press("Enter");
    await page.getByText("This is not an eName. Write @ and a UUID.").waitFor();
    await page.locator("#ename:focus").waitFor();
    assert.deepEqual(await findBarriers(page), []);
    // 320 CSS pixels are what 1280 are at 400 %.
    await page.setViewportSize({ width: 320, height: 700 });
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
  });
}
