import assert from "node:assert/strict";
import { test } from "node:test";
import type { BlobStore } from "../src/files/blob-store.ts";
import { askGraphQL } from "./support/ask.ts";
import { sendUpload } from "./support/file-requests.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const TWO = `mutation ($a: UploadFileInput!, $b: UploadFileInput!, $c: MetaEnvelopeInput!) {
  a: uploadFile(input: $a) { metaEnvelopeId errors { code } }
  b: uploadFile(input: $b) { metaEnvelopeId errors { code } }
  c: createMetaEnvelope(input: $c) { metaEnvelope { id } errors { code } }
}`;
const HELLO = { filename: "hello.txt", contentType: "text/plain", content: "aGVsbG8=" };

/** A store of files that notes how many transactions are open each time it is asked. */
function watchBlobs(openTransactions: () => Promise<number>, fails: () => boolean = () => false) {
  const blobs = new Map<string, Uint8Array>();
  const seen: number[] = [];
  const store: BlobStore = {
    put: async ({ blobKey }, bytes) => {
      seen.push(await openTransactions());
      if (fails()) throw new Error("the store does not answer");
      blobs.set(blobKey, bytes);
    },
    get: async () => undefined,
    delete: async ({ blobKey }) => {
      seen.push(await openTransactions());
      blobs.delete(blobKey);
    },
  };
  return { store, blobs, seen };
}

async function openTransactions({ database }: TestVault): Promise<number> {
  const text = `select count(*)::int as n from pg_stat_activity
    where datname = current_database() and state like 'idle in transaction%'`;
  return (await database.query<{ n: number }>({ text, values: [] })).rows[0]?.n ?? 0;
}

async function setup(fails?: () => boolean) {
  const watched: ReturnType<typeof watchBlobs> = watchBlobs(() => openTransactions(vault), fails);
  const vault: TestVault = await startVault({}, { blobs: watched.store });
  return { ...watched, vault, [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose]() };
}

const countRows = async ({ database }: TestVault, table: string): Promise<number> =>
  (await database.query({ text: `select 1 from ${table}`, values: [] })).rows.length;

test("keyed uploads reach the store of files while no transaction is open, each once, equal bytes too, and a repetition stores none [decision V26]", async () => {
  await using given = await setup();
  const { vault, blobs, seen } = given;
  const owner = await vault.createOwner();
  const variables = { a: HELLO, b: { ...HELLO, filename: "again.txt" }, c: { ontology: "note", payload: {} } };
  const sent = () => askGraphQL(vault, owner, TWO, variables, { "idempotency-key": "k" });
  const first = await sent();
  const { a, b, c } = first.body.data;
  assert.deepEqual([a.errors, b.errors, c.errors], [[], [], []]);
  assert.notEqual(a.metaEnvelopeId, b.metaEnvelopeId);
  assert.deepEqual([seen, blobs.size, await countRows(vault, "meta_envelope")], [[0, 0], 2, 3]);
  assert.deepEqual((await sent()).body, first.body);
  assert.deepEqual([blobs.size, await countRows(vault, "stored_file where state = 'kept'")], [2, 2]);
});

test("bytes of a keyed upload whose request is undone are deleted outside of the transaction, and its room is given back [decision V26]", async () => {
  await using given = await setup();
  const { vault, blobs, seen } = given;
  const owner = await vault.createOwner();
  const full = `create function no_space() returns trigger language plpgsql as $$ begin
      if new.ontology = 'note' then raise exception 'full' using errcode = 'disk_full'; end if; return new; end $$;
    create trigger no_space before insert on change for each row execute function no_space()`;
  await vault.database.query({ text: full, values: [] });
  const variables = { a: HELLO, b: HELLO, c: { ontology: "note", payload: {} } };
  assert.equal((await askGraphQL(vault, owner, TWO, variables, { "idempotency-key": "k" })).status, 503);
  assert.deepEqual([seen, blobs.size], [[0, 0, 0, 0], 0]);
  assert.equal(await countRows(vault, "stored_file"), 0);
  assert.equal(await countRows(vault, "file_usage where used_bytes > 0"), 0);
});

test("a keyed upload that the store of files does not take is UPLOAD_FAILED, and the same key works later [decision V26]", async () => {
  let down = true;
  await using given = await setup(() => down);
  const { vault, blobs, seen } = given;
  const owner = await vault.createOwner();
  assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
  const refused = await sendUpload(vault, owner, {}, { "idempotency-key": "k" });
  assert.deepEqual([refused.status, refused.body.errors[0].extensions.code], [503, "UPLOAD_FAILED"]);
  down = false;
  const later = await sendUpload(vault, owner, {}, { "idempotency-key": "k" });
  assert.deepEqual(later.body.data.uploadFile.errors, []);
  assert.deepEqual([new Set(seen), blobs.size], [new Set([0]), 1]);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.list)).body.data.metaEnvelopes.totalCount, 1);
});
