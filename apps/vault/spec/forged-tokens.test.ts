import assert from "node:assert/strict";
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, randomUUID, sign } from "node:crypto";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { test } from "node:test";
import { decodePublicKey, pointToSpki } from "@dataspace/protocol/public-key";
import { ask } from "./support/ask.ts";
import { startRegistryStub } from "./support/start-registry-stub.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** A wallet token as it should be, in pieces, and everything a forger may have at hand. */
interface Forgery {
  readonly header: Readonly<Record<string, unknown>>;
  readonly claims: Readonly<Record<string, unknown>>;
  readonly person: string;
  readonly owner: string;
  readonly nowSeconds: number;
  readonly key: KeyObject;
  readonly spki: Buffer;
  readonly stranger: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  /** Where the forger's own key set would be served. */
  readonly keySetUrl: string;
  readonly vault: TestVault;
}

type Json = Readonly<Record<string, unknown>>;

const part = (value: unknown) =>
  Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64url");

function es256(
  key: KeyObject,
  header: Json | string,
  claims: unknown,
  dsaEncoding: "ieee-p1363" | "der" = "ieee-p1363",
) {
  const input = `${part(header)}.${part(claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), { key, dsaEncoding }).toString("base64url")}`;
}

function hs256({ header, claims }: Forgery, secret: Buffer | string): string {
  const input = `${part({ ...header, alg: "HS256" })}.${part(claims)}`;
  return `${input}.${createHmac("sha256", secret).update(input).digest("base64url")}`;
}

function rsa(forgery: Forgery, alg: string): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const input = `${part({ ...forgery.header, alg })}.${part(forgery.claims)}`;
  return `${input}.${sign("sha256", Buffer.from(input), privateKey).toString("base64url")}`;
}

/** Signs with the right key what differs from the good token in these members; undefined takes one away. */
const withHeader = (changes: Json) => (f: Forgery) => es256(f.key, { ...f.header, ...changes }, f.claims);
const withClaims = (changes: (f: Forgery) => Json) => (f: Forgery) =>
  es256(f.key, f.header, { ...f.claims, ...changes(f) });
/** Signs with a stranger's key, and says in the header where that key is. */
const byStranger = (changes: (f: Forgery) => Json) => (f: Forgery) =>
  es256(f.stranger.privateKey, { ...f.header, ...changes(f) }, f.claims);
const withSignature = (signature: (good: Buffer) => Buffer) => (f: Forgery) => {
  const [header, claims, good = ""] = es256(f.key, f.header, f.claims).split(".");
  return `${header}.${claims}.${signature(Buffer.from(good, "base64url")).toString("base64url")}`;
};

const FORGERIES: Readonly<Record<string, (f: Forgery) => string>> = {
  "alg none without signature": ({ header, claims }) => `${part({ ...header, alg: "none" })}.${part(claims)}.`,
  "alg None": withHeader({ alg: "None" }),
  "alg none with a signature": withHeader({ alg: "none" }),
  "no alg": withHeader({ alg: undefined }),
  "alg in lower case": withHeader({ alg: "es256" }),
  "alg ES384": withHeader({ alg: "ES384" }),
  "alg as a list": withHeader({ alg: ["ES256"] }),
  "HS256 with the public key's DER as secret": (f) => hs256(f, f.spki),
  "HS256 with the public key's PEM as secret": (f) =>
    hs256(f, createPublicKey({ key: f.spki, format: "der", type: "spki" }).export({ format: "pem", type: "spki" })),
  "HS256 with an empty secret": (f) => hs256(f, ""),
  RS256: (f) => rsa(f, "RS256"),
  PS256: (f) => rsa(f, "PS256"),
  "no kid": withHeader({ kid: undefined }),
  "a path as kid": byStranger(() => ({ kid: "../../../../dev/null" })),
  "a URL as kid": byStranger((f) => ({ kid: f.keySetUrl })),
  "SQL as kid": byStranger(() => ({ kid: "x'/**/union/**/select/**/'key" })),
  "a kid of 5,000 characters": withHeader({ kid: "@".repeat(5_000) }),
  "a kid with a line break": withHeader({ kid: "@x\n@y" }),
  "a list as kid": withHeader({ kid: ["x"] }),
  "the kid of another eName": withHeader({ kid: "@00000000-0000-4000-8000-000000000000" }),
  "a kid with an empty key id": (f) => es256(f.key, { ...f.header, kid: `${f.person}#` }, f.claims),
  "jku to the forger's keys": byStranger((f) => ({ jku: f.keySetUrl })),
  "x5u to the forger's keys": byStranger((f) => ({ x5u: f.keySetUrl })),
  "the forger's key as jwk": byStranger((f) => ({ jwk: f.stranger.publicKey.export({ format: "jwk" }) })),
  "the forger's key as x5c": byStranger((f) => ({
    x5c: [f.stranger.publicKey.export({ format: "der", type: "spki" }).toString("base64")],
  })),
  crit: withHeader({ crit: ["exp"] }),
  "an empty crit": withHeader({ crit: [] }),
  "b64 false": withHeader({ b64: false }),
  "no typ": withHeader({ typ: undefined }),
  "typ JWT": withHeader({ typ: "JWT" }),
  "typ in upper case": withHeader({ typ: "DS-WALLET+JWT" }),
  "alg twice": (f) => es256(f.key, `{"alg":"none",${JSON.stringify(f.header).slice(1)}`, f.claims),
  "sub twice": (f) => es256(f.key, f.header, `{"sub":"@x",${JSON.stringify(f.claims).slice(1)}`),
  "another's key": byStranger(() => ({})),
  expired: withClaims((f) => ({ iat: f.nowSeconds - 400, exp: f.nowSeconds - 100 })),
  "no exp": withClaims(() => ({ exp: undefined })),
  "exp as text": withClaims((f) => ({ exp: String(f.nowSeconds + 300) })),
  "exp without end": (f) => es256(f.key, f.header, JSON.stringify(f.claims).replace(/"exp":\d+/, '"exp":1e999')),
  "no iat": withClaims(() => ({ iat: undefined })),
  "iat in the future": withClaims((f) => ({ iat: f.nowSeconds + 120, exp: f.nowSeconds + 400 })),
  "nbf in the future": withClaims((f) => ({ nbf: f.nowSeconds + 120 })),
  "a life of 601 s": withClaims((f) => ({ iat: f.nowSeconds, exp: f.nowSeconds + 601 })),
  "an exp before its iat": withClaims((f) => ({ iat: f.nowSeconds + 30, exp: f.nowSeconds + 20 })),
  "the aud of another vault": withClaims(() => ({ aud: `@${randomUUID()}` })),
  "a list as aud": withClaims((f) => ({ aud: [f.owner] })),
  "no aud": withClaims(() => ({ aud: undefined })),
  "an aud in upper case": withClaims((f) => ({ aud: f.owner.toUpperCase() })),
  "another sub": withClaims(() => ({ sub: `@${randomUUID()}` })),
  "another iss": withClaims(() => ({ iss: `@${randomUUID()}` })),
  "no iss": withClaims(() => ({ iss: undefined })),
  "the owner as iss and sub": withClaims((f) => ({ iss: f.owner, sub: f.owner })),
  "no jti": withClaims(() => ({ jti: undefined })),
  "an empty jti": withClaims(() => ({ jti: "" })),
  "a jti of 129 characters": withClaims(() => ({ jti: "j".repeat(129) })),
  "over 8 KiB": withClaims(() => ({ pad: "x".repeat(9_000) })),
  "a list as payload": (f) => es256(f.key, f.header, [f.claims]),
  "text as payload": (f) => es256(f.key, f.header, '"text"'),
  "a payload with a byte order mark": (f) => es256(f.key, f.header, `\uFEFF${JSON.stringify(f.claims)}`),
  "a signature in DER": (f) => es256(f.key, f.header, f.claims, "der"),
  "a shortened signature": withSignature((good) => good.subarray(0, 63)),
  "a lengthened signature": withSignature((good) => Buffer.concat([good, Buffer.of(0)])),
  "a signature of zeros": withSignature(() => Buffer.alloc(64)),
  "a flipped bit": withSignature((good) => good.fill(good[5]! ^ 1, 5, 6)),
  "changed claims": (f) => {
    const [header, , signature] = es256(f.key, f.header, f.claims).split(".");
    return `${header}.${part({ ...f.claims, jti: "another" })}.${signature}`;
  },
  "two parts": (f) => es256(f.key, f.header, f.claims).split(".").slice(0, 2).join("."),
  "five parts": (f) => `${es256(f.key, f.header, f.claims)}.e30.e30`,
  padding: (f) => es256(f.key, f.header, f.claims).replace(".", "=."),
  "the registry's signature": (f) => f.vault.signAsRegistry(f.claims, f.header),
  "a key binding certificate": (f) =>
    f.vault.signAsRegistry({ ename: f.person, publicKey: "z", iat: f.nowSeconds, exp: f.nowSeconds + 3600 }),
  "a key binding certificate with the typ": (f) =>
    f.vault.signAsRegistry({ ename: f.person, publicKey: "z", iat: f.nowSeconds, exp: f.nowSeconds + 300 }, f.header),
  "a key binding certificate with all claims": (f) =>
    f.vault.signAsRegistry({ ...f.claims, ename: f.person, publicKey: "z" }, { typ: "ds-wallet+jwt" }),
  "an entropy token": (f) =>
    f.vault.signAsRegistry({ entropy: "AbCdEfGhIjKlMnOpQrSt", iat: f.nowSeconds, exp: f.nowSeconds + 300 }),
  "an entropy token with the typ": (f) =>
    f.vault.signAsRegistry({ ...f.claims, entropy: "AbCdEfGhIjKlMnOpQrSt" }, { typ: "ds-wallet+jwt" }),
  "a platform token with the typ": (f) =>
    f.vault.signAsRegistry({ ...f.claims, platform: "https://p.example" }, f.header),
};

for (const where of ["here", "elsewhere"] as const) {
  test(`${Object.keys(FORGERIES).length} forged tokens of a person ${where} are 401 INVALID_TOKEN, the true one is not, and no key hint is followed [V-TOK-001] [V-TOK-002] [V-TOK-003] [V-TOK-004] [V-TOK-005] [V-TOK-006] [V-TOK-014] [V-TOK-015] [V-TOK-016] [V-TOK-017] [V-TOK-018] [V-TOK-019] [V-TOK-020]`, async () => {
    await using registry = await startRegistryStub();
    await using vault = await startVault({ auth: "header" }, { registry });
    await using other = await startVault({ auth: "header" }, { registry });
    let hints = 0;
    const keySet = createTcpServer((socket) => {
      hints += 1;
      socket.destroy();
    });
    await new Promise<void>((resolve) => keySet.listen(0, "127.0.0.1", resolve));
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const spki = publicKey.export({ format: "der", type: "spki" });
    const text = `z${spki.toString("hex")}`;
    assert.deepEqual(pointToSpki(decodePublicKey(text).point), new Uint8Array(spki));
    const owner = await vault.createOwner();
    const person = await (where === "here" ? vault : other).createOwner(text);
    const nowSeconds = Math.floor(Date.now() / 1000);
    const forgery = (): Forgery => ({
      header: { alg: "ES256", typ: "ds-wallet+jwt", kid: person },
      claims: { iss: person, sub: person, aud: owner, iat: nowSeconds, exp: nowSeconds + 300, jti: randomUUID() },
      ...{ person, owner, nowSeconds, key: privateKey, spki, vault },
      stranger: generateKeyPairSync("ec", { namedCurve: "P-256" }),
      keySetUrl: `http://127.0.0.1:${(keySet.address() as AddressInfo).port}/jwks.json`,
    });
    const send = async (token: string): Promise<string> => {
      const { status, body } = await ask(vault, "/logs", {
        headers: { "x-ename": owner, authorization: `Bearer ${token}` },
      });
      return `${status} ${body.error?.code ?? ""}`;
    };
    const good = forgery();
    for (const kid of [person, `${person}#default`, `${person}#phone`]) {
      assert.equal(await send(es256(good.key, { ...good.header, kid }, good.claims)), "200 ");
    }
    const outcomes = await Promise.all(
      Object.entries(FORGERIES).map(async ([what, forge]) => [what, await send(forge(forgery()))]),
    );
    assert.deepEqual(
      outcomes,
      Object.keys(FORGERIES).map((what) => [what, "401 INVALID_TOKEN"]),
    );
    assert.equal(hints, 0);
    await new Promise((resolve) => keySet.close(resolve));
  });
}
