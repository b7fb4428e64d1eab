import assert from "node:assert/strict";
import { test } from "node:test";
import { ask, askRefusal } from "./support/ask.ts";
import { SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

const PLATFORM = "@11111111-2222-4333-8444-555555555555";
// The version eName that the published vectors give for this platform and 1.4.0.
const ENAME = "@c924ebf1-07eb-58f8-a9a5-ec427f4ade28";
const RELEASE = { platformEname: PLATFORM, version: "1.4.0", releaseTag: "v1.4.0", commitSha: "a".repeat(40) };
const RECORDS = "/records/software-versions";
const headers = { authorization: `Bearer ${SHARED_SECRET}` };

test("a version is recorded once, found by its eName, and never becomes another release [X2, A6]", async (t) => {
  const { url } = await startTestRegistry(t);
  const preview = await ask(`${url}${RECORDS}/preview`, { body: RELEASE, headers });
  assert.deepEqual([preview.status, preview.body], [200, { kind: "software_version", ename: ENAME }]);
  assert.equal(await askRefusal(`${url}/resolve?dsid=${ENAME}`), "404 UNKNOWN_ENAME", "a preview records nothing");
  const first = await ask<{ id: number }>(`${url}${RECORDS}`, { body: RELEASE, headers });
  assert.equal(first.status, 201);
  assert.deepEqual(first.body, { kind: "software_version", id: first.body.id, ename: ENAME, ...RELEASE });
  const again = { ...RELEASE, platformEname: PLATFORM.slice(1).toUpperCase(), commitSha: "A".repeat(40) };
  const second = await ask(`${url}${RECORDS}`, { body: again, headers });
  assert.deepEqual([second.status, second.body], [200, first.body]);
  for (const change of [{ releaseTag: "v1.4.0-fixed" }, { commitSha: "b".repeat(40) }]) {
    const body = { ...RELEASE, ...change };
    assert.equal(await askRefusal(`${url}${RECORDS}`, { body, headers }), "409 VERSION_BOUND");
  }
  const resolved = await ask<object>(`${url}/resolve?dsid=${ENAME}`);
  assert.deepEqual(resolved.body, first.body);
  assert.ok(!("uri" in resolved.body));
  assert.deepEqual((await ask(`${url}/list`)).body, [], "a release has no vault");
});

test("of 32 releases that claim one version at once exactly one gets it [A6]", async (t) => {
  const { url } = await startTestRegistry(t);
  const claims = Array.from({ length: 32 }, (_, index) => {
    const commitSha = index.toString(16).padStart(40, "0");
    return ask(`${url}${RECORDS}`, { body: { ...RELEASE, commitSha }, headers });
  });
  const statuses = (await Promise.all(claims)).map(({ status }) => status);
  assert.deepEqual(statuses.toSorted(), [201, ...Array(31).fill(409)]);
});

test("recording needs the shared secret, or a platform token while these are issued; no other token of the registry [X2, I7]", async (t) => {
  const { url } = await startTestRegistry(t);
  const { body: platform } = await ask<{ token: string }>(`${url}/platforms/certification`, {
    body: { platform: "x" },
  });
  const { body: entropy } = await ask<{ token: string }>(`${url}/entropy`);
  const forged = `${platform.token.slice(0, platform.token.lastIndexOf("."))}.${"A".repeat(86)}`;
  const record = (at: string, token: string | undefined) =>
    askRefusal(`${at}${RECORDS}`, {
      body: RELEASE,
      ...(token === undefined ? {} : { headers: { authorization: `Bearer ${token}` } }),
    });
  for (const token of [undefined, "wrong", entropy.token, forged]) {
    assert.equal(await record(url, token), "401 UNAUTHENTICATED", token ?? "no token");
  }
  assert.equal(await record(url, platform.token), "201");
  const closed = await startTestRegistry(t, { legacyMint: false });
  assert.equal(await record(closed.url, platform.token), "401 UNAUTHENTICATED");
});

test("a release with a member that is missing or malformed is 400 [X2]", async (t) => {
  const { url } = await startTestRegistry(t);
  const changes = [
    { platformEname: "x" },
    { version: "1 0" },
    { version: "9".repeat(65) },
    { version: 1 },
    { releaseTag: "" },
    { commitSha: "a".repeat(39) },
    { commitSha: "g".repeat(40) },
    { commitSha: undefined },
  ];
  for (const change of changes) {
    const body = { ...RELEASE, ...change };
    assert.equal(await askRefusal(`${url}${RECORDS}`, { body, headers }), "400 BAD_REQUEST", JSON.stringify(change));
  }
  assert.equal(
    await askRefusal(`${url}${RECORDS}/preview`, { body: { platformEname: PLATFORM }, headers }),
    "400 BAD_REQUEST",
  );
});

test("a record made by a legacy token binds nobody for good, and a token of one platform records nothing of another [A6, I7]", async (t) => {
  const { url } = await startTestRegistry(t);
  const tokenOf = async (platform: string) => {
    const { body } = await ask<{ token: string }>(`${url}/platforms/certification`, { body: { platform } });
    return { authorization: `Bearer ${body.token}` };
  };
  const other = await tokenOf("@99999999-9999-4999-8999-999999999999");
  assert.equal(await askRefusal(`${url}${RECORDS}`, { body: RELEASE, headers: other }), "401 UNAUTHENTICATED");
  const squatted = { ...RELEASE, commitSha: "b".repeat(40) };
  assert.equal(await askRefusal(`${url}${RECORDS}`, { body: squatted, headers: await tokenOf("anybody") }), "201");
  const own = await tokenOf(PLATFORM);
  assert.equal(await askRefusal(`${url}${RECORDS}`, { body: RELEASE, headers: own }), "409 VERSION_BOUND");
  const corrected = await ask<{ commitSha: string }>(`${url}${RECORDS}`, { body: RELEASE, headers });
  assert.equal(corrected.body.commitSha, RELEASE.commitSha);
  assert.equal(await askRefusal(`${url}${RECORDS}`, { body: squatted, headers }), "409 VERSION_BOUND");
  const resolved = await ask<{ commitSha: string }>(`${url}/resolve?dsid=${ENAME}`);
  assert.equal(resolved.body.commitSha, RELEASE.commitSha);
});
