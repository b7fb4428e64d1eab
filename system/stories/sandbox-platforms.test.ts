import assert from "node:assert/strict";
import { test } from "node:test";
import { inBrowser } from "@dataspace/ui/test-browser";
import { runPlatform } from "./support/run-platform.ts";
import { openArea, provision, shareSandbox } from "./support/sandbox-page.ts";
import type { Page } from "playwright-core";

const openSandbox = shareSandbox();

async function signPolicy(page: Page, button: string | RegExp): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByText("You are about to sign this policy:").waitFor();
  await page.getByRole("button", { name: "Sign and apply" }).click();
  await page.getByText("You are about to sign this policy:").waitFor({ state: "detached" });
}

test(
  "the owner sees which platform read what, under which certificate and when, and narrows, blocks and restores its access by signed policies (decision A2)",
  inBrowser,
  async (t) => {
    const { space, page, faults } = await openSandbox(t);
    const owner = await provision(page);
    await openArea(page, "Vault");
    await page.getByText("No certified platform has had access yet.").waitFor();
    await page.getByRole("button", { name: "New record" }).click();
    await page.getByLabel("Text").fill("The rains came early this year.");
    await page.getByRole("button", { name: "Create record" }).click();
    await page.getByText("Version 1", { exact: true }).waitFor();

    await using platform = await runPlatform(space);
    assert.equal(await platform.countPosts(owner), 1);
    await page.getByRole("button", { name: "Refresh" }).click();
    const shown = page.locator("#platforms .platforms > li", { hasText: platform.ename });
    await shown.getByText(/^Version 1\.0\.0, level L3, certificate \S+ of http/).waitFor();
    await shown.getByText("Read social").waitFor();
    await shown.getByText("Your policy: admitted").waitFor();

    await signPolicy(page, "Stop social");
    await shown.getByText("Your policy: refused").waitFor();
    await page.getByText("No platform may use: social.").waitFor();
    assert.equal(await platform.countPosts(owner), 0);

    await signPolicy(page, "Allow social");
    await shown.getByText("Your policy: admitted").waitFor();
    assert.equal(await platform.countPosts(owner), 1);

    await signPolicy(page, "Block all platforms");
    await page.getByText("All certified platforms are blocked from every domain.").waitFor();
    assert.equal(await platform.countPosts(owner), 0);

    await signPolicy(page, "Restore the defaults");
    await page.getByText("A platform needs a certificate of level L2 or higher.").waitFor();
    assert.equal(await platform.countPosts(owner), 1);

    // The policies are records of the vault, which nobody edits.
    await page.getByRole("button", { name: "All records" }).click();
    await page.locator(".record-row", { hasText: "Access policy" }).first().click();
    await page.getByText("Only its own operation writes a record of this type").waitFor();
    assert.deepEqual(faults, []);
  },
);

test(
  "a policy is not signed when the visitor cancels, and a vault that is gone loses nothing",
  inBrowser,
  async (t) => {
    const { page } = await openSandbox(t);
    await provision(page);
    await openArea(page, "Vault");
    await page.getByRole("button", { name: "Block all platforms" }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    await page.getByText("You are about to sign this policy:").waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Block all platforms" }).click();
    await page.route("**/graphql", (route) => route.abort());
    await page.getByRole("button", { name: "Sign and apply" }).click();
    await page.locator("#platforms").getByRole("alert").getByText("The vault does not answer now").waitFor();
    await page.unroute("**/graphql");
    await page.locator("#platforms").getByRole("button", { name: "Try again" }).click();
    await page.getByText("All certified platforms are blocked from every domain.").last().waitFor();
  },
);
