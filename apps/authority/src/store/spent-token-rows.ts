import { createSpentTokens, type SpentTokens } from "@dataspace/service-kit/postgres/spent-tokens";

/** The wallet tokens with which reviewers have decided. Source: decision I6. */
export const spentReviewerTokens: SpentTokens = createSpentTokens("spent_reviewer_token");
