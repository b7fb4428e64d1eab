import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { createRemoteJWKSet, decodeProtectedHeader, jwtVerify } from "jose";
import { makeSigningKeySet, type SigningKeySet } from "../src/provider/signing-key-set.ts";
import { CLIENT, logIn, startLogin } from "./support/start-login.ts";

type Login = Awaited<ReturnType<typeof startLogin>>;

const [OLD] = makeSigningKeySet();
const [NEXT] = makeSigningKeySet();
const ISSUER = "https://login.example";

/** A connector with these keys, as it runs between two restarts of a rotation. */
function startWith(t: TestContext, signingKeys: SigningKeySet): Promise<Login> {
  return startLogin(t, { signingKeys, issuer: ISSUER });
}

async function readKids(login: Login): Promise<readonly unknown[]> {
  const { keys } = (await (await login.get("/jwks")).json()) as { readonly keys: readonly { readonly kid: string }[] };
  return keys.map(({ kid }) => kid);
}

async function issueIdToken(login: Login): Promise<string> {
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const { id_token: idToken } = (await (await login.token(code)).json()) as { readonly id_token: string };
  return idToken;
}

test("the first key signs, and every key of the set is published with a kid of its own and no private member [L-LIM-013]", async (t) => {
  const login = await startWith(t, [OLD, NEXT]);
  assert.deepEqual(await readKids(login), [OLD.kid, NEXT.kid]);
  assert.ok(!(await (await login.get("/jwks")).text()).includes('"d"'));
  assert.equal(decodeProtectedHeader(await issueIdToken(login)).kid, OLD.kid);
});

test("no login fails while the key is rotated, at a client that reads the keys once before and keeps them [L-LIM-013]", async (t) => {
  const steps: readonly SigningKeySet[] = [[OLD, NEXT], [NEXT, OLD], [NEXT]];
  const connectors = await Promise.all(steps.map((keys) => startWith(t, keys)));
  const [announcing] = connectors;
  assert.ok(announcing);
  // A cooldown of an hour: what the client read while the next key was announced has to do.
  const keys = createRemoteJWKSet(new URL(`${announcing.url}/jwks`), { cooldownDuration: 3_600_000 });
  const signedBy: unknown[] = [];
  for (const connector of connectors) {
    const idToken = await issueIdToken(connector);
    const { protectedHeader } = await jwtVerify(idToken, keys, { issuer: ISSUER, audience: CLIENT.id });
    signedBy.push(protectedHeader.kid);
  }
  assert.deepEqual(signedBy, [OLD.kid, NEXT.kid, NEXT.kid]);
});

test("an ID token of the old key is valid until the old key is withdrawn [L-LIM-013]", async (t) => {
  const [before, during, after] = await Promise.all([
    startWith(t, [OLD, NEXT]),
    startWith(t, [NEXT, OLD]),
    startWith(t, [NEXT]),
  ]);
  const idToken = await issueIdToken(before);
  const verifyAt = (login: Login) => jwtVerify(idToken, createRemoteJWKSet(new URL(`${login.url}/jwks`)));
  assert.equal((await verifyAt(during)).protectedHeader.kid, OLD.kid);
  await assert.rejects(verifyAt(after), { code: "ERR_JWKS_NO_MATCHING_KEY" });
});
