import assert from "node:assert/strict";
import { test } from "node:test";
import { issueStatusList } from "../status/issue-status-list.ts";
import { createTestKey } from "../testing/test-key.ts";
import { createTestPlatform } from "../testing/test-platform.ts";
import { createPresenter, createTestClock, createTestTrust } from "../testing/test-trust.ts";

const issuer = "https://authority.example";
const uri = `${issuer}/status/1`;
const startMs = Date.UTC(2026, 0, 16, 12);
const DAY_MS = 86_400_000;
const platform = await createTestPlatform({ issuer, nowMs: startMs, status: { idx: 3, uri } });

function listAt(atMs: number, revoked: readonly number[], key = platform.authority): Promise<string> {
  return issueStatusList(key, { issuer, uri, revoked, size: 64, issuedAtSeconds: Math.floor(atMs / 1000) });
}

/** A verifier whose authority answers what `list` gives, or nothing. */
async function start(list: () => Promise<string | undefined>) {
  const clock = createTestClock(startMs);
  let asked = 0;
  const fetch = async (url: string) => {
    if (url !== uri) return Response.json(platform.authority.jwks);
    asked += 1;
    const text = await list();
    return text === undefined ? new Response("", { status: 503 }) : new Response(text);
  };
  const trust = await createTestTrust(platform, { clock, fetch, issuer });
  const perform = createPresenter(trust, clock, { trustedCertifierIssuers: [issuer] });
  const codeOf = async (evidence?: object) => (await perform(platform, evidence)).links.at(-1)?.code;
  return { clock, codeOf, asked: () => asked };
}

test("a revoked certificate fails within 300 s of the revocation, and one fetch serves all handshakes [P-LINK-046]", async () => {
  let revoked: number[] = [];
  const { clock, codeOf, asked } = await start(() => listAt(clock.nowMs(), revoked));
  const codes = await Promise.all(Array.from({ length: 20 }, () => codeOf()));
  assert.deepEqual([...new Set(codes)], ["ok"]);
  assert.equal(asked(), 1);
  revoked = [3];
  clock.moveMs(299_000);
  assert.equal(await codeOf(), "ok");
  clock.moveMs(1_000);
  assert.equal(await codeOf(), "certificate_revoked");
});

test("while no list is to be had, the last one counts until it is 24 h old [P-LINK-047]", async () => {
  let isUp = true;
  const { clock, codeOf, asked } = await start(async () => (isUp ? listAt(clock.nowMs(), []) : undefined));
  assert.equal(await codeOf(), "ok");
  isUp = false;
  clock.moveMs(DAY_MS - 1_000);
  assert.equal(await codeOf(), "ok");
  assert.equal(await codeOf(), "ok");
  assert.equal(asked(), 2, "a failing issuer is asked every 30 s");
  clock.moveMs(1_000);
  assert.equal(await codeOf(), "status_unavailable");
});

test("a list that comes with the evidence counts while it is fresh, and never against a newer one [P-LINK-046]", async () => {
  let answer: string | undefined;
  const { clock, codeOf, asked } = await start(async () => answer);
  const stapled = { ...platform.evidence, statusToken: await listAt(startMs, []) };
  assert.equal(await codeOf(stapled), "ok");
  assert.equal(asked(), 0);
  clock.moveMs(300_000);
  answer = await listAt(clock.nowMs(), [3]);
  assert.equal(await codeOf(stapled), "certificate_revoked");
  assert.equal(await codeOf(), "certificate_revoked");
});

test("a list of another key, address or kind, and one from the future, is refused [P-LINK-047]", async () => {
  const other = await issueStatusList(platform.authority, {
    issuer,
    uri: `${issuer}/status/2`,
    revoked: [],
    size: 64,
    issuedAtSeconds: startMs / 1000,
  });
  const lists = [
    await listAt(startMs, [], createTestKey("authority-1")),
    other,
    await listAt(startMs + 120_000, []),
    platform.evidence.accreditationJws,
    "",
    "x".repeat(100_000),
  ];
  for (const list of lists) {
    const { codeOf } = await start(async () => list);
    assert.equal(await codeOf(), "status_unavailable");
    assert.equal(await codeOf({ ...platform.evidence, statusToken: list }), "status_unavailable");
  }
});
