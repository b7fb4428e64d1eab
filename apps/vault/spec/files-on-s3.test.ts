import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { rename } from "node:fs/promises";
import { createServer, request as sendRequest } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createLog } from "@dataspace/service-kit/log";
import { createSecret } from "@dataspace/service-kit/secret";
import { createS3BlobStore, openS3BlobStore, type S3Bucket } from "../src/files/s3-blob-store.ts";
import { askGraphQL } from "./support/ask.ts";
import { countFiles, promiseFiles } from "./support/file-promises.ts";
import { download, locate, sendUpload, upload } from "./support/file-requests.ts";
import { DOCUMENTS, refusalOf } from "./support/operations.ts";
import { S3_MISSING, type S3Server, startS3 } from "./support/start-s3.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const skip = S3_MISSING;
const log = createLog({ service: "vault", level: "silent", pretty: false });

async function start(): Promise<AsyncDisposable & { vault: TestVault; s3: S3Server; blobDirectory: string }> {
  await using stack = new AsyncDisposableStack();
  const s3 = stack.use(await startS3());
  const vault = stack.use(await startVault({}, { blobs: await openS3BlobStore(s3.bucket, log) }));
  const owned = stack.move();
  return { vault, s3, blobDirectory: s3.directory, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

const countRecords = async (vault: TestVault, owner: string): Promise<number> =>
  (await askGraphQL(vault, owner, DOCUMENTS.list)).body.data.metaEnvelopes.totalCount;

promiseFiles("an S3-compatible store", start, skip);

test("where CI has Go, the S3 server is there, so that these tests are not passed over unseen", () => {
  const hasGo = (): boolean => {
    try {
      return execFileSync("go", ["version"], { stdio: ["ignore", "pipe", "ignore"] }).length > 0;
    } catch {
      return false;
    }
  };
  if (process.env["CI"] === "true" && hasGo()) assert.equal(S3_MISSING, false);
});

test("a store that is down takes no file and gives none, no record is written, and it serves again by itself (decision V15)", {
  skip,
}, async () => {
  await using at = await start();
  const { vault, s3 } = at;
  const owner = await vault.createOwner();
  const { metaEnvelopeId } = await upload(vault, owner);
  const { location } = await locate(vault, owner, metaEnvelopeId);
  await s3.stop();
  assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
  assert.equal(await countRecords(vault, owner), 1);
  const got = await download(location);
  assert.deepEqual([got.status, JSON.parse(got.bytes.toString()).error.code], [503, "STORAGE_UNAVAILABLE"]);
  assert.equal((await download(location, { method: "HEAD" })).status, 200);
  await s3.restart();
  assert.equal((await download(location)).bytes.toString(), "hello");
  await upload(vault, owner);
});

test("a wrong secret, a wrong key id and a missing bucket are reported at the start, and write no record later (decisions P5, V15)", {
  skip,
}, async () => {
  await using s3 = await startS3();
  const wrong: readonly Partial<S3Bucket>[] = [
    { secret: createSecret("another secret altogether") },
    { keyId: "nobody" },
    { bucket: "elsewhere" },
  ];
  for (const change of wrong) {
    const bucket = { ...s3.bucket, ...change };
    await assert.rejects(openS3BlobStore(bucket, log), {
      name: "StartupError",
      message: /^DS_FILES: .* has no bucket/,
    });
    await using vault = await startVault({}, { blobs: createS3BlobStore(bucket) });
    const owner = await vault.createOwner();
    assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
    assert.deepEqual([await countRecords(vault, owner), await countFiles(s3.directory)], [0, 0]);
  }
});

test("a store that is down at the start does not prevent the start (decision P5)", { skip }, async () => {
  await using s3 = await startS3();
  await s3.stop();
  await using vault = await startVault({}, { blobs: await openS3BlobStore(s3.bucket, log) });
  const owner = await vault.createOwner();
  assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
  await s3.restart();
  await upload(vault, owner);
});

test("a bucket that goes away takes no file and gives none (decision V15)", { skip }, async () => {
  await using at = await start();
  const { vault, s3 } = at;
  const owner = await vault.createOwner();
  const { publicUrl } = await upload(vault, owner, { acl: ["*"] });
  await rename(s3.directory, `${s3.directory}-away`);
  assert.equal(refusalOf(await sendUpload(vault, owner)).code, "UPLOAD_FAILED");
  assert.equal(await countRecords(vault, owner), 1);
  assert.equal((await download(publicUrl!)).status, 503);
});

test("nothing in the store is open to whoever comes without keys (decision V15)", { skip }, async () => {
  await using at = await start();
  const { vault, s3 } = at;
  const owner = await vault.createOwner();
  const { publicUrl } = await upload(vault, owner, { acl: ["*"] });
  const key = publicUrl!.split("/blobs/")[1];
  assert.equal((await download(publicUrl!)).status, 200);
  assert.equal((await download(`${s3.bucket.endpoint}/files/${key}`)).status, 403);
});

test("the store holds a blob against its checksum, so that what arrives altered is not taken (decision V15)", {
  skip,
}, async () => {
  await using s3 = await startS3();
  await using middleman = await startMiddleman(s3.bucket.endpoint);
  const blobs = createS3BlobStore({ ...s3.bucket, endpoint: middleman.url });
  const place = { owner: parseEName(randomUUID()), blobKey: randomUUID() };
  await assert.rejects(blobs.put(place, Buffer.from("hello")), { status: 400 });
  assert.equal(await blobs.get(place), undefined);
  await blobs.put(place, Buffer.alloc(0));
  assert.notEqual(await blobs.get(place), undefined);
});

/** Passes requests on with the first bit of their bodies turned. */
async function startMiddleman(endpoint: string): Promise<AsyncDisposable & { readonly url: string }> {
  const { hostname, port } = new URL(endpoint);
  const server = createServer(async (request, response) => {
    const body = await buffer(request);
    if (body.length > 0) body[0] = (body[0] as number) ^ 1;
    const { method, url: path, headers } = request;
    sendRequest({ hostname, port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode as number, answer.headers);
      answer.pipe(response);
    }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
