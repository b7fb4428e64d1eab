import assert from "node:assert/strict";
import { type HarnessModule, PASSED, skipped } from "../../harness-module.ts";
import { exchangeCode, logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";

/** A refresh token gives new tokens. */
export const oidccRefreshToken: HarnessModule = {
  name: "oidcc-refresh-token",
  plan: "Basic OP",
  checks: "A refresh token gives new tokens",
  run: async (target) => {
    const metadata = await readMetadata(target);
    if (!metadataList(metadata, "grant_types_supported").includes("refresh_token")) {
      return skipped("the provider issues no refresh tokens");
    }
    const { attempt, answer } = await logIn(target, {
      parameters: { scope: "openid offline_access", prompt: "consent" },
    });
    const parameters = {
      grant_type: "refresh_token",
      refresh_token: String(answer.body["refresh_token"]),
      code: undefined,
      code_verifier: undefined,
    };
    const renewed = await exchangeCode(target, { attempt, code: "" }, { parameters });
    assert.equal(renewed.status, 200, "the refresh token is accepted");
    return PASSED;
  },
};
