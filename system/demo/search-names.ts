import type { DemoRecord } from "./demo-data.ts";
import type { GraphQLConnection } from "./graphql-connection.ts";
import type { WrittenSet } from "./write-records.ts";

/** One search: the vault's result, and the count in the data itself. */
export interface SearchOutcome {
  readonly script: string;
  readonly term: string;
  readonly found: number;
  readonly expected: number;
  readonly example: string;
}

interface Found {
  readonly metaEnvelopes: {
    readonly totalCount: number;
    readonly edges: readonly { readonly node: { readonly parsed: { readonly name?: { readonly common?: string } } } }[];
  };
}

/** Names as the countries' own data spells them, in four scripts. */
const TERMS = [
  { script: "Latin", term: "ÖSTERREICH" },
  { script: "Arabic", term: "مصر" },
  { script: "Cyrillic", term: "россия" },
  { script: "Han", term: "日本" },
] as const;

const SEARCH = `query Search($ontology: ID!, $term: String!) {
  metaEnvelopes(filter: { ontologyId: $ontology, search: { term: $term } }, first: 1) {
    totalCount edges { node { parsed } }
  }
}`;

/**
 * Searches the countries for names in four scripts and counts the same in the data itself.
 *
 * Refuses: an Error with the vault's refusal; AbortError. Source: S1 "metaEnvelopes filter"; decision V21.
 */
export async function searchNames(
  connection: GraphQLConnection,
  { set, access }: WrittenSet,
): Promise<readonly SearchOutcome[]> {
  return await Promise.all(
    TERMS.map(async ({ script, term }) => {
      const variables = { ontology: set.ontology, term };
      const { metaEnvelopes } = await connection.ask<Found>({ ...access, query: SEARCH, variables });
      const expected = set.records.filter((record) => holdsTerm(record, term)).length;
      const example = metaEnvelopes.edges[0]?.node.parsed.name?.common ?? "";
      return { script, term, found: metaEnvelopes.totalCount, expected, example };
    }),
  );
}

// As decision V21 says: strings unchanged, anything else by its JSON text, case folded.
function holdsTerm(record: DemoRecord, term: string): boolean {
  const folded = term.toLowerCase();
  return Object.values(record).some((value) =>
    (typeof value === "string" ? value : JSON.stringify(value)).toLowerCase().includes(folded),
  );
}
