import assert from "node:assert/strict";
import { type HarnessModule, PASSED } from "../../harness-module.ts";
import { metadataList, metadataText, readMetadata } from "../../metadata.ts";
import { readKeySet } from "../../read-id-token.ts";

/** The discovery document is complete and true. */
export const oidccDiscoveryEndpointVerification: HarnessModule = {
  name: "oidcc-discovery-endpoint-verification",
  plan: "Config OP",
  checks: "The discovery document is complete and true",
  run: async (target) => {
    const metadata = await readMetadata(target);
    for (const name of ["authorization_endpoint", "token_endpoint", "userinfo_endpoint", "jwks_uri"]) {
      assert.equal(new URL(metadataText(metadata, name)).origin, target.issuer, `${name} is at the issuer`);
    }
    for (const [name, value] of Object.entries(REQUIRED)) {
      assert.ok(metadataList(metadata, name).includes(value), `${name} lists ${value}`);
    }
    const { keys } = await readKeySet(target);
    assert.ok(keys.length > 0, "the key set has a key");
    const algorithms = metadataList(metadata, "id_token_signing_alg_values_supported");
    assert.ok(algorithms.includes("RS256"), "id_token_signing_alg_values_supported lists RS256");
    return PASSED;
  },
};

/** Source: OpenID Connect Discovery 3. */
const REQUIRED: Readonly<Record<string, string>> = {
  response_types_supported: "code",
  subject_types_supported: "public",
  grant_types_supported: "authorization_code",
  scopes_supported: "openid",
  code_challenge_methods_supported: "S256",
};
