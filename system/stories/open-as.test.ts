import assert from "node:assert/strict";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { test } from "node:test";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { seedDemoIdentities } from "../demo-identities.ts";
import { startTestSpace } from "./support/start-test-space.ts";

/** Asks with another Host, which `fetch` cannot send. Out: the status. */
async function askUnderName(address: string, host: string): Promise<number | undefined> {
  const request = get(address, { headers: { host } });
  const [response] = (await once(request, "response")) as [IncomingMessage];
  response.resume();
  return response.statusCode;
}

test(
  "one click on the home page opens the sandbox as a demo person, and no page of another origin reads the key [P5]",
  inBrowser,
  async (t) => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
    const people = await seedDemoIdentities(space);
    const address = `${space.sandboxUrl}/demo-people`;
    for (const site of ["same-site", "cross-site", "none"]) {
      assert.equal((await fetch(address, { headers: { "sec-fetch-site": site } })).status, 404, site);
    }
    assert.equal(await askUnderName(address, "127.0.0.1"), 200);
    for (const name of ["rebound.example", "127.0.0.1.rebound.example"]) {
      assert.match(String(await askUnderName(address, name)), /^40[0-9]$/, name);
    }
    const [person] = people;
    const ide = await fetch(`${space.vaultUrl}/graphiql`);
    assert.equal(new URL(ide.url).searchParams.get("as"), person?.ename);
    const body = JSON.stringify({ owner: person?.ename, person: person?.ename });
    const headers = { "content-type": "application/json" };
    const issued = await fetch(`${space.vaultUrl}/graphiql/token`, { method: "POST", headers, body });
    const { token } = (await issued.json()) as { token: string };
    const asked = await fetch(`${space.vaultUrl}/graphql`, {
      method: "POST",
      headers: { ...headers, "x-ename": person?.ename ?? "", authorization: `Bearer ${token}` },
      body: JSON.stringify({ query: "{ metaEnvelopes { totalCount } }" }),
    });
    assert.deepEqual(await asked.json(), { data: { metaEnvelopes: { totalCount: 2 } } });
    const browser = await openBrowser();
    t.after(() => browser.close());
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    page.setDefaultTimeout(20_000);
    await page.goto(`${space.sandboxUrl}/home`);
    const [first, second] = people;
    assert.ok(first && second);
    await page.getByRole("link", { name: `Open the sandbox as ${first.name}` }).click();
    const identity = page.getByRole("combobox", { name: "Identity" });
    await page.locator("#identity-facts").getByText(first.ename).waitFor();
    assert.equal(await identity.inputValue(), first.ename);
    // The link acts once: a reload keeps what was chosen since.
    assert.equal(new URL(page.url()).search, "");
    await page.getByRole("button", { name: second.name }).click();
    await page.locator("#identity-facts").getByText(second.ename).waitFor();
    await page.reload();
    assert.equal(await identity.inputValue(), second.ename);
    await page.getByRole("link", { name: "Vault" }).click();
    await page.locator(".record-row").first().waitFor();
    const reference = await (await fetch(`${space.vaultUrl}/provisioner/docs`)).text();
    assert.match(reference, /<h1>Dataspace provisioner<\/h1>.*href="\/provisioner\/openapi\.json"/s);
    assert.equal((await fetch(`${space.vaultUrl}/provisioner/openapi.json`)).status, 200);
  },
);
