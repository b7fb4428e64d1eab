import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAuthUri, makeFileUri } from "@dataspace/protocol/wallet-uri";
import fc from "fast-check";
import vectors from "../../../vectors/signed-payloads.json" with { type: "json" };
import { parseWalletUri, type SignRequest } from "./parse-wallet-uri.ts";
import { WALLET_ERRORS, WalletError } from "./wallet-error.ts";

const SESSION = "f0e1d2c3-b4a5-4678-89ab-cdef01234567";
const CALLBACK = "https://login.example/ds/callback";
const ENAME = "@11111111-2222-4333-8444-555555555555";
const { handshake, deployment, release, accessPolicy } = vectors.own;

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString("base64");
}

/** A request to sign a message, as platforms write it. */
function signUri(data: object): string {
  const query = { session: SESSION, data: encode(data), redirect_uri: CALLBACK };
  return `ds://sign?${new URLSearchParams(query)}`;
}

function parseSign(text: string): SignRequest {
  const request = parseWalletUri(text);
  assert.ok(request.kind === "sign");
  return request;
}

test("parseWalletUri() reads a login: session, callback, who asks and the logo [S2 Login flow] [V-CNV-003] [L-FLOW-005]", () => {
  const asked = {
    redirect: `${CALLBACK}?a=1&b=2`,
    session: SESSION,
    platform: "Ann & Bob's Café +1",
    logo: "https://a.example/l.png",
  };
  const request = parseWalletUri(makeAuthUri(asked));
  const { meaning, ...rest } = request as typeof request & { meaning: object };
  assert.deepEqual(rest, { kind: "auth", text: SESSION, ...asked });
  assert.deepEqual(meaning, { kind: "session", sentence: "Your signature confirms a session, such as a login." });
});

test("parseWalletUri() reads redirects that a platform did not encode, and drops logos whose address is not a picture's [S2 Login flow]", () => {
  const request = parseWalletUri(
    ` DS://Auth/?session=${SESSION}&redirect=http://localhost:3000/api/auth?x=1&platform=My+App&logo=javascript:1\n`,
  );
  assert.ok(request.kind === "auth");
  const { redirect, platform, logo } = request;
  assert.deepEqual([redirect, platform, logo], ["http://localhost:3000/api/auth?x=1", "My App", undefined]);
});

test("parseWalletUri() reads a file's address [S1 Conventions] [V-CNV-003] [V-FILE-007]", () => {
  assert.deepEqual(parseWalletUri(makeFileUri(ENAME, "8b0c")), { kind: "file", ename: ENAME, metaEnvelopeId: "8b0c" });
});

test("a ds://sign without data asks for a signature over the session [decision I10] [V-CNV-003] [V-DEC-300]", () => {
  const { text, session, redirect, context } = parseSign(
    `ds://sign?session=${SESSION}&redirect_uri=${encodeURIComponent(CALLBACK)}`,
  );
  assert.deepEqual(
    { text, session, redirect, context },
    { text: SESSION, session: SESSION, redirect: CALLBACK, context: {} },
  );
});

test("a ds://sign with data asks for a signature over its message, which is returned in full with the accompanying data [decision I10] [V-DEC-301]", () => {
  const message = "Ich stimme zu: 100 € an 林美玲\n(zweite Zeile) +/=";
  const data = { message, sessionId: SESSION, poll: { id: 7 } };
  const { text, context, meaning } = parseSign(signUri(data));
  assert.deepEqual(
    { text, context, kind: meaning.kind },
    { text: message, context: { poll: { id: 7 } }, kind: "text" },
  );
  const bare = parseSign(`ds://sign?session=${SESSION}&data=${encode(data)}&redirect_uri=${CALLBACK}`);
  assert.equal(bare.text, message);
  const urlSafe = parseSign(
    `ds://sign?session=short&data=${Buffer.from(JSON.stringify({ message })).toString("base64url")}&redirect_uri=${CALLBACK}`,
  );
  assert.equal(urlSafe.text, message);
});

test("a message with one of the spec's prefixes is named by its kind [decision I10] [V-DEC-303]", () => {
  const document = { data: { kind: "self", name: "Ada" }, subject: ENAME, type: "self" };
  const named = [
    [handshake.payload, "handshake", /answers a platform handshake/],
    [deployment.payload, "deployment", /authorises a deployment/],
    [release.payload, "release", /submits a release/],
    [accessPolicy.payload, "accessPolicy", /changes which platforms may reach your vault/],
    ["ds:signed-reading:v1:x", "signedReading", /states a reading/],
    [JSON.stringify(document), "bindingDocument", /signs a binding document/],
    ["f0e1d2c3b4a54678", "session", /confirms a session/],
    [` ${deployment.payload}`, "text", /this text and nothing else/],
    ["null", "text", /this text/],
    ["example.com is 1.5 km away.", "text", /this text/],
  ] as const;
  for (const [message, kind, words] of named) {
    const { meaning } = parseSign(signUri({ message, sessionId: SESSION }));
    assert.equal(meaning.kind, kind, message);
    assert.match(meaning.sentence, words);
  }
});

test("an HTTP address with a session is auth by its path or by redirect, and else sign by redirect_uri [decision I10] [V-DEC-306] [V-DEC-307] [P-SBX-015]", () => {
  const [path, other] = ["https://chat.example/api/auth/offer", "https://chat.example/go"];
  const cases = [
    [`${path}?session=${SESSION}`, "auth", path],
    [`${path}?session=${SESSION}&redirect_uri=${CALLBACK}`, "auth", CALLBACK],
    [`${path}?session=${SESSION}&redirect=${CALLBACK}&redirect_uri=https://x.example`, "auth", CALLBACK],
    [`${other}?session=${SESSION}&redirect=${CALLBACK}&redirect_uri=${CALLBACK}`, "auth", CALLBACK],
    [`${other}?session=${SESSION}&redirect_uri=${CALLBACK}`, "sign", CALLBACK],
    [`http://127.0.0.1:4000/go?session=${SESSION}&redirect_uri=http://localhost:1/x`, "sign", "http://localhost:1/x"],
  ] as const;
  for (const [text, kind, redirect] of cases) {
    const request = parseWalletUri(text);
    assert.ok(request.kind !== "file");
    assert.deepEqual([request.kind, request.redirect, request.session], [kind, redirect, SESSION], text);
  }
});

const AUTH = `ds://auth?session=${SESSION}&redirect=${CALLBACK}&platform=p`;
const SIGN = `ds://sign?session=${SESSION}&redirect_uri=${CALLBACK}`;

/** Addresses that must be refused, with their code. */
const HOSTILE: Readonly<Record<string, readonly string[]>> = {
  INVALID_URI: [
    "",
    "ds://",
    "ds://auth",
    "ds://auth#?session=x",
    "ds://reveal?session=x",
    AUTH.replace("ds:", "w3ds:"),
    `x ${AUTH}`,
    `${AUTH}#f`,
    AUTH.replace("auth", "auth/../sign"),
    AUTH.replace("ds://", "ds:"),
    AUTH.replace("ds://auth", "javascript://auth"),
    AUTH.replace("ds://auth", "https://auth@"),
    `${AUTH}&session=${SESSION}`,
    `${AUTH}&redirect=https://evil.example/`,
    `${SIGN}&redirect_uri=https://evil.example/`,
    `${SIGN}&data=e30&data=e30`,
    AUTH.replace(SESSION, ""),
    AUTH.replace(SESSION, "%E0%A4%A"),
    AUTH.replace(SESSION, `${SESSION}\u0000`),
    `${AUTH}&x=${"a".repeat(65_536)}`,
    `https://chat.example/go?session=${SESSION}`,
    `https://chat.example/go?redirect_uri=${CALLBACK}`,
    `https://chat.example/api/auth`,
    "https://chat.example/",
    `file:///api/auth?session=${SESSION}`,
    "ds://file?id=@alice/1",
    `ds://file?id=${ENAME}`,
    `ds://file?id=${ENAME}/a&id=${ENAME}/b`,
  ],
  INVALID_SESSION: [
    ...[deployment.payload, accessPolicy.payload, release.payload, handshake.payload, "tooshort", "a".repeat(129)],
    ...["eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0", '{"data":{"kind":"self"}}', `${SESSION} `, `${SESSION}é`],
  ].flatMap((session) =>
    [AUTH, SIGN, `https://chat.example/api/auth?session=${SESSION}`].map((uri) =>
      uri.replace(SESSION, encodeURIComponent(session)),
    ),
  ),
  INVALID_REDIRECT: [
    ...[
      "http://chat.example/",
      "http://localhost.evil.example/",
      "http://127.0.0.1.evil.example/",
      "javascript:alert(1)",
    ],
    ...[
      "https://user:pass@chat.example/",
      "https://user@chat.example/",
      "//chat.example",
      "/callback",
      "data:text/html,x",
    ],
    ...[
      "ds://auth",
      "https://",
      "file:///etc/passwd",
      "ftp://chat.example/",
      "https://chat.example/#f",
      "http://[::2]/",
    ],
  ]
    .flatMap((redirect) => [AUTH, SIGN].map((uri) => uri.replace(CALLBACK, encodeURIComponent(redirect))))
    .concat(`ds://auth?session=${SESSION}`, `ds://sign?session=${SESSION}`),
  INVALID_SIGN_DATA: [
    ...["not base64!", "e30", encode([]), encode("x"), encode({ message: "" }), encode({ message: 7 }), "eyJ"],
    ...[encode({ message: "m", sessionId: "another-session-of-theirs" }), encode({ message: "m", sessionId: 7 })],
    ...['{"message":"a","message":"b"}', '{"message":"\\ud800"}', '{"message":"a","__proto__":{}}'].map((json) =>
      Buffer.from(json).toString("base64"),
    ),
    Buffer.from([0x7b, 0xff, 0x7d]).toString("base64"),
  ].map((data) => `${SIGN}&data=${encodeURIComponent(data)}`),
  TOKEN_TO_SIGN: [
    '{"alg":"ES256","typ":"ds-wallet+jwt"}',
    '{ "alg" : "ES256" }',
    '\n{"alg":"ES256"}',
    '\ufeff{"alg":"ES256"}',
    '{"alg":"ES256","b64":false,"crit":["b64"]}',
  ].flatMap((header) =>
    (["base64url", "base64"] as const).map((alphabet) => {
      const message = `${Buffer.from(header).toString(alphabet)}.${Buffer.from('{"iss":"x"}').toString("base64url")}`;
      return signUri({ message, sessionId: SESSION });
    }),
  ),
};

for (const [code, texts] of Object.entries(HOSTILE)) {
  test(`parseWalletUri() refuses with ${code}, and says what to do [decisions I8, I10] [V-DEC-260] [V-DEC-261] [T-36]`, () => {
    for (const text of texts) {
      assert.throws(
        () => parseWalletUri(text),
        (error: unknown) => {
          assert.ok(error instanceof WalletError, `${text} ${String(error)}`);
          assert.equal(error.code, code, `${text}: ${error.message}`);
          assert.match(error.message, /^[A-Z].+\. [A-Z].+\.$|; .+\.$/);
          return true;
        },
        text,
      );
    }
  });
}

test("whatever text comes, parseWalletUri() gives a request that is safe to sign, or a code of the table [decision I8] [V-DEC-260]", () => {
  const parts = fc.constantFrom(
    "ds://auth?",
    "ds://sign?",
    "session=",
    SESSION,
    "&",
    "redirect=",
    "redirect_uri=",
    CALLBACK,
    "data=",
    encode({ message: "m" }),
    "%",
    "#",
    "?",
    "https://a.example/api/auth?",
  );
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.array(parts, { maxLength: 12 }).map((all) => all.join("")),
  );
  let taken = 0;
  fc.assert(
    fc.property(texts, (text) => {
      try {
        const request = parseWalletUri(text);
        taken += 1;
        assert.ok(request.kind !== "auth" || /^[A-Za-z0-9_-]{16,128}$/.test(request.text));
        assert.ok(request.kind === "file" || /^https:|^http:\/\/localhost/.test(request.redirect));
      } catch (error) {
        assert.ok(error instanceof WalletError && error.code in WALLET_ERRORS, String(error));
      }
    }),
    { numRuns: 5000, examples: [[AUTH], [SIGN]] },
  );
  assert.ok(taken >= 2);
});
