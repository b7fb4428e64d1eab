import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "@dataspace/ui/test-browser";
import { openArea, openRecord, provision, shareSandbox } from "./support/sandbox-page.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();

async function failToProvision(page: Page, said: RegExp): Promise<void> {
  await page.getByRole("button", { name: "Provision" }).click();
  await page.getByRole("alert").getByText(said).waitFor();
  await page.getByText("An identity is unfinished").waitFor();
}

test("an interrupted provisioning is stored, and continues after a reload [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.route("**/graphql", (route) => route.abort());
  await failToProvision(page, /^The vault does not answer now: POST \S+\/graphql could not be reached\./);
  await page.getByRole("button", { name: "Provision" }).click();
  await page.getByRole("alert").getByText("An identity is unfinished. Continue with it or discard it first.").waitFor();
  await page.unroute("**/graphql");
  await page.reload();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Wrote the profile of").waitFor();
  await page.getByText("An identity is unfinished").waitFor({ state: "detached" });
  assert.equal(await page.getByRole("combobox", { name: "Identity" }).getByRole("option").count(), 1);
});

test("a profile whose writing was not answered is not written twice [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.route("**/graphql", async (route) => {
    if (!route.request().postData()?.includes("createMetaEnvelope")) return route.continue();
    await route.fetch();
    return route.abort();
  });
  await failToProvision(page, /^The vault does not answer now/);
  await page.unroute("**/graphql");
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Wrote the profile of").waitFor();
  await openArea(page, "Vault");
  await page.getByText("1 record", { exact: true }).waitFor();
});

test(
  "a registry that is down is reported, and an unfinished identity is discarded unless a vault was created with it (decision V17)",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    const discard = page.getByRole("button", { name: "Discard" });
    await page.route("**/entropy", (route) => route.abort());
    await failToProvision(page, /^The registry does not answer now: .+ Try again in a while\.$/);
    await discard.click();
    await page.getByText("An identity is unfinished").waitFor({ state: "detached" });
    assert.equal(await page.evaluate("Object.keys(localStorage).filter((name) => name.includes('key')).length"), 0);

    await failToProvision(page, /^The registry does not answer now/);
    await page.unroute("**/entropy");
    // The vault is made, and the answer that says so gets lost: the panel has been there since before.
    await page.route("**/provision", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("The provisioner does not answer now").waitFor();
    await discard.click();
    await page.getByRole("alert").getByText("A vault was created with this key").waitFor();
    await page.unroute("**/provision");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Wrote the profile of").waitFor();
  },
);

test(
  "the visitor gives the operator's code; a refused one is reported, and another continues where it stopped (decision V17)",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    const use = async (code: string): Promise<void> => {
      await page.getByLabel("Verification code").fill(code);
      await page.getByRole("button", { name: "Save", exact: true }).click();
    };
    await page.getByText("Registry and provisioner").click();
    await use("  ");
    await page.getByRole("alert").getByText("Enter the code").waitFor();
    await use("not-issued");
    await page.getByText("New identities are created there").waitFor();
    await failToProvision(page, /^The provisioner refused: .*ask the operator for a code/);
    await page.getByRole("button", { name: "Restore the defaults" }).click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByText("Wrote the profile of").waitFor();
  },
);

test("a registry elsewhere is not asked unless that is meant [S3 Sandbox]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.getByText("Registry and provisioner").click();
  await page.getByLabel("Registry", { exact: true }).fill("https://registry.example");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByRole("alert").getByText("not on this machine").waitFor();
  await page.getByLabel("Use a registry or provisioner").check();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("New identities are created there").waitFor();
  await page.getByRole("button", { name: "Restore the defaults" }).click();
  assert.match(await page.getByLabel("Registry", { exact: true }).inputValue(), /^http:\/\/127\.0\.0\.1:/);
});

test("damaged data in the browser is ignored [P-SBX-011]", inBrowser, async (t) => {
  const { page, faults } = await openSandbox(t);
  for (const damaged of ["{", "null", "[1]", '{"step":"vault"}', '{"identities":[{}],"registryUrl":7}']) {
    await page.evaluate((text) => {
      for (const name of ["identities", "unfinished", "connection"])
        localStorage.setItem(`dataspace-sandbox-${name}`, text);
    }, damaged);
    await page.reload();
    await page.getByRole("option", { name: "None yet" }).waitFor({ state: "attached" });
    assert.equal(await page.getByText("An identity is unfinished").count(), 0, damaged);
  }
  await provision(page);
  assert.deepEqual(faults, []);
});

test("a browser that stores nothing for the page shows a warning [P-SBX-011]", inBrowser, async (t) => {
  const { page } = await openSandbox(t);
  await page.addInitScript(
    `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("", "SecurityError"); } })`,
  );
  await page.reload();
  await page.getByRole("alert").getByText("Allow site data, and load the page again.").waitFor();
});

test(
  "a vault that is down or refuses, and a record that is not JSON, are reported in sentences beside the action [S1 GraphQL API]",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    await provision(page);
    const records = page.locator("#records");
    await page.route("**/graphql", (route) => route.abort());
    await openArea(page, "Vault");
    const down = records.getByRole("alert").getByText(/^The vault does not answer now: .+ Try again in a while\.$/);
    await down.waitFor();
    await page.unroute("**/graphql");
    await records.getByRole("button", { name: "Try again" }).click();
    await openRecord(page, "Profile");
    await page.getByRole("button", { name: "Edit as JSON" }).click();
    const content = page.getByLabel("Content");
    const before = await content.inputValue();
    const save = page.getByRole("button", { name: "Save", exact: true });
    await content.fill('{\n  "displayName": "Ada"\n  "bio": ""\n}');
    await save.click();
    await records.getByRole("alert").getByText("This is not JSON at line 3, column 3.").waitFor();
    const edited = before.replace("Made up by the sandbox.", "\\u0000");
    await content.fill(edited);
    await save.click();
    await records.getByRole("alert").getByText("holds U+0000").waitFor();
    // What was typed stays, also when the vault is gone.
    await page.route("**/graphql", (route) => route.abort());
    await save.click();
    await down.waitFor();
    assert.equal(await content.inputValue(), edited);
  },
);
