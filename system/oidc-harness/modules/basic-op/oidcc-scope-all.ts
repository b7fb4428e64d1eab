import { type HarnessModule, PASSED, skipped } from "../../harness-module.ts";
import { logIn } from "../../log-in.ts";
import { metadataList, readMetadata } from "../../metadata.ts";
import { readUserinfo } from "../../read-userinfo.ts";

/** All scopes of OpenID Connect together give their claims. */
export const oidccScopeAll: HarnessModule = {
  name: "oidcc-scope-all",
  plan: "Basic OP",
  checks: "All scopes of OpenID Connect together give their claims",
  run: async (target) => {
    const scopes = metadataList(await readMetadata(target), "scopes_supported");
    const wanted = ["profile", "email", "address", "phone"];
    const missing = wanted.filter((scope) => !scopes.includes(scope));
    if (missing.length > 0) return skipped(`the provider does not offer the scopes ${missing.join(" and ")}`);
    await readUserinfo(target, await logIn(target, { parameters: { scope: `openid ${wanted.join(" ")}` } }));
    return PASSED;
  },
};
