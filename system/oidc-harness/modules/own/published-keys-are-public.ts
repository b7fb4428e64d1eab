import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { readKeySet } from "../../read-id-token.ts";

/** The key set holds no private member. */
export const publishedKeysArePublic: HarnessModule = {
  name: "published-keys-are-public",
  plan: "Own checks",
  checks: "The key set holds no private member",
  run: async (target) => {
    for (const key of (await readKeySet(target)).keys) {
      for (const member of ["d", "p", "q", "dp", "dq", "qi", "k"]) {
        assert.ok(!(member in key), `a published key has no ${member}`);
      }
    }
    return PASSED;
  },
};
