import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createGivenKeySet } from "@dataspace/clients/remote-key-set";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import type { EName } from "@dataspace/protocol/ename";
import type { HandshakeChallenge } from "@dataspace/protocol/handshake-challenge";
import type { HandshakeResult } from "../evidence.ts";
import { issueStatusList } from "../status/issue-status-list.ts";
import { createNetworkTrust } from "../trust/network-trust.ts";
import { type ChallengeAnswer, createHandshakeVerifier, type VerifierConfig } from "../verifier/handshake-verifier.ts";
import { createTestKey, type TestKey } from "./test-key.ts";

/** A verifier with a real authority and a real attacker on loopback; wallets and challenges are in memory. */
export interface TestVerifier extends AsyncDisposable {
  /** The trusted authority's origin, and the attacker's. */
  readonly origin: string;
  readonly attackerOrigin: string;
  readonly parties: { readonly registry: TestKey; readonly authority: TestKey; readonly attackerKey: TestKey };
  readonly issue: (audience: string) => HandshakeChallenge;
  readonly verify: (answer: ChallengeAnswer) => Promise<HandshakeResult>;
  readonly certifyWallet: (person: { readonly ename: EName; readonly key: TestKey }) => void;
  /** How often the attacker's server was asked, and the authority's by path. */
  readonly attackerContacts: () => number;
  readonly authorityContacts: (path: string) => number;
}

/** The index of the one revoked certificate in `/status/1`. */
const REVOKED = 7;

/** Starts a verifier whose clock stands. Refuses: never. */
export async function startTestVerifier(
  config: { readonly nowMs: number } & Partial<VerifierConfig>,
): Promise<TestVerifier> {
  const { nowMs } = config;
  const parties = {
    registry: createTestKey("registry-1"),
    authority: createTestKey("authority-1"),
    attackerKey: createTestKey("authority-1"),
  };
  const contacts = new Map<string, number>();
  const count = (key: string) => contacts.set(key, (contacts.get(key) ?? 0) + 1);
  const authority = await listen(async (path) => {
    count(path);
    if (path === "/.well-known/jwks.json") return JSON.stringify(parties.authority.jwks);
    if (path !== "/status/1") return undefined;
    const list = { issuer: authority.origin, uri: `${authority.origin}/status/1`, revoked: [REVOKED], size: 64 };
    return issueStatusList(parties.authority, { ...list, issuedAtSeconds: Math.floor(nowMs / 1000) });
  });
  const attacker = await listen(async () => {
    count("attacker");
    return JSON.stringify(parties.attackerKey.jwks);
  });
  const registryKeys = await createGivenKeySet(parties.registry.jwks);
  const wallets = new Map<EName, Uint8Array>();
  const outstanding = new Map<string, HandshakeChallenge>();
  const clock = { nowMs: () => nowMs };
  const guardedFetch = fetch as unknown as (url: string, init: RequestInit) => Promise<Response>;
  const findCertifiedKeys = async (ename: EName) => {
    const point = wallets.get(ename);
    if (point === undefined) throw new UpstreamError("refused", "No such eName.");
    return [{ publicKey: "", point, expiresAtSeconds: nowMs / 1000 + 3600, certificate: "" }];
  };
  const verify = createHandshakeVerifier(
    {
      clock,
      log: { warn: () => undefined, error: raise },
      redeem: async (nonce) => {
        const challenge = outstanding.get(nonce);
        outstanding.delete(nonce);
        return challenge;
      },
      trust: createNetworkTrust(
        { guardedFetch, clock, registryKeys, findCertifiedKeys, verifyEs256: createVerifyEs256() },
        [authority.origin],
      ),
      verifyEcdsa: createVerifyEcdsa(),
    },
    { ...config, trustedCertifierIssuers: config.trustedCertifierIssuers ?? [authority.origin] },
  );
  return {
    origin: authority.origin,
    attackerOrigin: attacker.origin,
    parties,
    issue: (audience) => {
      const nonce = crypto.randomUUID().repeat(2).slice(0, 43);
      const issuedAt = new Date(nowMs).toISOString();
      const challenge = { nonce, audience, issuedAt, expiresAt: new Date(nowMs + 120_000).toISOString() };
      outstanding.set(nonce, challenge);
      return challenge;
    },
    verify,
    certifyWallet: ({ ename, key }) => void wallets.set(ename, decodePublicKey(key.publicKey).point),
    attackerContacts: () => contacts.get("attacker") ?? 0,
    authorityContacts: (path) => contacts.get(path) ?? 0,
    [Symbol.asyncDispose]: async () => {
      await authority[Symbol.asyncDispose]();
      await attacker[Symbol.asyncDispose]();
    },
  };
}

// An error in a check is a fault of ours, which a test must not take for a failed link.
function raise(entry: object): never {
  throw new Error("A check of the verifier threw.", { cause: entry });
}

interface Listening extends AsyncDisposable {
  readonly origin: string;
}

async function listen(answer: (path: string) => Promise<string | undefined>): Promise<Listening> {
  const server: Server = createServer(async (request, response) => {
    const text = await answer(request.url ?? "/");
    response.writeHead(text === undefined ? 404 : 200, { "content-type": "application/json" }).end(text);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    },
  };
}
