import type { Mutant } from "./mutant.ts";
import { MUTANTS_OF_CODES } from "./mutants-of-codes.ts";
import { MUTANTS_OF_REQUESTS } from "./mutants-of-requests.ts";
import { MUTANTS_OF_TOKENS } from "./mutants-of-tokens.ts";

/** Every mutant of the connector. */
export const MUTANTS: readonly Mutant[] = [...MUTANTS_OF_REQUESTS, ...MUTANTS_OF_CODES, ...MUTANTS_OF_TOKENS];
