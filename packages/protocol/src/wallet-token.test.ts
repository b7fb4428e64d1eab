import assert from "node:assert/strict";
import { test } from "node:test";
import { validateWalletClaims } from "./wallet-token.ts";

const ALICE = "@11111111-2222-4333-8444-555555555555";
const BOB = "@33333333-3333-4333-8333-333333333333";
const NOW = 1_800_000_000;
const CLAIMS = { iss: ALICE, sub: ALICE, aud: BOB, iat: NOW, exp: NOW + 600, jti: "one" };
const HEADER = { alg: "ES256", typ: "ds-wallet+jwt", kid: ALICE };

test("validateWalletClaims() returns issuer, audience and expiry [decision I4] [V-TOK-004] [V-KEY-002]", () => {
  assert.deepEqual(judge(HEADER, CLAIMS), {
    ename: ALICE,
    audience: BOB,
    issuedAtSeconds: NOW,
    expiresAtSeconds: NOW + 600,
    jti: "one",
    keyId: "default",
  });
  assert.equal(judge({ ...HEADER, kid: `${ALICE}#phone` }, CLAIMS).keyId, "phone");
});

test("validateWalletClaims() gives the canonical eName of spellings in iss and sub [decision I1]", () => {
  const bare = "AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE";
  const { ename } = judge({ ...HEADER, kid: `@${bare}` }, { ...CLAIMS, iss: bare, sub: `@${bare}` });
  assert.equal(ename, "@aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee");
});

test("validateWalletClaims() takes clocks that differ by 60 s, and no more [decision I4]", () => {
  const shifted = (seconds: number) => ({ ...CLAIMS, iat: NOW + seconds, exp: NOW + seconds + 600 });
  judge(HEADER, shifted(60));
  judge(HEADER, shifted(-659));
  assert.throws(() => judge(HEADER, shifted(61)), { code: "INVALID_TOKEN" });
  assert.throws(() => judge(HEADER, shifted(-660)), { code: "INVALID_TOKEN" });
});

test("validateWalletClaims() refuses a token of another kind, for another audience, or without expiry [decision I4] [V-TOK-004]", () => {
  const { aud: _aud, ...noAudience } = CLAIMS;
  const { exp: _exp, ...noExpiry } = CLAIMS;
  const { jti: _jti, ...noJti } = CLAIMS;
  const refused: Record<string, [unknown, unknown]> = {
    jwtTyp: [{ ...HEADER, typ: "JWT" }, CLAIMS],
    noTyp: [{ alg: "ES256", kid: ALICE }, CLAIMS],
    kidOfOther: [{ ...HEADER, kid: BOB }, CLAIMS],
    kidNoEName: [{ ...HEADER, kid: "key-1" }, CLAIMS],
    kidEmptyKeyId: [{ ...HEADER, kid: `${ALICE}#` }, CLAIMS],
    issOfOther: [HEADER, { ...CLAIMS, iss: BOB }],
    subOfOther: [HEADER, { ...CLAIMS, sub: BOB }],
    issNumber: [HEADER, { ...CLAIMS, iss: 1 }],
    audOfOther: [HEADER, { ...CLAIMS, aud: ALICE }],
    audList: [HEADER, { ...CLAIMS, aud: [BOB] }],
    audOtherSpelling: [HEADER, { ...CLAIMS, aud: BOB.slice(1) }],
    noAudience: [HEADER, noAudience],
    noExpiry: [HEADER, noExpiry],
    expText: [HEADER, { ...CLAIMS, exp: String(CLAIMS.exp) }],
    tooLongLife: [HEADER, { ...CLAIMS, exp: NOW + 601 }],
    endsBeforeItBegins: [HEADER, { ...CLAIMS, exp: NOW }],
    notBeforeLater: [HEADER, { ...CLAIMS, nbf: NOW + 61 }],
    noJti: [HEADER, noJti],
    emptyJti: [HEADER, { ...CLAIMS, jti: "" }],
    longJti: [HEADER, { ...CLAIMS, jti: "j".repeat(129) }],
  };
  for (const [name, [header, claims]] of Object.entries(refused)) {
    assert.throws(() => judge(header, claims), { code: "INVALID_TOKEN" }, name);
  }
});

function judge(header: unknown, claims: unknown): ReturnType<typeof validateWalletClaims> {
  const [first, second] = [header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  const token = `${first}.${second}.${Buffer.alloc(64, 1).toString("base64url")}`;
  return validateWalletClaims(token, { audience: BOB, nowSeconds: NOW });
}
