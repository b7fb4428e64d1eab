import type { ServiceRecipe } from "./service.ts";
import { authorityRecipe } from "./services/authority.ts";
import { awarenessRecipe } from "./services/awareness.ts";
import { loginRecipe } from "./services/login.ts";
import { registryRecipe } from "./services/registry.ts";
import { sandboxRecipe } from "./services/sandbox.ts";
import { vaultRecipe } from "./services/vault.ts";

/** The services of the constellation in start order: each may use the ones before it. */
export const RECIPES: readonly ServiceRecipe[] = [
  registryRecipe,
  authorityRecipe,
  awarenessRecipe,
  vaultRecipe,
  loginRecipe,
  sandboxRecipe,
];
