import { z } from "zod";
import { addressedOwner, pageMembers, pageQuery, type VaultGroup } from "./vault-operation.ts";

const graphqlRequest = z.looseObject({
  query: z.string().describe("The GraphQL document: at most 1,000 tokens, depth 10, 15 aliases, 10 root fields."),
  variables: z.record(z.string(), z.unknown()).nullable().optional(),
  operationName: z.string().nullable().optional().describe("Which operation runs, when the document has several."),
});
const logEntry = z.looseObject({
  id: z.string(),
  eName: z.string(),
  operation: z.string(),
  platform: z.string().nullable().describe("The platform that carried the write."),
  timestamp: z.iso.datetime(),
});
const access = z.looseObject({
  platform: z.string(),
  deployment: z.string(),
  version: z.string(),
  level: z.string(),
  issuer: z.string(),
  certificateId: z.string(),
  domain: z.string(),
  action: z.string(),
  firstAt: z.iso.datetime(),
  lastAt: z.iso.datetime(),
});
const LIST = "{ metaEnvelopes(last: 5) { totalCount edges { node { id ontology parsed } } } }";

/** Records, their log, and who had access. Source: S1 "HTTP endpoints"; decisions V2, V10, A2. */
export const recordOperations: VaultGroup = {
  name: "Records",
  says: "Reading and writing by GraphQL, and what was done.",
  schemas: { LogEntry: logEntry, PlatformAccess: access },
  operations: [
    {
      id: "graphql",
      method: "post",
      route: "/graphql",
      summary: "Read and write records",
      says: "A write may carry `Idempotency-Key`: the same request sent again within 24 hours gets the stored answer and writes nothing.",
      caller: "caller",
      headers: addressedOwner.extend({
        "idempotency-key": z.string().max(128).optional().describe("1 to 128 printable ASCII characters, best a UUID."),
        "x-on-behalf-of": z.string().optional().describe("An eName that a platform acts for; it can only narrow."),
      }),
      body: { schema: graphqlRequest, required: true, example: { query: LIST } },
      answers: [
        {
          status: 200,
          says: "A GraphQL answer.",
          schema: z.looseObject({
            data: z.unknown().optional(),
            errors: z.array(z.looseObject({ message: z.string() })).optional(),
            extensions: z.looseObject({}).optional().describe("`warnings`, such as `OWNER_LOCKED_OUT`."),
          }),
          example: { data: { metaEnvelopes: { totalCount: 0, edges: [] } } },
        },
      ],
      refuses: [
        ...(["GRAPHQL_PARSE_FAILED", "GRAPHQL_VALIDATION_FAILED", "GRAPHQL_LIMIT_EXCEEDED", "BAD_USER_INPUT"] as const),
        ...(["IDEMPOTENCY_MISMATCH", "TRY_AGAIN"] as const),
      ],
    },
    {
      id: "readLogs",
      method: "get",
      route: "/logs",
      summary: "Read the operation log",
      says: "Newest first. The owner sees every entry; others see those of records that they may read.",
      caller: "caller",
      headers: addressedOwner,
      query: pageQuery,
      answers: [{ status: 200, says: "A page.", schema: z.strictObject({ logs: z.array(logEntry), ...pageMembers }) }],
      refuses: ["UNAUTHENTICATED", "INVALID_PAGINATION", "BAD_CURSOR"],
    },
    {
      id: "readPlatformAccess",
      method: "get",
      route: "/platform-access",
      summary: "See which platforms had access",
      says: "Newest first. An entry is one domain and one certificate on one day.",
      caller: "owner",
      headers: addressedOwner,
      query: pageQuery,
      answers: [{ status: 200, says: "A page.", schema: z.strictObject({ entries: z.array(access), ...pageMembers }) }],
      refuses: ["FORBIDDEN", "INVALID_PAGINATION", "BAD_CURSOR"],
    },
  ],
};
