import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { parseCompactJws } from "./compact-jws.ts";

const HEADER = { alg: "ES256", kid: "key-1", typ: "JWT" };
const SIGNATURE = Buffer.alloc(64, 7).toString("base64url");

test("parseCompactJws() splits a token into its parts [RFC 7515 section 7.1]", () => {
  const token = jws(HEADER, { a: 1 });
  const parsed = parseCompactJws(token);
  assert.deepEqual(parsed.header, HEADER);
  assert.deepEqual(parsed.payload, { a: 1 });
  assert.equal(Buffer.from(parsed.signingInput).toString(), token.slice(0, token.lastIndexOf(".")));
  assert.deepEqual(parsed.signature, new Uint8Array(64).fill(7));
});

test("parseCompactJws() reads the published example with ES256 once it has a kid [RFC 7515 appendix A.3]", () => {
  const payload = "eyJpc3MiOiJqb2UiLA0KICJleHAiOjEzMDA4MTkzODAsDQogImh0dHA6Ly9leGFtcGxlLmNvbS9pc19yb290Ijp0cnVlfQ";
  const signature = "DtEhU3ljbEg8L38VWAfUAqOyKAM6-Xx-F4GawxaepmXFCgfTjDxw5djxLa8ISlSApmWQxfKTUJqPP3-Kg6NU1Q";
  const parsed = parseCompactJws(`${base64Url(HEADER)}.${payload}.${signature}`);
  assert.deepEqual(parsed.payload, { iss: "joe", exp: 1300819380, "http://example.com/is_root": true });
  assert.throws(() => parseCompactJws(`eyJhbGciOiJFUzI1NiJ9.${payload}.${signature}`), { code: "INVALID_TOKEN" });
});

test("parseCompactJws() ignores key hints in the header [decision I4]", () => {
  const hints = { jku: "https://attacker.example", jwk: {}, x5u: "x", x5c: ["x"] };
  assert.deepEqual(parseCompactJws(jws({ ...HEADER, ...hints }, {})).header, HEADER);
});

test("parseCompactJws() refuses other algorithms, extensions and malformed parts [decision I4]", () => {
  const refused = {
    none: jws({ ...HEADER, alg: "none" }, {}),
    hs256: jws({ ...HEADER, alg: "HS256" }, {}),
    noAlg: jws({ kid: "key-1" }, {}),
    noKid: jws({ alg: "ES256" }, {}),
    emptyKid: jws({ ...HEADER, kid: "" }, {}),
    longKid: jws({ ...HEADER, kid: "k".repeat(129) }, {}),
    kidWithNewline: jws({ ...HEADER, kid: "a\nb" }, {}),
    kidNumber: jws({ ...HEADER, kid: 1 }, {}),
    typNumber: jws({ ...HEADER, typ: 1 }, {}),
    crit: jws({ ...HEADER, crit: ["exp"] }, {}),
    b64: jws({ ...HEADER, b64: true }, {}),
    payloadArray: jws(HEADER, []),
    payloadText: jws(HEADER, "x"),
    duplicateMember: jws(HEADER, '{"sub":"a","sub":"b"}', true),
    duplicateHeader: jws('{"alg":"ES256","kid":"a","kid":"b"}', {}, true),
    notUtf8: `${base64Url(HEADER)}.${Buffer.from([0x7b, 0xff, 0x7d]).toString("base64url")}.${SIGNATURE}`,
    shortSignature: `${base64Url(HEADER)}.e30.${Buffer.alloc(63).toString("base64url")}`,
    derSignature: `${base64Url(HEADER)}.e30.${Buffer.alloc(70).toString("base64url")}`,
    noSignature: `${base64Url(HEADER)}.e30.`,
    emptyPayload: `${base64Url(HEADER)}..${SIGNATURE}`,
    twoParts: `${base64Url(HEADER)}.e30`,
    fourParts: `${jws(HEADER, {})}.e30`,
    padding: `${base64Url(HEADER)}.e30=.${SIGNATURE}`,
    space: ` ${jws(HEADER, {})}`,
    tooLong: jws(HEADER, { a: "a".repeat(8192) }),
    empty: "",
  };
  for (const [name, token] of Object.entries(refused)) {
    assert.throws(() => parseCompactJws(token), { code: "INVALID_TOKEN" }, name);
  }
});

test("parseCompactJws() refuses garbage with its own code only [decision I4]", () => {
  const part = fc.oneof(
    fc.base64String(),
    fc.json().map((json) => Buffer.from(json).toString("base64url")),
  );
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      assert.throws(() => parseCompactJws(parts.join(".")), { code: "INVALID_TOKEN" });
    }),
  );
});

function jws(header: unknown, payload: unknown, areTexts = false): string {
  const [first, second] = [header, payload].map((part) =>
    areTexts && typeof part === "string" ? Buffer.from(part).toString("base64url") : base64Url(part),
  );
  return `${first}.${second}.${SIGNATURE}`;
}

function base64Url(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
