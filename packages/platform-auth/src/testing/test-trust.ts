import { createGivenKeySet } from "@dataspace/clients/remote-key-set";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { HandshakeResult } from "../evidence.ts";
import { createNetworkTrust } from "../trust/network-trust.ts";
import type { Trust } from "../trust/trust.ts";
import { createHandshakeVerifier, type VerifierConfig } from "../verifier/handshake-verifier.ts";
import type { TestPlatform } from "./test-platform.ts";

/** A clock that a test moves; milliseconds since the epoch. */
export interface TestClock {
  readonly nowMs: () => number;
  readonly moveMs: (byMs: number) => void;
}

/** Makes a clock that stands until it is moved. Refuses: never. */
export function createTestClock(startMs: number): TestClock {
  let nowMs = startMs;
  return {
    nowMs: () => nowMs,
    moveMs: (byMs) => {
      nowMs += byMs;
    },
  };
}

/** Makes the trust of a platform's registry and author, where the issuer is reached by a `fetch` of the test's. */
export async function createTestTrust(
  platform: TestPlatform,
  { clock, fetch, issuer }: { readonly clock: TestClock; readonly fetch: Fetch; readonly issuer: string },
): Promise<Trust> {
  const verifyEs256 = createVerifyEs256();
  const registryKeys = await createGivenKeySet(platform.registry.jwks, verifyEs256);
  const { key } = platform.author;
  const certified = {
    ...decodePublicKey(key.publicKey),
    publicKey: key.publicKey,
    expiresAtSeconds: 4e9,
    certificate: "",
  };
  return createNetworkTrust(
    { guardedFetch: fetch, clock, registryKeys, verifyEs256, findCertifiedKeys: async () => [certified] },
    [issuer],
  );
}

/** Makes a function that performs a whole handshake of some evidence with one verifier, each time with a challenge of its own. */
export function createPresenter(
  trust: Trust,
  clock: TestClock,
  config: VerifierConfig,
): (platform: TestPlatform, evidence?: object) => Promise<HandshakeResult> {
  const audience = "@44444444-4444-4444-8444-444444444444";
  const challengeOf = (nonce: string) => ({
    nonce,
    audience,
    issuedAt: new Date(clock.nowMs()).toISOString(),
    expiresAt: new Date(clock.nowMs() + 120_000).toISOString(),
  });
  const verify = createHandshakeVerifier(
    {
      clock,
      log: { warn: () => undefined, error: () => undefined },
      redeem: async (nonce) => challengeOf(nonce),
      trust,
      verifyEcdsa: createVerifyEcdsa(),
    },
    config,
  );
  return async (platform, evidence = platform.evidence) => {
    const challenge = challengeOf("n".repeat(43));
    const signature = await platform.deploymentKey.signText(await handshakePayload(challenge));
    return verify({ audience, challenge: { ...challenge }, evidence: { ...evidence }, signature });
  };
}
