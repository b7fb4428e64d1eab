import { createSpentTokens, type SpentTokens } from "@dataspace/service-kit/postgres/spent-tokens";

/** The wallet tokens with which owners have changed an address. Source: decisions I6, V18. */
export const spentRegistryTokens: SpentTokens = createSpentTokens("spent_registry_token");
