import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { signChallenge } from "@dataspace/platform-auth/signing/sign-challenge";
import { createTestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { createGivenTrust } from "@dataspace/platform-auth/trust/given-trust";
import { createHandshakeVerifier } from "@dataspace/platform-auth/verifier/handshake-verifier";

const issuer = "https://authority.example";
const clock = { nowMs: () => Date.now() };
const platform = await createTestPlatform({ issuer, nowMs: clock.nowMs() });
const { ename, key } = platform.author;

// The verifier: the keys it trusts, and the one challenge that it issued.
const audience = "@44444444-4444-4444-8444-444444444444";
const timeIn = (lifeMs: number) => new Date(clock.nowMs() + lifeMs).toISOString();
const challenge = { nonce: crypto.randomUUID(), audience, issuedAt: timeIn(0), expiresAt: timeIn(120_000) };
const keys = { registry: platform.registry.jwks, issuers: { [issuer]: platform.authority.jwks } };
const verify = createHandshakeVerifier(
  {
    clock,
    log: console,
    redeem: async () => challenge,
    trust: await createGivenTrust({ clock }, keys),
    verifyEcdsa: createVerifyEcdsa(),
  },
  { trustedCertifierIssuers: [issuer] },
);

// The deployment: its evidence, and its signature over the challenge.
const evidence = { ...platform.evidence, keyBindingCertificates: [await platform.bindKey(ename, key.publicKey)] };
const signature = await signChallenge(challenge, { audience, nowMs: clock.nowMs() }, platform.deploymentKey.signText);

const { ok, links, claim } = await verify({ audience, challenge, evidence, signature });
for (const { id, code, detail } of links) console.log(id, code, detail);
console.log(ok, claim);
