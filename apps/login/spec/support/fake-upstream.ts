import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { createLog } from "@dataspace/service-kit/log";
import type { CheckLogin } from "../../src/logins/check-login.ts";
import { createRegistryPart } from "../../src/registry-part.ts";
import { ADA } from "./start-login.ts";

/** The parts of a certificate that a test forges. */
export interface CertificateParts {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
}

/** A registry and a vault that say what a test tells them, and the connector's own check of wallets' answers over them. */
export interface FakeUpstream {
  readonly check: CheckLogin;
  readonly registryKey: KeyObject;
  readonly walletKey: KeyObject;
  /** A certificate of the wallet's key that is in force. */
  readonly good: CertificateParts;
  /** What the vault answers at `/whois` from now on. */
  readonly setWhois: (answer: () => Response | Promise<Response>) => void;
  /** What the vault answers at `/graphql` from now on. */
  readonly setGraphql: (answer: () => Response | Promise<Response>) => void;
  /** Requests that reached the registry or the vault. */
  readonly requests: () => number;
}

const REGISTRY_KID = "registry-1";
const TIMEOUT_MS = 300;

/** Makes them. The vault lists a good certificate and has no profile until a test sets one. Refuses: never. */
export function createFakeUpstream(): FakeUpstream {
  const registry = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const wallet = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const nowSeconds = Math.floor(Date.now() / 1000);
  const publicKey = `m${wallet.publicKey.export({ format: "der", type: "spki" }).toString("base64")}`;
  const good: CertificateParts = {
    header: { alg: "ES256", kid: REGISTRY_KID, typ: "JWT" },
    claims: { ename: ADA, publicKey, iat: nowSeconds, exp: nowSeconds + 3_600 },
  };
  let whois = (): Response | Promise<Response> =>
    Response.json({ dsid: ADA, keyBindingCertificates: [signCertificate(registry.privateKey, good)] });
  let graphql = (): Response | Promise<Response> => Response.json({ data: {} });
  let requests = 0;
  const ask = async (url: string, init: RequestInit): Promise<Response> => {
    requests += 1;
    const { pathname } = new URL(url);
    if (pathname === "/resolve") {
      return Response.json({ kind: "vault", ename: ADA, uri: "https://vault.example", vault: "vault-1" });
    }
    if (pathname === "/.well-known/jwks.json") {
      const jwk = registry.publicKey.export({ format: "jwk" });
      return Response.json({ keys: [{ ...jwk, kid: REGISTRY_KID, alg: "ES256", use: "sig" }] });
    }
    if (pathname === "/platforms/certification") return Response.json({ error: { code: "GONE" } }, { status: 410 });
    return untilAborted(pathname === "/whois" ? whois() : graphql(), init.signal);
  };
  const log = createLog({ service: "login", level: "silent", pretty: false });
  return {
    check: createRegistryPart(
      { fetch: ask, guardedFetch: ask, clock: { nowMs: () => Date.now() }, log },
      {
        issuer: "https://login.example",
        registryUrl: "https://registry.example",
        upstreamTimeoutMs: TIMEOUT_MS,
        jwksCacheSeconds: 300,
      },
    ).check,
    registryKey: registry.privateKey,
    walletKey: wallet.privateKey,
    good,
    setWhois: (answer) => {
      whois = answer;
    },
    setGraphql: (answer) => {
      graphql = answer;
    },
    requests: () => requests,
  };
}

/** Signs a certificate with ES256. In: header and claims as objects, or as JSON of another type. */
export function signCertificate(
  key: KeyObject,
  { header, claims }: { readonly header: unknown; readonly claims: unknown },
  dsaEncoding: "ieee-p1363" | "der" = "ieee-p1363",
): string {
  const input = `${encodePart(header)}.${encodePart(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding }).toString("base64url")}`;
}

/** Encodes a part of a JWS; text is taken as it is. */
export function encodePart(part: unknown): string {
  return Buffer.from(typeof part === "string" ? part : JSON.stringify(part)).toString("base64url");
}

/** Signs a session as a wallet does. Out: r and s, 64 bytes. */
export function signRaw(key: KeyObject, text: string): Buffer {
  return sign("sha256", Buffer.from(text), { key, dsaEncoding: "ieee-p1363" });
}

function untilAborted(answer: Response | Promise<Response>, signal: RequestInit["signal"]): Promise<Response> {
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
    Promise.resolve(answer).then(resolve, reject);
  });
}
