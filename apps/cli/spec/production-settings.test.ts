import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { test } from "node:test";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { OPERATED_SERVICES } from "../src/operate/operated-services.ts";

const secret = (): string => randomBytes(32).toString("base64url");
const key = (): Record<string, string> =>
  generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" }) as Record<string, string>;
const KEY = key();
const RFC_KEY = {
  kty: "EC",
  crv: "P-256",
  x: "f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU",
  y: "x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0",
  d: "jpsQnnGQmL-YBIffH1136cspYG6-0iY7X1fCE9-E9LI",
};
const SAMPLE_SECRET = "change-me-0123456789-abcdefghijklmnop";

/** Settings with which every service starts in production. */
const GOOD: Readonly<Record<string, string>> = {
  NODE_ENV: "production",
  DATABASE_URL: "postgresql://dataspace:a-good-one@db.example.org:5432/dataspace",
  DS_REGISTRY_URL: "https://registry.example.org",
  REGISTRY_SHARED_SECRET: secret(),
  REGISTRY_SIGNING_KEY_JWK: JSON.stringify(KEY),
  DS_SECRET: secret(),
  DS_VAULT_URL: "https://vault.example.org",
  DS_FILES: "/var/lib/dataspace/files",
  DS_AWARENESS_URL: "https://awareness.example.org",
  DS_INGEST_SECRET: secret(),
  DS_AWARENESS_SIGNING_KEY_JWK: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  DS_OIDC_ISSUER: "https://login.example.org",
  DS_OIDC_SIGNING_KEY_JWK: JSON.stringify(key()),
  DS_OIDC_PORTAL_SECRET: secret(),
  DS_AUTHORITY_URL: "https://authority.example.org",
  DS_AUTHORITY_SIGNING_KEY_JWK: JSON.stringify(key()),
  DS_AUTHORITY_REVIEWERS: "@11111111-1111-4111-8111-111111111111",
};

/** A service, the settings that replace good ones (null unsets), and what each fault names. */
type Case = readonly [string, Readonly<Record<string, string | null>>, ...RegExp[]];

const BAD: readonly Case[] = [
  ["vault", { DATABASE_URL: null }, /DATABASE_URL: is required/],
  ["vault", { DS_REGISTRY_URL: null }, /DS_REGISTRY_URL: is required/],
  ["vault", { DS_REGISTRY_URL: "http://registry.example.org" }, /DS_REGISTRY_URL: must be https.*http:\/\/registry/],
  ["vault", { DS_REGISTRY_URL: "registry" }, /DS_REGISTRY_URL: must be an http or https address.*"registry"/],
  [
    "vault",
    { DS_REGISTRY_URL: "https://registry.example.org/v1" },
    /DS_REGISTRY_URL: must be an origin without a path/,
  ],
  ["vault", { DS_VAULT_URL: null }, /DS_VAULT_URL: is required in production/],
  ["vault", { DS_VAULT_URL: "http://vault.example.org" }, /DS_VAULT_URL: must be https/],
  ["vault", { DS_VAULT_AUTH: "header" }, /DS_VAULT_AUTH: header lets.*DS_ACCEPT_HEADER_TRUST=1/],
  ["vault", { DS_VAULT_AUTH: "none" }, /DS_VAULT_AUTH: must be enforced or header, not "none"/],
  ["vault", { DS_SECRET: null }, /DS_SECRET: is required/],
  ["vault", { DS_SECRET: "short" }, /DS_SECRET: must have at least 32 characters, it has 5/],
  ["vault", { DS_SECRET: "ab".repeat(20) }, /DS_SECRET: must have at least 16 different/],
  ["vault", { DS_SECRET: SAMPLE_SECRET }, /DS_SECRET: looks like a sample; make one with/],
  ["vault", { REGISTRY_SHARED_SECRET: SAMPLE_SECRET }, /REGISTRY_SHARED_SECRET: looks like a sample/],
  ["vault", { DS_INGEST_SECRET: null }, /DS_INGEST_SECRET: is required in production/],
  ["vault", { DS_AWARENESS_URL: null }, /DS_AWARENESS_URL: is required in production/],
  ["vault", { DS_AWARENESS_URL: "http://awareness.example.org" }, /DS_AWARENESS_URL: must be https/],
  [
    "vault",
    { DS_TRUSTED_AUTHORITIES: "https://a.example.org,http://b.example.org" },
    /DS_TRUSTED_AUTHORITIES: must be https.*b\.example/,
  ],
  ["vault", { DS_TRUSTED_PROXIES: "0.0.0.0/0" }, /DS_TRUSTED_PROXIES: .*"0\.0\.0\.0\/0"/],
  [
    "vault",
    { DS_FILES: "s3://bucket?endpoint=https://s3.example.org" },
    /DS_FILES_KEY_ID: is required/,
    /DS_FILES_SECRET: /,
  ],
  ["vault", { DS_VAULT_PORT: "65000" }, /DS_VAULT_PORT: must be a port.*"65000"/],
  ["vault", { DS_HOST: "a b" }, /DS_HOST: .*"a b"/],
  [
    "vault",
    { DS_SECRET_FILE: "/no/such/file", DS_SECRET: null },
    /DS_SECRET: the file named by DS_SECRET_FILE.*ENOENT/,
  ],
  ["vault", { DS_SECRET_FILE: "/etc/hostname" }, /DS_SECRET: is set, and DS_SECRET_FILE too/],
  ["registry", { REGISTRY_SIGNING_KEY_JWK: null }, /REGISTRY_SIGNING_KEY_JWK: is required/],
  ["registry", { REGISTRY_SIGNING_KEY_JWK: "{}" }, /REGISTRY_SIGNING_KEY_JWK: /],
  ["registry", { REGISTRY_SIGNING_KEY_JWK: JSON.stringify({ ...KEY, d: undefined }) }, /REGISTRY_SIGNING_KEY_JWK: /],
  [
    "registry",
    { REGISTRY_SIGNING_KEY_JWK: JSON.stringify({ ...KEY, d: key()["d"] }) },
    /REGISTRY_SIGNING_KEY_JWK: .*belong/,
  ],
  [
    "registry",
    { REGISTRY_SIGNING_KEY_JWK: JSON.stringify(RFC_KEY) },
    /REGISTRY_SIGNING_KEY_JWK: is a key that is printed in an RFC/,
  ],
  ["registry", { REGISTRY_SHARED_SECRET: null }, /REGISTRY_SHARED_SECRET: is required/],
  ["registry", { REGISTRY_LEGACY_MINT: "maybe" }, /REGISTRY_LEGACY_MINT: must be on or off/],
  ["provisioner", { DS_RATE_LIMIT_PROVISION: "0" }, /DS_RATE_LIMIT_PROVISION: must not be "0"/],
  ["provisioner", { DS_VAULT_URL: "http://vault.example.org" }, /DS_VAULT_URL: must be https/],
  ["awareness", { DS_AWARENESS_SIGNING_KEY_JWK: null }, /DS_AWARENESS_SIGNING_KEY_JWK: is required in production/],
  [
    "awareness",
    { DS_AWARENESS_SIGNING_KEY_JWK: JSON.stringify(KEY) },
    /DS_AWARENESS_SIGNING_KEY_JWK: must be an Ed25519 key/,
  ],
  ["awareness", { DS_INGEST_SECRET: null }, /DS_INGEST_SECRET: is required/],
  ["awareness", { DS_AWARENESS_ADMINS: "alice" }, /DS_AWARENESS_ADMINS: .*"alice"/],
  ["login", { DS_OIDC_SIGNING_KEY_JWK: null }, /DS_OIDC_SIGNING_KEY_JWK: is required in production/],
  ["login", { DS_OIDC_PORTAL_SECRET: null }, /DS_OIDC_PORTAL_SECRET: is required in production/],
  ["login", { DS_OIDC_ISSUER: "http://127.0.0.1:4200" }, /DS_OIDC_ISSUER: must be https/],
  ["login", { DS_OIDC_ISSUER: "https://login.example.org/oidc" }, /DS_OIDC_ISSUER: must be an origin without a path/],
  ["login", { DS_OIDC_UPSTREAM_TIMEOUT_MS: "0" }, /DS_OIDC_UPSTREAM_TIMEOUT_MS: must not be "0"/],
  ["authority", { DS_AUTHORITY_REVIEWERS: "*" }, /DS_AUTHORITY_REVIEWERS: must name the reviewers/],
  ["authority", { DS_AUTHORITY_URL: "http://authority.example.org" }, /DS_AUTHORITY_URL: must be https/],
  [
    "vault",
    { DS_REGISTRY_URL: null, DS_SECRET: "short", DS_VAULT_AUTH: "header", DS_VAULT_PORT: "x" },
    /DS_REGISTRY_URL: /,
    /DS_SECRET: /,
    /DS_VAULT_AUTH: /,
    /DS_VAULT_PORT: /,
  ],
];

function refusalOf(name: string, env: Readonly<Record<string, string>>): string | undefined {
  try {
    OPERATED_SERVICES.find((service) => service.name === name)?.read(env);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof StartupError, String(error));
    assert.equal(error.exitCode, 78);
    return error.message;
  }
}

test("with good settings every service starts in production (decision P5)", () => {
  for (const { name } of OPERATED_SERVICES) assert.equal(refusalOf(name, GOOD), undefined, name);
});

test(`${BAD.length} bad configurations are refused with 78, every fault at once, without a secret (decisions P5, P7)`, () => {
  for (const [name, replaced, ...faults] of BAD) {
    const given = Object.entries({ ...GOOD, ...replaced }).filter(([, value]) => value !== null);
    const message = refusalOf(name, Object.fromEntries(given) as Record<string, string>) ?? "it starts";
    const what = `${name} ${JSON.stringify(replaced)}: ${message}`;
    for (const fault of faults) assert.match(message, fault, what);
    if (replaced["DS_SECRET"]) assert.ok(!message.includes(replaced["DS_SECRET"]), what);
    assert.ok(!message.includes(String(KEY["d"])) && !message.includes(RFC_KEY.d), what);
  }
  assert.ok(BAD.length >= 40);
});

test("http is accepted in production for parties on this machine", () => {
  for (const url of ["http://127.0.0.1:4321", "http://localhost:4321", "http://[::1]:4321"]) {
    assert.equal(refusalOf("vault", { ...GOOD, DS_REGISTRY_URL: url, DS_AWARENESS_URL: url }), undefined, url);
  }
});
