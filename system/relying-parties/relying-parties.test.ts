import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { loginMigrations } from "@dataspace/login/migrations";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import PassportStrategy from "passport-openidconnect";
import { createBrowser } from "../oidc-harness/browser.ts";
import { findFreePort } from "../oidc-harness/find-free-port.ts";
import { addClient, PERSON, startOurConnector } from "../oidc-harness/targets/our-connector.ts";
import { logInWithAuthlib, NO_AUTHLIB } from "./parties/authlib.ts";
import { startExpress } from "./parties/express-openid-connect.ts";
import { startHono } from "./parties/hono-oidc-auth.ts";
import { NO_APACHE, startApache } from "./parties/mod-auth-openidc.ts";
import type { StartRelyingParty } from "./relying-party.ts";

const LONGEST_SHOWN = 200;

async function startConnector(t: TestContext) {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING], loginMigrations);
  t.after(() => database[Symbol.asyncDispose]());
  const connector = await startOurConnector(database);
  t.after(() => connector[Symbol.asyncDispose]());
  const origin = `http://localhost:${await findFreePort()}`;
  return { connector, origin, client: await addClient(database, `${origin}/callback`) };
}

/** A person opens the application, signs in with the wallet, and is back at the application. */
async function visit(t: TestContext, start: StartRelyingParty): Promise<void> {
  const { connector, origin, client } = await startConnector(t);
  await using party = await start({ issuer: connector.issuer, client, origin });
  const browser = createBrowser(origin, connector.issuer);
  const asked = await browser.open(`${party.url}/`);
  assert.equal(asked.url.origin, connector.issuer);
  const back = await connector.signIn(browser, asked);
  assert.ok(back.kind === "page");
  const shown = back.html.trim().slice(0, LONGEST_SHOWN);
  assert.deepEqual([back.url.origin, back.status, shown], [origin, 200, `sub=${PERSON}`]);
}

for (const auth of ["client_secret_basic", "client_secret_post"] as const) {
  test(
    `mod_auth_openidc logs a person in by ${auth}, and REMOTE_USER is the eName [L-SVC-004]`,
    { skip: NO_APACHE },
    (t) => visit(t, (values) => startApache(values, auth)),
  );

  test(`Authlib logs a person in by ${auth} [L-SVC-004]`, { skip: NO_AUTHLIB }, async (t) => {
    const { connector, client } = await startConnector(t);
    const login = await logInWithAuthlib({ issuer: connector.issuer, client }, auth, async (url) => {
      const browser = createBrowser(connector.issuer);
      const back = await connector.signIn(browser, await browser.open(url));
      assert.equal(back.kind, "client");
      return back.url.href;
    });
    assert.equal(login.sub, PERSON);
    assert.deepEqual([login.userinfo["sub"], login.userinfo["name"]], [PERSON, "Ada Lovelace"]);
  });
}

test("express-openid-connect logs a person in [L-SVC-004]", (t) => visit(t, startExpress));

test("@hono/oidc-auth logs a person in [L-SVC-004]", (t) => visit(t, startHono));

test("passport-openidconnect sends no PKCE, is refused with invalid_request, and reports that error [L-SVC-004]", async (t) => {
  const { connector, client } = await startConnector(t);
  const strategy = new PassportStrategy(
    {
      issuer: connector.issuer,
      authorizationURL: `${connector.issuer}/authorize`,
      tokenURL: `${connector.issuer}/token`,
      userInfoURL: `${connector.issuer}/userinfo`,
      clientID: client.id,
      clientSecret: client.secret,
      callbackURL: client.redirectUri,
    },
    () => assert.fail("nobody is logged in"),
  );
  const run = (query: object): Promise<{ readonly redirect: string } | { readonly error: Error }> =>
    new Promise((resolve) => {
      const asked = Object.assign(Object.create(strategy), {
        redirect: (redirect: string) => resolve({ redirect }),
        error: (error: Error) => resolve({ error }),
      });
      asked.authenticate({ query, session: {} }, {});
    });
  const started = await run({});
  assert.ok("redirect" in started);
  assert.ok(!started.redirect.includes("code_challenge"));
  const refused = await createBrowser(connector.issuer).open(started.redirect);
  assert.ok(refused.kind === "client", "the connector answers the application, and shows no login");
  assert.equal(`${refused.url.origin}${refused.url.pathname}`, client.redirectUri);
  const ended = await run(Object.fromEntries(refused.url.searchParams));
  assert.ok("error" in ended);
  assert.equal((ended.error as Error & { readonly code?: string }).code, "invalid_request");
});
