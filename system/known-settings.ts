import type { ServiceRecipe } from "./service.ts";

/** Settings of the product beside those that the services here declare. Source: decisions, settings table. */
const OTHER_SETTINGS = [
  ...["DS_PROVISIONER_PORT", "DS_TEST_DATABASE_URL", "DS_TEST_COMPILE_FROM"],
  ...["DS_AUTHORITY_PORT", "DS_AUTHORITY_URL", "DS_AUTHORITY_SIGNING_KEY_JWK", "DS_AUTHORITY_REVIEWERS"],
  ...["DS_SANDBOX_PORT"],
  ...["DS_PPAUTH_REQUIRE_BINDING", "DS_PPAUTH_CHALLENGE_TTL_SECONDS", "DS_TRUSTED_AUTHORITIES"],
  ...["DS_DRAIN_SECONDS", "DS_AWARENESS_API_KEY"],
];

/** The names of all settings of the product; any other `DS_` name is a typing error. Refuses: never. */
export function listKnownSettings(recipes: readonly ServiceRecipe[]): readonly string[] {
  return [...recipes.flatMap(({ settings, urlSetting }) => [...Object.keys(settings), urlSetting]), ...OTHER_SETTINGS];
}
