import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { ProtocolError } from "./protocol-error.ts";
import { parseSignedOwnerPolicy } from "./signed-owner-policy.ts";

const { accessPolicy } = JSON.parse(
  readFileSync(new URL("../../../vectors/signed-payloads.json", import.meta.url), "utf8"),
).own;
const { canonical: _, ...wrapper } = accessPolicy;

test("parseSignedOwnerPolicy reads the published policy [P-OAP-001] [P-OAP-002]", async () => {
  const read = await parseSignedOwnerPolicy(wrapper);
  assert.deepEqual(read, wrapper);
});

test("parseSignedOwnerPolicy refuses whatever was changed under the signed text [P-OAP-003] [P-OAP-008]", async () => {
  const { statement } = wrapper;
  const changes: readonly object[] = [
    { statement: { ...statement, minimumLevel: "L0" } },
    { statement: { ...statement, deniedDomains: [] } },
    { statement: { ...statement, issuedAt: "2027-01-15T12:00:00.000Z" } },
    { statement: { ...statement, more: 1 } },
    { statement: { ...statement, nonce: "x".repeat(9_000) } },
    { statement: null },
    { payload: `${wrapper.payload.slice(0, -1)}A` },
    { payload: 1 },
    { signer: "@66666666-6666-4666-8666-666666666666" },
    { signature: "" },
    { scope: "bundle" },
  ];
  for (const change of changes) {
    await assert.rejects(parseSignedOwnerPolicy({ ...wrapper, ...change }), (error) => {
      assert.ok(error instanceof ProtocolError, String(error));
      assert.equal(error.code, "INVALID_ACCESS_POLICY");
      return true;
    });
  }
  for (const missing of Object.keys(wrapper)) {
    await assert.rejects(parseSignedOwnerPolicy({ ...wrapper, [missing]: undefined }));
  }
});
