import { type HarnessModule, PASSED, skipped } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The scope address gives its claims. */
export const oidccScopeAddress: HarnessModule = {
  name: "oidcc-scope-address",
  plan: "Basic OP",
  checks: "The scope address gives its claims",
  run: async (target) => {
    const scopes = metadataList(await readMetadata(target), "scopes_supported");
    if (!scopes.includes("address")) return skipped("the provider does not offer the scope address");
    await readUserinfo(target, await logIn(target, { parameters: { scope: "openid address" } }));
    return PASSED;
  },
};
