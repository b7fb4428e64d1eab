import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { leafHash } from "@dataspace/platform-auth/log/merkle-hash";
import { type InclusionProof, verifyConsistency, verifyInclusion } from "@dataspace/platform-auth/log/verify-log";
import { isToken, readClaims } from "./support/read-token.ts";
import { createSigningKeys, ISSUER, startTestAuthority, type TestAuthority } from "./support/start-test-authority.ts";

const bytes = (text: string) => Buffer.from(text, "base64url");

/** What a monitor keeps: the size and the root, from a checkpoint whose signature it checked. */
async function readCheckpoint({ get }: TestAuthority) {
  const { body } = await get("/log/checkpoint");
  assert.ok(isToken(body.checkpoint, (await get("/.well-known/jwks.json")).body.keys, "ds-log-checkpoint+jwt"));
  const { iss, size, root } = readClaims(body.checkpoint);
  assert.deepEqual([iss, size, root], [ISSUER, body.size, body.root]);
  return { size: body.size as number, root: bytes(body.root) };
}

test("everybody can verify that each certificate and revocation is in the log, and that the log only grew [decision A1]", async (t) => {
  const authority = await startTestAuthority(t);
  const checkpoints = [await readCheckpoint(authority)];
  assert.deepEqual(checkpoints[0], { size: 0, root: createHash("sha256").digest() });
  const issued: string[] = [];
  for (let n = 0; n < 9; n += 1) {
    const { body } = await authority.grant(await authority.submit({ version: `1.0.${n}` }));
    issued.push(body.certificate);
    if (n % 4 === 3)
      await authority.post(
        `/certificates/${body.certificateId}/revoke`,
        { reason: "x" },
        await authority.reviewer.token(),
      );
    checkpoints.push(await readCheckpoint(authority));
  }
  const { size, root } = await readCheckpoint(authority);
  assert.equal(size, 11);
  const entries: string[] = (await authority.get("/log/entries?limit=1000")).body.entries;
  for (const [leaf, entry] of entries.entries()) {
    const path: string[] = (await authority.get(`/log/proof?leaf=${leaf}&size=${size}`)).body.path;
    const proof: InclusionProof = { leafHash: leafHash(Buffer.from(entry)), leaf, size, root, path: path.map(bytes) };
    assert.ok(verifyInclusion(proof), entry);
    assert.ok(!verifyInclusion({ ...proof, leafHash: leafHash(Buffer.from(`${entry} `)) }));
  }
  for (const { size: earlierSize, root: earlierRoot } of checkpoints.slice(1)) {
    const path: string[] = (await authority.get(`/log/consistency?earlier=${earlierSize}&size=${size}`)).body.path;
    assert.ok(verifyConsistency({ earlierSize, earlierRoot, size, root, path: path.map(bytes) }));
  }
  const logged = entries.map((entry) => JSON.parse(entry));
  const hashes = issued.map((jws) => createHash("sha256").update(jws).digest("base64url"));
  assert.deepEqual(
    logged.flatMap(({ certificate_sha256 }) => certificate_sha256 ?? []),
    hashes,
  );
  assert.equal(logged.filter(({ type }) => type === "revoked").length, 2);
});

test("questions about entries that are not there are refused, and entries come by pages", async (t) => {
  const authority = await startTestAuthority(t);
  for (const path of [
    "/log/proof?leaf=0",
    "/log/consistency?earlier=1",
    "/log/entries?limit=1001",
    "/log/entries?from=-1",
  ])
    assert.equal((await authority.get(path)).body.error.code, "BAD_REQUEST", path);
  await authority.grant(await authority.submit());
  assert.equal((await authority.get("/log/proof?leaf=1")).body.error.code, "BAD_REQUEST");
  assert.equal((await authority.get("/log/entries?from=1")).body.entries.length, 0);
});

test("a certificate of a retired key can be verified after the authority took another key [decision X2]", async (t) => {
  const before = await startTestAuthority(t);
  const { body } = await before.grant(await before.submit());
  const after = await startTestAuthority(t, { database: before.database, signingKeys: createSigningKeys() });
  const keys = (await after.get("/.well-known/jwks.json")).body.keys;
  assert.equal(keys.length, 2);
  assert.ok(isToken(body.certificate, keys, "ds-cert+jwt"));
  const { certificate } = (await after.grant(await after.submit({ version: "2" }))).body;
  assert.ok(isToken(certificate, keys.slice(0, 1), "ds-cert+jwt"));
});
