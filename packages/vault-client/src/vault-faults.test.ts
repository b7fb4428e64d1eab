import assert from "node:assert/strict";
import { test } from "node:test";
import { createBearerCredential } from "./credential.ts";
import { createTestClock } from "./testing/test-clock.ts";
import { createRecord, createTestClient, readRecord, sendJson, startTestVault } from "./testing/test-vault.ts";

const NOTE = { ontology: "note-v1", payload: { text: "Hello" } };
const credential = createBearerCredential("a-token");

test("a vault that hangs ends each attempt at its time limit, and the call after the retries", async () => {
  await using server = await startTestVault(({ method }) => clock.expire(method === "HEAD" ? 2_000 : 5_000));
  const { vault, clock } = createTestClient(server.url, { credential });
  await assert.rejects(vault.create(NOTE), { name: "VaultError", code: "VAULT_UNREACHABLE", mayBeWritten: true });
  assert.deepEqual(
    server.received.map(({ method, path }) => `${method} ${path}`),
    ["POST /graphql", "HEAD /whois"],
  );
});

test("while a vault hangs, 10,000 calls at once end without 10,000 requests to it", async () => {
  await using server = await startTestVault(({ method }) => clock.expire(method === "HEAD" ? 2_000 : 5_000));
  const { vault, clock } = createTestClient(server.url, { retry: { fetch: { retries: 0 } } });
  const outcomes = await Promise.allSettled(Array.from({ length: 10_000 }, (_, id) => vault.get(`${id}`)));
  assert.ok(outcomes.every(({ status }) => status === "rejected"));
  assert.ok(server.received.length <= 40, `${server.received.length} requests`);
});

test("10,000 calls at once use at most 32 connections and all succeed", async () => {
  await using server = await startTestVault(readRecord);
  const { vault } = createTestClient(server.url);
  const before = process.memoryUsage().heapUsed;
  const read = await Promise.all(Array.from({ length: 10_000 }, (_, id) => vault.get(`${id}`)));
  assert.deepEqual([read[0]?.id, read[9_999]?.id], ["0", "9999"]);
  // 16 requests at once; the connection of one that has just ended may not be free yet.
  assert.ok(server.mostSockets() <= 32, `${server.mostSockets()} connections`);
  assert.ok(process.memoryUsage().heapUsed - before < 200 * 1_048_576);
});

test("a read whose answer breaks off is sent again", async () => {
  await using server = await startTestVault((request, response) => {
    if (server.received.length > 1) return readRecord(request, response);
    response.writeHead(200, { "content-length": "1000" }).write('{"data":');
    setImmediate(() => response.destroy());
  });
  const { vault } = createTestClient(server.url);
  assert.equal((await vault.get("7"))?.id, "7");
});

test("a write whose answer breaks off is sent again with the same Idempotency-Key", async () => {
  await using server = await startTestVault((request, response) => {
    const posts = server.received.filter(({ method }) => method === "POST");
    if (posts.length > 1 || request.method === "HEAD") return createRecord(request, response);
    response.destroy();
  });
  const { vault } = createTestClient(server.url, { credential });
  await vault.create(NOTE);
  const keys = server.received.flatMap(({ headers }) => headers["idempotency-key"] ?? []);
  assert.equal(keys.length, 2);
  assert.equal(new Set(keys).size, 1);
});

test("a write without a credential is not sent again when the vault may have done it", async () => {
  await using server = await startTestVault((_request, response) => response.destroy());
  const { vault } = createTestClient(server.url);
  await assert.rejects(vault.create(NOTE), { code: "VAULT_UNREACHABLE", mayBeWritten: true });
  assert.equal(server.received.filter(({ method }) => method === "POST").length, 1);
});

test("a 429 is sent again after its Retry-After, and is final without one or with a long one", async () => {
  let retryAfter: Record<string, string> = { "retry-after": "7" };
  await using server = await startTestVault((request, response) => {
    if (server.received.length % 2 === 0) return readRecord(request, response);
    sendJson(response, { error: { code: "RATE_LIMITED", message: "Slower." } }, { status: 429, headers: retryAfter });
  });
  const { vault, clock } = createTestClient(server.url);
  assert.equal((await vault.get("7"))?.id, "7");
  assert.ok(clock.delays.includes(7_000));
  for (retryAfter of [{}, { "retry-after": "3600" }, { "retry-after": "soon" }]) {
    await assert.rejects(vault.get("7"), { code: "RATE_LIMITED", status: 429, message: "Slower." });
    await vault.get("7");
  }
});

test("a 503 is sent again three times, each wait twice the one before", async () => {
  await using server = await startTestVault((_request, response) =>
    sendJson(response, { error: { code: "STORAGE_UNAVAILABLE", message: "Later." } }, { status: 503 }),
  );
  const { vault, clock } = createTestClient(server.url);
  await assert.rejects(vault.get("7"), { code: "STORAGE_UNAVAILABLE", status: 503 });
  assert.deepEqual(
    clock.delays.filter((delayMs) => delayMs < 2_000),
    [200, 400, 800],
  );
});

test("a refusal of any other 4xx is final, and says its code and field [P-CLT-005]", async () => {
  const error = { message: "No.", extensions: { code: "INVALID_PAGINATION", field: "first" } };
  await using server = await startTestVault((_request, response) => sendJson(response, { errors: [error] }));
  const { vault } = createTestClient(server.url);
  await assert.rejects(vault.list().next(), { code: "INVALID_PAGINATION", field: "first", status: 400 });
  assert.equal(server.received.length, 1);
});

test("the statuses and the number of retries are set for each act [P-CLT-004]", async () => {
  await using server = await startTestVault((_request, response) => sendJson(response, {}, { status: 409 }));
  const retry = { store: { statuses: [409], retries: 1 }, fetch: { retries: 0 } };
  const { vault } = createTestClient(server.url, { credential, retry });
  await assert.rejects(vault.create(NOTE), { code: "VAULT_REFUSED", status: 409 });
  assert.equal(server.received.filter(({ method }) => method === "POST").length, 2);
});

test("a vault that moves is found again, and the write is done at its new address", async () => {
  await using old = await startTestVault(createRecord);
  await using moved = await startTestVault(createRecord);
  const { vault, registry } = createTestClient(old.url, { credential });
  await vault.create(NOTE);
  await old.close();
  registry.address = { uri: moved.url, vault: "the-vault" };
  await vault.create(NOTE);
  await vault.create(NOTE);
  assert.equal(registry.asked, 2);
  assert.deepEqual(
    moved.received.map(({ method }) => method),
    ["POST", "POST"],
  );
});

test("a vault that says that it has moved is asked for at the registry, and the write is done at its new address [V18]", async () => {
  await using old = await startTestVault(createRecord);
  await using moved = await startTestVault(createRecord);
  const { vault, registry } = createTestClient(old.url);
  await vault.create(NOTE);
  old.answer = (_request, response) =>
    sendJson(response, { error: { code: "VAULT_MOVED", message: "The vault has moved." } }, { status: 404 });
  registry.address = { uri: moved.url, vault: "the-vault-at-its-new-place" };
  await vault.create(NOTE);
  assert.equal(moved.received.length, 1);
});

test("a vault that is read-only during its move has written nothing [V18]", async () => {
  await using server = await startTestVault((_request, response) =>
    sendJson(response, { error: { code: "VAULT_READ_ONLY", message: "The vault is moving." } }, { status: 503 }),
  );
  const { vault } = createTestClient(server.url, { retry: { store: { retries: 0 } } });
  await assert.rejects(vault.create(NOTE), { code: "VAULT_READ_ONLY", mayBeWritten: false });
});

test("an address where another service answers now is given up", async () => {
  await using old = await startTestVault((_request, response) => sendJson(response, "a shop", { status: 404 }));
  await using moved = await startTestVault(createRecord);
  const { vault, registry } = createTestClient(old.url);
  const address = { uri: moved.url, vault: "the-vault" };
  old.answer = (_request, response) => {
    registry.address = address;
    sendJson(response, "a shop", { status: 404 });
  };
  await vault.create(NOTE);
  assert.equal(moved.received.length, 1);
});

test("a write that one vault may have done is not sent to another vault", async () => {
  await using old = await startTestVault((_request, response) => {
    registry.address = { uri: other.url, vault: "another-vault" };
    response.destroy();
  });
  await using other = await startTestVault(createRecord);
  const { vault, registry } = createTestClient(old.url, { credential });
  await assert.rejects(vault.create(NOTE), { mayBeWritten: true });
  assert.equal(other.received.length, 0);
});

test("an address that gave no answer for 10 s is checked by HEAD /whois, and replaced when the check fails [P-CLT-003]", async () => {
  await using old = await startTestVault(readRecord);
  await using moved = await startTestVault(readRecord);
  const { vault, registry, clock } = createTestClient(old.url);
  await vault.get("1");
  clock.advance(9_999);
  await vault.get("2");
  clock.advance(10_000);
  await vault.get("3");
  const seen = old.received.map(({ method }) => method);
  assert.deepEqual(seen, ["POST", "POST", "HEAD", "POST"]);
  assert.equal(registry.asked, 1);
  old.answer = (_request, response) => sendJson(response, {}, { status: 500 });
  registry.address = { uri: moved.url, vault: "the-vault" };
  clock.advance(10_000);
  assert.equal((await vault.get("4"))?.id, "4");
  assert.equal(registry.asked, 2);
});

test("calls at once ask the registry once", async () => {
  await using server = await startTestVault(readRecord);
  const { vault, registry } = createTestClient(server.url);
  await Promise.all(Array.from({ length: 100 }, (_, id) => vault.get(`${id}`)));
  assert.equal(registry.asked, 1);
});

test("an eName that the registry does not know is refused without a request to a vault", async () => {
  const { vault, registry } = createTestClient("http://127.0.0.1:1");
  registry.address = undefined;
  await assert.rejects(vault.get("1"), { code: "UNKNOWN_ENAME", status: 404 });
  assert.equal(await vault.isHealthy(), false);
});

test("a redirect is not followed, so that no credential goes elsewhere", async () => {
  await using thief = await startTestVault(readRecord);
  await using server = await startTestVault((_request, response) =>
    response.writeHead(307, { location: `${thief.url}/graphql` }).end(),
  );
  const { vault } = createTestClient(server.url, { credential });
  await assert.rejects(vault.get("1"), { code: "VAULT_REFUSED", status: 307 });
  assert.equal(thief.received.length, 0);
});

test("an answer over 32 MiB is not read to its end", async () => {
  let sent = 0;
  await using server = await startTestVault((_request, response) => {
    const part = Buffer.alloc(1_048_576, " ");
    const pump = () => {
      while (!response.destroyed && sent < 200) {
        sent += 1;
        if (!response.write(part)) return;
      }
      response.end();
    };
    response.on("drain", pump).on("error", () => undefined);
    pump();
  });
  const { vault } = createTestClient(server.url);
  await assert.rejects(vault.get("1"), { code: "ANSWER_TOO_LARGE" });
  assert.ok(sent < 200);
});

test("an aborted call rejects with the signal's reason while it waits, while it is sent and between attempts", async () => {
  await using server = await startTestVault(() => controller.abort(reason));
  let controller = new AbortController();
  const reason = new Error("no longer needed");
  const { vault } = createTestClient(server.url, { callsAtOnce: 1 });
  const [sent, waiting] = [
    vault.get("1", { signal: controller.signal }),
    vault.get("2", { signal: controller.signal }),
  ];
  await assert.rejects(sent, reason);
  await assert.rejects(waiting, reason);
  await assert.rejects(vault.get("3", { signal: controller.signal }), reason);
  assert.equal(server.received.length, 1);
  controller = new AbortController();
  const never = createTestClock(() => false);
  const broken = createTestClient("http://127.0.0.1:1", {}, never);
  const between = broken.vault.get("4", { signal: controller.signal });
  while (!never.delays.includes(200)) await new Promise(setImmediate);
  controller.abort(reason);
  await assert.rejects(between, reason);
});

test("a call with an idempotency key or an eName that no header can carry is refused before it is sent", async () => {
  await using server = await startTestVault(createRecord);
  const { vault } = createTestClient(server.url);
  await assert.rejects(vault.create(NOTE, { idempotencyKey: "a\nb" }), { code: "BAD_REQUEST" });
  await assert.rejects(vault.create(NOTE, { onBehalfOf: "@x\r\nevil: 1" }), { code: "INVALID_ENAME" });
  assert.equal(server.received.length, 0);
});
