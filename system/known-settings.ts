import type { ServiceRecipe } from "./service.ts";

/** Settings of the product beside those that the services declare. */
const OTHER_SETTINGS = ["DS_DATA_DIR", "DS_PROVISIONER_PORT", "DS_TEST_DATABASE_URL", "DS_TEST_COMPILE_FROM"];

/** The names of all settings that some service reads. Refuses: never. Source: decisions, settings table. */
export function listKnownSettings(recipes: readonly ServiceRecipe[]): readonly string[] {
  return [...recipes.flatMap(({ settings, urlSetting }) => [...Object.keys(settings), urlSetting]), ...OTHER_SETTINGS];
}
