import assert from "node:assert/strict";
import { test } from "node:test";
import type { DeploymentDeps } from "./deployment-deps.ts";
import { fetchCertificate } from "./fetch-certificate.ts";

/** A deployment that has submitted its release, and an authority that gives one answer after the other. */
function begin(answers: readonly Response[]) {
  let nowMs = 0;
  let asked = 0;
  const steps: Readonly<Record<string, unknown>> = {
    settings: { authorityUrl: "https://authority.test" },
    attestation: {},
    submission: { submissionId: "1", receivedAt: "", submission: {} },
  };
  const deps = {
    fetch: async () => answers[Math.min(asked++, answers.length - 1)]?.clone(),
    clock: { nowMs: () => nowMs },
    wait: async (ms: number) => {
      nowMs += ms;
    },
    state: { get: async (step: string) => steps[step], put: async () => undefined },
  } as unknown as DeploymentDeps;
  return { deps, asked: () => asked };
}

const broken = () => new Response("down", { status: 502 });
const denied = () => Response.json({ status: "denied", decision: { reason: "no" } });

test("a deployment that waits for its certificate asks again after answers that fail, until its time is over [decision A6]", async () => {
  const waiting = begin([broken(), broken(), denied()]);
  await assert.rejects(fetchCertificate(waiting.deps, { forMs: 10_000 }), { code: "AUTHORITY_REFUSED" });
  assert.equal(waiting.asked(), 3);
  const late = begin([broken()]);
  await assert.rejects(fetchCertificate(late.deps, { forMs: 2_000 }), { code: "UNAVAILABLE" });
  assert.equal(late.asked(), 3);
  const once = begin([broken()]);
  await assert.rejects(fetchCertificate(once.deps, { forMs: 0 }), { code: "UNAVAILABLE" });
  assert.equal(once.asked(), 1);
});
