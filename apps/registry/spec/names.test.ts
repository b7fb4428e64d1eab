import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askRefusal } from "./support/ask.ts";
import { SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

const UUID = "5ecf7860-1190-592e-925a-b2c6e0f95ff0";
const ENAME = `@${UUID}`;
const ROW = { ename: ENAME, uri: "http://127.0.0.1:4000", vault: "@11111111-2222-4333-8444-555555555555" };
const secret = { authorization: `Bearer ${SHARED_SECRET}` };
const ADDRESS = { ...ROW, originalUri: ROW.uri, resolved: false };

test("GET /resolve answers the registered vault for @name, %40name and the bare UUID in any case [S3 Registry calls, X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  await ask(`${url}/register`, { body: ROW, headers: secret });
  for (const dsid of [ENAME, `%40${UUID}`, UUID, UUID.toUpperCase(), `%20@${UUID.toUpperCase()}%20`]) {
    const { status, body } = await ask(`${url}/resolve?dsid=${dsid}`);
    assert.equal(status, 200, dsid);
    assert.deepEqual(body, { kind: "vault", ...ADDRESS });
  }
});

test("GET /resolve refuses a dsid that is missing, malformed or given twice with 400, an unknown one with 404 [I1, V2]", async (t) => {
  const { url } = await startTestRegistry(t);
  for (const query of ["", "?dsid=", "?dsid=alice", `?dsid=${ENAME}x`, `?dsid=${ENAME}&dsid=${ENAME}`, "?dsid=%00"]) {
    assert.equal(await askRefusal(`${url}/resolve${query}`), "400 BAD_REQUEST", query);
  }
  assert.equal(await askRefusal(`${url}/resolve?dsid=${ENAME}`), "404 UNKNOWN_ENAME");
});

test("POST /register answers 201 with the row, 200 for the same again, 409 for another vault of the eName [S1 Limits, X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  const first = await ask<{ id: number }>(`${url}/register`, { body: ROW, headers: secret });
  assert.equal(first.status, 201);
  assert.deepEqual(first.body, { id: first.body.id, ...ROW });
  assert.equal(typeof first.body.id, "number");

  const again = await ask(`${url}/register`, { body: { ...ROW, ename: UUID, uri: `${ROW.uri}/` }, headers: secret });
  assert.deepEqual([again.status, again.body], [200, first.body]);

  for (const other of [{ uri: "http://127.0.0.1:4001" }, { vault: "another" }]) {
    const body = { ...ROW, ...other };
    assert.equal(await askRefusal(`${url}/register`, { body, headers: secret }), "409 ENAME_TAKEN");
  }
  assert.deepEqual((await ask(`${url}/resolve?dsid=${ENAME}`)).body, { kind: "vault", ...ADDRESS });
});

test("POST /register: of 32 vaults that claim one eName at once exactly one gets it [S1 Limits: one vault per eName] [V-LIM-006]", async (t) => {
  const { url } = await startTestRegistry(t);
  const claims = Array.from({ length: 32 }, (_, index) =>
    ask(`${url}/register`, { body: { ...ROW, vault: `vault-${index}` }, headers: secret }),
  );
  const statuses = (await Promise.all(claims)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [201, ...Array(31).fill(409)]);
  assert.equal((await ask<unknown[]>(`${url}/list`)).body.length, 1);
});

test("POST /register refuses a body with a missing or unusable member with 400 [X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  const bodies = [
    "[]",
    "null",
    "{",
    ...["ename", "uri", "vault"].flatMap((name) => [
      { ...ROW, [name]: undefined },
      { ...ROW, [name]: "" },
      { ...ROW, [name]: 7 },
    ]),
    ...[
      "ftp://vault.example",
      "vault.example",
      "https://a:b@vault.example",
      "https://vault.example/?x=1",
      "https://v.example/#x",
    ].map((uri) => ({ ...ROW, uri })),
    { ...ROW, vault: "x".repeat(257) },
    { ...ROW, vault: "a\u0000b" },
  ];
  for (const body of bodies) {
    assert.equal(
      await askRefusal(`${url}/register`, { body, headers: secret }),
      "400 BAD_REQUEST",
      JSON.stringify(body),
    );
  }
});

test("PATCH /register changes the address or the vault of an eName that is registered [X2] [V-DEC-684]", async (t) => {
  const { url } = await startTestRegistry(t);
  await ask(`${url}/register`, { body: ROW, headers: secret });
  const moved = await ask(`${url}/register`, {
    method: "PATCH",
    body: { ename: UUID, uri: "https://vault.example/" },
    headers: secret,
  });
  assert.equal(moved.status, 200);
  assert.partialDeepStrictEqual(moved.body, { ...ROW, uri: "https://vault.example" });
  const renamed = await ask(`${url}/register`, {
    method: "PATCH",
    body: { ename: ENAME, vault: "v2" },
    headers: secret,
  });
  assert.partialDeepStrictEqual(renamed.body, { uri: "https://vault.example", vault: "v2" });

  const patch = (body: unknown): Promise<string> =>
    askRefusal(`${url}/register`, { method: "PATCH", body, headers: secret });
  assert.equal(await patch({ ename: ENAME }), "400 BAD_REQUEST");
  assert.equal(await patch({ uri: ROW.uri }), "400 BAD_REQUEST");
  assert.equal(await patch({ ename: `@${UUID.replace("5", "6")}`, uri: ROW.uri }), "404 UNKNOWN_ENAME");
});

test("DELETE /register frees the eName [X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  await ask(`${url}/register`, { body: ROW, headers: secret });
  const address = `${url}/register?ename=%40${UUID}`;
  const removed = await ask<{ success: boolean }>(address, { method: "DELETE", headers: secret });
  assert.deepEqual([removed.status, removed.body.success], [200, true]);
  assert.equal(await askRefusal(address, { method: "DELETE", headers: secret }), "404 UNKNOWN_ENAME");
  assert.equal(await askRefusal(`${url}/register`, { method: "DELETE", headers: secret }), "400 BAD_REQUEST");
  assert.equal(await askRefusal(`${url}/resolve?dsid=${ENAME}`), "404 UNKNOWN_ENAME");
  assert.equal((await ask(`${url}/register`, { body: { ...ROW, vault: "v2" }, headers: secret })).status, 201);
});

test("POST, PATCH and DELETE /register without the shared secret are 401 before the body is looked at [X2, V2]", async (t) => {
  const { url } = await startTestRegistry(t);
  const credentials = [
    "",
    "Bearer",
    "Bearer ",
    "Bearer wrong",
    `Basic ${SHARED_SECRET}`,
    SHARED_SECRET,
    `Bearer ${SHARED_SECRET}x`,
  ];
  for (const method of ["POST", "PATCH", "DELETE"]) {
    for (const authorization of credentials) {
      const headers: Record<string, string> = authorization === "" ? {} : { authorization };
      const body = method === "DELETE" ? undefined : "{";
      assert.equal(
        await askRefusal(`${url}/register`, { method, body, headers }),
        "401 UNAUTHENTICATED",
        authorization,
      );
    }
  }
  assert.equal(await askRefusal(`${url}/register`, { body: "{", headers: secret }), "400 BAD_REQUEST");
});
