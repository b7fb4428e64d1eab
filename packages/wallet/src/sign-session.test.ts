import assert from "node:assert/strict";
import { test } from "node:test";
import { signatureCandidates } from "@dataspace/protocol/signature";
import { signSession } from "./sign-session.ts";
import { createWalletKey } from "./wallet-key.ts";

test("signSession() signs a login session in the key's encoding [decision I8]", async () => {
  const key = await createWalletKey();
  const session = "f0e1d2c3-b4a5-4678-89ab-cdef01234567";
  const encodings = [
    await signSession(key, session),
    await signSession({ ...key, encoding: "base58btc" }, session),
  ].map((signature) => signatureCandidates(signature)[0]?.encoding);
  assert.deepEqual(encodings, ["base64", "base58btc"]);
});

test("signSession() refuses to sign a deployment, a policy, a document, a token or a short text [decision I8] [V-DEC-260]", async () => {
  const key = await createWalletKey();
  const refused = [
    "gitforge:deployment:v1:nGgEG7mnpHzRbtqNEQQ47zk3sLnqRmTj01ky1oR3fSw",
    "ds:access-policy:v1:Lw8SIciDqWwspoFdlKqwpxD85X5ieUfDoQGpk6WpaQ0",
    '{"data":{"kind":"self","name":"n"},"subject":"@e4d909c2-5d2f-4a7d-9473-b34b6c0f1a5a","type":"self"}',
    "eyJhbGciOiJFUzI1NiJ9.eyJpc3MiOiJ4In0",
    "tooshort",
    "",
  ];
  for (const session of refused) {
    await assert.rejects(signSession(key, session), { name: "WalletError", code: "INVALID_SESSION" }, session);
  }
});
