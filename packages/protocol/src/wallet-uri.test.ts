import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { isSignableSession, makeAuthUri, makeFileUri, parseFileUri } from "./wallet-uri.ts";

const ENAME = "@11111111-2222-4333-8444-555555555555";

test("makeFileUri() writes ds://file?id=@<ename>/<id> [S1 Conventions, decision V15]", () => {
  assert.equal(makeFileUri(ENAME.slice(1).toUpperCase(), "8b0c"), `ds://file?id=${ENAME}/8b0c`);
});

test("makeFileUri() refuses ids that would end the parameter, and invalid eNames [decision V15]", () => {
  for (const id of ["", "a b", "a?b", "a#b", "a&b", "a\tb"]) {
    assert.throws(() => makeFileUri(ENAME, id), { code: "INVALID_URI" }, id);
  }
  assert.throws(() => makeFileUri("alice", "8b0c"), { code: "INVALID_ENAME" });
});

test("parseFileUri() gives back any id, split at the first slash [decision V15]", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[\w@%+:./-]{1,40}$/), (metaEnvelopeId) => {
      assert.deepEqual(parseFileUri(makeFileUri(ENAME, metaEnvelopeId)), { ename: ENAME, metaEnvelopeId });
    }),
    { numRuns: 1000 },
  );
});

test("parseFileUri() reads what URL libraries produce: encoding, a slash, other parameters [decision V15]", () => {
  const expected = { ename: ENAME, metaEnvelopeId: "8b0c" };
  const url = new URL("ds://file");
  url.searchParams.set("v", "2");
  url.searchParams.set("id", `${ENAME}/8b0c`);
  for (const text of [url.href, `DS://File/?id=${ENAME}/8b0c`, `ds://file?id=${ENAME}/8b0c&v=2`]) {
    assert.deepEqual(parseFileUri(text), expected, text);
  }
});

test("parseFileUri() refuses every other address [decision V15] [T-36]", () => {
  const refused = [
    "",
    "ds://file",
    "ds://file?id=",
    `ds://file?id=${ENAME}`,
    `ds://file?id=${ENAME}/`,
    `ds://file?id=${ENAME.slice(1)}/8b0c`,
    "ds://file?id=@alice/8b0c",
    `ds://file?id=${ENAME}/a b`,
    `ds://file?id=${ENAME}/8b0c#x`,
    `ds://file?id=%E0%A4%A`,
    `ds://file?id=${ENAME}/8b0c&id=${ENAME}/other`,
    `ds://auth?id=${ENAME}/8b0c`,
    `http://file?id=${ENAME}/8b0c`,
    `x ds://file?id=${ENAME}/8b0c`,
  ];
  for (const text of refused) {
    assert.throws(() => parseFileUri(text), { code: "INVALID_URI" }, text);
  }
});

test("isSignableSession() takes 16 to 128 letters, digits, - and _ [decision I8]", () => {
  assert.ok(isSignableSession("f0e1d2c3-b4a5_6789"));
  assert.ok(isSignableSession("a".repeat(16)) && isSignableSession("a".repeat(128)));
});

test("isSignableSession() refuses anything that could be read as something else signed [decision I8] [V-DEC-262]", () => {
  const hash = "nGgEG7mnpHzRbtqNEQQ47zk3sLnqRmTj01ky1oR3fSw";
  const refused = [
    "a".repeat(15),
    "a".repeat(129),
    `gitforge:deployment:v1:${hash}`,
    `ds:pp-auth:v1:${hash}`,
    `ds:access-policy:v1:${hash}`,
    '{"data":{"kind":"self"}}',
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0",
    `${"a".repeat(20)}\n`,
    `${"a".repeat(20)} `,
    "ééééééééééééééééé",
    "",
  ];
  assert.deepEqual(refused.filter(isSignableSession), []);
});

test("makeAuthUri() names who asks twice and the logo where there is one, each percent-encoded [S2 Login flow]", () => {
  const session = "f0e1d2c3-b4a5-4678-89ab-cdef01234567";
  const asked = { redirect: "https://login.example/ds/callback?a=1&b", session, platform: "Ann & Bob's Café" };
  const query = `redirect=https%3A%2F%2Flogin.example%2Fds%2Fcallback%3Fa%3D1%26b&session=${session}`;
  const name = "Ann%20%26%20Bob's%20Caf%C3%A9";
  assert.equal(makeAuthUri(asked), `ds://auth?${query}&platform=${name}&name=${name}`);
  const withLogo = makeAuthUri({ ...asked, logo: "https://a.example/l.png" });
  assert.ok(withLogo.endsWith("&logo=https%3A%2F%2Fa.example%2Fl.png"), withLogo);
  assert.throws(() => makeAuthUri({ ...asked, session: "ds:access-policy:v1:x" }), { code: "INVALID_SESSION" });
});
