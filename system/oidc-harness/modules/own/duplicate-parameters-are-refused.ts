import assert from "node:assert/strict";
import { createBrowser } from "../../browser.ts";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { startLogin } from "../../log-in.ts";
import { metadataText, readMetadata } from "../../metadata.ts";

/** A parameter that comes twice is refused. */
export const duplicateParametersAreRefused: HarnessModule = {
  name: "duplicate-parameters-are-refused",
  plan: "Own checks",
  checks: "A parameter that comes twice is refused",
  run: async (target) => {
    const endpoint = metadataText(await readMetadata(target), "authorization_endpoint");
    const { sent } = await startLogin(target);
    const query = new URLSearchParams(Object.entries(sent).map(([name, value]) => [name, value ?? ""]));
    query.append("scope", "openid email");
    const place = await createBrowser(target.issuer).open(`${endpoint}?${query}`);
    const isRefused = place.kind === "page" ? place.status >= 400 : place.url.searchParams.has("error");
    assert.ok(isRefused, "the request is refused");
    return PASSED;
  },
};
