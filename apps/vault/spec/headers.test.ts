import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "./support/ask.ts";
import { rawRequest, sendRaw } from "./support/raw-request.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const BODY =
  '{"query":"mutation { createMetaEnvelope(input: { ontology: \\"o\\", payload: {} }) { errors { code } } }"}';
const JSON_TYPE = "Content-Type: application/json";

async function writes(vault: TestVault): Promise<number> {
  const { rows } = await vault.database.query<{ n: number }>({ text: "select count(*) as n from change", values: [] });
  return rows[0]!.n;
}

const PATHS = [
  ["POST", "/graphql"],
  ["GET", "/whois"],
  ["HEAD", "/whois"],
  ["GET", "/logs"],
  ["PATCH", "/public-key"],
] as const;
for (const [method, path] of PATHS) {
  test(`${method} ${path} without X-ENAME is 400, with a malformed one 400, with an unknown one 404, before token and body are looked at [V-AUTH-001] [V-AUTH-002] [V-AUTH-003] [V-AUTH-004] [V-ERR-001] [V-ERR-006] [V-DEC-121] [V-DEC-360] [V-DEC-361] [V-DEC-362] [V-QRY-001]`, async () => {
    await using vault = await startVault();
    const send = (ename: object) => {
      const headers = { authorization: "Nonsense", "content-type": "application/json", ...ename };
      return ask(vault, path, { method, headers, ...(method === "POST" || method === "PATCH" ? { body: "{" } : {}) });
    };
    const answers: [object, number, string][] = [
      [{}, 400, "MISSING_ENAME"],
      [{ "x-ename": "" }, 400, "MISSING_ENAME"],
      [{ "x-ename": "alice" }, 400, "INVALID_ENAME"],
      [{ "x-ename": "@00000000-0000-4000-8000-000000000000" }, 404, "UNKNOWN_ENAME"],
    ];
    for (const [headers, status, code] of answers) {
      const answer = await send(headers);
      assert.equal(answer.status, status);
      if (method !== "HEAD") assert.equal(answer.body.error.code, code);
    }
    const { rows } = await vault.database.query({ text: "select 1 from vault", values: [] });
    assert.deepEqual(rows, []);
  });
}

test("an eName is the same with and without @, in any case and with spaces around it [V-DEC-120] [V-DEC-641] [T-15]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const spelling of [owner, owner.slice(1), owner.toUpperCase(), `  ${owner} `]) {
    const { body } = await ask(vault, "/whois", { headers: { "x-ename": spelling } });
    assert.equal(body.dsid, owner);
  }
});

for (const spelling of [
  "@@0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402",
  "@0f9a3cb8",
  "@0f9a3cb84a9f4b5fa1fa3a4c2eb1f402",
  "@{0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402}",
  `@${"0".repeat(200)}`,
  "@0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402,@0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402",
]) {
  test(`"${spelling.slice(0, 90)}" is no eName [V-DEC-121]`, async () => {
    await using vault = await startVault();
    const { status, body } = await ask(vault, "/whois", { headers: { "x-ename": spelling } });
    assert.deepEqual([status, body.error.code], [400, "INVALID_ENAME"]);
  });
}

test("a repeated X-ENAME, Authorization, X-ON-BEHALF-OF or Host is 400 and runs nothing [V-DEC-122] [V-DEC-123] [V-DEC-124] [V-DEC-125] [T-20]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const base = ["Host: 127.0.0.1", `X-ENAME: ${owner}`, JSON_TYPE];
  for (const repeated of [`X-ENAME: ${owner}`, `x-ename: ${owner}`, "Host: 127.0.0.1"]) {
    const { status } = await sendRaw(vault.url, rawRequest("POST /graphql", [...base, repeated], BODY));
    assert.equal(status, 400, repeated);
  }
  for (const name of ["Authorization: Bearer a", "X-ON-BEHALF-OF: @0f9a3cb8-4a9f-4b5f-a1fa-3a4c2eb1f402"]) {
    const { status, text } = await sendRaw(
      vault.url,
      rawRequest("POST /graphql", [...base, name, name.toLowerCase()], BODY),
    );
    assert.equal(status, 400, name);
    assert.match(text, /BAD_REQUEST/);
  }
  assert.equal(await writes(vault), 0);
  const { status } = await sendRaw(vault.url, rawRequest("POST /graphql", base, BODY));
  assert.deepEqual([status, await writes(vault)], [200, 1]);
});

const OWNER_LINE = (owner: string) => `X-ENAME: ${owner}`;
const MALFORMED: readonly [string, (owner: string) => string][] = [
  [
    "a folded header",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\n folded\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  [
    "a header without a colon",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\nnonsense\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  [
    "two content lengths",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\nContent-Length: 3\r\n\r\n${BODY}`,
  ],
  [
    "a length beside chunks",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\n${JSON_TYPE}\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${BODY.length.toString(16)}\r\n${BODY}\r\n0\r\n\r\n`,
  ],
  [
    "no host",
    (o) =>
      `POST /graphql HTTP/1.1\r\n${OWNER_LINE(o)}\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  [
    "a NUL in a header",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\nX-ENAME: ${o}\u0000\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  [
    "a bare line feed in a header",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\nX-ENAME: ${o}\rX: y\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
  ["a space in the method", (o) => `PO ST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\n\r\n`],
  [
    "a negative length",
    (o) => `POST /graphql HTTP/1.1\r\nHost: a\r\n${OWNER_LINE(o)}\r\n${JSON_TYPE}\r\nContent-Length: -1\r\n\r\n${BODY}`,
  ],
  [
    "letters outside ASCII in X-ENAME",
    (o) =>
      `POST /graphql HTTP/1.1\r\nHost: a\r\nX-ENAME: \uFF20${o.slice(1)}\r\n${JSON_TYPE}\r\nContent-Length: ${BODY.length}\r\n\r\n${BODY}`,
  ],
];
for (const [what, request] of MALFORMED) {
  test(`a request with ${what} is 400 and runs nothing`, async () => {
    await using vault = await startVault();
    const owner = await vault.createOwner();
    const { status } = await sendRaw(
      vault.url,
      request(owner).replace("HTTP/1.1\r\n", "HTTP/1.1\r\nConnection: close\r\n"),
    );
    assert.equal(status, 400);
    assert.equal(await writes(vault), 0);
  });
}

test("forwarded headers change nothing that is answered [T-21]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const headers = {
    "x-ename": owner,
    "x-forwarded-host": "evil.example",
    "x-forwarded-for": "1.2.3.4",
    forwarded: "host=evil.example",
  };
  const { status, body } = await ask(vault, "/whois", { headers });
  assert.equal(status, 200);
  assert.doesNotMatch(JSON.stringify(body), /evil/);
});

test("a /graphql body may have 16 MiB in header mode and no more; at other endpoints 1 MiB: 413 PAYLOAD_TOO_LARGE [V-DEC-008] [V-DEC-010] [V-DEC-011]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const start = '{"query":"{ __typename }","extensions":"';
  const post = (size: number) =>
    ask(vault, "/graphql", {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner },
      body: `${start}${"x".repeat(size - start.length - 2)}"}`,
    });
  assert.deepEqual([(await post(16 * 1_048_576)).status], [200]);
  const tooLarge = await post(16 * 1_048_576 + 1);
  assert.deepEqual([tooLarge.status, tooLarge.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
  const key = await ask(vault, "/public-key", {
    method: "PATCH",
    headers: {
      "content-type": "application/json",
      "x-ename": owner,
      authorization: "Bearer service-token-of-this-test-0123456789",
    },
    body: `"${"x".repeat(1_048_577)}"`,
  });
  assert.deepEqual([key.status, key.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
});

test("an anonymous /graphql body may have 1 MiB: 413 beyond, also without a length [V-DEC-009]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const headers = { "content-type": "application/json", "x-ename": owner };
  const text = `{"query":"{ __typename }","extensions":"${"x".repeat(1_048_576)}"}`;
  const sized = await ask(vault, "/graphql", { method: "POST", headers, body: text });
  assert.deepEqual([sized.status, sized.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
  const stream = new Blob([text]).stream();
  const streamed = await ask(vault, "/graphql", {
    method: "POST",
    headers,
    body: stream,
    duplex: "half",
  } as RequestInit);
  assert.deepEqual([streamed.status, streamed.body.error.code], [413, "PAYLOAD_TOO_LARGE"]);
});

test("with a token a /graphql body may have 16 MiB where callers prove themselves [V-DEC-007]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const owner = await vault.createOwner();
  const iat = Math.floor(Date.now() / 1000);
  const authorization = `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}`;
  const headers = { "content-type": "application/json", "x-ename": owner, authorization };
  const start = '{"query":"{ __typename }","extensions":"';
  const post = async (size: number) => {
    const body = `${start}${"x".repeat(size - start.length - 2)}"}`;
    return (await ask(vault, "/graphql", { method: "POST", headers, body })).status;
  };
  assert.deepEqual([await post(16 * 1_048_576), await post(16 * 1_048_576 + 1)], [200, 413]);
});
