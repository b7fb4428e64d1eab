import type { ServiceRecipe } from "./service.ts";

/** Settings of the product beside those that the services here declare. Source: decisions, settings table. */
const OTHER_SETTINGS = [
  ...["DS_PROVISIONER_PORT", "DS_TEST_DATABASE_URL", "DS_TEST_COMPILE_FROM"],
  ...["DS_AUTHORITY_PORT", "DS_AUTHORITY_URL", "DS_AUTHORITY_SIGNING_KEY_JWK", "DS_AUTHORITY_REVIEWERS"],
  ...["DS_MIGRATION_PLATFORMS", "DS_ONTOLOGY_DOMAINS"],
  ...["DS_SANDBOX_PORT"],
  ...["DS_PPAUTH_REQUIRE_BINDING", "DS_PPAUTH_CHALLENGE_TTL_SECONDS", "DS_TRUSTED_AUTHORITIES"],
  ...["DS_LEGACY_ISSUED_BEFORE", "DS_OIDC_PORT", "DS_OIDC_ISSUER", "DS_OIDC_PLATFORM_NAME"],
  ...["DS_OIDC_CLIENT_CREATE_LIMIT", "DS_OIDC_CODE_TTL_SECONDS", "DS_OIDC_SESSION_TTL_SECONDS"],
  ...["DS_OIDC_TOKEN_TTL_SECONDS", "DS_OIDC_JWKS_CACHE_SECONDS", "DS_OIDC_UPSTREAM_TIMEOUT_MS"],
  ...["DS_OIDC_PORTAL_SECRET", "DS_OIDC_SIGNING_KEY_JWK"],
];

/** The names of all settings of the product; a `DS_` name beside them is a typing error. Refuses: never. */
export function listKnownSettings(recipes: readonly ServiceRecipe[]): readonly string[] {
  return [...recipes.flatMap(({ settings, urlSetting }) => [...Object.keys(settings), urlSetting]), ...OTHER_SETTINGS];
}
