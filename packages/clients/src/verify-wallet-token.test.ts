import assert from "node:assert/strict";
import { createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { UpstreamError } from "./upstream-error.ts";
import { createVerifyWalletToken, type WalletTokenDeps } from "./verify-wallet-token.ts";

const ENAME = parseEName("@00000000-0000-4000-8000-000000000001");
const AUDIENCE = "https://service.example";
const NOW_SECONDS = 1_790_000_000;

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function makeKey(): { readonly point: Uint8Array; readonly privateKey: KeyObject } {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  return { point: publicKey.export({ format: "der", type: "spki" }).subarray(-65), privateKey };
}

function issue(privateKey: KeyObject, claims: object = {}): string {
  const header = { alg: "ES256", typ: "ds-wallet+jwt", kid: ENAME };
  const times = { iat: NOW_SECONDS, exp: NOW_SECONDS + 300 };
  const text = `${encode(header)}.${encode({ iss: ENAME, sub: ENAME, aud: AUDIENCE, jti: "one", ...times, ...claims })}`;
  return `${text}.${sign("sha256", Buffer.from(text), { key: privateKey, dsaEncoding: "ieee-p1363" }).toString("base64url")}`;
}

function verifier(deps: Partial<WalletTokenDeps>) {
  const warned: object[] = [];
  const verifyToken = createVerifyWalletToken({
    clock: { nowMs: () => NOW_SECONDS * 1000 },
    log: { warn: (entry) => warned.push(entry) },
    findCertifiedKeys: async () => assert.fail("the registry is asked"),
    verifyEcdsa: (spki, data, raw64) => {
      const key = createPublicKey({ key: Buffer.from(spki), format: "der", type: "spki" });
      return verify("sha256", data, { key, dsaEncoding: "ieee-p1363" }, raw64);
    },
    refuse: (code, message) => Object.assign(new Error(message), { code }),
    ...deps,
  });
  return { warned, verifyToken: (token: string) => verifyToken(token, AUDIENCE) };
}

const certified = (...points: readonly Uint8Array[]): Partial<WalletTokenDeps> => ({
  findCertifiedKeys: async () =>
    points.map((point) => ({ publicKey: "", point, expiresAtSeconds: Number.MAX_SAFE_INTEGER, certificate: "" })),
});

test("a token is valid when any key that is certified for its eName signed it, and for its audience only [decision I4]", async () => {
  const [first, second, other] = [makeKey(), makeKey(), makeKey()];
  const { verifyToken } = verifier(certified(first.point, second.point));
  for (const { privateKey } of [first, second]) {
    const { ename, jti, expiresAtSeconds } = await verifyToken(issue(privateKey));
    assert.deepEqual([ename, jti, expiresAtSeconds], [ENAME, "one", NOW_SECONDS + 300]);
  }
  const refused = [issue(other.privateKey), issue(first.privateKey, { aud: ENAME }), "no token"];
  for (const token of refused) await assert.rejects(verifyToken(token), { code: "INVALID_TOKEN" }, token);
  await assert.rejects(verifier(certified()).verifyToken(issue(first.privateKey)), { code: "INVALID_TOKEN" });
});

test("the service's own key log decides for an eName that has one, and nobody else is asked [decision I4]", async () => {
  const [inForce, removed] = [makeKey(), makeKey()];
  const own = verifier({ findOwnPoints: async () => [inForce.point] });
  assert.equal((await own.verifyToken(issue(inForce.privateKey))).ename, ENAME);
  await assert.rejects(own.verifyToken(issue(removed.privateKey)), { code: "INVALID_TOKEN" });
  await assert.rejects(verifier({ findOwnPoints: async () => [] }).verifyToken(issue(inForce.privateKey)), {
    code: "INVALID_TOKEN",
  });
  const elsewhere = verifier({ ...certified(inForce.point), findOwnPoints: async () => undefined });
  assert.equal((await elsewhere.verifyToken(issue(inForce.privateKey))).ename, ENAME);
});

test("an unknown eName makes a token invalid; missing keys make the request retryable and are logged [decision V2]", async () => {
  const { privateKey } = makeKey();
  const unknown = new UpstreamError("refused", "unknown", {
    refusal: { status: 404, code: undefined, body: undefined },
  });
  const failing = (error: Error) =>
    verifier({
      findCertifiedKeys: async () => {
        throw error;
      },
    });
  const nobody = failing(unknown);
  await assert.rejects(nobody.verifyToken(issue(privateKey)), { code: "INVALID_TOKEN" });
  assert.deepEqual(nobody.warned, []);
  const cause = new UpstreamError("timeout", "did not answer in time");
  const away = failing(cause);
  await assert.rejects(away.verifyToken(issue(privateKey)), { code: "REGISTRY_UNAVAILABLE" });
  assert.deepEqual(away.warned, [{ err: cause, ename: ENAME }]);
});
