import { createSpentTokens, type SpentTokens } from "@dataspace/service-kit/postgres/spent-tokens";

/** The wallet tokens and proofs with which callers have written; the statement of a change spends them itself. Source: decision I6. */
export const spentCallerTokens: SpentTokens = createSpentTokens("spent_token");
