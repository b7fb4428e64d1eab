import assert from "node:assert/strict";
import { test } from "node:test";
import { createGivenKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { verifyReviews } from "@dataspace/platform-auth/log/verify-reviews";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { seedDemoIdentities } from "../demo-identities.ts";
import { submitSampleRelease } from "./support/run-platform.ts";
import { startTestSpace } from "./support/start-test-space.ts";
import type { Page } from "playwright-core";

/** Opens what a page asks in the sandbox, as its link does, and has the person approve it. */
async function approve(sandbox: Page, asking: Page): Promise<void> {
  const link = await asking.getByRole("link", { name: "Open in sandbox" }).getAttribute("href");
  await sandbox.goto(link ?? "");
  await sandbox.getByRole("button", { name: "Perform" }).click();
  await sandbox.getByText("accepted the signature.").waitFor();
}

test(
  "a demo person signs in and grants a release with the sandbox's wallet, and the log with the signature verifies by the registry's keys alone [decision A6]",
  inBrowser,
  async (t) => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
    const [person] = await seedDemoIdentities(space);
    await using release = await submitSampleRelease(space);
    const browser = await openBrowser();
    t.after(() => browser.close());
    const [sandbox, page] = [await browser.newPage(), await browser.newPage()];
    for (const opened of [sandbox, page]) opened.setDefaultTimeout(20_000);
    await sandbox.goto(`${space.sandboxUrl}/home`);
    await sandbox.getByRole("link", { name: `Open the sandbox as ${person?.name}` }).click();
    await sandbox
      .locator("#identity-facts")
      .getByText(person?.ename ?? "")
      .waitFor();

    await page.goto(`${space.authorityUrl}/review`);
    await approve(sandbox, page);
    await page.getByRole("link", { name: "Postcards" }).click();
    await page.getByLabel("Level").selectOption("L3");
    await page.getByLabel("I have verified who the author is").check();
    await page.getByRole("button", { name: "Continue to sign" }).first().click();
    await page.getByRole("heading", { name: "Sign your decision" }).waitFor();
    await approve(sandbox, page);
    await page.waitForURL(new RegExp(`submissions/${release.submissionId}$`));

    const read = async (url: string) => (await fetch(url)).json();
    const { entries } = (await read(`${space.authorityUrl}/log/entries`)) as { entries: string[] };
    const { reviews } = (await read(`${space.authorityUrl}/log/reviews`)) as { reviews: never[] };
    const keys = await createGivenKeySet(await read(`${space.registryUrl}/.well-known/jwks.json`));
    const deps = { verifyRegistryToken: keys.verify, verifyEcdsa: createVerifyEcdsa() };
    const verdicts = await verifyReviews(deps, { issuer: space.authorityUrl, entries, reviews });
    assert.deepEqual(verdicts, [{ reviewer: person?.ename, proves: "decision" }]);
  },
);
