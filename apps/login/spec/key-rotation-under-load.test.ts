import assert from "node:assert/strict";
import { test } from "node:test";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { makeSigningKeySet, type SigningKeySet } from "../src/provider/signing-key-set.ts";
import { logIn, startLogin, type TestLogin } from "./support/start-login.ts";

const [OLD] = makeSigningKeySet();
const [NEXT] = makeSigningKeySet();
/** The settings of each step of a rotation, as `dataspace keys rotate` makes them. */
const STEPS: readonly SigningKeySet[] = [[OLD], [OLD, NEXT], [NEXT, OLD], [NEXT]];
const ISSUER = "https://login.example";
const CACHE_SECONDS = 300;
const AT_ONCE = 4;

test("the signing key rotates between logins at full traffic: every client verifies every ID token with the keys it has cached, also those from before a restart [L-LIM-013]", async (t) => {
  let nowMs = Date.now();
  let current = await startLogin(t, { signingKeys: STEPS[0], issuer: ISSUER });
  const { database } = current;
  // A client more at each step, so that each step finds caches of every age.
  const clients = STEPS.map(() =>
    createRemoteKeySet(
      { fetch: (_url, init) => fetch(`${current.url}/jwks`, init), clock: { nowMs: () => nowMs } },
      { keySetUrl: `${ISSUER}/jwks`, cacheSeconds: CACHE_SECONDS },
    ),
  );
  const signedBy = new Set<unknown>();
  let verified = 0;
  let earlier: readonly string[] = [];
  for (const [step, signingKeys] of STEPS.entries()) {
    const before = current;
    current = await startLogin(t, { signingKeys, issuer: ISSUER, database });
    await before.close();
    const idTokens = await Promise.all(Array.from({ length: AT_ONCE }, () => issueIdToken(current)));
    for (const client of clients.slice(0, step + 1)) {
      for (const idToken of [...earlier, ...idTokens]) {
        signedBy.add((await client.verify(idToken)).header.kid);
        verified += 1;
      }
    }
    earlier = idTokens;
    nowMs += (CACHE_SECONDS + 1) * 1_000;
  }
  assert.deepEqual(signedBy, new Set([OLD.kid, NEXT.kid]));
  assert.equal(verified, (1 + 2 * 2 + 3 * 2 + 4 * 2) * AT_ONCE);
});

async function issueIdToken(login: TestLogin): Promise<string> {
  const code = (await logIn(login, await login.authorize())).get("code") ?? "";
  const { id_token: idToken } = (await (await login.token(code)).json()) as { readonly id_token: string };
  return idToken;
}
