import assert from "node:assert/strict";
import { decodeProtectedHeader } from "jose";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";

/** ID tokens are signed with ES256, and discovery lists nothing else. */
export const idTokenIsEs256: HarnessModule = {
  name: "id-token-is-es256",
  plan: "Own checks",
  checks: "ID tokens are signed with ES256, and discovery lists nothing else",
  run: async (target) => {
    const { idToken } = await logIn(target);
    assert.equal(decodeProtectedHeader(idToken).alg, "ES256", "the ID token is signed with ES256");
    const algorithms = metadataList(await readMetadata(target), "id_token_signing_alg_values_supported");
    assert.deepEqual(algorithms, ["ES256"], "discovery lists ES256 alone");
    return PASSED;
  },
};
