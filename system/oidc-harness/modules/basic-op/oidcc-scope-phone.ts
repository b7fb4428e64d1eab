import { type HarnessModule, PASSED, skipped } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** The scope phone gives its claims. */
export const oidccScopePhone: HarnessModule = {
  name: "oidcc-scope-phone",
  plan: "Basic OP",
  checks: "The scope phone gives its claims",
  run: async (target) => {
    const scopes = metadataList(await readMetadata(target), "scopes_supported");
    if (!scopes.includes("phone")) return skipped("the provider does not offer the scope phone");
    await readUserinfo(target, await logIn(target, { parameters: { scope: "openid phone" } }));
    return PASSED;
  },
};
