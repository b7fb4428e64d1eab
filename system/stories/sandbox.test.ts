import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { startTestSpace } from "./support/start-test-space.ts";
import type { Page } from "playwright-core";

async function openSandbox(t: TestContext, colorScheme: "light" | "dark" = "light") {
  const space = await startTestSpace();
  t.after(() => space[Symbol.asyncDispose]());
  const browser = await openBrowser();
  t.after(() => browser.close());
  const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  page.on("console", (line) => line.type() === "error" && faults.push(line.text()));
  await page.goto(space.sandboxUrl);
  return { space, browser, page, faults };
}

async function provision(page: Page): Promise<string> {
  const before = await page.getByText("Wrote the profile of").count();
  await page.getByRole("button", { name: "Provision" }).click();
  await page.getByText("Wrote the profile of").nth(before).waitFor();
  return page.getByRole("combobox", { name: "Identity" }).inputValue();
}

test(
  "an identity is provisioned, logs in at a platform that verifies it, signs, and is there after a reload [P-SBX-001] [P-ADP-005] [P-DEC-200]",
  inBrowser,
  async (t) => {
    const { space, browser, page, faults } = await openSandbox(t);
    const ename = await provision(page);
    assert.match(ename, /^@[0-9a-f-]{36}$/);

    const portal = await browser.newPage();
    await portal.goto(`${space.awarenessUrl}/portal`);
    const offer = (await portal.getByRole("link", { name: "Open the wallet" }).getAttribute("href")) ?? "";
    await page.getByLabel("URI").fill(offer);
    await page.getByText("Your signature confirms a session, such as a login.").waitFor();
    await page.getByRole("button", { name: "Perform" }).click();
    await page.getByText("it took the signature").waitFor();
    await portal.getByText(ename).waitFor();

    await page.getByLabel("Payload").fill("any text\n");
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText(`Signed 9 characters as ${ename}`).waitFor();

    await page.reload();
    assert.equal(await page.getByRole("combobox", { name: "Identity" }).inputValue(), ename);
    const second = await provision(page);
    assert.notEqual(second, ename);
    assert.deepEqual(
      await page
        .getByRole("combobox", { name: "Identity" })
        .getByRole("option")
        .evaluateAll((all) => all.map((one) => one.getAttribute("value"))),
      [ename, second],
    );
    assert.deepEqual(faults, []);
  },
);

test(
  "a profile is edited in its vault, its history shows what changed, and it is rolled back [S1 History and rollback]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    await provision(page);
    await page.getByRole("button", { name: "Load records" }).click();
    await page.locator("#records summary").first().click();
    await page.getByText("Whoever is signed in may read.").waitFor();
    const content = page.getByLabel("Content");
    const edited = (await content.inputValue()).replace("Made up by the sandbox.", "Edited by hand.");
    await content.fill(edited);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Version 2").waitFor();
    assert.equal(await page.locator("ins", { hasText: "Edited by hand." }).count(), 1);
    assert.equal(await page.locator("del", { hasText: "Made up by the sandbox." }).count(), 1);
    await page.getByRole("button", { name: "Roll back to version 1" }).click();
    await page.getByText("as version 1 was").waitFor();
    assert.equal(await page.locator("ins", { hasText: "Made up by the sandbox." }).first().count(), 1);
    assert.deepEqual(faults, []);
  },
);

test(
  "hostile and broken requests are told in a sentence, and nothing is signed [V-DEC-260] [V-DEC-261]",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    await provision(page);
    const cases: readonly [string, RegExp][] = [
      ["hello", /cannot act on this address/],
      ["javascript:alert(1)", /cannot act on this address/],
      ["ds://auth?redirect=https%3A%2F%2Fa.example&session=gitforge:deployment:v1:x&platform=A", /session/],
      ["ds://auth?redirect=http%3A%2F%2Felsewhere.example&session=abcdefghijklmnop&platform=A", /nothing is signed/],
      ["ds://sign?session=abcdefghijklmnop&redirect_uri=https%3A%2F%2Fa.example&data=AAAA", /signs nothing/],
    ];
    for (const [uri, said] of cases) {
      await page.getByLabel("URI").fill(uri);
      assert.match((await page.getByRole("alert").textContent()) ?? "", said, uri);
      assert.equal(await page.getByRole("button", { name: "Perform" }).isDisabled(), true, uri);
    }
  },
);

test("a provisioning that fails midway is kept, and gone on with after a reload [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.route("**/graphql", (route) => route.abort());
  await page.getByRole("button", { name: "Provision" }).click();
  await page.getByText("An identity is half made").waitFor();
  await page.unroute("**/graphql");
  await page.reload();
  await page.getByRole("button", { name: "Go on" }).click();
  await page.getByText("Wrote the profile of").waitFor();
  assert.equal(await page.getByText("An identity is half made").count(), 0);
  assert.equal(await page.getByRole("combobox", { name: "Identity" }).getByRole("option").count(), 1);
});

test(
  "an identity is exported to a file, forgotten, and is itself again after its import [S3 Sandbox]",
  inBrowser,
  async (t) => {
    const { page, faults } = await openSandbox(t);
    const ename = await provision(page);
    const exported = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export" }).click();
    const file = await (await exported).path();
    await page.getByRole("button", { name: "Forget" }).click();
    await page.getByRole("button", { name: /^Forget \w/ }).click();
    await page.getByRole("option", { name: "None yet" }).waitFor({ state: "attached" });
    await page
      .getByLabel("Identity file")
      .setInputFiles({ name: "x.json", mimeType: "application/json", buffer: Buffer.from("{}") });
    await page.getByRole("alert").getByText("This file holds no identity").waitFor();
    await page.getByLabel("Identity file").setInputFiles(file);
    await page.getByText(`Imported ${ename}`).waitFor();
    await page.getByLabel("Payload").fill("again");
    await page.getByRole("button", { name: "Sign", exact: true }).click();
    await page.getByText(`Signed 5 characters as ${ename}`).waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  "a code in a picture is read into the field, and a picture without one is told [S3 Sandbox]",
  inBrowser,
  async (t) => {
    const { space, browser, page, faults } = await openSandbox(t);
    const portal = await browser.newPage({ deviceScaleFactor: 2 });
    await portal.goto(`${space.awarenessUrl}/portal`);
    const code = await portal.getByRole("img", { name: "Sign-in code" }).screenshot();
    const offer = await portal.getByRole("link", { name: "Open the wallet" }).getAttribute("href");
    const image = page.getByLabel("Image of a code");
    await image.setInputFiles({ name: "code.png", mimeType: "image/png", buffer: code });
    await page.getByText("Read a code").waitFor();
    assert.equal(await page.getByLabel("URI").inputValue(), offer);
    const empty = await portal.getByRole("heading", { name: "Sign in" }).screenshot();
    await image.setInputFiles({ name: "none.png", mimeType: "image/png", buffer: empty });
    await page.getByRole("alert").getByText("no code in this picture").waitFor();
    assert.deepEqual(faults, []);
  },
);

test("a registry elsewhere is not asked unless that is meant [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.getByText("Registry and provisioner").click();
  await page.getByLabel("Registry", { exact: true }).fill("https://registry.example");
  await page.getByRole("button", { name: "Use these" }).click();
  await page.getByRole("alert").getByText("not on this machine").waitFor();
  await page.getByLabel("I mean a registry").check();
  await page.getByRole("button", { name: "Use these" }).click();
  await page.getByText("New identities are made there").waitFor();
  await page.getByRole("button", { name: "Back to what was set" }).click();
  assert.match(await page.getByLabel("Registry", { exact: true }).inputValue(), /^http:\/\/127\.0\.0\.1:/);
});

for (const colorScheme of ["light", "dark"] as const) {
  test(`the sandbox can be used by everybody, in ${colorScheme} too [WCAG 2.2 AA]`, inBrowser, async (t) => {
    const { page } = await openSandbox(t, colorScheme);
    const barriers = [...(await findBarriers(page))];
    await provision(page);
    await page.getByRole("button", { name: "Load records" }).click();
    await page.locator("#records summary").first().click();
    await page.getByText("Version 1").waitFor();
    barriers.push(...(await findBarriers(page)));
    await page.setViewportSize({ width: 320, height: 700 });
    assert.deepEqual(barriers, []);
    assert.equal(await page.evaluate("document.documentElement.scrollWidth"), 320);
  });
}
