import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, type TestContext, test } from "node:test";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { inBrowser, openBrowser } from "@dataspace/ui/test-browser";
import { authenticate } from "@dataspace/wallet/answer-request";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { startTestSpace } from "./support/start-test-space.ts";
import type { Browser, Page } from "playwright-core";

const clock = { nowMs: () => Date.now() };
const VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123";

const stack = new AsyncDisposableStack();
let scene: Awaited<ReturnType<typeof startScene>>;
before(
  async () => {
    if (inBrowser.skip === undefined) scene = await startScene();
  },
  { timeout: inBrowser.timeout },
);
after(() => stack.disposeAsync());

/** A space, a person with a wallet, a browser, and a client that is a broker: it redirects on to another origin. */
async function startScene() {
  const space = stack.use(await startTestSpace());
  const keys = createMemoryKeyStore({ createKey: createWalletKey });
  const provisioning = createProvisioning(
    { fetch, clock, keys, save: () => undefined, report: () => undefined },
    { registryUrl: space.registryUrl, provisionerUrl: space.vaultUrl },
  );
  const { ename } = await provisioning.provision({ id: "ada", verificationId: DEMO_VERIFICATION_CODE });
  const key = await keys.ensure("ada");
  const application = await serve((response) => response.end("<h1>Back at the application</h1>"));
  const broker = await serve((response, url) => {
    response.writeHead(303, { location: `${application}/end${url.search}` }).end();
  });
  const token = await issueWalletToken({ key, clock }, { ename, audience: space.loginUrl });
  const redirectUri = `${broker}/callback`;
  const made = await fetch(`${space.loginUrl}/api/clients`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ name: "Notes", redirectUris: [redirectUri], confirmLogin: true }),
  });
  const { client } = (await made.json()) as { readonly client: { readonly clientId: string } };
  const query = new URLSearchParams({
    client_id: client.clientId,
    redirect_uri: redirectUri,
    response_type: "code",
    scope: "openid",
    state: "a",
    nonce: "b",
    code_challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
    code_challenge_method: "S256",
  });
  const browser: Browser = await openBrowser();
  stack.defer(() => browser.close());
  const readRequest = async (page: Page) => {
    const request = parseWalletUri((await page.locator("#open-wallet").getAttribute("href")) ?? "");
    return request.kind === "auth" ? request : assert.fail("the page shows no login");
  };
  const sign = (request: Awaited<ReturnType<typeof readRequest>>) => authenticate({ fetch }, request, { ename, key });
  const scan = async (page: Page) => sign(await readRequest(page));
  return {
    space,
    browser,
    ename,
    application,
    authorizeUrl: `${space.loginUrl}/authorize?${query}`,
    readRequest,
    sign,
    scan,
  };
}

async function serve(answer: (response: import("node:http").ServerResponse, url: URL) => void): Promise<string> {
  const server = createServer((request, response) => {
    response.setHeader("content-type", "text/html");
    answer(response, new URL(request.url ?? "/", "http://localhost"));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  stack.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function openPage(t: TestContext, url: string): Promise<Page> {
  const context = await scene.browser.newContext();
  t.after(() => context.close());
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await page.goto(url);
  return page;
}

test("Continue and Cancel lead through a broker to the application on another origin", inBrowser, async (t) => {
  const { authorizeUrl, application, scan } = scene;
  const page = await openPage(t, authorizeUrl);
  await scan(page);
  await page.getByRole("button", { name: "Continue to Notes" }).click();
  await page.waitForURL(`${application}/end?code=*`);
  await page.goto(authorizeUrl);
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.waitForURL(`${application}/end?error=access_denied*`);
});

test("the back button leads to a code that works before a login, and to no code after it", inBrowser, async (t) => {
  const { authorizeUrl, application, scan } = scene;
  const page = await openPage(t, authorizeUrl);
  await page.goto(application);
  await page.goBack();
  await scan(page);
  await page.getByRole("button", { name: "Continue to Notes" }).click();
  await page.waitForURL(`${application}/end?code=*`);
  await page.goBack();
  await page.getByRole("heading", { name: "This login is over" }).waitFor();
  assert.equal(await page.locator("#code").count(), 0);
});

test("a tab that was suspended while its wallet signed goes on when it wakes", inBrowser, async (t) => {
  const { space, ename, readRequest, sign } = scene;
  const page = await openPage(t, `${space.loginUrl}/portal/login`);
  const devtools = await page.context().newCDPSession(page);
  const request = await readRequest(page);
  await devtools.send("Page.setWebLifecycleState", { state: "frozen" });
  await sign(request);
  await devtools.send("Page.setWebLifecycleState", { state: "active" });
  await page.waitForURL(`${space.loginUrl}/portal`);
  await page.getByText(ename).first().waitFor();
});

test(
  "while a proxy answers for the connector the page asks on, and goes on once the connector answers",
  inBrowser,
  async (t) => {
    const { space, scan } = scene;
    const context = await scene.browser.newContext();
    t.after(() => context.close());
    let isAway = true;
    const refused = Promise.withResolvers<void>();
    let refusals = 0;
    await context.route("**/ds/events/*", (route) => route.abort());
    await context.route("**/login/*/state", (route) => {
      if (!isAway) return route.continue();
      refusals += 1;
      if (refusals === 2) refused.resolve();
      return route.fulfill({ status: 502, contentType: "text/html", body: "<h1>Bad gateway</h1>" });
    });
    const page = await context.newPage();
    page.setDefaultTimeout(20_000);
    await page.goto(`${space.loginUrl}/portal/login`);
    await refused.promise;
    assert.equal(page.url(), `${space.loginUrl}/portal/login`);
    assert.equal(await page.locator("#code").isVisible(), true);
    isAway = false;
    await scan(page);
    await page.waitForURL(`${space.loginUrl}/portal`);
  },
);
