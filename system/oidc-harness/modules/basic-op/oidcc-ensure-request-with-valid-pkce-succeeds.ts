import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";

/** PKCE with S256 is accepted and announced. */
export const oidccEnsureRequestWithValidPkceSucceeds: HarnessModule = {
  name: "oidcc-ensure-request-with-valid-pkce-succeeds",
  plan: "Basic OP",
  checks: "PKCE with S256 is accepted and announced",
  run: async (target) => {
    const methods = metadataList(await readMetadata(target), "code_challenge_methods_supported");
    assert.ok(methods.includes("S256"), "discovery lists S256");
    await logIn(target);
    return PASSED;
  },
};
