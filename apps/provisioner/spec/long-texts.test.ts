import assert from "node:assert/strict";
import { test } from "node:test";
import { ask } from "./support/ask.ts";
import { startTestProvisioner } from "./support/start-test-provisioner.ts";

/** The longest text in a body of 1 MiB. */
const LONG = "0".repeat(1_048_300);
const BODY = { registryEntropy: "a.b.c", namespace: "n", verificationId: "v" };
const FIELDS = { registryEntropy: LONG, namespace: LONG, verificationId: LONG, publicKey: `0x${LONG}` };

test("a text as long as a body can carry is BAD_REQUEST in each field of POST /provision [decision V25]", async (t) => {
  const { url } = await startTestProvisioner(t);
  for (const [field, text] of Object.entries(FIELDS)) {
    const { status, body } = await ask<{ error: { code: string } }>(url, {
      body: { ...BODY, [field]: text },
    });
    assert.deepEqual([status, body.error.code], [400, "BAD_REQUEST"], field);
  }
  const { status } = await ask(url, { body: { ...BODY, namespace: LONG.repeat(2) } });
  assert.equal(status, 413);
});
