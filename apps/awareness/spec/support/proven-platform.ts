import { randomUUID } from "node:crypto";
import type { TestContext } from "node:test";
import { createGivenKeySet } from "@dataspace/clients/remote-key-set";
import { issueStatusList } from "@dataspace/platform-auth/status/issue-status-list";
import { createTestKey } from "@dataspace/platform-auth/testing/test-key";
import { createTestPlatform, type TestPlatform } from "@dataspace/platform-auth/testing/test-platform";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { handshakePayload } from "@dataspace/protocol/handshake-challenge";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { writeDpopProof } from "@dataspace/protocol/write-dpop-proof";
import type { FindCertifiedKeys } from "@dataspace/clients/certified-keys";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { type Answer, startAwareness, type TestAwareness } from "./start-awareness.ts";

const ISSUER = "https://authority.test";
const STATUS = { uri: `${ISSUER}/status/1`, idx: 7 };

/** An awareness service, and a platform with a certificate that the service trusts. */
export interface ProvenWorld {
  readonly awareness: TestAwareness;
  readonly platform: TestPlatform;
  readonly ename: EName;
  /** Performs a handshake. */
  readonly shakeHands: (more?: object) => Promise<Answer>;
  /** The headers of a request by a bound session, with a proof of its own. */
  readonly headersFor: (token: string, path: string, method?: string) => Promise<Readonly<Record<string, string>>>;
  /** Sends a request by a bound session. */
  readonly ask: (token: string, path: string, body?: object) => Promise<Answer>;
  /** Revokes the certificate; how often its list was asked for. */
  readonly revoke: () => void;
  readonly asked: () => number;
  readonly moveMs: (byMs: number) => void;
}

/** Starts both. The authority is a `fetch` of the test's; the clock can be moved. */
export async function startProvenWorld(t: TestContext): Promise<ProvenWorld> {
  const ename = parseEName(randomUUID());
  const [registry, authority] = [createTestKey("registry-1"), createTestKey("authority-1")];
  const made = { issuer: ISSUER, nowMs: Date.now(), registry, authority, platform: ename, status: STATUS };
  const platform = await createTestPlatform(made);
  let [revoked, asked, ahead]: [readonly number[], number, number] = [[], 0, 0];
  const nowMs = () => Date.now() + ahead;
  const guardedFetch: Fetch = async (url) => {
    if (!String(url).startsWith(STATUS.uri)) return Response.json(authority.jwks);
    asked += 1;
    const issuedAtSeconds = Math.floor(nowMs() / 1000);
    return new Response(
      await issueStatusList(authority, { issuer: ISSUER, uri: STATUS.uri, revoked, size: 64, issuedAtSeconds }),
    );
  };
  const { publicKey } = platform.author.key;
  const findCertifiedKeys: FindCertifiedKeys = async () => [
    { publicKey, point: decodePublicKey(publicKey).point, expiresAtSeconds: 4e9, certificate: "" },
  ];
  const awareness = await startAwareness(t, {
    nowMs,
    findCertifiedKeys,
    legacyTokens: "reject",
    trust: { guardedFetch, registryKeys: await createGivenKeySet(registry.jwks) },
    handshakes: { trustedCertifierIssuers: [ISSUER] },
  });
  const headersFor: ProvenWorld["headersFor"] = async (token, path, method = "GET") => {
    const about = { method, url: awareness.url + path.split("?")[0], accessToken: token, jti: randomUUID() };
    const dpop = await writeDpopProof(platform.deploymentKey, { ...about, nowSeconds: nowMs() / 1000 });
    return { authorization: `DPoP ${token}`, dpop };
  };
  return {
    awareness,
    platform,
    ename,
    shakeHands: async (more = {}) => {
      const { body: challenge } = await awareness.ask("/pp-auth/challenge", { method: "POST" });
      const signature = await platform.deploymentKey.signText(await handshakePayload(challenge));
      return awareness.ask("/pp-auth/verify", { body: { challenge, evidence: platform.evidence, signature, ...more } });
    },
    headersFor,
    ask: async (token, path, body) =>
      awareness.ask(path, { body, headers: await headersFor(token, path, body === undefined ? "GET" : "POST") }),
    revoke: () => {
      revoked = [STATUS.idx];
    },
    asked: () => asked,
    moveMs: (byMs) => {
      ahead += byMs;
    },
  };
}
