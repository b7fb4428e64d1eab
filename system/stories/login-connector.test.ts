import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { DEMO_VERIFICATION_CODE } from "@dataspace/protocol/demo-verification-code";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { authenticate } from "@dataspace/wallet/answer-request";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createMemoryKeyStore } from "@dataspace/wallet/key-store";
import { parseWalletUri } from "@dataspace/wallet/parse-wallet-uri";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import * as client from "openid-client";
import type { Constellation } from "../constellation.ts";
import { create } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const clock = { nowMs: () => Date.now() };
const REDIRECT_URI = "http://localhost:1/callback";

/** A person whose wallet answers the codes that it is shown. */
async function createPerson(space: Constellation, profile: object) {
  const keys = createMemoryKeyStore({ createKey: createWalletKey });
  const provisioning = createProvisioning(
    { fetch, clock, keys, save: () => undefined, report: () => undefined },
    { registryUrl: space.registryUrl, provisionerUrl: space.vaultUrl },
  );
  const { ename } = await provisioning.provision({ id: "ada", verificationId: DEMO_VERIFICATION_CODE });
  const key = await keys.ensure("ada");
  const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
  await create(space, { owner: ename, token }, { ontology: ONTOLOGY_ID.User, payload: { ename, ...profile } });
  const scan = async (page: string) => {
    const uri = /href="(ds:\/\/auth[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
    const request = parseWalletUri(uri);
    assert.equal(request.kind, "auth");
    if (request.kind === "auth") await authenticate({ fetch }, request, { ename, key });
  };
  return { ename, scan };
}

/** Registers a client as a developer does, in the portal. */
async function createClient(space: Constellation, developer: Awaited<ReturnType<typeof createPerson>>) {
  const url = space.loginUrl;
  const signIn = await fetch(`${url}/portal/login`);
  const cookie = (signIn.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const page = await signIn.text();
  await developer.scan(page);
  const led = await fetch(`${url}${/data-next="([^"]+)"/.exec(page)?.[1]}`, { headers: { cookie } });
  const own = { cookie: (led.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "" };
  const form = await (await fetch(`${url}/portal/clients/new`, { headers: own })).text();
  const body = new FormData();
  body.append("token", /name="token" value="([^"]+)"/.exec(form)?.[1] ?? "");
  body.append("name", "Notes");
  body.append("redirect_uris", REDIRECT_URI);
  const made = await (await fetch(`${url}/portal/clients`, { method: "POST", headers: own, body })).text();
  const [id = "", secret = ""] = [...made.matchAll(/<code>([\w-]+)<\/code>/g)].map((match) => match[1] ?? "");
  return { id, secret };
}

async function logIn(config: client.Configuration, person: Awaited<ReturnType<typeof createPerson>>) {
  const verifier = client.randomPKCECodeVerifier();
  const [state, nonce] = [client.randomState(), client.randomNonce()];
  const start = client.buildAuthorizationUrl(config, {
    redirect_uri: REDIRECT_URI,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: "S256",
    state,
    nonce,
  });
  const opened = await fetch(start);
  const cookie = (opened.headers.getSetCookie()[0] ?? "").split(";")[0] ?? "";
  const page = await opened.text();
  await person.scan(page);
  const next = new URL(/data-next="([^"]+)"/.exec(page)?.[1] ?? "", start);
  const led = await fetch(next, { redirect: "manual", headers: { cookie } });
  const back = new URL(led.headers.get("location") ?? "about:blank");
  const tokens = await client.authorizationCodeGrant(config, back, {
    pkceCodeVerifier: verifier,
    expectedState: state,
    expectedNonce: nonce,
  });
  const claims = tokens.claims();
  assert.ok(claims !== undefined);
  return { claims, info: await client.fetchUserInfo(config, tokens.access_token, claims.sub) };
}

async function startStory(t: TestContext) {
  const space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  t.after(() => space[Symbol.asyncDispose]());
  return space;
}

for (const [name, authentication] of [
  ["client_secret_basic", client.ClientSecretBasic],
  ["client_secret_post", client.ClientSecretPost],
] as const) {
  test(`openid-client logs a person in with a wallet by ${name}, and reads their name from their vault [L-SVC-004] [L-FLOW-020] [L-CLM-004] [L-CLM-008] [L-CLM-015] [L-CLM-024]`, async (t) => {
    const space = await startStory(t);
    const ada = await createPerson(space, { displayName: "Ada Lovelace", givenName: "Ada", email: "ada@example.org" });
    const { id, secret } = await createClient(space, ada);
    const config = await client.discovery(new URL(space.loginUrl), id, undefined, authentication(secret), {
      execute: [client.allowInsecureRequests, client.enableNonRepudiationChecks],
    });
    const { claims, info } = await logIn(config, ada);
    assert.equal(claims.sub, ada.ename);
    const expected = { name: "Ada Lovelace", given_name: "Ada", email: "ada@example.org", email_verified: false };
    for (const [claim, value] of Object.entries({
      ...expected,
      amr: ["swk"],
      preferred_username: ada.ename.slice(1),
    })) {
      assert.deepEqual(claims[claim], value, claim);
      assert.deepEqual(info[claim], value, claim);
    }
  });
}
