import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { encodePart, type FakeUpstream, signCertificate } from "./fake-upstream.ts";

/** Makes a certificate that must not count, of a world in which a good one would. */
export type Forge = (upstream: FakeUpstream) => string;

type Members = Readonly<Record<string, unknown>>;

const stranger = generateKeyPairSync("ec", { namedCurve: "P-256" });

const withHeader =
  (changes: Members): Forge =>
  ({ registryKey, good }) =>
    signCertificate(registryKey, { ...good, header: { ...good.header, ...changes } });

const withClaims =
  (changes: (claims: Members) => Members): Forge =>
  ({ registryKey, good }) =>
    signCertificate(registryKey, { ...good, claims: { ...good.claims, ...changes(good.claims) } });

const byStranger =
  (changes: Members): Forge =>
  ({ good }) =>
    signCertificate(stranger.privateKey, { ...good, header: { ...good.header, ...changes } });

const withSignature =
  (change: (signature: Buffer) => Buffer): Forge =>
  ({ registryKey, good }) => {
    const [header, claims, signature = ""] = signCertificate(registryKey, good).split(".");
    return `${header}.${claims}.${change(Buffer.from(signature, "base64url")).toString("base64url")}`;
  };

const withSecret =
  (secretOf: (key: KeyObject) => string | Buffer): Forge =>
  ({ registryKey, good }) => {
    const input = `${encodePart({ ...good.header, alg: "HS256" })}.${encodePart(good.claims)}`;
    return `${input}.${createHmac("sha256", secretOf(createPublicKey(registryKey)))
      .update(input)
      .digest("base64url")}`;
  };

const now = (): number => Math.floor(Date.now() / 1000);
const PUBLIC_JWK = stranger.publicKey.export({ format: "jwk" });
const PUBLIC_DER = stranger.publicKey.export({ format: "der", type: "spki" });

/** Forged key binding certificates by what is wrong with them. Source: T-43. */
export const FORGED_CERTIFICATES: Readonly<Record<string, Forge>> = {
  "alg none without a signature": ({ good }) =>
    `${encodePart({ ...good.header, alg: "none" })}.${encodePart(good.claims)}.`,
  "alg none with a signature": withHeader({ alg: "none" }),
  "alg None": withHeader({ alg: "None" }),
  "no alg": withHeader({ alg: undefined }),
  "alg in lower case": withHeader({ alg: "es256" }),
  "alg ES384": withHeader({ alg: "ES384" }),
  "alg ES512": withHeader({ alg: "ES512" }),
  "alg as a list": withHeader({ alg: ["ES256"] }),
  "alg twice": ({ registryKey, good }) =>
    signCertificate(registryKey, { ...good, header: `{"alg":"none",${JSON.stringify(good.header).slice(1)}` }),
  "HS256 with the registry's key in DER": withSecret((key) => key.export({ format: "der", type: "spki" })),
  "HS256 with the registry's key in PEM": withSecret((key) => key.export({ format: "pem", type: "spki" })),
  "HS256 with the registry's key as JWK": withSecret((key) => JSON.stringify(key.export({ format: "jwk" }))),
  "HS256 with an empty secret": withSecret(() => ""),
  RS256: ({ good }) => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 });
    const input = `${encodePart({ ...good.header, alg: "RS256" })}.${encodePart(good.claims)}`;
    return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
  },
  "a stranger's key": byStranger({}),
  "a stranger's key as jwk": byStranger({ jwk: PUBLIC_JWK }),
  "a stranger's key as jwk without kid": byStranger({ jwk: PUBLIC_JWK, kid: undefined }),
  "a stranger's key as x5c": byStranger({ x5c: [PUBLIC_DER.toString("base64")] }),
  "jku to a stranger": byStranger({ jku: "https://evil.example/jwks.json" }),
  "x5u to a stranger": byStranger({ x5u: "https://evil.example/chain.pem" }),
  "no kid": withHeader({ kid: undefined }),
  "an unknown kid": withHeader({ kid: "registry-2" }),
  "an empty kid": withHeader({ kid: "" }),
  "a path as kid": byStranger({ kid: "../../../../dev/null" }),
  "a member of objects as kid": byStranger({ kid: "__proto__" }),
  "a list as kid": withHeader({ kid: ["registry-1"] }),
  "a kid of 100,000 characters": withHeader({ kid: "k".repeat(100_000) }),
  crit: withHeader({ crit: ["exp"], exp: now() + 60 }),
  "b64 false": withHeader({ b64: false, crit: ["b64"] }),
  "a JWE": withHeader({ enc: "A256GCM", alg: "ECDH-ES" }),
  "JSON serialisation": ({ registryKey, good }) => {
    const [header, payload, signature] = signCertificate(registryKey, good).split(".");
    return JSON.stringify({ payload, signatures: [{ protected: header, signature }] });
  },
  "four parts": (upstream) => `${signCertificate(upstream.registryKey, upstream.good)}.x`,
  "two parts": ({ good }) => `${encodePart(good.header)}.${encodePart(good.claims)}`,
  "no text": () => "",
  "a signature in DER": ({ registryKey, good }) => signCertificate(registryKey, good, "der"),
  "no signature": withSignature(() => Buffer.alloc(0)),
  "a signature of zeros": withSignature(() => Buffer.alloc(64)),
  "a signature of ones": withSignature(() => Buffer.alloc(64, 0xff)),
  "a shortened signature": withSignature((signature) => signature.subarray(0, 63)),
  "a lengthened signature": withSignature((signature) => Buffer.concat([signature, Buffer.of(0)])),
  "a flipped bit": withSignature((signature) => Buffer.from(signature.map((byte, at) => (at === 5 ? byte ^ 1 : byte)))),
  "changed claims": ({ registryKey, good }) => {
    const [header, , signature] = signCertificate(registryKey, { ...good, claims: {} }).split(".");
    return `${header}.${encodePart(good.claims)}.${signature}`;
  },
  expired: withClaims(() => ({ iat: now() - 3_600, exp: now() - 61 })),
  "iat in the future": withClaims(() => ({ iat: now() + 600, exp: now() + 3_600 })),
  "nbf in the future": withClaims(() => ({ nbf: now() + 600 })),
  "a life above an hour": withClaims(() => ({ iat: now(), exp: now() + 3_661 })),
  "exp before iat": withClaims(() => ({ iat: now() + 30, exp: now() + 20 })),
  "no exp": withClaims(() => ({ exp: undefined })),
  "exp as text": withClaims(({ exp }) => ({ exp: String(exp) })),
  "exp without end": ({ registryKey, good }) =>
    signCertificate(registryKey, {
      ...good,
      claims: JSON.stringify(good.claims).replace(/"exp":\d+/, '"exp":1e999'),
    }),
  "another eName": withClaims(() => ({ ename: "@99999999-2222-4333-8444-555555555555" })),
  "a list of eNames": withClaims(({ ename }) => ({ ename: [ename] })),
  "no eName": withClaims(() => ({ ename: undefined })),
  "a platform token": withClaims(() => ({ platform: "https://rp.example" })),
  "an entropy token": withClaims(() => ({ entropy: "a".repeat(20) })),
  "no public key": withClaims(() => ({ publicKey: undefined })),
  "a key that is not on the curve": withClaims(() => ({ publicKey: `m${Buffer.alloc(65, 4).toString("base64")}` })),
  "the point at infinity": withClaims(() => ({ publicKey: `m${Buffer.of(0).toString("base64")}` })),
  "a list as claims": ({ registryKey, good }) => signCertificate(registryKey, { ...good, claims: [good.claims] }),
  "text as claims": ({ registryKey, good }) => signCertificate(registryKey, { ...good, claims: '"text"' }),
};
