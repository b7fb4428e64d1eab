import assert from "node:assert/strict";
import { test } from "node:test";
import { startTestProvisioner } from "./support/start-test-provisioner.ts";

test("one address asks for so many vaults an hour; then it is 429 RATE_LIMITED with success false (decisions V2, V21)", async (t) => {
  const { url } = await startTestProvisioner(t, { provisionsPerAddress: 2 });
  const post = () => fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
  assert.deepEqual([(await post()).status, (await post()).status], [400, 400]);
  const refused = await post();
  const { success, error } = (await refused.json()) as { success: boolean; error: { code: string } };
  assert.deepEqual([refused.status, success, error.code], [429, false, "RATE_LIMITED"]);
  assert.equal(refused.headers.get("ratelimit-policy"), '"provision";q=2;w=3600');
  assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/);
});
