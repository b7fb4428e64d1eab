import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readdir, rm } from "node:fs/promises";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { createLog } from "@dataspace/service-kit/log";
import { createSecret } from "@dataspace/service-kit/secret";
import { createBlobAddresses } from "../src/files/blob-addresses.ts";
import { openDirectoryBlobStore } from "../src/files/directory-blob-store.ts";
import { noBlobStore } from "../src/files/no-blob-store.ts";
import { sweepFiles } from "../src/operations/sweep-files.ts";
import { ask, askGraphQL } from "./support/ask.ts";
import { countFiles, promiseFiles } from "./support/file-promises.ts";
import { download, locate, sendUpload, upload } from "./support/file-requests.ts";
import { create, DOCUMENTS, refusalOf } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { NO_LIMITS, startVault, type TestVault } from "./support/start-vault.ts";

promiseFiles("a directory", async () => {
  const vault = await startVault();
  const blobDirectory = vault.filesDirectory;
  return { vault, blobDirectory, [Symbol.asyncDispose]: () => vault[Symbol.asyncDispose]() };
});

const sizesOf = async (vault: TestVault) =>
  (
    await vault.database.query({
      text: "select state, count(*)::int as n from stored_file group by 1 order by 1",
      values: [],
    })
  ).rows;

test("content that is not strict base64 is INVALID_CONTENT, and nothing is stored [V-FILE-005]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const contents = [
    "a",
    "aGVsbG8",
    "aGVsbG8=\n",
    "aGVs bG8=",
    "aGVsbG9=",
    "_-8=",
    "aGVsbG8==",
    "=",
    "data:,hello",
    "data:text/plain,aGVs",
  ];
  for (const content of contents) {
    const { code, field } = refusalOf(await sendUpload(vault, owner, { content }));
    assert.deepEqual([content, code, field], [content, "INVALID_CONTENT", "content"]);
  }
  assert.deepEqual(await sizesOf(vault), []);
});

test("a data: URI is measured without its head: one byte over 10 MiB is FILE_TOO_LARGE [V-DEC-006]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const content = (length: number) => `data:image/png;base64,${Buffer.alloc(length).toString("base64")}`;
  await upload(vault, owner, { content: content(10_485_760) });
  const { code, field } = refusalOf(await sendUpload(vault, owner, { content: content(10_485_761) }));
  assert.deepEqual([code, field], ["FILE_TOO_LARGE", "content"]);
});

test("a name is never a path or a header: hostile names are stored as text and sent in a harmless form, or refused (decision V15)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const sent: readonly (readonly [string, string])[] = [
    ["../../etc/passwd", `filename="passwd"; filename*=UTF-8''passwd`],
    ["..\\..\\boot.ini", `filename="boot.ini"; filename*=UTF-8''boot.ini`],
    ['a";x="b.txt', `filename="a__x__b.txt"; filename*=UTF-8''a%22%3Bx%3D%22b.txt`],
    ["photo\u202egpj.exe", `filename="photogpj.exe"; filename*=UTF-8''photogpj.exe`],
    ["it's (1)*.txt", `filename="it_s _1__.txt"; filename*=UTF-8''it%27s%20%281%29%2a.txt`],
    ["Привет €.pdf", `filename="______ _.pdf"; filename*=UTF-8''%D0%9F%D1%80%D0%B8%D0%B2%D0%B5%D1%82%20%E2%82%AC.pdf`],
    ["..", `filename="file"; filename*=UTF-8''file`],
    ["x".repeat(255), `filename="${"x".repeat(255)}"; filename*=UTF-8''${"x".repeat(255)}`],
  ];
  for (const [filename, expected] of sent) {
    const { metaEnvelopeId, publicUrl } = await upload(vault, owner, { filename, acl: ["*"] });
    const { headers } = await download(publicUrl!);
    assert.equal(headers.get("content-disposition"), `attachment; ${expected}`);
    const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id: metaEnvelopeId });
    assert.equal(body.data.metaEnvelope.parsed.filename, filename);
  }
  for (const [filename, expected] of [
    ["", "BAD_USER_INPUT"],
    ["x".repeat(256), "BAD_USER_INPUT"],
    ["a\r\nset-cookie: b", "BAD_USER_INPUT"],
    ["a\u0000b", "INVALID_TEXT"],
    ["a\ud800b", "INVALID_TEXT"],
  ] as const) {
    const { code, field } = refusalOf(await sendUpload(vault, owner, { filename }));
    assert.deepEqual([code, field], [expected, "filename"]);
  }
  const names = (await readdir(vault.filesDirectory, { recursive: true })).join("\n");
  assert.doesNotMatch(names, /passwd|boot|photo|x{9}/);
});

test("a media type that is none is refused, and one that an update made of it is not sent (decision V15)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (const contentType of [
    "",
    "html",
    "text/html\r\nx: y",
    "text/",
    "text/html, x/y",
    `a/${"b".repeat(255)}`,
    "tëxt/html",
  ]) {
    const { code, field } = refusalOf(await sendUpload(vault, owner, { contentType }));
    assert.deepEqual([contentType, code, field], [contentType, "BAD_USER_INPUT", "contentType"]);
  }
  const { metaEnvelopeId: id, publicUrl } = await upload(vault, owner, {
    contentType: "text/plain; charset=utf-8",
    acl: ["*"],
  });
  assert.equal((await download(publicUrl!)).headers.get("content-type"), "text/plain; charset=utf-8");
  for (const payload of [
    { contentType: "a\r\nb: c", filename: "a\r\nb: c" },
    { contentType: { a: 1 }, filename: null },
  ]) {
    await askGraphQL(vault, owner, DOCUMENTS.update, { id, input: { ontology: "ds-file-v1", payload } });
    const { status, headers } = await download(publicUrl!);
    assert.deepEqual([status, headers.get("content-type"), headers.get("b")], [200, "application/octet-stream", null]);
  }
});

test("owner, listed and platform get a file; strangers and absent ids get one and the same 404; without a credential it is 401 [V-DEC-623] [V-FILE-002]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, listed, stranger] = [await createPerson(vault), await createPerson(vault), await createPerson(vault)];
  const at = owner.ename;
  const uploaded = async (acl?: readonly string[]): Promise<string> => {
    const { body } = await sendUpload(vault, at, acl ? { acl } : {}, await owner.at(at));
    return body.data.uploadFile.metaEnvelopeId;
  };
  const [mine, shared, everybodys] = [await uploaded(), await uploaded([listed.ename]), await uploaded(["*"])];
  const iat = Math.floor(Date.now() / 1000);
  const platform = {
    authorization: `Bearer ${vault.signAsRegistry({ platform: "https://p.example", iat, exp: iat + 60 })}`,
  };
  const statuses = async (headers: Record<string, string>) =>
    Promise.all([mine, shared, everybodys].map(async (id) => (await locate(vault, at, id, headers)).status));
  assert.deepEqual(await statuses(await owner.at(at)), [302, 302, 302]);
  assert.deepEqual(await statuses(await listed.at(at)), [404, 302, 302]);
  assert.deepEqual(await statuses(await stranger.at(at)), [404, 404, 302]);
  assert.deepEqual(await statuses(platform), [302, 302, 302]);
  assert.deepEqual(await statuses({}), [401, 401, 401]);
  const unreadable = await locate(vault, at, mine, await stranger.at(at));
  const absent = await locate(vault, at, randomUUID(), await stranger.at(at));
  assert.deepEqual(unreadable, absent);
  const refused = await sendUpload(vault, at, {}, await stranger.at(at));
  assert.equal(refusalOf(refused).code, "FORBIDDEN");
  assert.equal(refusalOf(await sendUpload(vault, at)).code, "UNAUTHENTICATED");
  // A `*` file's address works without any header, which is what a browser needs.
  const { location } = await locate(vault, at, everybodys, await stranger.at(at));
  assert.equal((await download(location)).bytes.toString(), "hello");
});

test("GET /files addresses an owner: header, vault, token, then the id; blob addresses need no header [V-DEC-365]", async () => {
  await using vault = await startVault();
  const codeOf = async (headers: Record<string, string>, id = "x") =>
    (await ask(vault, `/files/${id}`, { headers, redirect: "manual" })).body.error.code;
  const owner = await vault.createOwner();
  assert.equal(await codeOf({}), "MISSING_ENAME");
  assert.equal(await codeOf({ "x-ename": "nobody" }), "INVALID_ENAME");
  assert.equal(await codeOf({ "x-ename": `@${randomUUID()}` }), "UNKNOWN_ENAME");
  assert.equal(await codeOf({ "x-ename": owner, authorization: "Bearer x.y.z" }), "INVALID_TOKEN");
  assert.equal(await codeOf({ "x-ename": owner }), "NOT_FOUND");
  assert.equal(await codeOf({ "x-ename": owner }, "%00"), "INVALID_TEXT");
  for (const path of [
    "/blobs/x/y",
    `/blobs/${owner.slice(1)}/..%2f..%2fetc`,
    `/blobs/${owner.slice(1)}/${randomUUID()}`,
  ]) {
    assert.equal((await ask(vault, path)).body.error.code, "NOT_FOUND");
  }
});

test("a signed address cannot be stretched, altered or carried over, and ends after five minutes [V-DEC-626]", async () => {
  const secret = "a secret of this test's vault, 0123456789";
  await using vault = await startVault({ secret: createSecret(secret) });
  const owner = await vault.createOwner();
  const [first, second] = [await upload(vault, owner), await upload(vault, owner)];
  const { location } = await locate(vault, owner, first.metaEnvelopeId);
  const other = new URL((await locate(vault, owner, second.metaEnvelopeId)).location);
  const altered = (change: (url: URL) => void): string => {
    const url = new URL(location);
    change(url);
    return url.href;
  };
  const expires = Number(new URL(location).searchParams.get("expires"));
  assert.ok(Math.abs(expires - Date.now() / 1000 - 300) < 5);
  const tampered = [
    altered((url) => url.searchParams.set("expires", `${expires + 1}`)),
    altered((url) => url.searchParams.set("signature", "A".repeat(43))),
    altered((url) => url.searchParams.delete("signature")),
    altered((url) => url.searchParams.append("expires", `${expires}`)),
    altered((url) => {
      url.pathname = other.pathname;
    }),
    altered((url) => {
      url.pathname = url.pathname.replace(owner.slice(1), randomUUID());
    }),
  ];
  for (const address of tampered) assert.equal((await download(address)).status, 404, address);
  const blobKey = new URL(location).pathname.split("/").at(-1)!;
  const signedAt = (nowMs: number, key = secret) =>
    createBlobAddresses({ clock: { nowMs: () => nowMs } }, { secret: key, publicUrl: () => vault.url }).signed(
      { owner, blobKey },
      { version: 1, policy: undefined },
    );
  assert.equal((await download(signedAt(Date.now() - 290_000))).status, 200);
  assert.equal((await download(signedAt(Date.now() - 301_000))).status, 404);
  assert.equal((await download(signedAt(Date.now(), `${secret}!`))).status, 404);
});

test("a record that only says it is a file gives nobody's bytes, not even its own owner's (decision V15)", async () => {
  await using vault = await startVault();
  const [owner, thief] = [await vault.createOwner(), await vault.createOwner()];
  const { metaEnvelopeId: id } = await upload(vault, owner);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.read, { id });
  const payload = body.data.metaEnvelope.parsed;
  for (const at of [thief, owner]) {
    const copy = await create(vault, at, { ontology: "ds-file-v1", payload, acl: ["*"] });
    assert.equal((await locate(vault, at, copy)).status, 404);
  }
  assert.equal((await locate(vault, thief, id)).status, 404);
  assert.equal((await download(`${vault.url}/blobs/${thief.slice(1)}/${payload.blobKey}`)).status, 404);
  // A record that stops being a file, and is rolled back to being one.
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id,
    input: { ontology: "note", payload: { blobKey: randomUUID() } },
  });
  assert.equal((await locate(vault, owner, id)).status, 404);
  await askGraphQL(vault, owner, "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version } }", {
    id,
  });
  assert.equal((await download((await locate(vault, owner, id)).location)).bytes.toString(), "hello");
});

test("a file under a policy is had by whom the policy lets, by a signed address alone, and `*` beside it opens nothing (decisions V11, V15)", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, granted, stranger] = [await createPerson(vault), await createPerson(vault), await createPerson(vault)];
  const grants = [owner, granted].map(({ ename }) => ({ ename, perms: 15 }));
  const _acl = { default_perms: 0, denials: { enames: [], conditions: [] }, grants, require: [] };
  const { body } = await sendUpload(vault, owner.ename, { acl: ["*"], _acl }, await owner.at(owner.ename));
  const { metaEnvelopeId: id, publicUrl, errors } = body.data.uploadFile;
  assert.deepEqual([errors, publicUrl], [[], null]);
  const { status, location } = await locate(vault, owner.ename, id, await granted.at(owner.ename));
  assert.equal(status, 302);
  assert.equal((await download(location)).bytes.toString(), "hello");
  assert.equal((await download(location.split("?")[0]!)).status, 404);
  assert.equal((await locate(vault, owner.ename, id, await stranger.at(owner.ename))).status, 404);
});

test("an owner's files have a quota in bytes that parallel uploads cannot pass, and removed files count (decision V21)", async () => {
  // Room for two files and their records' versions, but not for a third file.
  await using vault = await startVault({ limits: { ...NO_LIMITS, bytesPerOwner: 14_000 } });
  const file = { content: Buffer.alloc(5_000, "x").toString("base64") };
  const [owner, other] = [await vault.createOwner(), await vault.createOwner()];
  const answers = await Promise.all(Array.from({ length: 8 }, () => sendUpload(vault, owner, file)));
  const codes = answers.map(({ body }) => body.data.uploadFile.errors[0]?.code ?? "ok").sort();
  assert.deepEqual(codes, [...Array(6).fill("QUOTA_EXCEEDED"), "ok", "ok"]);
  const done = answers.find(({ body }) => body.data.uploadFile.errors.length === 0)!;
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: done.body.data.uploadFile.metaEnvelopeId });
  assert.equal(refusalOf(await sendUpload(vault, owner, file)).code, "QUOTA_EXCEEDED");
  await upload(vault, owner, { content: "aGk=" });
  await upload(vault, other);
  assert.equal(await countFiles(vault.filesDirectory), 4);
});

test("what a crash left between blob and record is swept after an hour, at the start too, and nothing that is in use (decision V15)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const [live, removed, reverted] = [
    await upload(vault, owner),
    await upload(vault, owner),
    await upload(vault, owner),
  ];
  await askGraphQL(vault, owner, DOCUMENTS.remove, { id: removed.metaEnvelopeId });
  await askGraphQL(vault, owner, DOCUMENTS.update, {
    id: reverted.metaEnvelopeId,
    input: { ontology: "x", payload: {} },
  });
  const blobs = await openDirectoryBlobStore(vault.filesDirectory, "DS_FILES");
  const reserve = async (age: string, state = "pending") => {
    const blobKey = randomUUID();
    const text = `insert into stored_file values ($1, $2, $3, 7, $4, now() - $5::interval)`;
    await vault.database.query({ text, values: [owner, blobKey, randomUUID(), state, age] });
    await vault.database.query({ text: "update file_usage set used_bytes = used_bytes + 7", values: [] });
    await blobs.put({ owner, blobKey }, Buffer.from("orphan!"));
  };
  await reserve("61 minutes");
  await reserve("61 minutes", "condemned");
  await reserve("59 minutes");
  await vault.database.query({
    text: "update stored_file set created_at = now() - interval '1 year' where state = 'kept'",
    values: [],
  });
  assert.equal(await countFiles(vault.filesDirectory), 6);
  const log = createLog({ service: "vault", level: "silent", pretty: false });
  const swept = await sweepFiles({ reservations: vault.database, blobs, log, clock: systemClock });
  assert.deepEqual([swept, await countFiles(vault.filesDirectory)], [2, 4]);
  const { rows } = await vault.database.query({ text: "select used_bytes from file_usage", values: [] });
  assert.deepEqual(rows, [{ used_bytes: 22 }]);
  assert.equal((await download((await locate(vault, owner, live.metaEnvelopeId)).location)).status, 200);
  await reserve("2 hours");
  await using again = await startVault({}, { database: vault.database, blobs });
  while ((await countFiles(vault.filesDirectory)) > 4) await new Promise((resolve) => setTimeout(resolve, 10));
  await askGraphQL(again, owner, "mutation ($id: ID!) { rollbackMetaEnvelope(id: $id, version: 1) { version } }", {
    id: removed.metaEnvelopeId,
  });
  assert.equal(
    (await download((await locate(again, owner, removed.metaEnvelopeId)).location)).bytes.toString(),
    "hello",
  );
});

test("an upload that was swept away meanwhile writes no record (decision V15)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const inner = await openDirectoryBlobStore(vault.filesDirectory, "DS_FILES");
  const put: typeof inner.put = async (place, bytes) => {
    await inner.put(place, bytes);
    await vault.database.query({ text: "update stored_file set state = 'condemned'", values: [] });
  };
  await using slow = await startVault({}, { database: vault.database, blobs: { ...inner, put } });
  const answer = await sendUpload(slow, owner);
  assert.equal(answer.body.errors[0].extensions.code, "INTERNAL_ERROR");
  const list = await askGraphQL(vault, owner, DOCUMENTS.list);
  assert.deepEqual([list.body.data.metaEnvelopes.totalCount, await countFiles(vault.filesDirectory)], [0, 0]);
  assert.deepEqual(await sizesOf(vault), []);
});

test("a vault without a place for files refuses an upload and says which setting is missing (decisions P5, V15)", async () => {
  await using vault = await startVault({}, { blobs: noBlobStore });
  const owner = await vault.createOwner();
  const { code, message } = refusalOf(await sendUpload(vault, owner));
  assert.equal(code, "UPLOAD_FAILED");
  assert.match(message, /DS_FILES/);
});

test("a store that takes no file: UPLOAD_FAILED and no record; one that lost a file: 503 (decision V15)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const { metaEnvelopeId } = await upload(vault, owner);
  await rm(vault.filesDirectory, { recursive: true });
  assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
  const list = await askGraphQL(vault, owner, DOCUMENTS.list);
  assert.equal(list.body.data.metaEnvelopes.totalCount, 1);
  const { location } = await locate(vault, owner, metaEnvelopeId);
  const got = await download(location);
  assert.deepEqual([got.status, JSON.parse(got.bytes.toString()).error.code], [503, "STORAGE_UNAVAILABLE"]);
});

test("an upload that is repeated under its Idempotency-Key is one file, and one that is undone with its request is deleted (decisions V15, V20, V26)", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const first = await sendUpload(vault, owner, {}, { "idempotency-key": "one" });
  const again = await sendUpload(vault, owner, {}, { "idempotency-key": "one" });
  assert.deepEqual([again.body, await countFiles(vault.filesDirectory)], [first.body, 1]);
  // The second mutation finds the storage full, which undoes the first with it, after its bytes were stored.
  const full = `create function no_space() returns trigger language plpgsql as $$ begin
      if new.ontology = 'note' then raise exception 'full' using errcode = 'disk_full'; end if; return new; end $$;
    create trigger no_space before insert on change for each row execute function no_space()`;
  await vault.database.query({ text: full, values: [] });
  const both = `mutation ($input: UploadFileInput!) { uploadFile(input: $input) { metaEnvelopeId }
    createMetaEnvelope(input: { ontology: "note", payload: {} }) { metaEnvelope { id } } }`;
  const input = { filename: "a", contentType: "a/b", content: "" };
  const undone = await askGraphQL(vault, owner, both, { input }, { "idempotency-key": "two" });
  assert.equal(undone.status, 503);
  assert.deepEqual(await sizesOf(vault), [{ state: "kept", n: 1 }]);
  assert.equal((await askGraphQL(vault, owner, DOCUMENTS.list)).body.data.metaEnvelopes.totalCount, 1);
  assert.equal(await countFiles(vault.filesDirectory), 1);
});

test("a wallet token's second writing request uploads nothing (decision I6)", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const { ename, at } = await createPerson(vault);
  const headers = await at(ename);
  assert.deepEqual((await sendUpload(vault, ename, {}, headers)).body.data.uploadFile.errors, []);
  assert.equal(refusalOf(await sendUpload(vault, ename, {}, headers)).code, "TOKEN_SPENT");
  assert.equal(await countFiles(vault.filesDirectory), 1);
});
