import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { createTestKey } from "../testing/test-key.ts";
import { createTestPlatform } from "../testing/test-platform.ts";
import { createPresenter, createTestClock, createTestTrust } from "../testing/test-trust.ts";

const issuer = "https://authority.example";
const startMs = Date.UTC(2026, 0, 16, 12);
const platform = await createTestPlatform({ issuer, nowMs: startMs });

async function present(fetch: Fetch, budgetMs?: number) {
  const clock = createTestClock(startMs);
  const trust = await createTestTrust(platform, { clock, fetch, issuer });
  const config = { trustedCertifierIssuers: [issuer], ...(budgetMs === undefined ? {} : { budgetMs }) };
  return { clock, perform: createPresenter(trust, clock, config) };
}

const answering = (document: unknown) => async () => Response.json(document);
const codesOf = (links: readonly { readonly code: string }[]) => links.map(({ code }) => code).join(" ");
const ACCREDITATION_FAILS = (code: string) => `ok ok ok ok ok ${code}`;

test("the issuer's keys come from its own address and are asked for once, however many handshakes wait [P-AUTH-005] [P-LINK-010]", async () => {
  const asked: string[] = [];
  const { perform } = await present(async (url) => {
    asked.push(url);
    return Response.json(platform.authority.jwks);
  });
  const results = await Promise.all(Array.from({ length: 50 }, () => perform(platform)));
  assert.ok(results.every(({ ok }) => ok));
  assert.deepEqual(asked, [`${issuer}/.well-known/jwks.json`]);
});

test("an issuer that never answers fails accreditation within the budget; the other five links are judged [P-LINK-049]", async () => {
  const { perform } = await present(() => new Promise(() => undefined), 50);
  const { links, claim } = await perform(platform);
  assert.equal(codesOf(links), ACCREDITATION_FAILS("issuer_keys_unavailable"));
  assert.equal(claim, null);
});

test("an issuer that redirects, breaks off, grows without end or publishes no key set has no keys [P-LINK-010]", async () => {
  const endless = new ReadableStream({ pull: (controller) => controller.enqueue(new Uint8Array(16_384).fill(32)) });
  const failing: readonly Fetch[] = [
    async () => new Response(null, { status: 302, headers: { location: "https://attacker.example/jwks" } }),
    async () => Promise.reject(new Error("ECONNRESET")),
    async () => new Response(endless),
    answering({ keys: [] }),
    answering({ keys: Array.from({ length: 21 }, () => platform.authority.jwks.keys[0]) }),
    async () => new Response("<html>"),
    async () => new Response("busy", { status: 503 }),
  ];
  for (const fetch of failing) {
    const { perform } = await present(fetch);
    assert.equal(codesOf((await perform(platform)).links), ACCREDITATION_FAILS("issuer_keys_unavailable"));
  }
});

test("a key that the issuer begins to publish is learned within 30 s, and one that it drops no longer counts [P-CRT-015]", async () => {
  const next = createTestKey("authority-2");
  let published: object = platform.authority.jwks;
  const { clock, perform } = await present(async () => Response.json(published));
  assert.equal((await perform(platform)).ok, true);
  const renewed = { ...platform.evidence, accreditationJws: await platform.certify({}, next) };
  assert.equal(codesOf((await perform(platform, renewed)).links), ACCREDITATION_FAILS("signature_invalid"));
  published = { keys: [...platform.authority.jwks.keys, ...next.jwks.keys] };
  clock.moveMs(30_000);
  assert.equal((await perform(platform, renewed)).ok, true);
  published = next.jwks;
  clock.moveMs(300_000);
  assert.equal(codesOf((await perform(platform)).links), ACCREDITATION_FAILS("signature_invalid"));
});

test("keys that were learned count for an hour while the issuer does not answer, and no longer", async () => {
  let isUp = true;
  const { clock, perform } = await present(async () => {
    if (!isUp) throw new Error("ECONNREFUSED");
    return Response.json(platform.authority.jwks);
  });
  await perform(platform);
  isUp = false;
  clock.moveMs(3_500_000);
  assert.equal((await perform(platform)).ok, true);
  clock.moveMs(200_000);
  assert.equal(codesOf((await perform(platform)).links), ACCREDITATION_FAILS("issuer_keys_unavailable"));
});
