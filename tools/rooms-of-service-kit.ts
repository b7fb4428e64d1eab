// The rooms of the service kit, as data; tools/rooms-table.ts lists them among all others.
import type { Room } from "./room.ts";

const at = (inner: string): string => `packages/service-kit/src/${inner}`;

export const serviceKitRooms: readonly Room[] = [
  {
    room: "service-kit",
    at: "packages/service-kit",
    says: "What every server needs and nothing it knows: the rooms below, and what all of them use: clock, log, ids, concurrency limits, shares, secrets, signing keys, signatures, faults at the start.",
    mayImport: [],
    outside: ["node:crypto", "node:util", "lru-cache", "pino", "pino-pretty"],
    opensInner: true,
  },
  {
    room: "service-kit/postgres",
    at: at("postgres"),
    says: "A database as services see it: statements, transactions, numbered migrations.",
    mayImport: ["service-kit"],
    outside: ["node:crypto", "node:fs/promises", "pg"],
  },
  {
    room: "service-kit/storage",
    at: at("storage"),
    says: "Where a service's data lies: a database that the settings name, or an embedded PostgreSQL in a directory of its own.",
    mayImport: ["service-kit", "service-kit/postgres"],
    outside: ["node:*", "pg", "zod"],
  },
  {
    room: "service-kit/http",
    at: at("http"),
    says: "An HTTP server whose every refusal has a code: bounds, headers, origins, rate limits.",
    mayImport: ["service-kit", "protocol"],
    outside: ["node:*", "@fastify/rate-limit", "fastify", "lru-cache"],
  },
  {
    room: "service-kit/outgoing",
    at: at("outgoing"),
    says: "Requests to URLs that somebody else named, to no address that is not public.",
    mayImport: ["service-kit"],
    outside: ["node:*", "ipaddr.js", "lru-cache", "undici"],
  },
  {
    room: "service-kit/settings",
    at: at("settings"),
    says: "Settings read from the environment, each by its type, every fault told at once.",
    mayImport: ["service-kit", "service-kit/http", "service-kit/outgoing"],
    outside: ["node:fs", "node:net", "zod"],
  },
  {
    room: "service-kit/monitoring",
    at: at("monitoring"),
    says: "What operators look at: metrics and readiness, on a port of their own.",
    mayImport: ["service-kit", "service-kit/http", "service-kit/postgres"],
    outside: ["node:*", "@prometheus-io/client", "fastify"],
  },
  {
    room: "service-kit/run",
    at: at("run"),
    says: "A service's life as a process: started, tidied while it serves, ended.",
    mayImport: [
      "service-kit",
      "service-kit/http",
      "service-kit/postgres",
      "service-kit/storage",
      "service-kit/monitoring",
    ],
    outside: ["fastify"],
  },
  {
    room: "service-kit/testing",
    at: at("testing"),
    says: "What tests need of a server: a PostgreSQL for a run, a database for a test, a certificate, a seed, a process that nobody reaps, a proxy that stalls.",
    mayImport: ["service-kit/postgres", "service-kit/storage"],
    outside: ["node:child_process", "node:crypto", "node:events", "node:net", "pg"],
  },
];
