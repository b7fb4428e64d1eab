import { createSpentTokens, type SpentTokens } from "@dataspace/service-kit/postgres/spent-tokens";

/** The wallet tokens with which consumers have written. Source: decision I6. */
export const spentConsumerTokens: SpentTokens = createSpentTokens("spent_consumer_token");
