// The vault's rooms; tools/rooms-table.ts has the complete table.
import { packages, type Room } from "./room.ts";

/** The rooms inside the vault. */
export const innerRoomsOfVault: readonly string[] = [
  ...["http", "graphql", "caller", "operations", "access", "keys"],
  ...["paging", "meta-envelopes", "binding-documents", "store", "ide", "files", "outgoing", "errors", "reference"],
];

/** The rows of the vault. */
export const roomsOfVault: readonly Room[] = [
  {
    room: "vault",
    at: "apps/vault",
    says: "The data of one owner: settings, wiring, and what the whole service promises (spec/).",
    mayImport: [...packages, "api-reference", "ui", ...innerRoomsOfVault.map((inner) => `vault/${inner}`)],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "vault/errors",
    at: "apps/vault/src/errors.ts",
    says: "All refusals of the vault in one table: code, HTTP status, when.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "vault/http",
    at: "apps/vault/src/http",
    says: "Doors: HTTP in, HTTP out.",
    mayImport: [
      "protocol",
      "service-kit",
      "ui",
      ...[
        "caller",
        "access",
        "graphql",
        "operations",
        "keys",
        "paging",
        "meta-envelopes",
        "store",
        "ide",
        "errors",
      ].map((inner) => `vault/${inner}`),
    ],
    outside: ["node:crypto", "fastify", "zod"],
  },
  {
    room: "vault/reference",
    at: "apps/vault/src/reference",
    says: "The vault's HTTP API as data, from which its reference is made.",
    mayImport: ["api-reference", "vault/errors"],
    outside: ["zod"],
  },
  {
    room: "vault/graphql",
    at: "apps/vault/src/graphql",
    says: "The GraphQL schema and its binding to operations.",
    mayImport: [
      "protocol",
      "service-kit",
      ...["caller", "operations", "meta-envelopes", "binding-documents", "paging", "errors"].map(
        (inner) => `vault/${inner}`,
      ),
    ],
    outside: ["node:crypto", "node:fs", "node:timers/promises", "graphql", "graphql-jit", "lru-cache"],
  },
  {
    room: "vault/caller",
    at: "apps/vault/src/caller",
    says: "Identification of the caller: headers and tokens become a Caller.",
    mayImport: ["protocol", "clients", "access", "service-kit", "platform-auth", "vault/store", "vault/errors"],
    outside: [],
  },
  {
    room: "vault/operations",
    at: "apps/vault/src/operations",
    says: "One file for each operation of the schema.",
    mayImport: [
      "protocol",
      "access",
      "access/facts",
      "service-kit",
      ...["caller", "access", "meta-envelopes", "binding-documents", "paging", "store", "files", "errors"].map(
        (inner) => `vault/${inner}`,
      ),
    ],
    outside: ["node:crypto", "node:stream", "node:timers/promises"],
  },
  {
    room: "vault/files",
    at: "apps/vault/src/files",
    says: "Storage of file bytes, and the addresses from which they are downloaded.",
    mayImport: ["protocol", "service-kit", "vault/errors"],
    outside: ["node:*", "s3mini"],
  },
  {
    room: "vault/keys",
    at: "apps/vault/src/keys",
    says: "The owner's public keys: who may change them, and their certificates.",
    mayImport: ["protocol", "clients", "service-kit", "vault/caller", "vault/store", "vault/errors"],
    outside: ["node:crypto", "lru-cache"],
  },
  {
    room: "vault/access",
    at: "apps/vault/src/access",
    says: "Whether a caller may act on a record: loads the facts and asks the access package.",
    mayImport: [
      "protocol",
      "access",
      "access/facts",
      "clients",
      "service-kit",
      "vault/caller",
      "vault/meta-envelopes",
      "vault/store",
      "vault/errors",
    ],
    outside: ["node:crypto", "node:timers/promises", "lru-cache"],
  },
  {
    room: "vault/paging",
    at: "apps/vault/src/paging",
    says: "Page arguments, cursors and edges.",
    mayImport: ["vault/errors"],
    outside: ["node:crypto"],
  },
  {
    room: "vault/meta-envelopes",
    at: "apps/vault/src/meta-envelopes",
    says: "What a MetaEnvelope is and how it changes; pure.",
    mayImport: ["protocol", "access", "service-kit", "vault/errors"],
    outside: ["node:crypto"],
  },
  {
    room: "vault/binding-documents",
    at: "apps/vault/src/binding-documents",
    says: "What a binding document contains, who may sign it, and the verification of signatures.",
    mayImport: ["protocol", "clients", "service-kit", "vault/meta-envelopes", "vault/errors"],
    outside: [],
  },
  {
    room: "vault/outgoing",
    at: "apps/vault/src/outgoing",
    says: "The dispatcher: sends the vault's events to the awareness service.",
    mayImport: ["clients", "lanes", "service-kit", "vault/store"],
    outside: ["node:os", "node:worker_threads"],
  },
  {
    room: "vault/store",
    at: "apps/vault/src/store",
    says: "The vault's rows in PostgreSQL; its only SQL.",
    mayImport: [
      "protocol",
      "access/facts",
      "lanes",
      "service-kit",
      "vault/meta-envelopes",
      "vault/paging",
      "vault/files",
    ],
    outside: ["node:crypto", "lru-cache"],
  },
  {
    room: "vault/ide",
    at: "apps/vault/src/ide",
    says: "The page on which a developer tries the GraphQL schema, served from a package's files.",
    mayImport: ["protocol", "ui"],
    outside: ["node:*", "altair-static", "hono"],
  },
];
