import assert from "node:assert/strict";
import { test } from "node:test";
import { findBarriers, inBrowser, openBrowser, watchPage } from "@dataspace/ui/test-browser";
import { envToVaultConfig } from "../src/config.ts";
import { EXAMPLE_DOCUMENT, EXAMPLE_VARIABLES } from "../src/ide/example-document.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";
import type { Page } from "playwright-core";

const ACTS = ["Create", "Read", "ListWithSearch", "Update", "History", "Remove"];

function startDevelopmentVault(): Promise<TestVault> {
  return startVault({ ide: true, auth: "header", cors: { origins: "loopback" } });
}

async function seeResult(page: Page, text: string | RegExp): Promise<void> {
  await page.locator("app-query-result").getByText(text).first().waitFor();
}

test("V2: without the IDE its routes are absent", async () => {
  await using vault = await startVault({ ide: false });
  for (const path of ["/graphiql", "/graphiql/start.js", "/graphiql/app/main.js"]) {
    const { status, body } = await ask(vault, path);
    assert.equal(status, 404, path);
    assert.equal(body.error.code, "NOT_FOUND");
  }
});

test("V2: the IDE is on in development and off in production, as introspection is", () => {
  const env = {
    DS_REGISTRY_URL: "http://127.0.0.1:4321",
    DS_VAULT_URL: "http://127.0.0.1:4322",
    DS_DATA_DIR: "/data",
    REGISTRY_SHARED_SECRET: "a registry secret of this test, 0123456789",
    DS_SECRET: "a vault secret of this test, 0123456789",
    DS_AWARENESS_URL: "http://127.0.0.1:4100",
    DS_INGEST_SECRET: "an ingest secret of this test 0123456789",
  };
  for (const [mode, on] of [
    ["development", true],
    ["production", false],
  ] as const) {
    const { ide, introspection } = envToVaultConfig({ ...env, NODE_ENV: mode });
    assert.deepEqual({ ide, introspection }, { ide: on, introspection: on }, mode);
  }
});

test("S1 GraphQL: every example of the IDE does what its name says", async () => {
  await using vault = await startDevelopmentVault();
  const owner = await vault.createOwner();
  const variables = JSON.parse(EXAMPLE_VARIABLES);
  const run = async (operationName: string) => {
    const body = JSON.stringify({ query: EXAMPLE_DOCUMENT, operationName, variables });
    const headers = { "content-type": "application/json", "x-ename": owner };
    const answer = await ask(vault, "/graphql", { method: "POST", headers, body });
    assert.equal(answer.body.errors, undefined, operationName);
    return answer.body.data;
  };
  const created = (await run("Create")).createMetaEnvelope.metaEnvelope;
  variables.id = created.id;
  assert.equal((await run("Read")).metaEnvelope.id, created.id);
  assert.equal((await run("ListWithSearch")).metaEnvelopes.edges[0].node.id, created.id);
  assert.deepEqual((await run("Update")).updateMetaEnvelope.metaEnvelope.parsed, { ...created.parsed, likes: 1 });
  assert.equal((await run("History")).metaEnvelopeHistory.edges.length, 2);
  assert.equal((await run("Remove")).removeMetaEnvelope.success, true);
  assert.deepEqual(
    [...EXAMPLE_DOCUMENT.matchAll(/^(?:query|mutation) (\w+)/gm)].map(([, name]) => name),
    ACTS,
  );
});

test("V2: the IDE asks for an owner and says what is wrong with the one it was given", async () => {
  await using vault = await startDevelopmentVault();
  const open = async (search: string) => {
    const response = await fetch(`${vault.url}/graphiql${search}`);
    return {
      status: response.status,
      policy: response.headers.get("content-security-policy"),
      html: await response.text(),
    };
  };
  const none = await open("");
  assert.equal(none.status, 200);
  assert.match(none.html, /Whose vault shall GraphQL ask\?/);
  assert.doesNotMatch(none.html, /aria-invalid/);
  assert.match(none.policy ?? "", /^default-src 'none'; script-src 'self'; style-src 'self'; /);
  const typed = await open(`?ename=${encodeURIComponent('"><script>alert(1)</script>')}`);
  assert.equal(typed.status, 400);
  assert.match(typed.html, /This is not an eName/);
  assert.doesNotMatch(typed.html, /<script>/);
  const unknown = await open("?ename=@00000000-0000-4000-8000-000000000000");
  assert.equal(unknown.status, 404);
  assert.match(unknown.html, /has no vault here/);
  for (const path of [
    "/graphiql/app/../package.json",
    "/graphiql/app/%2e%2e/index.js",
    "/graphiql/app/iframe-sandbox/index.html",
  ]) {
    assert.equal((await ask(vault, path)).status, 404, path);
  }
});

test(
  "V2, V20: in a browser the IDE runs the examples for the owner it was given, from this server alone",
  inBrowser,
  async () => {
    await using vault = await startDevelopmentVault();
    const owner = await vault.createOwner();
    await using browser = await openBrowser();
    const page = await browser.newPage({ colorScheme: "light" });
    const faults = watchPage(page, vault.url);

    await page.goto(`${vault.url}/graphiql`);
    await page.locator("#ename:focus").waitFor();
    await page.keyboard.type(owner);
    await page.keyboard.press("Enter");
    await page.getByText("Send mutation Create").waitFor();
    assert.equal(await page.title(), `GraphQL ${owner} - Dataspace vault`);
    assert.equal(new URL(page.url()).searchParams.get("ename"), owner);

    await page.locator(".cm-line", { hasText: "createMetaEnvelope(input: $new)" }).click();
    await page.keyboard.press("Control+Enter");
    await seeResult(page, "Hello from the vault");
    const stored = await askGraphQL(vault, owner, "{ metaEnvelopes { edges { node { id parsed } } } }");
    const nodes = stored.body.data.metaEnvelopes.edges.map((edge: { node: unknown }) => edge.node);
    assert.deepEqual(
      nodes.map((node: { parsed: unknown }) => node.parsed),
      [{ title: "Hello from the vault", likes: 0 }],
    );

    const variables = page.locator("app-variables-editor .cm-content");
    await variables.click();
    await page.keyboard.press("Control+A");
    await page.keyboard.insertText(JSON.stringify({ id: nodes[0].id }));
    await page.getByText("Send query Read").click();
    await seeResult(page, '"valueType"');
    await seeResult(page, `"${nodes[0].id}"`);

    await page.locator("[track-id=show_set_headers]").first().click();
    const values = await page.evaluate<string[]>(
      `[...document.querySelectorAll("nz-modal-container :is(input, .cm-content)")].map((field) => field.value ?? field.textContent)`,
    );
    assert.ok(values.includes("X-ENAME") && values.includes(owner), `headers: ${values.join(" | ")}`);
    assert.deepEqual(faults, []);
  },
);

for (const colorScheme of ["light", "dark"] as const) {
  test(`everybody can say whose vault the IDE shall open, in ${colorScheme} too [WCAG 2.2 AA]`, inBrowser, async () => {
    await using vault = await startDevelopmentVault();
    await using browser = await openBrowser();
    const page = await browser.newPage({ colorScheme, viewport: { width: 1280, height: 900 } });
    const faults = watchPage(page, vault.url);
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

test("the IDE follows the system's light and dark", inBrowser, async () => {
  await using vault = await startDevelopmentVault();
  const owner = await vault.createOwner();
  await using browser = await openBrowser();
  const textBrightness = async (colorScheme: "light" | "dark") => {
    const page = await browser.newPage({ colorScheme });
    const faults = watchPage(page, vault.url);
    await page.goto(`${vault.url}/graphiql?ename=${owner}`);
    await page.locator(".variables-editor--title").waitFor();
    const color = await page.evaluate<string>(
      `getComputedStyle(document.querySelector(".variables-editor--title")).color`,
    );
    assert.deepEqual(faults, []);
    return Math.max(...(color.match(/\d+/g) ?? []).slice(0, 3).map(Number));
  };
  assert.ok((await textBrightness("light")) < 80, "in the light its text is dark");
  assert.ok((await textBrightness("dark")) > 175, "in the dark its text is light");
});
