// The rooms of the service kit, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `packages/service-kit/src/${inner}`;

export const serviceKitRooms: readonly Room[] = [
  {
    room: "service-kit",
    at: "packages/service-kit",
    says: "What every server needs: the rooms below, and the files that several of them use, such as clock, log, ids, limits, secrets and signing keys.",
    mayImport: [],
    outside: ["node:crypto", "node:util", "lru-cache", "pino", "pino-pretty"],
    opensInner: true,
  },
  {
    room: "service-kit/postgres",
    at: at("postgres"),
    says: "Database access for services: statements, transactions, numbered migrations.",
    mayImport: ["service-kit"],
    outside: [
      "node:crypto",
      "node:fs/promises",
      "node:stream",
      "node:stream/promises",
      "node:timers/promises",
      "pg",
      "pg-copy-streams",
    ],
  },
  {
    room: "service-kit/storage",
    at: at("storage"),
    says: "Where a service's data is stored: a configured database, or an embedded PostgreSQL in a directory.",
    mayImport: ["service-kit", "service-kit/postgres"],
    outside: ["node:*", "pg", "zod"],
  },
  {
    room: "service-kit/http",
    at: at("http"),
    says: "An HTTP server whose every refusal has a code: limits, headers, origins, rate limits.",
    mayImport: ["service-kit", "protocol"],
    outside: ["node:*", "@fastify/rate-limit", "fastify", "lru-cache"],
  },
  {
    room: "service-kit/outgoing",
    at: at("outgoing"),
    says: "Requests to URLs that somebody else named; connects to public addresses only.",
    mayImport: ["service-kit"],
    outside: ["node:*", "ipaddr.js", "lru-cache", "undici"],
  },
  {
    room: "service-kit/settings",
    at: at("settings"),
    says: "Settings from the environment, each with its type; all faults are reported at once.",
    mayImport: ["service-kit", "service-kit/http", "service-kit/outgoing", "protocol"],
    outside: ["node:fs", "node:net", "zod"],
  },
  {
    room: "service-kit/monitoring",
    at: at("monitoring"),
    says: "Metrics and readiness for operators, on a separate port.",
    mayImport: ["service-kit", "service-kit/http", "service-kit/postgres"],
    outside: ["node:*", "@prometheus-io/client", "fastify"],
  },
  {
    room: "service-kit/published-keys",
    at: at("published-keys"),
    says: "A service's signing keys, and the key set that it publishes, with retired keys.",
    mayImport: ["protocol", "service-kit", "service-kit/postgres"],
    outside: ["node:crypto", "jose"],
  },
  {
    room: "service-kit/run",
    at: at("run"),
    says: "The lifecycle of a service process: start, housekeeping, end.",
    mayImport: [
      "service-kit",
      "service-kit/http",
      "service-kit/postgres",
      "service-kit/storage",
      "service-kit/monitoring",
    ],
    outside: ["node:timers/promises", "fastify"],
  },
  {
    room: "service-kit/testing",
    at: at("testing"),
    says: "Test support for servers: PostgreSQL, databases, certificates, seeds, unreaped processes, a stalling proxy.",
    mayImport: ["service-kit/postgres", "service-kit/storage"],
    outside: ["node:child_process", "node:crypto", "node:events", "node:fs", "node:net", "node:timers/promises", "pg"],
  },
];
