import { randomBytes, randomUUID, sign } from "node:crypto";
import { createVerifyEcdsa } from "@dataspace/clients/verify-ecdsa";
import { pointThumbprint } from "@dataspace/platform-auth/sessions/dpop-proof";
import { createSessionStore } from "@dataspace/platform-auth/sessions/session-store";
import { createVerifySession } from "@dataspace/platform-auth/sessions/verify-session";
import { createTestKey } from "@dataspace/platform-auth/testing/test-key";
import { createTestPlatform, type TestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { createTestClock, createTestTrust } from "@dataspace/platform-auth/testing/test-trust";
import { createHandshakeVerifier } from "@dataspace/platform-auth/verifier/handshake-verifier";
import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
import type { TokenBinding } from "@dataspace/platform-auth/evidence";
import { type Comparison, compare, type Variant } from "./support/compare.ts";
import { runAsyncInTurn } from "./support/cpu-loop.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const ISSUER = "https://authority.example";
const NOW_MS = Date.UTC(2026, 0, 16, 12);
const CHALLENGE = {
  nonce: "n".repeat(43),
  audience: "@44444444-4444-4444-8444-444444444444",
  issuedAt: new Date(NOW_MS).toISOString(),
  expiresAt: new Date(NOW_MS + 120_000).toISOString(),
};
const PLATFORMS = 16;
/** Challenge, bundle, submission, its key certificate, and the certificate. */
const SIGNATURES = 5;
const PROOFS = 20_000;
/** Windows are shorter and more of them, so that what slows the machine for a second meets all variants. */
const FINER = 10;

const HANDSHAKE = "a handshake's six links";
const BARE = `${SIGNATURES} bare signature checks`;
const SESSION = "a session without binding";
const DPOP = "a session with its DPoP proof";

/** Verifies handshakes beside the bare signature checks that each must make, and checks sessions; one thread, no network. */
export async function benchHandshakeVerification(context: BenchContext): Promise<BenchReport> {
  const works: Record<string, () => Promise<boolean>> = {
    [HANDSHAKE]: await handshakes(),
    [BARE]: bareChecks(),
    [SESSION]: await sessionChecks("none"),
    [DPOP]: await sessionChecks("dpop"),
  };
  const { windowMs, rounds } = context.sizes;
  const finer = { ...context.sizes, windowMs: windowMs / FINER, rounds: rounds * FINER };
  const variants: Variant[] = Object.entries(works).map(([name, work]) => ({
    name,
    servicePid: process.pid,
    run: () => runAsyncInTurn(work, { batch: 20, durationMs: finer.windowMs }),
  }));
  const comparison = await compare({ ...context, sizes: finer }, variants);
  const verifiedUs = cpuUs(comparison, HANDSHAKE);
  const bareUs = cpuUs(comparison, BARE);
  return {
    outcomes: [
      {
        name: "handshakes verified per second of CPU",
        measured: 1e6 / verifiedUs,
        bar: 1_000,
        atMost: false,
        unit: "/s",
      },
      {
        name: "the bare signature checks' share of a handshake's cost",
        measured: comparison.ratio("serviceCpuUs", BARE, HANDSHAKE),
        bar: 0.6,
        atMost: false,
      },
      { name: "CPU of a session check", measured: cpuUs(comparison, SESSION), bar: 50, atMost: true, unit: " us" },
      { name: "CPU of a DPoP check", measured: cpuUs(comparison, DPOP), bar: 250, atMost: true, unit: " us" },
    ],
    figures: comparison.figures,
    notes: [
      `The floor of this machine in this run: ${SIGNATURES} bare checks take ${bareUs.toFixed(0)} us, so that nothing could verify more than ${(1e6 / bareUs).toFixed(0)} handshakes per second of CPU; one takes ${(bareUs / SIGNATURES).toFixed(0)} us. A session check with its proof takes ${(comparison.ratio("serviceCpuUs", DPOP, BARE) * SIGNATURES).toFixed(2)} of one bare check.`,
      `Each handshake is JSON text of one of ${PLATFORMS} platforms and holds at six links, with keys at hand. The bare checks are ECDSA verifications with imported keys, as many as a handshake needs. A session is found in memory after its first use.`,
    ],
  };
}

function cpuUs({ figures }: Comparison, name: string): number {
  return figures.find((figure) => figure.name === name)?.serviceCpuUs ?? Number.NaN;
}

async function handshakes(): Promise<() => Promise<boolean>> {
  const shared = { registry: createTestKey("registry-1"), authority: createTestKey("authority-1") };
  const [author, clock] = [createTestKey("author"), createTestClock(NOW_MS)];
  const platforms: TestPlatform[] = [];
  for (let left = PLATFORMS; left > 0; left -= 1) {
    const ename = "@33333333-3333-4333-8333-333333333333" as TestPlatform["author"]["ename"];
    platforms.push(
      await createTestPlatform({
        ...shared,
        issuer: ISSUER,
        nowMs: NOW_MS,
        platform: randomUUID(),
        author: { ename, key: author },
      }),
    );
  }
  const [first] = platforms as [TestPlatform];
  const fetch = async () => Response.json(shared.authority.jwks);
  const verify = createHandshakeVerifier(
    {
      clock,
      log: { warn: () => undefined, error: () => undefined },
      redeem: async () => CHALLENGE,
      trust: await createTestTrust(first, { clock, fetch, issuer: ISSUER }),
      verifyEcdsa: createVerifyEcdsa(),
    },
    { trustedCertifierIssuers: [ISSUER] },
  );
  const payload = await handshakePayload(CHALLENGE);
  const requests = await Promise.all(
    platforms.map(async ({ evidence, deploymentKey }) =>
      JSON.stringify({ challenge: CHALLENGE, evidence, signature: await deploymentKey.signText(payload) }),
    ),
  );
  let turn = 0;
  return async () => {
    const request = JSON.parse(requests[turn++ % PLATFORMS] as string);
    return (await verify({ ...request, audience: CHALLENGE.audience })).ok;
  };
}

function bareChecks(): () => Promise<boolean> {
  const verify = createVerifyEcdsa();
  const data = randomBytes(256);
  const keys = Array.from({ length: PLATFORMS }, () => createTestKey("bare"));
  const signed = keys.map(({ publicKey, privateKey }) => ({
    spki: pointToSpki(decodePublicKey(publicKey).point),
    raw64: sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" }),
  }));
  let turn = 0;
  return async () => {
    const { spki, raw64 } = signed[turn++ % PLATFORMS] as (typeof signed)[number];
    let held = true;
    for (let left = SIGNATURES; left > 0; left -= 1) held &&= verify(spki, data, raw64);
    return held;
  };
}

async function sessionChecks(binding: TokenBinding): Promise<() => Promise<boolean>> {
  const key = createTestKey("deployment");
  const clock = createTestClock(NOW_MS);
  const platform = await createTestPlatform({ issuer: ISSUER, nowMs: NOW_MS });
  const claim = {
    ...{ platform: platform.evidence.platformEname, deployment: platform.evidence.deploymentEname, version: "1.4.0" },
    ...{ level: "L3" as const, domains: ["social"], versionEname: platform.evidence.versionEname },
    ...{ environment: "production", deployer: platform.author.ename, issuer: ISSUER, certificateId: "1" },
    expiresAt: new Date(NOW_MS + 86_400_000).toISOString(),
  };
  const sessions = createSessionStore({ database: rememberOneRow(), clock, randomBytes }, { table: "session" });
  const keyThumbprint = pointThumbprint(decodePublicKey(key.publicKey).point);
  const { access_token: token } = await sessions.open({
    audience: CHALLENGE.audience,
    claim,
    status: null,
    binding,
    keyThumbprint,
  });
  const url = "https://vault.example/graphql";
  const proof = (jti: number) =>
    writeDpopProof(key, { method: "POST", url, accessToken: token, jti: String(jti), nowSeconds: NOW_MS / 1000 });
  const proofs = binding === "dpop" ? await Promise.all(Array.from({ length: PROOFS }, (_none, at) => proof(at))) : [];
  const statusOf = async () => "valid" as const;
  const verify = createVerifySession(
    { clock, sessions, statusOf, verifyEcdsa: createVerifyEcdsa(), refuse: (message) => new Error(message) },
    { requireBinding: false },
  );
  let turn = 0;
  return async () => {
    // A proof that comes round counts as the same request's, so that it is judged in full.
    const again = turn >= PROOFS;
    const scheme = binding === "dpop" ? "DPoP" : "Bearer";
    const credential = { scheme, token, proof: proofs[turn++ % PROOFS], method: "POST", url, again } as const;
    return (await verify(CHALLENGE.audience, credential)).claim.level === "L3";
  };
}

/** A database of one session, since the look-up in memory is what is measured. */
function rememberOneRow(): Parameters<typeof createSessionStore>[0]["database"] {
  let row: object | undefined;
  return {
    query: async <Row>({ name, values }: { readonly name?: string; readonly values: readonly unknown[] }) => {
      const [, audience, claim, key_thumbprint, expires_at] = values as string[];
      if (name?.endsWith(":open"))
        row = { audience, claim, key_thumbprint, expires_at: new Date(expires_at as string) };
      return { rows: (row === undefined ? [] : [row]) as unknown as readonly Row[], rowCount: 1 };
    },
  };
}
