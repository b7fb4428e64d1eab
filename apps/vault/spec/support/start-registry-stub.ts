import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCertifiedKeys } from "@dataspace/clients/certified-keys";
import { createIsKnown } from "@dataspace/clients/known-enames";
import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { withinShare } from "@dataspace/clients/within-share";
import { createGuardedFetch } from "@dataspace/outgoing/guarded-fetch";
import { createHostResolver } from "@dataspace/outgoing/host-resolver";
import { readOutgoingAllow } from "@dataspace/outgoing/outgoing-allow";
import { createQuestionShares } from "@dataspace/service-kit/http/question-shares";
import type { Clock } from "@dataspace/service-kit/clock";
import type { RegistryPart } from "../../src/registry-part.ts";

/**
 * A registry that the test controls: it resolves the entries of `addresses`, publishes its key and signs on request.
 */
export interface RegistryStub extends AsyncDisposable {
  readonly url: string;
  readonly publicJwk: object;
  /** Where an eName's vault is. */
  readonly addresses: Map<string, string>;
  readonly sign: (payload: object, header?: object) => string;
  /** What a vault asks of it; it is asked over HTTP, but for the certificates of the vault's own owners. */
  readonly partFor: (clock: Clock) => RegistryPart;
  /** Questions to the registry that one caller may cause in a minute; 0: no limit. Set it before a vault starts. */
  questionsPerCaller: number;
  /** How many questions it still answers; a further one is 429. */
  budget: number;
  certificatesAsked: number;
  /** How often somebody resolved an eName. */
  resolved: number;
  /** Set it to make the registry unreachable. */
  down: boolean;
}

const RATE_LIMITED = JSON.stringify({ error: { code: "RATE_LIMITED", message: "too many" } });

/** Starts a stub of the registry. */
export async function startRegistryStub(): Promise<RegistryStub> {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicJwk = { ...keys.publicKey.export({ format: "jwk" }), kid: "test", alg: "ES256", use: "sig" };
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://registry");
    response.setHeader("content-type", "application/json");
    if (stub.down) return response.writeHead(503).end("{}");
    if (pathname === "/.well-known/jwks.json") return response.end(JSON.stringify({ keys: [publicJwk] }));
    stub.resolved += 1;
    if (stub.budget-- <= 0) return response.writeHead(429).end(RATE_LIMITED);
    const ename = searchParams.get("dsid") ?? "";
    const uri = stub.addresses.get(ename);
    if (uri !== undefined) return response.end(JSON.stringify({ kind: "vault", ename, uri, vault: "@v" }));
    return response.writeHead(404).end(JSON.stringify({ error: { code: "UNKNOWN_ENAME", message: "unknown" } }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const stub: RegistryStub = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    publicJwk,
    addresses: new Map(),
    sign: (payload, header = {}) => signJws(keys.privateKey, payload, header),
    partFor: (clock) => createPart(stub, clock),
    questionsPerCaller: 0,
    budget: Number.POSITIVE_INFINITY,
    certificatesAsked: 0,
    resolved: 0,
    down: false,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return stub;
}

/** The same registry seen from another process, which only asks it. */
export function registryStubAt(url: string): RegistryStub {
  const stub: RegistryStub = {
    url,
    publicJwk: {},
    addresses: new Map(),
    sign: () => {
      throw new Error("the registry signs in its own process");
    },
    partFor: (clock) => createPart(stub, clock),
    questionsPerCaller: 0,
    budget: Number.POSITIVE_INFINITY,
    certificatesAsked: 0,
    resolved: 0,
    down: false,
    [Symbol.asyncDispose]: async () => undefined,
  };
  return stub;
}

function createPart(stub: RegistryStub, clock: Clock): RegistryPart {
  const allow = readOutgoingAllow("127.0.0.0/8");
  if ("fault" in allow) throw new Error(allow.fault);
  const keySet = createRemoteKeySet({ fetch, clock }, { keySetUrl: `${stub.url}/.well-known/jwks.json` });
  // However slow a test is, its callers' minute does not end.
  const questions = createQuestionShares({ clock: { nowMs: () => 0 } }, { perMinute: stub.questionsPerCaller });
  const client = createRegistryClient({ fetch }, { registryUrl: stub.url });
  const registry = { resolve: withinShare(questions.take, client.resolve) };
  const certifyKey = async (binding: object): Promise<string> => {
    stub.certificatesAsked += 1;
    if (stub.down || stub.budget-- <= 0) throw new Error("the registry is down");
    const iat = Math.floor(clock.nowMs() / 1000);
    return stub.sign({ ...binding, iat, exp: iat + 3600 });
  };
  return {
    questions,
    certifyKey: withinShare(questions.take, certifyKey),
    verifySignature: keySet.verify,
    resolve: registry.resolve,
    isKnown: createIsKnown({ clock, registry }),
    findCertifiedKeys: createCertifiedKeys({
      clock,
      keySet,
      registry,
      guardedFetch: createGuardedFetch({ resolveHost: createHostResolver() }, { allow: allow.value }),
    }),
  };
}

function signJws(key: KeyObject, payload: object, header: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const input = `${part({ alg: "ES256", kid: "test", ...header })}.${part(payload)}`;
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}
