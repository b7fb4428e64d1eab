import assert from "node:assert/strict";
import { randomBytes, randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import type { BlobStore } from "../src/files/blob-store.ts";
import { openDirectoryBlobStore } from "../src/files/directory-blob-store.ts";
import { envelopeHash } from "../src/meta-envelopes/envelope-hash.ts";
import { askGraphQL } from "./support/ask.ts";
import { BINDING, self, signatureOf } from "./support/binding-documents.ts";
import { type ArchiveLines, asOwner, changeEntry, codeOf, importLines, linesOf, withEntries } from "./support/exits.ts";
import { upload } from "./support/file-requests.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { createPerson, type Person } from "./support/people.ts";
import { NO_LIMITS, startVault, type TestVault } from "./support/start-vault.ts";

/** What a test does before the store of files reads or writes. */
const gate: { get: () => Promise<void>; put: () => Promise<void> } = { get: async () => {}, put: async () => {} };
const stack = new AsyncDisposableStack();
let directory: string;
let [from, to, beside]: readonly TestVault[] = [];

before(async () => {
  directory = await mkdtemp(join(tmpdir(), "importing-"));
  stack.defer(() => rm(directory, { recursive: true }));
  const store = await openDirectoryBlobStore(directory, "DS_FILES");
  const blobs: BlobStore = {
    get: async (place) => {
      await gate.get();
      return store.get(place);
    },
    put: async (place, bytes) => {
      await gate.put();
      return store.put(place, bytes);
    },
    delete: store.delete,
  };
  from = stack.use(await startVault());
  const { registry } = from;
  const limits = { ...NO_LIMITS, bytesPerOwner: 3_000_000 };
  to = stack.use(await startVault({ limits }, { registry, blobs }));
  beside = stack.use(await startVault({ limits }, { registry, blobs, database: to.database }));
});
after(() => stack.disposeAsync());

/** A person at the first vault with an updated record, a signed binding document, and files. */
async function prepare(files = 1): Promise<{ readonly person: Person; readonly archive: ArchiveLines }> {
  const person = await createPerson(from!);
  const id = await create(from!, person.ename, { payload: { title: "one" } });
  const input = { ontology: "note", payload: { title: "two" } };
  await askGraphQL(from!, person.ename, DOCUMENTS.update, { id, input });
  const saying = self(person);
  const document = { input: { ...saying, ownerSignature: await signatureOf(person, saying) } };
  const { body } = await askGraphQL(from!, person.ename, BINDING.create, document);
  assert.deepEqual(body.data.createBindingDocument.errors, []);
  for (let n = 0; n < files; n += 1)
    await upload(from!, person.ename, { content: randomBytes(20_000).toString("base64") });
  return { person, archive: await linesOf(from!, person) };
}

/** The archive with a signature of the owner that no key made, in the document and in its version, whose hash fits. */
function forgeSignature({ header, entries }: ArchiveLines): ArchiveLines {
  const forged = entries.map((line) => {
    if (!line.includes("signatures")) return line;
    return changeEntry(line, ({ id, record_id: record, ontology, payload }) => {
      if (typeof payload !== "string") return {};
      const document = JSON.parse(payload) as { signatures: { signature: string }[] };
      document.signatures[0]!.signature = Buffer.alloc(64, 7).toString("base64");
      const text = JSON.stringify(document);
      const hash = envelopeHash({ id: record ?? id ?? "", ontology: ontology ?? "", payloadText: text });
      return { payload: text, ...(record === undefined ? {} : { envelope_hash: hash }) };
    });
  });
  return withEntries(header, forged);
}

async function filesIn(owner: string): Promise<readonly string[]> {
  const found = await readdir(directory, { recursive: true, withFileTypes: true });
  const uuid = owner.slice(1);
  return found.filter((entry) => entry.isFile() && join(entry.parentPath, entry.name).includes(uuid)).map(String);
}

async function rowsOf(owner: string): Promise<number> {
  const text = `select (select count(*) from vault where owner = $1) + (select count(*) from change where owner = $1)
    + (select count(*) from stored_file where owner = $1) + (select count(*) from vault_import where owner = $1) as n`;
  return (await to!.database.query<{ n: number }>({ text, values: [owner] })).rows[0]!.n;
}

test("an import over HTTP refuses what verify refuses offline: a forged signature, policy or hash, and a missing version [V-DEC-691]", async () => {
  const { person, archive } = await prepare();
  const { header, entries } = archive;
  const at = (kind: string, has = "") =>
    entries.findIndex((line) => line.startsWith(`["${kind}"`) && line.includes(has));
  const without = (index: number) => entries.filter((_, other) => other !== index);
  const policy = JSON.stringify(["policy", { issued_at: "2026-11-23T09:00:00+00:00", record_id: "p", policy: "{}" }]);
  const firstFile = at("file");
  const hash = { envelope_hash: "0".repeat(64) };
  const cases: readonly (readonly [string, string, ArchiveLines])[] = [
    ["signature", "ARCHIVE_SIGNATURE_INVALID", forgeSignature(archive)],
    ["policy", "is malformed", withEntries(header, entries.toSpliced(firstFile, 0, policy))],
    [
      "hash",
      "differs from its hash",
      withEntries(
        header,
        entries.with(
          at("version", '"create"'),
          changeEntry(entries[at("version", '"create"')]!, () => hash),
        ),
      ),
    ],
    ["version", "does not have 2 versions", withEntries(header, without(at("version", "update")))],
    ["key", "ARCHIVE_SIGNATURE_INVALID", withEntries(header, without(at("key")))],
    ["content", "has no content", withEntries(header, without(at("blob")))],
  ];
  for (const [name, why, forged] of cases) {
    const { status, body } = await importLines(to!, person, forged);
    assert.deepEqual([status, body.error?.code], [422, "IMPORT_REFUSED"], `${name}: ${JSON.stringify(body)}`);
    assert.ok(body.error.message.includes(why), body.error.message);
    assert.equal((await asOwner(to!, person, "DELETE /import")).status, 200);
    assert.deepEqual([await rowsOf(person.ename), await filesIn(person.ename)], [0, []], name);
  }
  assert.equal((await importLines(to!, person, archive)).body.state, "arrived");
});

test("one token buys one comparison, also where it fails, and a batch of entries [I6] [decision V26]", async () => {
  const { person, archive } = await prepare();
  const { header, entries, manifest } = archive;
  assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
  const token = await person.at(to!.url);
  const finish = () => asOwner(to!, person, "POST /import/finish", { manifest }, token);
  const codes = (await Promise.all(Array.from({ length: 6 }, finish))).map(({ body }) => body.error.code as string);
  assert.deepEqual(codes.sort(), ["IMPORT_REFUSED", ...Array(5).fill("TOKEN_SPENT")]);
  const other = await person.at(to!.url);
  const send = () => asOwner(to!, person, "POST /import/entries", { from: 0, entries }, other);
  const sent = await Promise.all(Array.from({ length: 6 }, send));
  assert.deepEqual(sent.map(({ status }) => status).sort(), [200, ...Array(5).fill(401)]);
  assert.equal((await asOwner(to!, person, "POST /import/finish", { manifest })).body.state, "arrived");
});

test("a comparison ends when its peer leaves, and gives its turn back [decision V25]", async () => {
  const { person, archive } = await prepare(5);
  const { header, entries, manifest } = archive;
  assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
  assert.equal((await asOwner(to!, person, "POST /import/entries", { from: 0, entries })).status, 200);
  let reads = 0;
  const first = Promise.withResolvers<void>();
  gate.get = async () => {
    reads += 1;
    first.resolve();
    await sleep(300);
  };
  const leaving = new AbortController();
  const headers = { "x-ename": person.ename, "content-type": "application/json", ...(await person.at(to!.url)) };
  const init = { method: "POST", headers, body: JSON.stringify({ manifest }), signal: leaving.signal };
  const gone = fetch(`${to!.url}/import/finish`, init).catch(() => undefined);
  await first.promise;
  leaving.abort();
  await gone;
  await sleep(1_500);
  assert.ok(reads <= 2, `${reads} files were read`);
  gate.get = async () => {};
  assert.equal((await asOwner(to!, person, "POST /import/finish", { manifest })).body.state, "arrived");
});

test("rows that no counter of a quota counts are counted while they arrive: answers, group names, records, events [V21]", async () => {
  const { person, archive } = await prepare(0);
  const { header } = archive;
  const expires_at = "2026-11-24T09:00:00+00:00";
  const body_hash = "0".repeat(64);
  const large = "x".repeat(700_000);
  const kinds: Readonly<Record<string, (n: number) => object>> = {
    answer: (n) => ({ caller: "a", key_hash: String(n).padStart(64, "0"), body_hash, expires_at, answer: large }),
    token: (n) => ({ token: `${n} ${"x".repeat(2_000)}`, expires_at }),
    group: (n) => ({
      ...{ record_id: `g${n}`, version: 1, ord: n, current: false, by_owner: true, statement: "", denied: null },
      granted: Array(500).fill("x".repeat(2_000)),
    }),
    record: (n) => ({
      ...{ id: `r${n}`, ontology: "note", payload: JSON.stringify({ large }), acl: null, acl_block: null, version: 1 },
      ...{ removed: false, quarantined: false, credential: "header", ord: n, opened_by: null, guest: false },
    }),
  };
  for (const [kind, row] of Object.entries(kinds)) {
    assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
    let position = 0;
    let last: readonly unknown[] = [];
    for (let tries = 0; tries < 40 && last.length === 0; tries += 1) {
      const many = kind === "token" ? 500 : 1;
      const entries = Array.from({ length: many }, (_, n) => JSON.stringify([kind, row(position + n)]));
      const sent = await asOwner(to!, person, "POST /import/entries", { from: position, entries });
      if (sent.status === 200) position = sent.body.position;
      else last = codeOf(sent);
    }
    assert.deepEqual(last, [507, "QUOTA_EXCEEDED"], `${kind}: ${position} were taken`);
    assert.equal((await asOwner(to!, person, "DELETE /import")).status, 200);
  }
});

test("many begin one import at once: each is answered with its position or MOVE_CONFLICT, and one vault is there [V-DEC-692]", async () => {
  const { person, archive } = await prepare(0);
  const { header } = archive;
  const begin = (at: TestVault) => asOwner(at, person, "POST /import", { header });
  const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => begin(n % 2 === 0 ? to! : beside!)));
  for (const answer of answers)
    assert.ok(
      answer.body.position === 0 || String(codeOf(answer)) === "409,MOVE_CONFLICT",
      JSON.stringify(answer.body),
    );
  assert.ok(answers.some(({ status }) => status === 200));
  assert.equal(await rowsOf(person.ename), 2);
  assert.equal((await asOwner(to!, person, "DELETE /import")).status, 200);
});

test("the same file twice, in a batch and at once in two processes, is stored once and refused to nobody [V-DEC-692]", async () => {
  const { person, archive } = await prepare(2);
  const { header, entries, manifest } = archive;
  const isBlob = (line: string) => line.startsWith('["blob"');
  const rows = entries.filter((line) => !isBlob(line));
  const blobs = entries.filter(isBlob);
  assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
  assert.equal((await asOwner(to!, person, "POST /import/entries", { from: 0, entries: rows })).status, 200);
  const send = (at: TestVault) =>
    asOwner(at, person, "POST /import/entries", { from: rows.length, entries: [...blobs, ...blobs] });
  const answers = await Promise.all([send(to!), send(beside!), send(to!), send(beside!)]);
  for (const answer of answers) assert.equal(answer.status, 200, JSON.stringify(answer.body));
  assert.equal((await send(to!)).status, 200);
  assert.equal((await asOwner(to!, person, "POST /import/finish", { manifest })).body.state, "arrived");
});

test("an import that is discarded while a batch is stored leaves no row and no file [V-DEC-692] [decision V26]", async () => {
  const { person, archive } = await prepare(2);
  const { header, entries } = archive;
  const [storing, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  gate.put = async () => {
    storing.resolve();
    await go.promise;
  };
  assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
  const rows = entries.filter((line) => !line.startsWith('["blob"'));
  assert.equal((await asOwner(to!, person, "POST /import/entries", { from: 0, entries: rows })).status, 200);
  const rest = entries.slice(rows.length);
  const sent = asOwner(to!, person, "POST /import/entries", { from: rows.length, entries: rest });
  await storing.promise;
  assert.equal((await asOwner(beside!, person, "DELETE /import")).status, 200);
  gate.put = async () => {};
  go.resolve();
  assert.deepEqual(codeOf(await sent), [422, "IMPORT_REFUSED"]);
  assert.deepEqual([await rowsOf(person.ename), await filesIn(person.ename)], [0, []]);
});

test("an import that is discarded, or goes on, during its comparison does not arrive [V-DEC-692] [decision V26]", async () => {
  const { person, archive } = await prepare(1);
  const { header, entries, manifest } = archive;
  const meanwhile = async (act: () => Promise<unknown>) => {
    assert.equal((await asOwner(to!, person, "POST /import", { header })).status, 200);
    assert.equal((await asOwner(to!, person, "POST /import/entries", { from: 0, entries })).status, 200);
    const [comparing, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    gate.get = async () => {
      comparing.resolve();
      await go.promise;
    };
    const finished = asOwner(to!, person, "POST /import/finish", { manifest });
    await comparing.promise;
    gate.get = async () => {};
    await act();
    go.resolve();
    const answer = await finished;
    assert.ok(
      ["409,MOVE_CONFLICT", "422,IMPORT_REFUSED"].includes(String(codeOf(answer))),
      JSON.stringify(answer.body),
    );
  };
  await meanwhile(() => asOwner(beside!, person, "DELETE /import"));
  assert.equal(await rowsOf(person.ename), 0);
  const token = JSON.stringify(["token", { token: randomUUID(), expires_at: "2026-11-24T09:00:00+00:00" }]);
  const more = { from: entries.length, entries: [token] };
  await meanwhile(async () =>
    assert.equal((await asOwner(beside!, person, "POST /import/entries", more)).body.position, entries.length + 1),
  );
  assert.equal((await asOwner(to!, person, "GET /import")).body.state, "importing");
});
