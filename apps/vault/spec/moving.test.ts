import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { readdir } from "node:fs/promises";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueImportCode } from "../src/leaving/import-codes.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { asOwner, codeOf, linesOf } from "./support/exits.ts";
import { upload } from "./support/file-requests.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

/** The files of a vault's store, those that are being written included. */
async function filesIn({ filesDirectory }: TestVault): Promise<readonly string[]> {
  const found = await readdir(filesDirectory, { recursive: true, withFileTypes: true });
  return found.filter((entry) => entry.isFile()).map(({ name }) => name);
}

test("a vault moves over HTTP: frozen, received in parts, compared, switched, opened, closed; each wrong step is refused [V-DEC-689] [V-DEC-690] [V-DEC-692] [V-DEC-693]", async () => {
  await using from = await startVault();
  await using to = await startVault({ auth: "enforced" }, { registry: from.registry });
  const person = await createPerson(from);
  const owner = person.ename;
  const id = await create(from, owner, { payload: { title: "note" } });
  await upload(from, owner, { content: randomBytes(50_000).toString("base64") });
  const title = { id, input: { ontology: "note", payload: { title: "late" } } };

  assert.deepEqual(codeOf(await asOwner(from, person, "POST /move", { to: from.url })), [400, "BAD_USER_INPUT"]);
  assert.deepEqual(codeOf(await asOwner(from, person, "POST /move/finish", {})), [409, "MOVE_CONFLICT"]);
  const frozen = await asOwner(from, person, "POST /move", { to: to.url });
  assert.deepEqual([frozen.status, frozen.body.state], [200, "moving"]);
  assert.equal((await asOwner(from, person, "POST /move", { to: to.url })).body.moveId, frozen.body.moveId);
  assert.deepEqual(codeOf(await asOwner(from, person, "POST /move", { to: "https://x.example" })), [
    409,
    "MOVE_CONFLICT",
  ]);
  assert.equal(refusalOf(await askGraphQL(from, owner, DOCUMENTS.update, title)).code, "VAULT_READ_ONLY");
  assert.equal((await askGraphQL(from, owner, DOCUMENTS.read, { id })).body.data.metaEnvelope.parsed.title, "note");
  const erase = await asOwner(from, person, "POST /erase", { confirm: owner });
  assert.deepEqual([...codeOf(erase), erase.headers.get("retry-after")], [503, "VAULT_READ_ONLY", "30"]);

  const { header, entries, manifest } = await linesOf(from, person);
  assert.deepEqual(codeOf(await asOwner(to, person, "POST /import", { header })), [403, "IMPORT_NOT_ADMITTED"]);
  const wrong = header.replace(owner, "@11111111-2222-4333-8444-555555555555");
  assert.deepEqual(codeOf(await asOwner(to, person, "POST /import", { header: wrong })), [422, "IMPORT_REFUSED"]);
  const code = await issueImportCode({ database: to.database, clock: systemClock }, owner);
  assert.equal((await asOwner(to, person, "POST /import", { header, code })).body.position, 0);
  assert.equal((await askGraphQL(to, owner, DOCUMENTS.read, { id })).body.error.code, "UNKNOWN_ENAME");
  const send = (first: number, part: readonly string[]) =>
    asOwner(to, person, "POST /import/entries", { from: first, entries: part });
  assert.deepEqual(codeOf(await send(0, ['["record",{"id":"../x"}]'])), [422, "IMPORT_REFUSED"]);
  const [, event] = JSON.parse(entries.find((line) => line.startsWith('["event"'))!) as [string, object];
  // The dispatcher writes a policy into its request as it is: more than one object would be another event.
  const policy = '{"acl":["*"]}},{"body":"{}","requestingPlatform":null,"policy":{"acl":["*"]}';
  for (const altered of [{ policy }, { body: "null" }, { event_id: randomUUID() }])
    assert.deepEqual(codeOf(await send(0, [JSON.stringify(["event", { ...event, ...altered }])])), [
      422,
      "IMPORT_REFUSED",
    ]);
  const blob = entries.find((line) => line.startsWith('["blob"'))!;
  assert.deepEqual(codeOf(await send(0, [blob])), [422, "IMPORT_REFUSED"]);
  assert.deepEqual(await filesIn(to), []);
  assert.equal((await send(0, entries.slice(0, 2))).body.position, 2);
  assert.equal((await send(0, entries.slice(0, 2))).body.position, 2);
  assert.deepEqual(codeOf(await asOwner(to, person, "POST /import/finish", { manifest })), [422, "IMPORT_REFUSED"]);
  assert.equal((await asOwner(to, person, "POST /import", { header })).body.position, 2);
  assert.equal((await send(2, entries.slice(2))).body.position, entries.length);
  assert.equal((await asOwner(to, person, "POST /import/finish", { manifest })).body.state, "arrived");
  assert.deepEqual(codeOf(await asOwner(to, person, "POST /import/activate", {})), [409, "MOVE_CONFLICT"]);
  assert.deepEqual(codeOf(await asOwner(from, person, "POST /move/finish", {})), [409, "MOVE_CONFLICT"]);

  from.registry.addresses.set(owner, to.url);
  assert.deepEqual(codeOf(await asOwner(from, person, "DELETE /move")), [409, "MOVE_CONFLICT"]);
  assert.equal((await asOwner(to, person, "POST /import/activate", {})).body.state, "active");
  assert.equal((await asOwner(from, person, "POST /move/finish", {})).body.state, "moved");
  const read = await askGraphQL(to, owner, DOCUMENTS.read, { id }, await person.at(owner));
  assert.equal(read.body.data.metaEnvelope.parsed.title, "note");
  const written = await askGraphQL(to, owner, DOCUMENTS.update, title, await person.at(owner));
  assert.deepEqual(written.body.data.updateMetaEnvelope.errors, []);
  assert.equal((await linesOf(from, person)).manifest.kinds.record.count, 2);
  const lanes = await from.database.query({ text: "select from outbox_lane where owner = $1", values: [owner] });
  assert.equal(lanes.rowCount, 0);
});

test("a vault that has moved answers every reader with 404 VAULT_MOVED and its new place [V-DEC-689]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  const place = "https://new.example";
  await asOwner(vault, person, "POST /move", { to: place });
  vault.registry.addresses.set(person.ename, place);
  await vault.database.query({
    text: "update vault set state = 'moved' where owner = $1",
    values: [person.ename],
  });
  await using second = await startVault({}, { database: vault.database, registry: vault.registry });
  for (const path of ["/whois", "/logs"]) {
    const { status, body } = await ask(second, path, { headers: { "x-ename": person.ename } });
    assert.deepEqual([path, status, body.error.code], [path, 404, "VAULT_MOVED"]);
    assert.ok(body.error.message.includes(place));
  }
});

test("a move that is undone takes writes again, and a write that waits for the move is refused, not lost [V-DEC-688]", async () => {
  await using vault = await startVault();
  const person = await createPerson(vault);
  const owner = person.ename;
  const writes = Array.from({ length: 20 }, (_, index) =>
    askGraphQL(vault, owner, DOCUMENTS.create, { input: { ontology: "note", payload: { index } } }),
  );
  const moving = asOwner(vault, person, "POST /move", { to: "https://new.example" });
  const outcomes = (await Promise.all(writes)).map(({ body }) => body.data.createMetaEnvelope.errors[0]?.code ?? "ok");
  assert.equal((await moving).status, 200);
  assert.deepEqual(
    [...new Set(outcomes)].filter((code) => code !== "ok" && code !== "VAULT_READ_ONLY"),
    [],
  );
  const { manifest } = await linesOf(vault, person);
  assert.equal(manifest.kinds.record.count, outcomes.filter((code) => code === "ok").length);
  assert.equal((await asOwner(vault, person, "DELETE /move")).body.state, "active");
  await create(vault, owner, { payload: { title: "again" } });
});
